/*
 * What the template promise.c is compiled with by itself, to see that it is sound C. In a reproducer its place is
 * taken by the promise's own table and kernel (reproducer/promise.c), and that of promise_loop.inc by the promise's
 * own part.
 */
#pragma once

#define OF_KERNEL "promise_loop"
#define DEVICE ""
#define BUILD_OPTIONS "-cl-std=CL3.0"

enum { OF_PROMISED = 1000, OF_TRIES = 5 };

static const char source[] = "kernel void promise_loop(global uint *out, uint bound)\n{\n}\n";

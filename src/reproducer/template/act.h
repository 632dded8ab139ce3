/*
 * What the template promise.c is compiled with by itself, to see that it is sound C. In a reproducer its place is taken by
 * the promise's own table and kernel (reproducer/promise.c), and that of promise_size.inc by the promise's own part.
 */
#ifndef GRIDLOCK_REPRODUCER_ACT_H
#define GRIDLOCK_REPRODUCER_ACT_H

#define KERNEL "promise_size"
#define DEVICE ""
#define BUILD_OPTIONS "-cl-std=CL3.0 -DGL_VALUES=4 -DGL_LOCAL_WORDS=0"
#define ASK(items) CHECK(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(items), &(items), NULL))

enum { GL_VALUES = 4, DIMENSION = 0 };

static const char source[] = "kernel void promise_size(global uint *out, global uint *in, uint salt)\n{\n}\n";

#endif

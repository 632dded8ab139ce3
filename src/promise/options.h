/* What the kernel of a promise is built with: a pure function, for the worker and for reproducers. */
#pragma once

#include "core/device_info.h"
#include "promise/promise.h"

enum {
    PROMISE_OPTIONS = 320,
    PROMISE_PAIR_GROUP = 64,    /* work-items of a group, where both of a pair are of one group */
    PROMISE_TURNS = 100,        /* of a work-item that calls atomic functions */
    PROMISE_FLAGS = 1000,       /* that are set once */
    PROMISE_PLACES = 8,         /* of a memory that are written: the first word, the last, and some between them */
    PROMISE_LOCAL_BYTES = 4096, /* of a kernel whose driver is asked for them */
    PROMISE_SIZE_X = 8,         /* of a group whose kernel requires a size */
    PROMISE_SIZE_Y = 2,
};

/* Rounds of a launch of pairs. */
uint32_t promise_rounds(const struct promise *promise, const struct device_probe *probe);

/* 300: OpenCL 3.0; 0: it is not known. */
unsigned device_info_version(const struct device_info *info);

/*
 * The options beside those of the device's dialect. `amount` is the memory of a group or an argument that the promise
 * is about, in bytes.
 */
void promise_options(const struct promise *promise, const struct device_info *info, const struct device_probe *probe,
                     uint64_t amount, char text[PROMISE_OPTIONS]);

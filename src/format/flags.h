/* Names of the bits of OpenCL's capability fields (clGetDeviceInfo, OpenCL 3.0). */
#ifndef GRIDLOCK_FORMAT_FLAGS_H
#define GRIDLOCK_FORMAT_FLAGS_H

#include <stdint.h>

struct flag {
    uint64_t bit;
    const char *name; /* NULL ends a table */
};

extern const struct flag flags_svm[];
extern const struct flag flags_atomic[];

#endif

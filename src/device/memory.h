/* Memory of a device, and if the host shares it, the host's pointer to it. */
#pragma once

#include "base/error.h"
#include "core/device_info.h"

#include <CL/cl.h>
#include <stddef.h>

struct session;

/* Exactly one of buffer and svm is a kernel's argument. A zeroed one is none. */
struct memory {
    cl_mem buffer;
    void *svm;
    void *shared; /* host pointer, or NULL: the driver copies */
};

/* On failure nothing is left of it. */
int memory_make(struct session *session, struct memory *memory, enum shared_memory kind, size_t bytes,
                struct error *error);
void memory_free(struct session *session, struct memory *memory);

/* Whole words, from the beginning. Reading sees what a running kernel wrote if the memory is shared, or by `queue`. */
int memory_write(cl_command_queue queue, struct memory *memory, const void *from, size_t bytes, struct error *error);
int memory_read(cl_command_queue queue, const struct memory *memory, void *to, size_t bytes, struct error *error);

/* Makes it an argument of the kernel; returns a cl_int. */
cl_int memory_set_argument(const struct memory *memory, cl_kernel kernel, cl_uint index);

#include "base/alloc.h"
#include "device/cl_status.h"
#include "device/subject.h"
#include "worker/proof.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int proof_make(struct proof_launch *launch, char **log, struct error *error)
{
    const struct subject *subject = &launch->request->trial.footprint.subject;
    struct subject_file *file;
    cl_int code;

    if (subject_open(launch->session, subject, &file, log, error) != 0)
        return -1;
    launch->kernel = subject_find_kernel(file, subject->kernel);
    if (launch->kernel == NULL)
        return error_set(error, STATUS_USAGE, "%s has no kernel %s", file->name, subject->kernel);
    subject_find_sizes(launch->session, file);
    if (launch->kernel->refused[0] != '\0')
        return error_set(error, STATUS_UNSUPPORTED, "%s", launch->kernel->refused);
    launch->made = clCreateKernel(file->original, launch->kernel->name, &code);
    if (code != CL_SUCCESS)
        return cl_status_error(error, "clCreateKernel", code);
    launch->buffers = xcalloc((size_t)launch->kernel->argument_count + 1, sizeof(cl_mem));
    return proof_set_arguments(launch, error);
}

uint32_t proof_find_argument(const struct proof_launch *launch, const char *name)
{
    char number[16];

    for (uint32_t i = 0; i < launch->kernel->argument_count; ++i) {
        snprintf(number, sizeof number, "%" PRIu32, i);
        if (strcmp(name, number) == 0 || strcmp(name, launch->kernel->arguments[i].name) == 0)
            return i;
    }
    return UINT32_MAX;
}

void proof_unmake(struct proof_launch *launch)
{
    for (uint32_t i = 0; launch->buffers != NULL && i < launch->kernel->argument_count; ++i)
        if (launch->buffers[i] != NULL)
            clReleaseMemObject(launch->buffers[i]);
    free(launch->buffers);
    launch->buffers = NULL;
    if (launch->made != NULL)
        clReleaseKernel(launch->made);
    launch->made = NULL;
}

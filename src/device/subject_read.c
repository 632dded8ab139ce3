/* What the driver says of the kernels of a file. */
#include "device/subject.h"

#include "base/alloc.h"
#include "device/cl_status.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t ask_size(const struct session *session, cl_kernel kernel, cl_kernel_work_group_info what)
{
    cl_ulong value = 0;
    clGetKernelWorkGroupInfo(kernel, session->device, what, sizeof value, &value, NULL);
    return value;
}

void subject_read_facts(const struct session *session, cl_kernel kernel, const char *log, const char *name,
                        struct kernel_facts *facts)
{
    *facts = (struct kernel_facts){
        .local_bytes = ask_size(session, kernel, CL_KERNEL_LOCAL_MEM_SIZE),
        .private_bytes = ask_size(session, kernel, CL_KERNEL_PRIVATE_MEM_SIZE),
        .most_items = ask_size(session, kernel, CL_KERNEL_WORK_GROUP_SIZE),
        .registers = subject_registers_of(log, name),
    };
}

static void read_required(const struct session *session, cl_kernel kernel, struct subject_kernel *read)
{
    size_t required[3] = {0, 0, 0};

    if (clGetKernelWorkGroupInfo(kernel, session->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required, required,
                                 NULL) != CL_SUCCESS ||
        required[0] == 0)
        return;
    for (int i = 0; i < 3; ++i)
        read->required[i] = (uint32_t)required[i];
    snprintf(read->attributes, sizeof read->attributes, "__attribute__((reqd_work_group_size(%u, %u, %u)))",
             read->required[0], read->required[1], read->required[2]);
}

/* A name that is too long is cut, and has a number then. */
static int read_name(cl_kernel kernel, struct subject_kernel *read, struct error *error)
{
    size_t length = 0;
    cl_int code = clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 0, NULL, &length);
    char *name = code == CL_SUCCESS && length <= SUBJECT_TOLD_MOST ? xcalloc(1, length + 1) : NULL;

    if (name != NULL)
        code = clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, length, name, NULL);
    if (code != CL_SUCCESS || name == NULL) {
        free(name);
        return cl_status_error(error, "clGetKernelInfo", code != CL_SUCCESS ? code : CL_OUT_OF_HOST_MEMORY);
    }
    if (strlen(name) < sizeof read->name) {
        snprintf(read->name, sizeof read->name, "%s", name);
    } else {
        snprintf(read->name, sizeof read->name, "%.100s...%" PRIu32, name, read->file->kernel_count);
        snprintf(read->refused, sizeof read->refused, "its name has %zu bytes: at most %zu are possible", strlen(name),
                 sizeof read->name - 1);
    }
    free(name);
    return 0;
}

static int read_kernel(struct session *session, struct subject_file *file, cl_kernel kernel, const char *log,
                       struct error *error)
{
    struct subject_kernel *read = &file->kernels[file->kernel_count++];

    read->file = file;
    if (read_name(kernel, read, error) != 0)
        return -1;
    subject_read_facts(session, kernel, log, read->name, &read->original);
    read_required(session, kernel, read);
    if (read->refused[0] == '\0')
        subject_read_arguments(session, kernel, read);
    return 0;
}

static int read_all(struct session *session, struct subject_file *file, cl_kernel *kernels, cl_uint count,
                    const char *log, struct error *error)
{
    int outcome = 0;
    const cl_int code = clCreateKernelsInProgram(file->original, count, kernels, NULL);

    if (code != CL_SUCCESS)
        return cl_status_error(error, "clCreateKernelsInProgram", code);
    for (cl_uint i = 0; i < count; ++i) {
        if (outcome == 0)
            outcome = read_kernel(session, file, kernels[i], log, error);
        clReleaseKernel(kernels[i]);
    }
    return outcome;
}

int subject_read_kernels(struct session *session, struct subject_file *file, const char *log, struct error *error)
{
    size_t count = 0;
    const cl_int code = clGetProgramInfo(file->original, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL);

    if (code != CL_SUCCESS)
        return cl_status_error(error, "clGetProgramInfo", code);
    if (count == 0)
        return 0;
    if (count > SUBJECT_TOLD_MOST)
        return error_set(error, STATUS_HARNESS, "the driver says that '%s' has %zu kernels", file->name, count);
    cl_kernel *kernels = xcalloc(count, sizeof(cl_kernel));
    file->kernels = xcalloc(count, sizeof *file->kernels);
    const int outcome = read_all(session, file, kernels, (cl_uint)count, log, error);
    free(kernels);
    return outcome;
}

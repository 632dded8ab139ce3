#include "driver/objects.h"

#include "base/alloc.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static cl_kernel make(cl_program program, const struct gl_kernel *made)
{
    cl_kernel kernel = xmalloc(sizeof *kernel);

    *kernel = (struct _cl_kernel){.object = object_made(OBJECT_KERNEL),
                                  .program = program,
                                  .made = made,
                                  .arguments = xcalloc(made->argument_count + 1, sizeof *kernel->arguments)};
    object_retain(program);
    atomic_fetch_add(&program->kernels, 1);
    return kernel;
}

cl_kernel model_clCreateKernel(cl_program program, const char *name, cl_int *code)
{
    if (!object_is(program, OBJECT_PROGRAM))
        return no_object(code, CL_INVALID_PROGRAM);
    if (program->status != CL_BUILD_SUCCESS)
        return no_object(code, CL_INVALID_PROGRAM_EXECUTABLE);
    if (name == NULL)
        return no_object(code, CL_INVALID_VALUE);
    const struct gl_image *image = program->built.image;
    for (unsigned i = 0; i < image->kernel_count; ++i)
        if (strcmp(image->kernels[i].name, name) == 0) {
            no_object(code, CL_SUCCESS);
            return make(program, &image->kernels[i]);
        }
    return no_object(code, CL_INVALID_KERNEL_NAME);
}

cl_int model_clCreateKernelsInProgram(cl_program program, cl_uint room, cl_kernel *kernels, cl_uint *count)
{
    if (!object_is(program, OBJECT_PROGRAM))
        return CL_INVALID_PROGRAM;
    if (program->status != CL_BUILD_SUCCESS)
        return CL_INVALID_PROGRAM_EXECUTABLE;
    const struct gl_image *image = program->built.image;
    if (kernels != NULL && room < image->kernel_count)
        return CL_INVALID_VALUE;
    for (unsigned i = 0; kernels != NULL && i < image->kernel_count; ++i)
        kernels[i] = make(program, &image->kernels[i]);
    if (count != NULL)
        *count = image->kernel_count;
    return CL_SUCCESS;
}

void kernel_release(cl_kernel kernel)
{
    if (!object_release(kernel))
        return;
    arguments_free(kernel->arguments, kernel->made->argument_count);
    atomic_fetch_sub(&kernel->program->kernels, 1);
    program_release(kernel->program);
    free(kernel);
}

cl_int model_clReleaseKernel(cl_kernel kernel)
{
    if (!object_is(kernel, OBJECT_KERNEL))
        return CL_INVALID_KERNEL;
    kernel_release(kernel);
    return CL_SUCCESS;
}

/* --- arguments --- */

static void *copy_value(const void *value, size_t bytes)
{
    const size_t room = (bytes / MODEL_ALIGNMENT + 1) * MODEL_ALIGNMENT;
    void *const copy = aligned_alloc(MODEL_ALIGNMENT, room);

    if (copy == NULL)
        out_of_memory(room);
    return memcpy(copy, value, bytes);
}

static void free_argument(struct argument *argument)
{
    free(argument->value);
    if (argument->buffer != NULL)
        memory_release(argument->buffer);
}

static void copy_argument(const struct argument *from, size_t bytes, struct argument *to)
{
    *to = *from;
    if (from->value != NULL)
        to->value = copy_value(from->value, bytes);
    if (from->buffer != NULL)
        object_retain(from->buffer);
}

void arguments_copy(const struct argument *from, const struct gl_kernel *kernel, struct argument *to)
{
    for (unsigned i = 0; i < kernel->argument_count; ++i)
        copy_argument(&from[i], kernel->arguments[i].bytes, &to[i]);
}

void arguments_free(struct argument *arguments, unsigned count)
{
    for (unsigned i = 0; i < count; ++i)
        free_argument(&arguments[i]);
    free(arguments);
}

static cl_int read_memory(const struct _cl_kernel *kernel, enum object_kind kind, size_t size, const void *value,
                          struct argument *argument)
{
    cl_mem memory = NULL;

    if (size != sizeof(void *))
        return CL_INVALID_ARG_SIZE;
    if (value != NULL)
        memcpy(&memory, value, sizeof(void *));
    if (memory == NULL && kind == OBJECT_BUFFER)
        return CL_SUCCESS;
    if (!object_is(memory, kind) || memory->context != kernel->program->context)
        return CL_INVALID_MEM_OBJECT;
    argument->buffer = memory;
    argument->pointer = kind == OBJECT_IMAGE ? (void *)&memory->picture : memory->bytes;
    return CL_SUCCESS;
}

static cl_int read_sampler(const struct _cl_kernel *kernel, size_t size, const void *value, struct argument *argument)
{
    cl_sampler sampler = NULL;

    if (size != sizeof(void *))
        return CL_INVALID_ARG_SIZE;
    if (value != NULL)
        memcpy(&sampler, value, sizeof(void *));
    if (!object_is(sampler, OBJECT_SAMPLER) || sampler->context != kernel->program->context)
        return CL_INVALID_SAMPLER;
    memcpy(&argument->pointer, &sampler->bits, sizeof(void *));
    return CL_SUCCESS;
}

/* What it is given as. */
static cl_int read_argument(const struct _cl_kernel *kernel, const struct gl_argument *declared, size_t size,
                            const void *value, struct argument *argument)
{
    *argument = (struct argument){.is_set = true};
    switch (declared->kind) {
    case GL_ARGUMENT_GLOBAL:
    case GL_ARGUMENT_CONSTANT:
        return read_memory(kernel, OBJECT_BUFFER, size, value, argument);
    case GL_ARGUMENT_IMAGE:
        return read_memory(kernel, OBJECT_IMAGE, size, value, argument);
    case GL_ARGUMENT_SAMPLER:
        return read_sampler(kernel, size, value, argument);
    case GL_ARGUMENT_LOCAL:
        argument->local_bytes = size;
        return size == 0 ? CL_INVALID_ARG_SIZE : value != NULL ? CL_INVALID_ARG_VALUE : CL_SUCCESS;
    case GL_ARGUMENT_VALUE:
        if (size == declared->bytes && value != NULL)
            argument->value = (void *)value;
        return size != declared->bytes ? CL_INVALID_ARG_SIZE : value == NULL ? CL_INVALID_ARG_VALUE : CL_SUCCESS;
    default:
        return CL_INVALID_ARG_VALUE;
    }
}

cl_int model_clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    struct argument given;

    if (!object_is(kernel, OBJECT_KERNEL))
        return CL_INVALID_KERNEL;
    if (index >= kernel->made->argument_count)
        return CL_INVALID_ARG_INDEX;
    const struct gl_argument *declared = &kernel->made->arguments[index];
    const cl_int code = read_argument(kernel, declared, size, value, &given);
    if (code != CL_SUCCESS)
        return code;
    const struct argument before = kernel->arguments[index];
    copy_argument(&given, declared->bytes, &kernel->arguments[index]);
    free_argument((struct argument[]){before});
    return CL_SUCCESS;
}

#include "driver/objects.h"

#include "base/alloc.h"
#include "core/text.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The strings, one behind the other; a length of 0, or none, is that of a string that ends. */
static char *join(cl_uint count, const char **strings, const size_t *lengths)
{
    char *source;
    FILE *stream = xopen_memstream(&source, NULL);

    for (cl_uint i = 0; i < count; ++i)
        fwrite(strings[i], 1, lengths != NULL && lengths[i] > 0 ? lengths[i] : strlen(strings[i]), stream);
    return xclose_memstream(stream, &source);
}

cl_program model_clCreateProgramWithSource(cl_context context, cl_uint count, const char **strings,
                                           const size_t *lengths, cl_int *code)
{
    if (!object_is(context, OBJECT_CONTEXT))
        return no_object(code, CL_INVALID_CONTEXT);
    if (count == 0 || strings == NULL)
        return no_object(code, CL_INVALID_VALUE);
    for (cl_uint i = 0; i < count; ++i)
        if (strings[i] == NULL)
            return no_object(code, CL_INVALID_VALUE);
    cl_program program = xmalloc(sizeof *program);
    *program = (struct _cl_program){.object = object_made(OBJECT_PROGRAM),
                                    .context = context,
                                    .source = join(count, strings, lengths),
                                    .options = xstrdup(""),
                                    .log = xstrdup(""),
                                    .status = CL_BUILD_NONE};
    object_retain(context);
    no_object(code, CL_SUCCESS);
    return program;
}

static void forget_build(cl_program program)
{
    if (program->status == CL_BUILD_SUCCESS)
        model_program_fini(&program->built);
    program->status = CL_BUILD_NONE;
    free(program->options);
    free(program->log);
    program->options = program->log = NULL;
}

void program_release(cl_program program)
{
    if (!object_release(program))
        return;
    forget_build(program);
    free(program->source);
    model_clReleaseContext(program->context);
    free(program);
}

cl_int model_clRetainProgram(cl_program program)
{
    if (!object_is(program, OBJECT_PROGRAM))
        return CL_INVALID_PROGRAM;
    object_retain(program);
    return CL_SUCCESS;
}

cl_int model_clReleaseProgram(cl_program program)
{
    if (!object_is(program, OBJECT_PROGRAM))
        return CL_INVALID_PROGRAM;
    program_release(program);
    return CL_SUCCESS;
}

/* A compiler that is missing has no log: then what is missing is all that it says. */
static cl_int build(cl_program program, const char *options)
{
    struct error error;
    char *log = NULL;

    forget_build(program);
    program->options = xstrdup(options);
    const struct model_source source = {program->source, options, model_device.model.sub_groups > 0};
    const int outcome = model_compile(&source, &program->built, &log, &error);
    program->status = outcome == 0 ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
    program->log = log != NULL ? log : xstrdup(outcome == 0 ? "" : error.text);
    if (outcome == 0)
        return CL_SUCCESS;
    return error.status == STATUS_UNSUPPORTED && log == NULL ? CL_COMPILER_NOT_AVAILABLE : CL_BUILD_PROGRAM_FAILURE;
}

cl_int model_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                            void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
    if (!object_is(program, OBJECT_PROGRAM))
        return CL_INVALID_PROGRAM;
    if ((count == 0) != (devices == NULL) || (notify == NULL && data != NULL))
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < count; ++i)
        if (!object_is(devices[i], OBJECT_DEVICE))
            return CL_INVALID_DEVICE;
    if (atomic_load(&program->kernels) > 0)
        return CL_INVALID_OPERATION;
    const cl_int code = build(program, options != NULL ? options : "");
    if (notify == NULL)
        return code;
    notify(program, data);
    return CL_SUCCESS;
}

static cl_int answer_kernel_names(const struct answer *answer, const struct gl_image *image)
{
    char *names;
    FILE *stream = xopen_memstream(&names, NULL);

    for (unsigned i = 0; i < image->kernel_count; ++i)
        fprintf(stream, "%s%s", i > 0 ? ";" : "", image->kernels[i].name);
    xclose_memstream(stream, &names);
    const cl_int code = answer_text(answer, names);
    free(names);
    return code;
}

/* There is no binary that could be had. */
cl_int model_clGetProgramInfo(cl_program program, cl_program_info what, size_t size, void *value, size_t *length)
{
    const struct answer answer = {size, value, length};

    if (!object_is(program, OBJECT_PROGRAM))
        return CL_INVALID_PROGRAM;
    const bool built = program->status == CL_BUILD_SUCCESS;
    switch (what) {
    case CL_PROGRAM_REFERENCE_COUNT:
        return ANSWER(&answer, cl_uint, program->object.references);
    case CL_PROGRAM_CONTEXT:
        return ANSWER(&answer, cl_context, program->context);
    case CL_PROGRAM_NUM_DEVICES:
        return ANSWER(&answer, cl_uint, 1);
    case CL_PROGRAM_DEVICES:
        return ANSWER(&answer, cl_device_id, &model_device);
    case CL_PROGRAM_SOURCE:
        return answer_text(&answer, program->source);
    case CL_PROGRAM_BINARY_SIZES:
        return ANSWER(&answer, size_t, 0);
    case CL_PROGRAM_BINARIES:
        return CL_INVALID_OPERATION;
    case CL_PROGRAM_NUM_KERNELS:
        return built ? ANSWER(&answer, size_t, program->built.image->kernel_count) : CL_INVALID_PROGRAM_EXECUTABLE;
    case CL_PROGRAM_KERNEL_NAMES:
        return built ? answer_kernel_names(&answer, program->built.image) : CL_INVALID_PROGRAM_EXECUTABLE;
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int model_clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info what, size_t size,
                                   void *value, size_t *length)
{
    const struct answer answer = {size, value, length};

    if (!object_is(program, OBJECT_PROGRAM))
        return CL_INVALID_PROGRAM;
    if (!object_is(device, OBJECT_DEVICE))
        return CL_INVALID_DEVICE;
    switch (what) {
    case CL_PROGRAM_BUILD_STATUS:
        return ANSWER(&answer, cl_build_status, program->status);
    case CL_PROGRAM_BUILD_OPTIONS:
        return answer_text(&answer, program->options);
    case CL_PROGRAM_BUILD_LOG:
        return answer_text(&answer, program->log);
    case CL_PROGRAM_BINARY_TYPE:
        return ANSWER(&answer, cl_program_binary_type,
                      program->status == CL_BUILD_SUCCESS ? CL_PROGRAM_BINARY_TYPE_EXECUTABLE
                                                          : CL_PROGRAM_BINARY_TYPE_NONE);
    default:
        return CL_INVALID_VALUE;
    }
}

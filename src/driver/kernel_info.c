#include "driver/model.h"
#include "driver/objects.h"

#include <string.h>

cl_int model_clGetKernelInfo(cl_kernel kernel, cl_kernel_info what, size_t size, void *value, size_t *length)
{
    const struct answer answer = {size, value, length};

    if (!object_is(kernel, OBJECT_KERNEL))
        return CL_INVALID_KERNEL;
    switch (what) {
    case CL_KERNEL_FUNCTION_NAME:
        return answer_text(&answer, kernel->made->name);
    case CL_KERNEL_NUM_ARGS:
        return ANSWER(&answer, cl_uint, kernel->made->argument_count);
    case CL_KERNEL_REFERENCE_COUNT:
        return ANSWER(&answer, cl_uint, kernel->object.references);
    case CL_KERNEL_CONTEXT:
        return ANSWER(&answer, cl_context, kernel->program->context);
    case CL_KERNEL_PROGRAM:
        return ANSWER(&answer, cl_program, kernel->program);
    case CL_KERNEL_ATTRIBUTES:
        return answer_text(&answer, kernel->made->attributes);
    default:
        return CL_INVALID_VALUE;
    }
}

static cl_kernel_arg_address_qualifier address_of(const struct gl_argument *argument)
{
    switch (argument->kind) {
    case GL_ARGUMENT_GLOBAL:
    case GL_ARGUMENT_IMAGE:
        return CL_KERNEL_ARG_ADDRESS_GLOBAL;
    case GL_ARGUMENT_CONSTANT:
        return CL_KERNEL_ARG_ADDRESS_CONSTANT;
    case GL_ARGUMENT_LOCAL:
        return CL_KERNEL_ARG_ADDRESS_LOCAL;
    default:
        return CL_KERNEL_ARG_ADDRESS_PRIVATE;
    }
}

static cl_kernel_arg_access_qualifier access_of(const struct gl_argument *argument)
{
    static const cl_kernel_arg_access_qualifier accesses[2][2] = {
        {CL_KERNEL_ARG_ACCESS_NONE, CL_KERNEL_ARG_ACCESS_WRITE_ONLY},
        {CL_KERNEL_ARG_ACCESS_READ_ONLY, CL_KERNEL_ARG_ACCESS_READ_WRITE},
    };
    return accesses[(argument->qualifiers & GL_QUALIFIER_READ_ONLY) != 0]
                   [(argument->qualifiers & GL_QUALIFIER_WRITE_ONLY) != 0];
}

static cl_kernel_arg_type_qualifier qualifiers_of(const struct gl_argument *argument)
{
    cl_kernel_arg_type_qualifier qualifiers = CL_KERNEL_ARG_TYPE_NONE;

    if ((argument->qualifiers & GL_QUALIFIER_CONST) != 0)
        qualifiers |= CL_KERNEL_ARG_TYPE_CONST;
    if ((argument->qualifiers & GL_QUALIFIER_RESTRICT) != 0)
        qualifiers |= CL_KERNEL_ARG_TYPE_RESTRICT;
    if ((argument->qualifiers & GL_QUALIFIER_VOLATILE) != 0)
        qualifiers |= CL_KERNEL_ARG_TYPE_VOLATILE;
    if ((argument->qualifiers & GL_QUALIFIER_PIPE) != 0)
        qualifiers |= CL_KERNEL_ARG_TYPE_PIPE;
    return qualifiers;
}

cl_int model_clGetKernelArgInfo(cl_kernel kernel, cl_uint index, cl_kernel_arg_info what, size_t size, void *value,
                                size_t *length)
{
    const struct answer answer = {size, value, length};

    if (!object_is(kernel, OBJECT_KERNEL))
        return CL_INVALID_KERNEL;
    if (index >= kernel->made->argument_count)
        return CL_INVALID_ARG_INDEX;
    const struct gl_argument *argument = &kernel->made->arguments[index];
    if (argument->name[0] == '\0')
        return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
    switch (what) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
        return ANSWER(&answer, cl_kernel_arg_address_qualifier, address_of(argument));
    case CL_KERNEL_ARG_ACCESS_QUALIFIER:
        return ANSWER(&answer, cl_kernel_arg_access_qualifier, access_of(argument));
    case CL_KERNEL_ARG_TYPE_NAME:
        return answer_text(&answer, argument->type);
    case CL_KERNEL_ARG_TYPE_QUALIFIER:
        return ANSWER(&answer, cl_kernel_arg_type_qualifier, qualifiers_of(argument));
    case CL_KERNEL_ARG_NAME:
        return answer_text(&answer, argument->name);
    default:
        return CL_INVALID_VALUE;
    }
}

bool model_argument_is_used(cl_kernel kernel, cl_uint index)
{
    return (kernel->made->arguments[index].qualifiers & GL_QUALIFIER_UNUSED) == 0;
}

cl_ulong kernel_local_bytes(const struct _cl_kernel *kernel)
{
    cl_ulong bytes = kernel->made->local_bytes;

    for (unsigned i = 0; i < kernel->made->argument_count; ++i)
        bytes += kernel->arguments[i].local_bytes;
    return bytes;
}

cl_int model_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what,
                                      size_t size, void *value, size_t *length)
{
    const struct answer answer = {size, value, length};

    if (!object_is(kernel, OBJECT_KERNEL))
        return CL_INVALID_KERNEL;
    if (device != NULL && !object_is(device, OBJECT_DEVICE))
        return CL_INVALID_DEVICE;
    const unsigned *required = kernel->made->required;
    switch (what) {
    case CL_KERNEL_WORK_GROUP_SIZE:
        return ANSWER(&answer, size_t, model_device.group_items);
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE: {
        const size_t sizes[MODEL_DIMENSIONS] = {required[0], required[1], required[2]};
        return answer_bytes(&answer, sizes, sizeof sizes);
    }
    case CL_KERNEL_LOCAL_MEM_SIZE:
        return ANSWER(&answer, cl_ulong, kernel_local_bytes(kernel));
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return model_clGetDeviceInfo(&model_device, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, size, value, length);
    case CL_KERNEL_PRIVATE_MEM_SIZE:
        return ANSWER(&answer, cl_ulong, kernel->made->array_bytes);
    default:
        return CL_INVALID_VALUE;
    }
}

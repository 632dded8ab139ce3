#include "driver/objects.h"

#include "base/alloc.h"

#include <stdlib.h>

cl_context model_clCreateContext(const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
                                 void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data,
                                 cl_int *code)
{
    for (; properties != NULL && properties[0] != 0; properties += 2)
        if (properties[0] != CL_CONTEXT_PLATFORM && properties[0] != CL_CONTEXT_INTEROP_USER_SYNC)
            return no_object(code, CL_INVALID_PROPERTY);
        else if (properties[0] == CL_CONTEXT_PLATFORM && properties[1] != (cl_context_properties)&model_platform)
            return no_object(code, CL_INVALID_PLATFORM);
    if (count == 0 || devices == NULL || (notify == NULL && data != NULL))
        return no_object(code, CL_INVALID_VALUE);
    for (cl_uint i = 0; i < count; ++i)
        if (!object_is(devices[i], OBJECT_DEVICE))
            return no_object(code, CL_INVALID_DEVICE);
    cl_context context = xmalloc(sizeof *context);
    *context = (struct _cl_context){.object = object_made(OBJECT_CONTEXT)};
    no_object(code, CL_SUCCESS);
    return context;
}

cl_int model_clReleaseContext(cl_context context)
{
    if (!object_is(context, OBJECT_CONTEXT))
        return CL_INVALID_CONTEXT;
    if (object_release(context))
        free(context);
    return CL_SUCCESS;
}

cl_command_queue model_clCreateCommandQueue(cl_context context, cl_device_id device,
                                            cl_command_queue_properties properties, cl_int *code)
{
    if (!object_is(context, OBJECT_CONTEXT))
        return no_object(code, CL_INVALID_CONTEXT);
    if (!object_is(device, OBJECT_DEVICE))
        return no_object(code, CL_INVALID_DEVICE);
    if ((properties &
         ~(cl_command_queue_properties)(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE)) != 0)
        return no_object(code, CL_INVALID_VALUE);
    cl_command_queue queue = xmalloc(sizeof *queue);
    *queue =
        (struct _cl_command_queue){.object = object_made(OBJECT_QUEUE), .context = context, .properties = properties};
    object_retain(context);
    queue_enter(queue);
    no_object(code, CL_SUCCESS);
    return queue;
}

cl_int model_clReleaseCommandQueue(cl_command_queue queue)
{
    if (!object_is(queue, OBJECT_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    commands_go_on();
    queue_leave(queue);
    return CL_SUCCESS;
}

cl_int model_clFlush(cl_command_queue queue)
{
    if (!object_is(queue, OBJECT_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    commands_go_on();
    return CL_SUCCESS;
}

cl_int model_clFinish(cl_command_queue queue)
{
    if (!object_is(queue, OBJECT_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    commands_finish(queue);
    return CL_SUCCESS;
}

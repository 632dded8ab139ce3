#include "device/cl_status.h"

#include <stdio.h>

#define CODE(name)                                                                                                     \
    {                                                                                                                  \
        name, #name                                                                                                    \
    }

static const struct {
    cl_int code;
    const char *name;
} names[] = {
    CODE(CL_SUCCESS),
    CODE(CL_DEVICE_NOT_FOUND),
    CODE(CL_DEVICE_NOT_AVAILABLE),
    CODE(CL_COMPILER_NOT_AVAILABLE),
    CODE(CL_MEM_OBJECT_ALLOCATION_FAILURE),
    CODE(CL_OUT_OF_RESOURCES),
    CODE(CL_OUT_OF_HOST_MEMORY),
    CODE(CL_PROFILING_INFO_NOT_AVAILABLE),
    CODE(CL_IMAGE_FORMAT_NOT_SUPPORTED),
    CODE(CL_BUILD_PROGRAM_FAILURE),
    CODE(CL_MAP_FAILURE),
    CODE(CL_MISALIGNED_SUB_BUFFER_OFFSET),
    CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
    CODE(CL_COMPILE_PROGRAM_FAILURE),
    CODE(CL_LINKER_NOT_AVAILABLE),
    CODE(CL_LINK_PROGRAM_FAILURE),
    CODE(CL_INVALID_VALUE),
    CODE(CL_INVALID_DEVICE),
    CODE(CL_INVALID_CONTEXT),
    CODE(CL_INVALID_QUEUE_PROPERTIES),
    CODE(CL_INVALID_COMMAND_QUEUE),
    CODE(CL_INVALID_HOST_PTR),
    CODE(CL_INVALID_MEM_OBJECT),
    CODE(CL_INVALID_BINARY),
    CODE(CL_INVALID_BUILD_OPTIONS),
    CODE(CL_INVALID_PROGRAM),
    CODE(CL_INVALID_PROGRAM_EXECUTABLE),
    CODE(CL_INVALID_KERNEL_NAME),
    CODE(CL_INVALID_KERNEL),
    CODE(CL_INVALID_ARG_INDEX),
    CODE(CL_INVALID_ARG_VALUE),
    CODE(CL_INVALID_ARG_SIZE),
    CODE(CL_INVALID_KERNEL_ARGS),
    CODE(CL_INVALID_WORK_DIMENSION),
    CODE(CL_INVALID_WORK_GROUP_SIZE),
    CODE(CL_INVALID_WORK_ITEM_SIZE),
    CODE(CL_INVALID_GLOBAL_OFFSET),
    CODE(CL_INVALID_EVENT_WAIT_LIST),
    CODE(CL_INVALID_EVENT),
    CODE(CL_INVALID_OPERATION),
    CODE(CL_INVALID_BUFFER_SIZE),
    CODE(CL_INVALID_GLOBAL_WORK_SIZE),
    CODE(CL_INVALID_PROPERTY),
    {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
};

const char *cl_status_name(cl_int code)
{
    static _Thread_local char unknown[32];
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (names[i].code == code)
            return names[i].name;
    snprintf(unknown, sizeof unknown, "error %d", code);
    return unknown;
}

int cl_status_error(struct error *error, const char *call, cl_int code)
{
    return error_set(error, STATUS_HARNESS, "%s: %s", call, cl_status_name(code));
}

enum outcome cl_launch_outcome(cl_int enqueue_code, cl_int finish_code)
{
    if (enqueue_code == CL_OUT_OF_RESOURCES || enqueue_code == CL_INVALID_WORK_GROUP_SIZE ||
        enqueue_code == CL_INVALID_WORK_ITEM_SIZE)
        return OUTCOME_UNSUPPORTED;
    if (enqueue_code != CL_SUCCESS)
        return OUTCOME_CL_ERROR;
    return finish_code == CL_SUCCESS ? OUTCOME_ENDED : OUTCOME_DEVICE_LOST;
}

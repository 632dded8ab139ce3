/* How the functions are made that enqueue commands. Each ends with a wait list and an event, named so. */
#pragma once

#include "door/door.h"

#define WAIT_LIST cl_uint count, const cl_event *list, cl_event *event

#define COMMAND_WITH(name, is_blocking, parameters, arguments)                                                         \
    static cl_int CL_API_CALL on_##name parameters                                                                     \
    {                                                                                                                  \
        struct command command = command_begin(CALL_##name, queue, is_blocking, event);                                \
        cl_event *const event_given = command_event(&command);                                                         \
        command_waits(&command, count, list);                                                                          \
        return command_end(&command, REAL(queue)->name arguments);                                                     \
    }

/* One that never waits, and one that waits if it is asked to. */
#define COMMAND(name, parameters, arguments) COMMAND_WITH(name, false, parameters, arguments)
#define BLOCKING(name, parameters, arguments) COMMAND_WITH(name, blocking != CL_FALSE, parameters, arguments)

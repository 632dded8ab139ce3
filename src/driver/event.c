#include "driver/objects.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void event_lock(void)
{
    pthread_mutex_lock(&mutex);
}

void event_unlock(void)
{
    pthread_mutex_unlock(&mutex);
}

cl_event event_make(cl_context context, cl_command_type type)
{
    cl_event event = xcalloc(1, sizeof *event);

    event->object = object_made(OBJECT_EVENT);
    event->context = context;
    object_retain(context);
    event->command.type = type;
    event->status = CL_QUEUED;
    return event;
}

void event_release(cl_event event)
{
    if (!object_release(event))
        return;
    for (struct told *told = event->told, *next; told != NULL; told = next) {
        next = told->next;
        free(told);
    }
    model_clReleaseContext(event->context);
    free(event);
}

cl_int events_check(struct waits waits, cl_context context)
{
    if ((waits.count == 0) != (waits.events == NULL))
        return CL_INVALID_EVENT_WAIT_LIST;
    for (cl_uint i = 0; i < waits.count; ++i)
        if (!object_is(waits.events[i], OBJECT_EVENT))
            return CL_INVALID_EVENT_WAIT_LIST;
        else if (context != NULL && waits.events[i]->context != context)
            return CL_INVALID_CONTEXT;
    return CL_SUCCESS;
}

bool event_is_over(const struct _cl_event *event)
{
    return atomic_load(&event->status) <= CL_COMPLETE;
}

/* Takes out one who is to be told now. */
static struct told *take_told(cl_event event)
{
    struct told **at = &event->told;

    while (*at != NULL && (*at)->from < event->status)
        at = &(*at)->next;
    struct told *found = *at;
    if (found != NULL)
        *at = found->next;
    return found;
}

static void tell(cl_event event)
{
    struct told *told;

    while ((told = take_told(event)) != NULL) {
        const cl_int status = event->status < CL_COMPLETE ? event->status : told->from;
        event_unlock();
        told->tell(event, status, told->data);
        free(told);
        event_lock();
    }
}

void event_reach(cl_event event, cl_int status)
{
    event->times[status == CL_SUBMITTED ? TIME_SUBMITTED
                 : status == CL_RUNNING ? TIME_STARTED
                                        : TIME_ENDED] = clock_ns();
    atomic_store(&event->status, status);
    pthread_cond_broadcast(&changed);
    tell(event);
}

void command_await(cl_event event)
{
    for (;;) {
        queues_go_on();
        if (event_is_over(event))
            return;
        pthread_cond_wait(&changed, &mutex);
    }
}

/* --- OpenCL --- */

cl_event model_clCreateUserEvent(cl_context context, cl_int *code)
{
    if (!object_is(context, OBJECT_CONTEXT))
        return no_object(code, CL_INVALID_CONTEXT);
    cl_event event = event_make(context, CL_COMMAND_USER);
    event->status = CL_SUBMITTED;
    no_object(code, CL_SUCCESS);
    return event;
}

cl_int model_clSetUserEventStatus(cl_event event, cl_int status)
{
    if (!object_is(event, OBJECT_EVENT) || event->command.type != CL_COMMAND_USER)
        return CL_INVALID_EVENT;
    if (status > CL_COMPLETE)
        return CL_INVALID_VALUE;
    event_lock();
    const bool is_set = event_is_over(event);
    if (!is_set)
        event_reach(event, status);
    queues_go_on();
    event_unlock();
    return is_set ? CL_INVALID_OPERATION : CL_SUCCESS;
}

cl_int model_clRetainEvent(cl_event event)
{
    if (!object_is(event, OBJECT_EVENT))
        return CL_INVALID_EVENT;
    object_retain(event);
    return CL_SUCCESS;
}

cl_int model_clReleaseEvent(cl_event event)
{
    if (!object_is(event, OBJECT_EVENT))
        return CL_INVALID_EVENT;
    event_release(event);
    return CL_SUCCESS;
}

cl_int model_clWaitForEvents(cl_uint count, const cl_event *events)
{
    cl_int status = CL_SUCCESS;

    if (count == 0 || events == NULL)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < count; ++i)
        if (!object_is(events[i], OBJECT_EVENT))
            return CL_INVALID_EVENT;
        else if (events[i]->context != events[0]->context)
            return CL_INVALID_CONTEXT;
    event_lock();
    for (cl_uint i = 0; i < count; ++i) {
        command_await(events[i]);
        if (events[i]->status < 0)
            status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    }
    event_unlock();
    return status;
}

cl_int model_clSetEventCallback(cl_event event, cl_int from, void(CL_CALLBACK *notify)(cl_event, cl_int, void *),
                                void *data)
{
    if (!object_is(event, OBJECT_EVENT))
        return CL_INVALID_EVENT;
    if (notify == NULL || (from != CL_SUBMITTED && from != CL_RUNNING && from != CL_COMPLETE))
        return CL_INVALID_VALUE;
    struct told *told = xmalloc(sizeof *told);
    event_lock();
    *told = (struct told){from, notify, data, event->told};
    event->told = told;
    tell(event);
    event_unlock();
    return CL_SUCCESS;
}

cl_int model_clGetEventInfo(cl_event event, cl_event_info what, size_t size, void *value, size_t *length)
{
    const struct answer answer = {size, value, length};

    if (!object_is(event, OBJECT_EVENT))
        return CL_INVALID_EVENT;
    switch (what) {
    case CL_EVENT_COMMAND_EXECUTION_STATUS:
        return ANSWER(&answer, cl_int, event->status);
    case CL_EVENT_COMMAND_TYPE:
        return ANSWER(&answer, cl_command_type, event->command.type);
    case CL_EVENT_COMMAND_QUEUE:
        return ANSWER(&answer, cl_command_queue, event->queue);
    case CL_EVENT_CONTEXT:
        return ANSWER(&answer, cl_context, event->context);
    case CL_EVENT_REFERENCE_COUNT:
        return ANSWER(&answer, cl_uint, event->object.references);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int model_clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t size, void *value, size_t *length)
{
    static const enum event_time times[] = {TIME_QUEUED, TIME_SUBMITTED, TIME_STARTED, TIME_ENDED, TIME_ENDED};
    const struct answer answer = {size, value, length};

    if (!object_is(event, OBJECT_EVENT))
        return CL_INVALID_EVENT;
    if (what < CL_PROFILING_COMMAND_QUEUED || what > CL_PROFILING_COMMAND_COMPLETE)
        return CL_INVALID_VALUE;
    if (!event->timed || event->status != CL_COMPLETE)
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    return ANSWER(&answer, cl_ulong, event->times[times[what - CL_PROFILING_COMMAND_QUEUED]]);
}

#include "driver/model.h"
#include "driver/objects.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* With the lock of events. */
static cl_command_queue queues;

void queue_enter(cl_command_queue queue)
{
    event_lock();
    queue->next = queues;
    queues = queue;
    event_unlock();
}

/* With the lock. */
static void leave(cl_command_queue queue)
{
    cl_command_queue *at = &queues;

    if (!object_release(queue))
        return;
    while (*at != queue)
        at = &(*at)->next;
    *at = queue->next;
    model_clReleaseContext(queue->context);
    free(queue);
}

void queue_leave(cl_command_queue queue)
{
    event_lock();
    leave(queue);
    event_unlock();
}

static bool is_due(const struct _cl_event *event)
{
    for (cl_uint i = 0; i < event->wait_count; ++i)
        if (!event_is_over(event->waits[i]))
            return false;
    return true;
}

static bool waited_in_vain(const struct _cl_event *event)
{
    for (cl_uint i = 0; i < event->wait_count; ++i)
        if (atomic_load(&event->waits[i]->status) < 0)
            return true;
    return false;
}

static void forget_waits(cl_event event)
{
    for (cl_uint i = 0; i < event->wait_count; ++i)
        event_release(event->waits[i]);
    free(event->waits);
    event->waits = NULL;
    event->wait_count = 0;
}

static cl_int carry_out(cl_event event)
{
    cl_int status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;

    event_reach(event, CL_SUBMITTED);
    event_reach(event, CL_RUNNING);
    event_unlock();
    if (!waited_in_vain(event))
        status = event->command.run(event->command.work);
    event->command.end(event->command.work);
    event_lock();
    event->command.work = NULL;
    return status;
}

/* Carries out the queue's first command, if that is due. */
static bool go_on(cl_command_queue queue)
{
    cl_event event = queue->first;

    if (queue->busy || event == NULL || !is_due(event))
        return false;
    queue->busy = true;
    const cl_int status = carry_out(event);
    queue->first = event->next;
    queue->busy = false;
    forget_waits(event);
    event_reach(event, status);
    leave(queue);
    event_release(event);
    return true;
}

void queues_go_on(void)
{
    for (cl_command_queue queue = queues; queue != NULL;)
        queue = go_on(queue) ? queues : queue->next; /* others may have left meanwhile */
}

void commands_go_on(void)
{
    event_lock();
    queues_go_on();
    event_unlock();
}

void commands_finish(cl_command_queue queue)
{
    event_lock();
    queues_go_on();
    if (queue->first != NULL) {
        cl_event last = queue->last;
        object_retain(last);
        command_await(last);
        event_release(last);
    }
    event_unlock();
}

static void append(cl_command_queue queue, cl_event event)
{
    if (queue->first == NULL)
        queue->first = event;
    else
        queue->last->next = event;
    queue->last = event;
}

static cl_event make(cl_command_queue queue, const struct command *command, struct waits waits)
{
    cl_event event = event_make(queue->context, command->type);

    event->queue = queue;
    object_retain(queue);
    event->command = *command;
    event->timed = (queue->properties & CL_QUEUE_PROFILING_ENABLE) != 0;
    event->wait_count = waits.count;
    event->waits = xcalloc(waits.count + 1, sizeof(cl_event));
    for (cl_uint i = 0; i < waits.count; ++i) {
        event->waits[i] = waits.events[i];
        object_retain(waits.events[i]);
    }
    event->times[TIME_QUEUED] = clock_ns();
    return event;
}

cl_int command_enqueue(cl_command_queue queue, const struct command *command, struct waits waits, bool blocks,
                       cl_event *event)
{
    const cl_int refused = events_check(waits, queue->context);

    if (refused != CL_SUCCESS) {
        command->end(command->work);
        return refused;
    }
    cl_event made = make(queue, command, waits);
    object_retain(made);
    event_lock();
    append(queue, made);
    queues_go_on();
    if (blocks)
        command_await(made);
    event_unlock();
    const cl_int status = atomic_load(&made->status);
    if (status == MODEL_REFUSED) {
        event_release(made);
        return CL_OUT_OF_RESOURCES;
    }
    if (event != NULL)
        *event = made;
    else
        event_release(made);
    return blocks && status < 0 ? status : CL_SUCCESS;
}

/* Promises about functions of the program that the driver calls when a command has completed. */
#include "act/steps.h"
#include "base/alloc.h"
#include "device/cl_status.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum {
    EARLY_LOOKS = 100, /* of a fifth of a millisecond each, for which a command is held back */
};

/* Of one try; it is never freed, since a late call may still write to it. */
struct called {
    cl_event sets; /* the user event that the function sets, or NULL */
    cl_event of;
    cl_int status, set_code;
    _Atomic uint32_t begun, ended; /* calls */
};

/* A kernel that a user event holds back until a function is set; and one that waits until this sets another one. */
struct watched {
    struct steps steps;
    struct called *called;
    cl_command_queue queues[2];
    cl_event held, first, second; /* the user event; of the kernels, or NULL */
};

static void CL_CALLBACK on_complete(cl_event event, cl_int status, void *data)
{
    struct called *called = data;

    atomic_fetch_add(&called->begun, 1);
    called->of = event;
    called->status = status;
    if (called->sets != NULL)
        called->set_code = clSetUserEventStatus(called->sets, CL_COMPLETE);
    atomic_fetch_add(&called->ended, 1);
}

/* 1: the kernels are enqueued. 0: that is refused. */
static int enqueue(struct watched *watched, struct error *error)
{
    struct promising *promising = watched->steps.promising;
    struct called *called = watched->called;
    cl_int code;

    calls_are_made("while a user event held a kernel back whose end is to be told to a callback");
    int outcome = steps_enqueue(&watched->steps, 0, watched->queues[0], (struct wait_list){1, &watched->held},
                                &watched->first, error);
    if (outcome == 1 && called->sets != NULL)
        outcome = steps_enqueue(&watched->steps, 1, watched->queues[1], (struct wait_list){1, &called->sets},
                                &watched->second, error);
    if (outcome != 1)
        return outcome;
    code = clSetEventCallback(watched->first, CL_COMPLETE, on_complete, called);
    if (code != CL_SUCCESS)
        return promising_refused(promising, "clSetEventCallback", code);
    for (int i = 0; i < 2 && code == CL_SUCCESS; ++i)
        code = clFlush(watched->queues[i]);
    return code == CL_SUCCESS ? 1 : promising_refused(promising, "clFlush", code);
}

static int make(struct watched *watched, bool sets, struct error *error)
{
    struct session *session = watched->steps.promising->session;
    cl_int code = CL_SUCCESS;

    watched->held = watched->first = watched->second = NULL;
    watched->called = xcalloc(1, sizeof *watched->called);
    for (int i = 0; i < 2; ++i)
        watched->queues[i] = code == CL_SUCCESS ? session_make_queue(session, 0, &code) : NULL;
    if (code == CL_SUCCESS)
        watched->held = clCreateUserEvent(session->context, &code);
    if (code == CL_SUCCESS && sets)
        watched->called->sets = clCreateUserEvent(session->context, &code);
    if (code != CL_SUCCESS)
        return cl_status_error(error, "preparing a callback", code);
    return steps_begin(&watched->steps, session->side_queue, error);
}

/* 1: for 20 ms it is not called, although it could be. */
static int is_not_early(struct watched *watched)
{
    for (int i = 0; i < EARLY_LOOKS; ++i) {
        if (atomic_load(&watched->called->begun) != 0)
            return promising_says(watched->steps.promising,
                                  "The callback was called, with status %d, before the kernel could begin.",
                                  (int)watched->called->status);
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
    return 1;
}

static bool has_returned(void *context)
{
    const struct called *called = context;
    return atomic_load(&called->ended) != 0;
}

static int judge_call(struct watched *watched)
{
    struct promising *promising = watched->steps.promising;
    const struct called *called = watched->called;

    if (called->begun != 1 || called->of != watched->first || called->status != CL_COMPLETE)
        return promising_says(promising, "The callback was called %u times, the last time with status %d%s.",
                              called->begun, (int)called->status,
                              called->of != watched->first ? " and another event" : "");
    if (called->sets == NULL)
        return 1;
    if (called->set_code != CL_SUCCESS)
        return promising_refused(promising, "clSetUserEventStatus in a callback", called->set_code);
    const cl_int code = clWaitForEvents(1, &watched->second);
    return code == CL_SUCCESS ? steps_read(&watched->steps, 2, promising->session->side_queue)
                              : promising_refused(promising, "clWaitForEvents", code);
}

static int watch(struct watched *watched)
{
    struct promising *promising = watched->steps.promising;

    if (is_not_early(watched) != 1)
        return 0;
    cl_int code = clSetUserEventStatus(watched->held, CL_COMPLETE);
    calls_are_made("for a kernel whose end is to be told to a callback");
    if (code != CL_SUCCESS)
        return promising_refused(promising, "clSetUserEventStatus", code);
    code = clWaitForEvents(1, &watched->first);
    if (code != CL_SUCCESS)
        return promising_refused(promising, "clWaitForEvents", code);
    const int came = steps_come_to(&watched->steps, has_returned, watched->called);
    if (came != 0)
        return came == 1 ? judge_call(watched) : 2;
    const bool began = atomic_load(&watched->called->begun) != 0;
    return promising_says(promising, "%s, while %d other launches ended.",
                          began ? "clSetUserEventStatus did not return in the callback of a kernel that had completed"
                                : "The callback of a kernel that had completed was not called",
                          STEPS_OTHERS);
}

static void drop(struct watched *watched)
{
    const cl_event events[] = {watched->held, watched->called->sets, watched->first, watched->second};

    for (int i = 0; i < 4; ++i)
        if (events[i] != NULL)
            clReleaseEvent(events[i]);
    for (int i = 0; i < 2; ++i)
        if (watched->queues[i] != NULL)
            clReleaseCommandQueue(watched->queues[i]);
}

/* What did not go well is left as it is: a call of the driver's may still be at it. */
static int try_callback(void *context, struct error *error)
{
    struct watched *watched = context;
    int outcome = make(watched, watched->steps.promising->promise->of[0] != 0, error) == 0 ? 1 : -1;

    if (outcome == 1)
        outcome = enqueue(watched, error);
    if (outcome == 1)
        outcome = watch(watched);
    if (outcome == 1)
        drop(watched);
    return outcome;
}

int promise_callback(struct promising *promising, struct error *error)
{
    struct watched watched;

    if (steps_open(&watched.steps, promising, error) != 0)
        return -1;
    watched.steps.turns = 1;
    return promising_try(promising, try_callback, &watched, error);
}

/* Promises about commands that wait for nothing, beyond one that does not come to its end. */
#include "act/steps.h"
#include "device/cl_status.h"

enum { FAILED = -77, FAIL_LOOKS = 5000 };

/* A kernel that a user event holds back, or lets fail; and one that waits for nothing. */
struct passing {
    struct steps steps;
    enum beyond what;
    cl_command_queue queues[2]; /* of the first one, and of the other one; or the same twice */
    cl_event held, first, second;
};

/* 1: the first one is enqueued. 0: that is refused. */
static int hold(struct passing *passing, struct error *error)
{
    struct promising *promising = passing->steps.promising;
    struct session *session = promising->session;
    const bool unordered = passing->what == BEYOND_HELD;
    cl_int code;

    passing->first = passing->second = NULL;
    passing->queues[0] = session_make_queue(session, unordered ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &code);
    passing->queues[1] = passing->queues[0];
    if (code == CL_SUCCESS && passing->what == BEYOND_QUEUE)
        passing->queues[1] = session_make_queue(session, 0, &code);
    if (code == CL_SUCCESS)
        passing->held = clCreateUserEvent(session->context, &code);
    if (code != CL_SUCCESS)
        return cl_status_error(error, "preparing a kernel that is held back", code);
    if (steps_begin(&passing->steps, session->side_queue, error) != 0)
        return -1;
    calls_are_made("while a user event held a kernel back");
    const int outcome = steps_enqueue(&passing->steps, 0, passing->queues[0], (struct wait_list){1, &passing->held},
                                      &passing->first, error);
    if (outcome != 1)
        return outcome;
    code = clFlush(passing->queues[0]);
    return code == CL_SUCCESS ? 1 : promising_refused(promising, "clFlush", code);
}

/* 1: the first one has failed. 2: it has not, which others tell (user-event-error). */
static int let_fail(struct passing *passing)
{
    const cl_int code = clSetUserEventStatus(passing->held, FAILED);

    calls_are_made("behind a kernel that had failed");
    return code == CL_SUCCESS && event_await(passing->first, CL_COMPLETE, FAIL_LOOKS) < 0 ? 1 : 2;
}

static bool has_ended(void *context)
{
    const struct passing *passing = context;
    return event_status(passing->second) <= CL_COMPLETE;
}

/* The other one does what the first one does, so that it does not matter when that runs. */
static int run_second(struct passing *passing, struct error *error)
{
    struct promising *promising = passing->steps.promising;
    const int outcome =
        steps_enqueue(&passing->steps, 0, passing->queues[1], (struct wait_list){0, NULL}, &passing->second, error);

    if (outcome != 1)
        return outcome;
    cl_int code = clFlush(passing->queues[1]);
    if (code != CL_SUCCESS)
        return promising_refused(promising, "clFlush", code);
    if (!promising->promise->silent) { /* it ends when that is waited for, and need not end otherwise */
        code = clWaitForEvents(1, &passing->second);
        return code == CL_SUCCESS ? steps_read(&passing->steps, 1, promising->session->side_queue)
                                  : promising_refused(promising, "clWaitForEvents", code);
    }
    const int came = steps_come_to(&passing->steps, has_ended, passing);
    if (came != 1 || event_status(passing->second) < 0)
        return came == 1 ? 0 : came;
    return steps_read(&passing->steps, 1, promising->session->side_queue);
}

/* The other one has ended, or was given up. */
static void let_go(struct passing *passing)
{
    const cl_event events[] = {passing->held, passing->first, passing->second};

    if (passing->what != BEYOND_FAILED) {
        clSetUserEventStatus(passing->held, CL_COMPLETE);
        if (passing->first != NULL)
            clWaitForEvents(1, &passing->first);
    }
    for (int i = 0; i < 3; ++i)
        if (events[i] != NULL)
            clReleaseEvent(events[i]);
    for (int i = 0; i < 2; ++i)
        if (i == 0 || passing->queues[i] != passing->queues[0])
            clReleaseCommandQueue(passing->queues[i]);
}

static int try_beyond(void *context, struct error *error)
{
    struct passing *passing = context;

    if (promising_begins(passing->steps.promising, error) != 0)
        return -1;
    int outcome = hold(passing, error);

    if (outcome == 1 && passing->what == BEYOND_FAILED)
        outcome = let_fail(passing);
    if (outcome == 1)
        outcome = run_second(passing, error);
    if (outcome >= 0 && promising_tried(passing->steps.promising, outcome, error) != 0)
        return -1;
    if (outcome >= 0)
        let_go(passing);
    return outcome;
}

int promise_beyond(struct promising *promising, struct error *error)
{
    struct passing passing = {.what = (enum beyond)promising->promise->of[0]};

    if (passing.what == BEYOND_HELD &&
        (promising_ask(promising, CL_DEVICE_QUEUE_PROPERTIES) & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0)
        return 0;
    if (steps_open(&passing.steps, promising, error) != 0)
        return -1;
    passing.steps.turns = 1;
    if (!promising->promise->silent)
        return promising_try(promising, try_beyond, &passing, error);
    if (promising_count(promising, try_beyond, &passing, "it came to its end", error) != 0)
        return -1;
    if (promising->finding.undecided)
        promising_undecided(promising, "No kernel failed, although the user event that it waited for did.");
    return 0;
}

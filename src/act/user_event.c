/* Promises about commands that the host holds back by a user event. */
#include "act/steps.h"
#include "device/cl_status.h"

#include <string.h>

enum { LOOKS = 100, FAILED = -77, GATE_USERS = 3 };

/* A command that waits for user events, in a queue of its own. */
struct gate {
    struct steps steps;
    enum gated gated;
    cl_command_queue queue;
    cl_event users[GATE_USERS];
    cl_uint count, last;  /* of them; which one is set last */
    bool set[GATE_USERS]; /* whether they are */
    cl_event event, read; /* of the command; of a read behind it, or NULL */
};

/* Commands that wait for more than one event wait for each of them. */
static cl_uint users_of(const struct gate *gate)
{
    return gate->gated < GATED_LIST ? 1 : GATE_USERS;
}

static bool fails(const struct gate *gate)
{
    return gate->gated == GATED_FAILURE || gate->gated == GATED_WAITED;
}

static int enqueue_marker(struct gate *gate, struct wait_list users, struct error *error)
{
    const int outcome = steps_enqueue(&gate->steps, 0, gate->queue, (struct wait_list){0, NULL}, NULL, error);

    if (outcome != 1)
        return outcome;
    const cl_int code = clEnqueueMarkerWithWaitList(gate->queue, users.count, users.events, &gate->event);
    return code == CL_SUCCESS ? 1 : promising_refused(gate->steps.promising, "clEnqueueMarkerWithWaitList", code);
}

static int enqueue_behind_barrier(struct gate *gate, struct wait_list users, struct error *error)
{
    const cl_int code = clEnqueueBarrierWithWaitList(gate->queue, users.count, users.events, NULL);

    if (code != CL_SUCCESS)
        return promising_refused(gate->steps.promising, "clEnqueueBarrierWithWaitList", code);
    return steps_enqueue(&gate->steps, 0, gate->queue, (struct wait_list){0, NULL}, &gate->event, error);
}

/* 1: it is enqueued. 0: it is refused. */
static int enqueue_gated(struct gate *gate, struct error *error)
{
    const struct wait_list users = {gate->count, gate->users};

    if (gate->gated == GATED_MARKER)
        return enqueue_marker(gate, users, error);
    if (gate->gated == GATED_BARRIER)
        return enqueue_behind_barrier(gate, users, error);
    return steps_enqueue(&gate->steps, 0, gate->queue, users, &gate->event, error);
}

/* 1: the command is enqueued. 0: it is refused. */
static int open_gate(struct gate *gate, struct error *error)
{
    struct session *session = gate->steps.promising->session;
    cl_int code;

    gate->event = gate->read = NULL;
    gate->count = 0;
    memset(gate->set, 0, sizeof gate->set);
    gate->queue =
        session_make_queue(session, gate->gated == GATED_BARRIER ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &code);
    if (gate->queue == NULL)
        return cl_status_error(error, "clCreateCommandQueue", code);
    if (steps_begin(&gate->steps, session->side_queue, error) != 0)
        return -1;
    for (; gate->count < users_of(gate); ++gate->count) {
        gate->users[gate->count] = clCreateUserEvent(session->context, &code);
        if (gate->users[gate->count] == NULL)
            return promising_refused(gate->steps.promising, "clCreateUserEvent", code);
    }
    calls_are_made("while a user event held a command back");
    return enqueue_gated(gate, error);
}

static void close_gate(struct gate *gate)
{
    for (cl_uint i = 0; i < gate->count; ++i)
        if (!gate->set[i])
            clSetUserEventStatus(gate->users[i], CL_COMPLETE);
    if (gate->read != NULL) {
        clWaitForEvents(1, &gate->read); /* it writes to words that are freed soon */
        clReleaseEvent(gate->read);
    }
    if (gate->event != NULL)
        clReleaseEvent(gate->event);
    for (cl_uint i = 0; i < gate->count; ++i)
        clReleaseEvent(gate->users[i]);
    if (gate->queue != NULL)
        clReleaseCommandQueue(gate->queue);
}

/* 1: for a while it has not begun, although the queue was flushed. */
static int stays_back(struct gate *gate, cl_event event, const char *what)
{
    const cl_int status = event_await(event, CL_RUNNING, LOOKS);

    if (status > CL_RUNNING)
        return 1;
    if (gate->count > 1)
        return promising_says(gate->steps.promising,
                              "%s had the status %d before user event %u of the %u that were waited for was set.", what,
                              (int)status, gate->last + 1, gate->count);
    return promising_says(gate->steps.promising, "%s had the status %d before the user event was set.", what,
                          (int)status);
}

/* 1: it is set, and says so. */
static int set_user(struct gate *gate, cl_uint user, cl_int status)
{
    const cl_int code = clSetUserEventStatus(gate->users[user], status);

    gate->set[user] = true;
    return code == CL_SUCCESS ? 1 : promising_refused(gate->steps.promising, "clSetUserEventStatus", code);
}

/* 1: the last of them is set, and the command has stayed back until then. */
static int set_last(struct gate *gate, cl_event event, const char *what, cl_int status)
{
    for (cl_uint i = 0; i < gate->count; ++i)
        if (i != gate->last && set_user(gate, i, CL_COMPLETE) != 1)
            return 0;
    if (stays_back(gate, event, what) != 1 || set_user(gate, gate->last, status) != 1)
        return 0;
    calls_are_made("after the user event was set that had held a command back");
    return 1;
}

/* 1: the launch that waited for a failure has failed, and left nothing; or the wait for it has said so. */
static int judge_failure(struct gate *gate, cl_int waited)
{
    struct promising *promising = gate->steps.promising;
    const cl_int status = event_status(gate->event);

    if (gate->gated == GATED_WAITED && status >= 0)
        return 2; /* user-event-error tells that */
    if (gate->gated == GATED_WAITED)
        return waited == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
                   ? 1
                   : promising_says(promising, "clWaitForEvents says %s of an event whose status is %d.",
                                    cl_status_name(waited), (int)status);
    if (status < 0 && (buffer_read(&promising->buffers[1], promising->session->side_queue) != CL_SUCCESS ||
                       promising->buffers[1].words[0] != 1))
        return 1;
    return promising_says(
        promising,
        "The event of a kernel whose user event failed with %d has the status %d%s; clWaitForEvents says %s.", FAILED,
        (int)status, status < 0 ? ", and the kernel ran" : ", which is no failure", cl_status_name(waited));
}

static int pass_gate(struct gate *gate)
{
    struct promising *promising = gate->steps.promising;
    const char *what = gate->gated == GATED_MARKER ? "The marker" : "The kernel";
    cl_int code;

    if (!fails(gate) && (code = clFlush(gate->queue)) != CL_SUCCESS)
        return promising_refused(promising, "clFlush", code);
    if (set_last(gate, gate->event, what, fails(gate) ? FAILED : CL_COMPLETE) != 1)
        return 0;
    code = clWaitForEvents(1, &gate->event);
    if (fails(gate))
        return judge_failure(gate, code);
    if (code != CL_SUCCESS)
        return promising_refused(promising, "clWaitForEvents", code);
    return steps_read(&gate->steps, 1, promising->session->side_queue);
}

static int read_behind(struct gate *gate)
{
    struct promising *promising = gate->steps.promising;
    struct buffer *buffer = &promising->buffers[1];
    const size_t bytes = buffer->count * sizeof *buffer->words;

    buffer_fill(buffer, 0x55);
    cl_int code =
        clEnqueueReadBuffer(gate->queue, buffer->memory, CL_FALSE, 0, bytes, buffer->words, 0, NULL, &gate->read);
    if (code != CL_SUCCESS)
        return promising_refused(promising, "clEnqueueReadBuffer", code);
    if (set_last(gate, gate->read, "The read", CL_COMPLETE) != 1)
        return 0;
    code = clWaitForEvents(1, &gate->read);
    return code == CL_SUCCESS ? steps_judge(&gate->steps, 1) : promising_refused(promising, "clWaitForEvents", code);
}

/* In turns another one of the user events is set last. */
static int try_gate(void *context, struct error *error)
{
    struct gate *gate = context;
    int outcome = open_gate(gate, error);

    gate->last = (gate->last + 1) % users_of(gate);
    if (outcome == 1)
        outcome = gate->steps.promising->promise->act == ASK_READ ? read_behind(gate) : pass_gate(gate);
    close_gate(gate);
    return outcome;
}

int promise_user_event(struct promising *promising, struct error *error)
{
    const enum gated gated = promising->promise->act == ASK_READ ? GATED_KERNEL : (enum gated)promising->promise->of[0];
    struct gate gate = {.gated = gated};

    if (gated == GATED_BARRIER &&
        (promising_ask(promising, CL_DEVICE_QUEUE_PROPERTIES) & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0)
        return 0;
    if (steps_open(&gate.steps, promising, error) != 0)
        return -1;
    gate.steps.turns = 1;
    if (promising_try(promising, try_gate, &gate, error) != 0)
        return -1;
    if (promising->finding.undecided)
        promising_undecided(promising, "No command failed, although the user event that it waited for did.");
    return 0;
}

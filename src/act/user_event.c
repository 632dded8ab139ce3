/* Promises about commands that the host holds back by a user event. */
#include "act/steps.h"
#include "device/cl_status.h"

enum { LOOKS = 100, FAILED = -77 };

/* A launch that waits for a user event, in a queue of its own. */
struct gate {
    struct steps steps;
    cl_command_queue queue;
    cl_event user, event;
    cl_event read; /* of the read behind it, or NULL */
    bool set;
};

/* 1: the launch is enqueued. 0: it is refused. */
static int open_gate(struct gate *gate, struct error *error)
{
    struct session *session = gate->steps.promising->session;
    cl_int code;

    gate->event = gate->read = gate->user = NULL;
    gate->set = false;
    gate->queue = session_make_queue(session, 0, &code);
    if (gate->queue == NULL)
        return cl_status_error(error, "clCreateCommandQueue", code);
    if (steps_begin(&gate->steps, session->side_queue, error) != 0)
        return -1;
    gate->user = clCreateUserEvent(session->context, &code);
    if (gate->user == NULL)
        return promising_refused(gate->steps.promising, "clCreateUserEvent", code);
    calls_are_made("while a user event held a kernel back");
    return steps_enqueue(&gate->steps, 0, gate->queue, &gate->user, &gate->event, error);
}

static void close_gate(struct gate *gate)
{
    if (gate->user != NULL && !gate->set)
        clSetUserEventStatus(gate->user, CL_COMPLETE);
    if (gate->read != NULL) {
        clWaitForEvents(1, &gate->read); /* it writes to words that are freed soon */
        clReleaseEvent(gate->read);
    }
    if (gate->event != NULL)
        clReleaseEvent(gate->event);
    if (gate->user != NULL)
        clReleaseEvent(gate->user);
    if (gate->queue != NULL)
        clReleaseCommandQueue(gate->queue);
}

/* 1: for a while it has not begun, although the queue was flushed. */
static int stays_back(struct gate *gate, cl_event event, const char *what)
{
    const cl_int status = event_await(event, CL_RUNNING, LOOKS);

    if (status > CL_RUNNING)
        return 1;
    return promising_says(gate->steps.promising, "%s had the status %d before the user event was set.", what,
                          (int)status);
}

/* 1: it is set, and says so. */
static int set_event(struct gate *gate, cl_int status)
{
    const cl_int code = clSetUserEventStatus(gate->user, status);

    gate->set = true;
    calls_are_made("after the user event was set that had held a kernel back");
    return code == CL_SUCCESS ? 1 : promising_refused(gate->steps.promising, "clSetUserEventStatus", code);
}

/* 1: the launch that waited for a failure has failed, and left nothing. */
static int judge_failure(struct gate *gate, cl_int waited)
{
    struct promising *promising = gate->steps.promising;
    const cl_int status = event_status(gate->event);

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
    const bool fails = promising->promise->of[0] != 0;
    cl_int code;

    if (!fails && (code = clFlush(gate->queue)) != CL_SUCCESS)
        return promising_refused(promising, "clFlush", code);
    if (stays_back(gate, gate->event, "The kernel") != 1 || set_event(gate, fails ? FAILED : CL_COMPLETE) != 1)
        return 0;
    code = clWaitForEvents(1, &gate->event);
    if (fails)
        return judge_failure(gate, code);
    return code == CL_SUCCESS ? steps_read(&gate->steps, 1, promising->session->side_queue)
                              : promising_refused(promising, "clWaitForEvents", code);
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
    if (stays_back(gate, gate->read, "The read") != 1 || set_event(gate, CL_COMPLETE) != 1)
        return 0;
    code = clWaitForEvents(1, &gate->read);
    return code == CL_SUCCESS ? steps_judge(&gate->steps, 1) : promising_refused(promising, "clWaitForEvents", code);
}

static int try_gate(void *context, struct error *error)
{
    struct gate *gate = context;
    int outcome = open_gate(gate, error);

    if (outcome == 1)
        outcome = gate->steps.promising->promise->act == ASK_READ ? read_behind(gate) : pass_gate(gate);
    close_gate(gate);
    return outcome;
}

int promise_user_event(struct promising *promising, struct error *error)
{
    struct gate gate;

    if (steps_open(&gate.steps, promising, error) != 0)
        return -1;
    gate.steps.turns = 1;
    return promising_try(promising, try_gate, &gate, error);
}

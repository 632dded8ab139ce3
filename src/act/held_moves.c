/* Promises about writes, reads, fills and copies that wait for events. */
#include "act/promising.h"
#include "device/cl_status.h"

#include <string.h>

enum { BYTES = 1024, OLD = 0x11, NEW = 0x22, SALT = 3, LOOKS = 100, USERS = 2, MOVES = 4 };

/* A command that waits for user events, in a queue of its own. */
struct waiting {
    struct promising *promising;
    enum moved moved;
    cl_mem from, to; /* what a copy reads; what is written, or what a read reads */
    cl_command_queue queue;
    cl_event users[USERS], event;
    unsigned char given[BYTES], told[BYTES];
};

static const char *const calls[MOVES] = {
    [MOVED_WRITE] = "clEnqueueWriteBuffer",
    [MOVED_READ] = "clEnqueueReadBuffer",
    [MOVED_FILL] = "clEnqueueFillBuffer",
    [MOVED_COPY] = "clEnqueueCopyBuffer",
};

static cl_int set_bytes(struct waiting *waiting, cl_mem memory, int byte)
{
    unsigned char bytes[BYTES];

    memset(bytes, byte, BYTES);
    return clEnqueueWriteBuffer(waiting->promising->session->side_queue, memory, CL_TRUE, 0, BYTES, bytes, 0, NULL,
                                NULL);
}

static cl_int enqueue(struct waiting *waiting)
{
    cl_command_queue queue = waiting->queue;
    const cl_event *users = waiting->users;
    cl_event *event = &waiting->event;
    const unsigned char pattern = NEW;

    switch (waiting->moved) {
    case MOVED_WRITE:
        return clEnqueueWriteBuffer(queue, waiting->to, CL_FALSE, 0, BYTES, waiting->given, USERS, users, event);
    case MOVED_READ:
        return clEnqueueReadBuffer(queue, waiting->from, CL_FALSE, 0, BYTES, waiting->told, USERS, users, event);
    case MOVED_FILL:
        return clEnqueueFillBuffer(queue, waiting->to, &pattern, 1, 0, BYTES, USERS, users, event);
    default:
        return clEnqueueCopyBuffer(queue, waiting->from, waiting->to, 0, 0, BYTES, USERS, users, event);
    }
}

/* 1: all bytes of what is written are these; or every other one, which the kernel has changed, is so much more. */
static int judge(struct waiting *waiting, int byte, int more, const char *when)
{
    cl_command_queue queue = waiting->promising->session->side_queue;
    cl_int code = CL_SUCCESS;

    if (waiting->moved != MOVED_READ)
        code = clEnqueueReadBuffer(queue, waiting->to, CL_TRUE, 0, BYTES, waiting->told, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return promising_refused(waiting->promising, "clEnqueueReadBuffer", code);
    for (size_t i = 0; i < BYTES; ++i)
        if (waiting->told[i] != byte + (i % 2 == 0 ? more : 0))
            return promising_says(waiting->promising, "Of %s, %s, byte %zu is 0x%02x and not 0x%02x.",
                                  calls[waiting->moved], when, i, waiting->told[i], byte + (i % 2 == 0 ? more : 0));
    return 1;
}

/* What was written the kernel sees, too. */
static int judge_moved(struct waiting *waiting)
{
    struct promising *promising = waiting->promising;
    const size_t half = BYTES / 2;

    if (waiting->moved == MOVED_READ)
        return judge(waiting, NEW, 0, "after its events were set");
    const cl_int code = clEnqueueNDRangeKernel(promising->session->side_queue, promising->program->kernel, 1, NULL,
                                               &half, NULL, 0, NULL, NULL);
    return code == CL_SUCCESS ? judge(waiting, NEW, SALT, "after its events were set")
                              : promising_refused(promising, "clEnqueueNDRangeKernel", code);
}

/* 1: until the last of the user events is set, nothing is done. */
static int stays_back(struct waiting *waiting, uint32_t last)
{
    cl_int code = clFlush(waiting->queue);

    if (code != CL_SUCCESS)
        return promising_refused(waiting->promising, "clFlush", code);
    code = clSetUserEventStatus(waiting->users[1 - last], CL_COMPLETE);
    if (code != CL_SUCCESS)
        return promising_refused(waiting->promising, "clSetUserEventStatus", code);
    const cl_int status = event_await(waiting->event, CL_RUNNING, LOOKS);
    if (status <= CL_RUNNING)
        return promising_says(waiting->promising,
                              "Of %s the event had the status %d before user event %u of %d was set.",
                              calls[waiting->moved], (int)status, last + 1, USERS);
    return judge(waiting, OLD, 0, "before its events were set");
}

static int make(struct waiting *waiting, struct error *error)
{
    struct session *session = waiting->promising->session;
    cl_int code = set_bytes(waiting, waiting->from, NEW);

    memset(waiting->given, NEW, BYTES);
    memset(waiting->told, OLD, BYTES);
    waiting->event = NULL;
    if (code == CL_SUCCESS)
        code = set_bytes(waiting, waiting->to, OLD);
    if (code == CL_SUCCESS)
        waiting->queue = session_make_queue(session, 0, &code);
    for (int i = 0; i < USERS && code == CL_SUCCESS; ++i)
        waiting->users[i] = clCreateUserEvent(session->context, &code);
    return code == CL_SUCCESS ? 1 : cl_status_error(error, "preparing a command that waits", code);
}

static int pass(struct waiting *waiting, uint32_t last)
{
    struct promising *promising = waiting->promising;
    cl_int code;

    calls_are_made("while user events held a command back");
    code = enqueue(waiting);
    if (code != CL_SUCCESS)
        return promising_refused(promising, calls[waiting->moved], code);
    if (stays_back(waiting, last) != 1)
        return 0;
    code = clSetUserEventStatus(waiting->users[last], CL_COMPLETE);
    calls_are_made("after the user events were set that had held a command back");
    if (code == CL_SUCCESS)
        code = clWaitForEvents(1, &waiting->event);
    return code == CL_SUCCESS ? judge_moved(waiting) : promising_refused(promising, "the wait for the command", code);
}

/* What did not go well is left as it is. */
static void drop(struct waiting *waiting)
{
    clReleaseEvent(waiting->event);
    for (int i = 0; i < USERS; ++i)
        clReleaseEvent(waiting->users[i]);
    clReleaseCommandQueue(waiting->queue);
}

/* Each of the commands, in turns with the other one of the events set last. */
static int try_moves(void *context, struct error *error)
{
    struct waiting *waiting = context;
    int outcome = 1;

    for (int i = 0; i < MOVES && outcome == 1; ++i) {
        waiting->moved = (enum moved)i;
        outcome = make(waiting, error);
        if (outcome == 1)
            outcome = pass(waiting, waiting->promising->finding.tries % 2);
        if (outcome == 1)
            drop(waiting);
    }
    return outcome;
}

int promise_held_moves(struct promising *promising, struct error *error)
{
    static struct waiting waiting; /* a command that was never let go may still write to it */
    const cl_uchar salt = SALT;
    cl_int code;

    waiting = (struct waiting){.promising = promising};
    if (promising_build(promising, "promise_bytes", error) != 0)
        return -1;
    waiting.from = clCreateBuffer(promising->session->context, CL_MEM_READ_WRITE, BYTES, NULL, &code);
    if (code == CL_SUCCESS)
        waiting.to = clCreateBuffer(promising->session->context, CL_MEM_READ_WRITE, BYTES, NULL, &code);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(promising->program->kernel, 0, sizeof(cl_mem), &waiting.to);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(promising->program->kernel, 1, sizeof salt, &salt);
    if (code != CL_SUCCESS)
        return cl_status_error(error, "preparing buffers", code);
    const int outcome = promising_try(promising, try_moves, &waiting, error);
    clReleaseMemObject(waiting.from);
    clReleaseMemObject(waiting.to);
    return outcome;
}

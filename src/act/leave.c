/* Promises about the end of a process whose commands have not come to theirs. */
#include "act/steps.h"
#include "device/cl_status.h"

#include <stdlib.h>

enum { LAUNCHES = 12 };

/* 1: the launches are enqueued and flushed; or they wait for a user event that nobody sets. */
static int enqueue(struct steps *steps, cl_command_queue queue, bool held, struct error *error)
{
    cl_event user = NULL;
    cl_int code = CL_SUCCESS;

    if (held)
        user = clCreateUserEvent(steps->promising->session->context, &code);
    for (uint32_t step = 0; step < LAUNCHES && code == CL_SUCCESS; ++step) {
        const struct wait_list list = {held && step == 0, &user};
        const int outcome =
            steps_enqueue(steps, step, queue, held && step == 0 ? list : (struct wait_list){0, NULL}, NULL, error);
        if (outcome != 1)
            return outcome;
    }
    if (code == CL_SUCCESS)
        code = clFlush(queue);
    return code == CL_SUCCESS ? 1 : cl_status_error(error, "enqueuing launches", code);
}

/* The supervisor sees what comes of it, and has it done again (host/remote_promise.c). */
int promise_leave(struct promising *promising, struct error *error)
{
    struct steps steps;

    promising->finding.offered = true;
    promising->finding.promised = 1;
    if (steps_open(&steps, promising, error) != 0 || steps_begin(&steps, promising->session->queue, error) != 0 ||
        enqueue(&steps, promising->session->queue, promising->promise->of[0] != 0, error) != 1 ||
        promising_begins(promising, error) != 0)
        return promising->finding.text[0] != '\0' ? error_set(error, STATUS_HARNESS, "a launch is refused") : -1;
    session_stage(promising->session, STAGE_RUNNING);
    calls_are_made(promising->promise->of[0] != 0 ? "while a user event held kernels back"
                                                  : "while kernels were queued");
    call_enters(PROMISE_LEAVES);
    exit(0);
}

#include "act/held.h"

#include "base/clock.h"
#include "device/cl_status.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

enum { LOOK_NS = 20000, BEGIN_NS = 250000000, ASK_NS = 50000000 };

static size_t index_of(const struct held *held, enum held_word word)
{
    return ((size_t)held->slot * 8 + word) * 16;
}

int held_open(struct held *held, struct promising *promising, uint32_t milliseconds, struct error *error)
{
    const struct device_probe *probe = &promising->session->probe;
    const uint64_t polls = device_polls_a_ms(probe);
    uint64_t bound = (polls != 0 ? polls : 1000) * milliseconds;

    if (probe->loops_cut_at != 0 && bound > probe->loops_cut_at / 4 * 3)
        bound = probe->loops_cut_at / 4 * 3;
    *held = (struct held){.promising = promising, .queue = promising->session->queue, .groups = 1};
    held->bound = bound < UINT32_MAX ? (uint32_t)bound : UINT32_MAX;
    return promising_build(promising, "promise_hold", error);
}

const char *held_refusal(const struct held *held)
{
    if (held->promising->session->probe.loops_cut_at != 0)
        return "The driver ends loops after a number of turns, so no kernel can be held.";
    if (held->svm == NULL && held->promising->session->probe.channel == CHANNEL_NONE)
        return "The host cannot reach a running kernel, so none can be held.";
    return NULL;
}

int held_clear(struct held *held, struct error *error)
{
    if (held->svm != NULL) {
        memset(held->svm, 0, HELD_WORDS * sizeof *held->svm);
        return 0;
    }
    struct board_memory *board = &held->promising->session->board;
    if (board_memory_need(held->promising->session, board, HELD_WORDS, error) != 0)
        return -1;
    memset(board->copy, 0, HELD_WORDS * sizeof *board->copy);
    return board_memory_write(held->promising->session, board, HELD_WORDS, error);
}

static int set_arguments(const struct held *held, struct error *error)
{
    cl_kernel kernel = held->promising->program->kernel;
    const uint32_t values[] = {held->slot, held->bound, held->adds};
    cl_int code = held->svm != NULL ? clSetKernelArgSVMPointer(kernel, 0, held->svm)
                                    : memory_set_argument(&held->promising->session->board.memory, kernel, 0);

    for (cl_uint i = 0; i < 3 && code == CL_SUCCESS; ++i)
        code = clSetKernelArg(kernel, i + 1, sizeof values[i], &values[i]);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clSetKernelArg", code);
}

int held_start(struct held *held, struct error *error)
{
    const size_t global = held->groups, local = 1;

    if (set_arguments(held, error) != 0)
        return -1;
    session_stage(held->promising->session, STAGE_RUNNING);
    held->started_ns = clock_ns();
    cl_int code = clEnqueueNDRangeKernel(held->queue, held->promising->program->kernel, 1, NULL, &global, &local, 0,
                                         NULL, &held->event);
    if (code == CL_SUCCESS)
        code = clFlush(held->queue);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "launching a kernel to be held", code);
}

_Atomic uint32_t *held_shared(const struct held *held, enum held_word word)
{
    return (_Atomic uint32_t *)&held->svm[index_of(held, word)];
}

/* Where the words are not shared: brings them here, for peek. */
static bool refresh(const struct held *held)
{
    struct session *session = held->promising->session;
    struct error ignored;

    return held->svm != NULL || board_memory_read(session, &session->board, HELD_WORDS, true, &ignored) == 0;
}

static uint32_t peek(const struct held *held, enum held_word word)
{
    return held->svm != NULL ? atomic_load(held_shared(held, word))
                             : held->promising->session->board.copy[index_of(held, word)];
}

uint32_t held_read(const struct held *held, enum held_word word)
{
    return refresh(held) ? peek(held, word) : 0;
}

int held_let_go(struct held *held, struct error *error)
{
    const size_t index = index_of(held, HELD_GO);

    if (held->svm == NULL)
        return board_memory_poke(held->promising->session, &held->promising->session->board, (uint32_t)index, 1, error);
    atomic_store(held_shared(held, HELD_GO), 1);
    return 0;
}

/*
 * rusticl of Mesa 25 and 26 tells an event's status only when the kernel has ended, so the status of a kernel that is
 * seen to run is not asked for.
 */
bool held_has_ended(const struct held *held)
{
    const bool read = refresh(held);

    if (read && peek(held, HELD_LET_GO) + peek(held, HELD_EXPIRED) >= held->groups)
        return true;
    if ((read && peek(held, HELD_BEGAN) != 0) || clock_ns() - held->started_ns < ASK_NS)
        return false;
    return event_status(held->event) <= CL_COMPLETE;
}

bool held_begins(struct held *held)
{
    const uint64_t until_ns = clock_ns() + BEGIN_NS;

    while (held_read(held, HELD_BEGAN) == 0) {
        if (held_has_ended(held) || clock_ns() > until_ns)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
    }
    return !held_has_ended(held);
}

int held_end(struct held *held, struct error *error)
{
    if (held->event == NULL)
        return 0;
    const cl_int code = clWaitForEvents(1, &held->event);
    clReleaseEvent(held->event);
    held->event = NULL;
    session_stage(held->promising->session, STAGE_READING);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clWaitForEvents", code);
}

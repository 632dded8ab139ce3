/* Promises of cl_intel_concurrent_dispatch. */
#include "act/promising.h"
#include "device/cl_status.h"
#include "device/concurrent.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DISPATCH_TYPE 0x4257 /* CL_KERNEL_EXEC_INFO_DISPATCH_TYPE_INTEL */

enum {
    TRIES = 5,
    TRIES_EACH = 3, /* of each count on the way to that which is promised */
    ROUNDS = 10,
    POLLS = 1 << 26,
};
enum { WORD_ARRIVED, WORD_WRONG, WORD_VALID, WORD_GAVE_UP, WORDS };
enum mode { MODE_PLAIN, MODE_BARRIER, MODE_ATOMICS };

static const uint64_t PATIENCE_NS = 1500000000, LONG_PATIENCE_NS = 3000000000;

struct dispatching {
    struct promising *promising;
    struct program *program;
    size_t local_size;
    cl_mem out;
    uint32_t words[WORDS];
};

/* --- what is launched --- */

static bool has_extension(const struct promising *promising)
{
    char text[16384] = "";
    clGetDeviceInfo(promising->session->device, CL_DEVICE_EXTENSIONS, sizeof text - 1, text, NULL);
    return strstr(text, "cl_intel_concurrent_dispatch") != NULL;
}

static int set_concurrent(const struct dispatching *dispatching, bool concurrent, struct error *error)
{
    const cl_uint type = concurrent;
    const cl_int code = clSetKernelExecInfo(dispatching->program->kernel, DISPATCH_TYPE, sizeof type, &type);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clSetKernelExecInfo", code);
}

static int build(struct dispatching *dispatching, struct error *error)
{
    struct promising *promising = dispatching->promising;

    dispatching->local_size = promising->promise->of[0] > 1 ? promising->promise->of[0] : 1;
    if (promising_build(promising, "promise_dispatch", &dispatching->program, error) != 0)
        return -1;
    dispatching->out = promising_buffer(promising, dispatching->program->kernel, 0, sizeof dispatching->words, error);
    return dispatching->out != NULL ? 0 : -1;
}

static int promised_groups(struct dispatching *dispatching, uint64_t *groups, struct error *error)
{
    const struct session *session = dispatching->promising->session;
    concurrent_count *const count = concurrent_find_count(session);
    size_t answered = 0;

    if (count == NULL)
        return error_set(error, STATUS_HARNESS, "the driver has no clGetKernelMaxConcurrentWorkGroupCountINTEL");
    const cl_int code =
        count(session->queue, dispatching->program->kernel, 1, NULL, &dispatching->local_size, &answered);
    if (code != CL_SUCCESS)
        return cl_status_error(error, "clGetKernelMaxConcurrentWorkGroupCountINTEL", code);
    *groups = answered;
    return 0;
}

static int prepare(struct dispatching *dispatching, enum mode mode, struct error *error)
{
    const struct session *session = dispatching->promising->session;
    const cl_uint arguments[3] = {ROUNDS, (cl_uint)mode, POLLS};
    cl_int code = CL_SUCCESS;

    for (cl_uint i = 0; i < 3 && code == CL_SUCCESS; ++i)
        code = clSetKernelArg(dispatching->program->kernel, i + 1, sizeof arguments[i], &arguments[i]);
    memset(dispatching->words, 0, sizeof dispatching->words);
    if (code == CL_SUCCESS)
        code = clEnqueueWriteBuffer(session->queue, dispatching->out, CL_TRUE, 0, sizeof dispatching->words,
                                    dispatching->words, 0, NULL, NULL);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "preparing a launch", code);
}

/* 1: it came back, with *end; its words were read if it ran. 0: it did not come back. */
static int launch(struct dispatching *dispatching, uint64_t groups, enum mode mode, struct launch_end *end,
                  struct error *error)
{
    struct promising *promising = dispatching->promising;
    const size_t local[3] = {dispatching->local_size, 1, 1}, global[3] = {groups * local[0], 1, 1};

    if (prepare(dispatching, mode, error) != 0)
        return -1;
    const bool decides = groups == promising->search.good + 1;
    if (!promising_launch_within(promising, dispatching->program->kernel, global, local,
                                 decides ? LONG_PATIENCE_NS : PATIENCE_NS, end))
        return 0;
    if (end->enqueue_code != CL_SUCCESS || end->finish_code != CL_SUCCESS)
        return 1;
    const cl_int code = clEnqueueReadBuffer(promising->session->queue, dispatching->out, CL_TRUE, 0,
                                            sizeof dispatching->words, dispatching->words, 0, NULL, NULL);
    return code == CL_SUCCESS ? 1 : cl_status_error(error, "clEnqueueReadBuffer", code);
}

/* Builds the kernel, and calls `measure` if the extension is there. */
static int begin(struct promising *promising, int (*measure)(struct dispatching *, struct error *), struct error *error)
{
    struct dispatching dispatching = {.promising = promising};

    promising->finding.offered = has_extension(promising);
    if (!promising->finding.offered)
        return 0;
    int outcome = build(&dispatching, error);
    if (outcome == 0)
        outcome = measure(&dispatching, error);
    if (dispatching.out != NULL && !promising->spent)
        clReleaseMemObject(dispatching.out);
    return outcome;
}

/* All groups of a launch that came back have run, and came to the barrier in each round. */
static bool have_all_run(const struct dispatching *dispatching, uint64_t groups, const struct launch_end *end)
{
    return end->enqueue_code == CL_SUCCESS && end->finish_code == CL_SUCCESS &&
           dispatching->words[WORD_ARRIVED] == (uint32_t)(groups * ROUNDS);
}

/* What became of a launch that came back and did not go well. */
static void tell_failure(struct dispatching *dispatching, uint64_t groups, const struct launch_end *end)
{
    struct finding *finding = &dispatching->promising->finding;

    if (dispatching->words[WORD_WRONG] != 0)
        snprintf(finding->text, sizeof finding->text, "%" PRIu64 " groups passed the barrier before all had come.",
                 groups);
    else if (end->enqueue_code == CL_SUCCESS && end->finish_code == CL_SUCCESS)
        snprintf(finding->text, sizeof finding->text,
                 "%" PRIu64 " groups came to the barrier %" PRIu32 " times, of %" PRIu64 ".", groups,
                 dispatching->words[WORD_ARRIVED], groups * ROUNDS);
    else
        snprintf(finding->text, sizeof finding->text, "%" PRIu64 " groups are refused: %s.", groups,
                 promising_failure(end));
}

/* --- the device's barrier --- */

/* Whether so many meet; if they do not, or the driver does not come back, finding->text says so. */
static int meet(struct dispatching *dispatching, uint64_t groups, struct error *error)
{
    struct promising *promising = dispatching->promising;
    struct finding *finding = &promising->finding;
    struct launch_end end;

    promising->search.tried = groups;
    finding->measured = promising->search.good;
    snprintf(finding->text, sizeof finding->text,
             "Its barrier passes with %" PRIu64 " groups; %" PRIu64 " did not end.", promising->search.good, groups);
    for (int i = 0; i < TRIES_EACH; ++i) {
        if (promising_begins(promising, error) != 0)
            return -1;
        const int came_back = launch(dispatching, groups, MODE_BARRIER, &end, error);
        if (came_back < 0)
            return -1;
        finding->tries += 1;
        finding->fails += came_back == 0;
        if (came_back == 0)
            return 0;
        if (have_all_run(dispatching, groups, &end) && dispatching->words[WORD_WRONG] == 0)
            continue;
        finding->fails += 1;
        tell_failure(dispatching, groups, &end);
        promise_search_lost(&promising->search);
        return 0;
    }
    promise_search_passed(&promising->search);
    finding->measured = groups;
    snprintf(finding->text, sizeof finding->text,
             "Its barrier passes with %" PRIu64 " groups; %" PRIu64 " did not end.", groups, promising->search.bad);
    finding->fails = promising->search.bad != 0; /* of an earlier worker */
    if (promising->search.bad == 0)
        finding->text[0] = '\0';
    return 0;
}

static int measure_count(struct dispatching *dispatching, struct error *error)
{
    struct promising *promising = dispatching->promising;
    struct promise_search *search = &promising->search;
    struct finding *finding = &promising->finding;

    if (set_concurrent(dispatching, true, error) != 0 || promised_groups(dispatching, &finding->promised, error) != 0)
        return -1;
    search->most = finding->promised;
    const uint64_t groups = promise_search_next(search);
    if (groups == 0)
        return error_set(error, STATUS_HARNESS, "the driver promises no group");
    return meet(dispatching, groups, error);
}

int promise_concurrent_count(struct promising *promising, struct error *error)
{
    return begin(promising, measure_count, error);
}

/* --- beside it --- */

static int measure_more(struct dispatching *dispatching, struct error *error)
{
    struct promising *promising = dispatching->promising;
    struct finding *finding = &promising->finding;
    uint64_t promised = 0;

    finding->promised = 1;
    if (set_concurrent(dispatching, true, error) != 0 || promised_groups(dispatching, &promised, error) != 0)
        return -1;
    for (; finding->tries < TRIES; ++finding->tries) {
        struct launch_end end;
        if (promising_begins(promising, error) != 0)
            return -1;
        const int came_back = launch(dispatching, promised + 1, MODE_PLAIN, &end, error);
        if (came_back < 0)
            return -1;
        finding->fails += came_back == 0 || (end.enqueue_code == CL_SUCCESS && end.finish_code == CL_SUCCESS);
        if (came_back == 0)
            return 0;
    }
    finding->measured = finding->fails < TRIES;
    if (finding->fails > 0)
        snprintf(finding->text, sizeof finding->text,
                 "%" PRIu64 " groups can run together, says the driver, and %" PRIu64 " are launched concurrently.",
                 promised, promised + 1);
    return 0;
}

int promise_concurrent_more(struct promising *promising, struct error *error)
{
    return begin(promising, measure_more, error);
}

static int measure_again(struct dispatching *dispatching, struct error *error)
{
    static const uint64_t groups[] = {1, 1, 1, 2};
    struct promising *promising = dispatching->promising;
    struct finding *finding = &promising->finding;
    uint64_t promised = 0;
    struct launch_end end;

    finding->promised = 1;
    if (set_concurrent(dispatching, true, error) != 0 || promised_groups(dispatching, &promised, error) != 0)
        return -1;
    if (promised < 2)
        return error_set(error, STATUS_HARNESS, "the driver promises one group only");
    for (size_t i = 0; i < sizeof groups / sizeof *groups; ++i) {
        if (promising_begins(promising, error) != 0)
            return -1;
        promising->search.good = groups[i] - 1; /* each decides */
        const int came_back = launch(dispatching, groups[i], MODE_BARRIER, &end, error);
        if (came_back < 0)
            return -1;
        finding->tries += 1;
        if (came_back == 1 && have_all_run(dispatching, groups[i], &end))
            continue;
        finding->fails += 1;
        if (came_back == 1)
            tell_failure(dispatching, groups[i], &end);
        else
            snprintf(finding->text, sizeof finding->text, "The launch of %" PRIu64 " groups did not end.", groups[i]);
        break;
    }
    promising->search = (struct promise_search){.good = 0};
    finding->measured = finding->fails == 0;
    return 0;
}

int promise_concurrent_again(struct promising *promising, struct error *error)
{
    return begin(promising, measure_again, error);
}

static int measure_valid(struct dispatching *dispatching, struct error *error)
{
    struct promising *promising = dispatching->promising;
    struct finding *finding = &promising->finding;
    const bool concurrent = promising->promise->of[0] != 0;

    finding->promised = 1;
    if (set_concurrent(dispatching, concurrent, error) != 0)
        return -1;
    for (; finding->tries < TRIES; ++finding->tries) {
        struct launch_end end;
        if (promising_begins(promising, error) != 0)
            return -1;
        const int came_back = launch(dispatching, 1, MODE_PLAIN, &end, error);
        if (came_back < 0)
            return -1;
        finding->fails += came_back == 0 || dispatching->words[WORD_VALID] != 1u + concurrent;
        if (came_back == 0)
            return 0;
    }
    finding->measured = finding->fails < TRIES;
    if (finding->fails > 0)
        snprintf(finding->text, sizeof finding->text, "The kernel is told the contrary.");
    return 0;
}

int promise_barrier_valid(struct promising *promising, struct error *error)
{
    return begin(promising, measure_valid, error);
}

static int measure_atomics(struct dispatching *dispatching, struct error *error)
{
    struct promising *promising = dispatching->promising;
    struct promise_search *search = &promising->search;
    struct finding *finding = &promising->finding;
    uint64_t promised = 0;

    if (set_concurrent(dispatching, true, error) != 0 || promised_groups(dispatching, &promised, error) != 0)
        return -1;
    for (search->most = promised; (search->tried = promise_search_next(search)) != 0;) {
        struct launch_end end;
        const int came_back = launch(dispatching, search->tried, MODE_ATOMICS, &end, error);
        if (came_back < 0)
            return -1;
        if (came_back == 0)
            return promising_decided(promising, error);
        finding->tries += 1;
        if (end.enqueue_code == CL_SUCCESS && end.finish_code == CL_SUCCESS && dispatching->words[WORD_GAVE_UP] == 0)
            promise_search_passed(search);
        else
            promise_search_lost(search);
    }
    finding->measured = search->good;
    snprintf(finding->text, sizeof finding->text, "The driver says that %" PRIu64 " groups run together.", promised);
    return 0;
}

int promise_concurrent_atomics(struct promising *promising, struct error *error)
{
    return begin(promising, measure_atomics, error);
}

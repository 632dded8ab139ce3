/* Promises of cl_intel_concurrent_dispatch. */
#include "act/promising.h"
#include "device/cl_status.h"

#include <inttypes.h>

#define DISPATCH_TYPE 0x4257 /* CL_KERNEL_EXEC_INFO_DISPATCH_TYPE_INTEL */

enum {
    TRIES_EACH = 3, /* of each count on the way to that which is promised */
    ROUNDS = 10,
    POLLS = 1 << 26,
};
enum { WORD_ARRIVED, WORD_WRONG, WORD_VALID, WORD_GAVE_UP, WORDS };
enum mode { MODE_PLAIN, MODE_BARRIER, MODE_ATOMICS };

static const uint64_t PATIENCE_NS = 1500000000, LONG_PATIENCE_NS = 3000000000;

struct dispatching {
    struct promising *promising;
    size_t local_size;
    uint64_t promised; /* groups */
    struct buffer *out;
};

/* --- what is launched --- */

static int set_concurrent(const struct dispatching *dispatching, bool concurrent, struct error *error)
{
    const cl_uint type = concurrent;
    const cl_int code = clSetKernelExecInfo(dispatching->promising->program->kernel, DISPATCH_TYPE, sizeof type, &type);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clSetKernelExecInfo", code);
}

static int ask_groups(struct dispatching *dispatching, struct error *error)
{
    const struct promising *promising = dispatching->promising;
    concurrent_count *const count = session_concurrent_count(promising->session);
    size_t answered = 0;

    if (count == NULL)
        return error_set(error, STATUS_HARNESS, "the driver has no clGetKernelMaxConcurrentWorkGroupCountINTEL");
    const cl_int code =
        count(promising->session->queue, promising->program->kernel, 1, NULL, &dispatching->local_size, &answered);
    if (code != CL_SUCCESS)
        return cl_status_error(error, "clGetKernelMaxConcurrentWorkGroupCountINTEL", code);
    dispatching->promised = answered;
    return 0;
}

static int prepare(struct dispatching *dispatching, enum mode mode, struct error *error)
{
    const cl_uint arguments[3] = {ROUNDS, (cl_uint)mode, POLLS};
    cl_int code = CL_SUCCESS;

    for (cl_uint i = 0; i < 3 && code == CL_SUCCESS; ++i)
        code = clSetKernelArg(dispatching->promising->program->kernel, i + 1, sizeof arguments[i], &arguments[i]);
    buffer_fill(dispatching->out, 0);
    if (code == CL_SUCCESS)
        code = buffer_write(dispatching->out, dispatching->promising->session->queue);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "preparing a launch", code);
}

/* 1: it came back; its words were read if it ran. 0: it did not come back. */
static int launch(struct dispatching *dispatching, uint64_t groups, enum mode mode, struct error *error)
{
    struct promising *promising = dispatching->promising;
    const size_t local[3] = {dispatching->local_size, 1, 1}, global[3] = {groups * local[0], 1, 1};

    if (prepare(dispatching, mode, error) != 0)
        return -1;
    const bool decides = groups == promising->search.good + 1;
    if (!promising_launch_within(promising, global, local, decides ? LONG_PATIENCE_NS : PATIENCE_NS))
        return 0;
    if (!promising_ran(promising))
        return 1;
    const cl_int code = buffer_read(dispatching->out, promising->session->queue);
    return code == CL_SUCCESS ? 1 : cl_status_error(error, "clEnqueueReadBuffer", code);
}

/* All groups of a launch that came back have run, and came to the barrier in each round. */
static bool have_all_run(const struct dispatching *dispatching, uint64_t groups)
{
    return promising_ran(dispatching->promising) &&
           dispatching->out->words[WORD_ARRIVED] == (uint32_t)(groups * ROUNDS);
}

/* What became of a launch that came back and did not go well. */
static int tell_failure(struct dispatching *dispatching, uint64_t groups)
{
    struct promising *promising = dispatching->promising;
    const uint32_t *words = dispatching->out->words;

    if (words[WORD_WRONG] != 0)
        return promising_says(promising, "%" PRIu64 " groups passed the barrier before all had come.", groups);
    if (promising_ran(promising))
        return promising_says(promising, "%" PRIu64 " groups came to the barrier %" PRIu32 " times, of %" PRIu64 ".",
                              groups, words[WORD_ARRIVED], groups * ROUNDS);
    return promising_says(promising, "%" PRIu64 " groups are refused: %s.", groups, promising_failure(promising));
}

/* --- the device's barrier --- */

/* Whether so many meet; if they do not, or the driver does not come back, finding->text says so. */
static int meet(struct dispatching *dispatching, uint64_t groups, struct error *error)
{
    static const char ended[] = "Its barrier passes with %" PRIu64 " groups; %" PRIu64 " did not end.";
    struct promising *promising = dispatching->promising;
    struct finding *finding = &promising->finding;

    promising->search.tried = groups;
    finding->measured = promising->search.good;
    promising_says(promising, ended, promising->search.good, groups);
    for (int i = 0; i < TRIES_EACH; ++i) {
        if (promising_begins(promising, error) != 0)
            return -1;
        const int came_back = launch(dispatching, groups, MODE_BARRIER, error);
        if (came_back < 0)
            return -1;
        finding->tries += 1;
        if (came_back == 1 && have_all_run(dispatching, groups) && dispatching->out->words[WORD_WRONG] == 0)
            continue;
        finding->fails += 1;
        if (came_back == 0)
            return 0;
        promise_search_lost(&promising->search);
        return tell_failure(dispatching, groups);
    }
    promise_search_passed(&promising->search);
    finding->measured = groups;
    finding->fails = promising->search.bad != 0; /* of an earlier worker */
    finding->text[0] = '\0';
    if (promising->search.bad != 0)
        promising_says(promising, ended, groups, promising->search.bad);
    return 0;
}

static int measure_count(struct dispatching *dispatching, struct error *error)
{
    struct promise_search *search = &dispatching->promising->search;

    dispatching->promising->finding.promised = search->most = dispatching->promised;
    const uint64_t groups = promise_search_next(search);
    if (groups == 0)
        return error_set(error, STATUS_HARNESS, "the driver promises no group");
    return meet(dispatching, groups, error);
}

/* --- beside it --- */

/* One group more than may run together, which must be refused; or one, which is told how it is dispatched. */
static int measure_plain(struct dispatching *dispatching, struct error *error)
{
    struct promising *promising = dispatching->promising;
    struct finding *finding = &promising->finding;
    const bool more = promising->promise->act == ASK_CONCURRENT_MORE;
    const uint32_t valid = promising->promise->of[0] != 0 ? 2 : 1;

    finding->promised = 1;
    for (; finding->tries < PROMISE_TRIES; ++finding->tries) {
        if (promising_begins(promising, error) != 0)
            return -1;
        const int came_back = launch(dispatching, more ? dispatching->promised + 1 : 1, MODE_PLAIN, error);
        if (came_back < 0)
            return -1;
        if (came_back == 0)
            return promising_undecided(promising, "The launch did not end in time.");
        finding->fails += more ? promising_ran(promising) : dispatching->out->words[WORD_VALID] != valid;
    }
    finding->measured = finding->fails < PROMISE_TRIES;
    if (finding->fails == 0)
        return 0;
    if (!more)
        return promising_says(promising, "The kernel is told the contrary.");
    return promising_says(
        promising, "%" PRIu64 " groups can run together, says the driver, and %" PRIu64 " are launched concurrently.",
        dispatching->promised, dispatching->promised + 1);
}

static int measure_again(struct dispatching *dispatching, struct error *error)
{
    static const uint64_t groups[] = {1, 1, 1, 2};
    struct promising *promising = dispatching->promising;
    struct finding *finding = &promising->finding;

    finding->promised = 1;
    if (dispatching->promised < 2)
        return error_set(error, STATUS_HARNESS, "the driver promises one group only");
    for (size_t i = 0; i < sizeof groups / sizeof *groups && finding->fails == 0; ++i) {
        if (promising_begins(promising, error) != 0)
            return -1;
        promising->search.good = groups[i] - 1; /* each decides */
        const int came_back = launch(dispatching, groups[i], MODE_BARRIER, error);
        if (came_back < 0)
            return -1;
        finding->tries += 1;
        if (came_back == 1 && have_all_run(dispatching, groups[i]))
            continue;
        finding->fails += 1;
        if (came_back == 1)
            tell_failure(dispatching, groups[i]);
        else
            promising_says(promising, "The launch of %" PRIu64 " groups did not end.", groups[i]);
    }
    promising->search = (struct promise_search){.good = 0};
    finding->measured = finding->fails == 0;
    return 0;
}

static int measure_atomics(struct dispatching *dispatching, struct error *error)
{
    struct promising *promising = dispatching->promising;
    struct promise_search *search = &promising->search;
    struct finding *finding = &promising->finding;

    for (search->most = dispatching->promised; (search->tried = promise_search_next(search)) != 0;) {
        const int came_back = launch(dispatching, search->tried, MODE_ATOMICS, error);
        if (came_back < 0)
            return -1;
        if (came_back == 0)
            return promising_decided(promising, error);
        finding->tries += 1;
        if (promising_ran(promising) && dispatching->out->words[WORD_GAVE_UP] == 0)
            promise_search_passed(search);
        else
            promise_search_lost(search);
    }
    finding->measured = search->good;
    return promising_says(promising, "The driver says that %" PRIu64 " groups run together.", dispatching->promised);
}

int promise_concurrent(struct promising *promising, struct error *error)
{
    static int (*const measures[PROMISE_ACTS])(struct dispatching *, struct error *) = {
        [ASK_CONCURRENT_COUNT] = measure_count,     [ASK_CONCURRENT_MORE] = measure_plain,
        [ASK_CONCURRENT_AGAIN] = measure_again,     [ASK_BARRIER_VALID] = measure_plain,
        [ASK_CONCURRENT_ATOMICS] = measure_atomics,
    };
    const enum promise_act act = promising->promise->act;
    const uint32_t of = promising->promise->of[0];
    struct dispatching dispatching = {
        .promising = promising, .local_size = of > 1 ? of : 1, .out = &promising->buffers[0]};

    promising->finding.offered = promising_has_extension(promising, "cl_intel_concurrent_dispatch");
    if (!promising->finding.offered)
        return 0;
    if (promising_build(promising, "promise_dispatch", error) != 0 ||
        promising_buffer(promising, 0, WORDS, error) != 0 ||
        set_concurrent(&dispatching, act != ASK_BARRIER_VALID || of != 0, error) != 0)
        return -1;
    if (act != ASK_BARRIER_VALID && ask_groups(&dispatching, error) != 0)
        return -1;
    return measures[act](&dispatching, error);
}

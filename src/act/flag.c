/* Promises about atomic flags, which one work-item at a time has set. */
#include "act/promising.h"
#include "device/cl_status.h"

/* As in promise_flag.cl. */
enum { ONCE = PROMISE_FLAGS, COUNTS = 8 };
enum { HELD, WON, DONE, TOLD };

enum { GROUP = 64, MOST_GROUPS = 32 };

struct flags {
    struct promising *promising;
    size_t groups, local, sets; /* sets of flags and counts: one, or one for each group */
    struct buffer *flags, *counts, *told;
    uint64_t refused; /* how often who tried found that another one held the flag */
};

static int check_set(struct flags *flags, size_t set)
{
    struct promising *promising = flags->promising;
    const size_t items = flags->groups * flags->local / flags->sets;
    uint32_t held = 0, won = 0;

    for (size_t me = set * items; me < (set + 1) * items; ++me) {
        const uint32_t *told = flags->told->words + me * TOLD;
        if (told[DONE] != PROMISE_FLAGS)
            return promising_notes(promising, "work-item %zu did not run to its end", me);
        held += told[HELD];
        won += told[WON];
        flags->refused += PROMISE_FLAGS - told[HELD];
    }
    if (won != PROMISE_FLAGS)
        return promising_notes(promising, "%u work-items found one of %d flags clear, each of which one should", won,
                               PROMISE_FLAGS);
    for (size_t i = 0; i < COUNTS; ++i)
        if (flags->counts->words[set * COUNTS + i] != held)
            return promising_notes(promising,
                                   "a flag was held %u times, and a count that only its holder changes is %u", held,
                                   flags->counts->words[set * COUNTS + i]);
    if (flags->flags->words[set * (ONCE + 1) + ONCE] != 0)
        return promising_notes(promising, "a flag that each of its holders had cleared was set");
    return 1;
}

/* 1: all came to what it should. 0: not so, as promising->failure says. */
static int try_once(void *context, struct error *error)
{
    struct flags *flags = context;
    struct promising *promising = flags->promising;
    cl_command_queue queue = promising->session->queue;
    const size_t global[3] = {flags->groups * flags->local, 1, 1}, local[3] = {flags->local, 1, 1};
    cl_int code = CL_SUCCESS;

    for (int i = 0; i < PROMISE_BUFFERS && code == CL_SUCCESS; ++i) {
        buffer_fill(&promising->buffers[i], 0);
        code = buffer_write(&promising->buffers[i], queue);
    }
    if (code == CL_SUCCESS && !promising_launch(promising, global, local))
        return promising_notes(promising, "the launch fails with %s", promising_failure(promising));
    for (int i = 0; i < PROMISE_BUFFERS && code == CL_SUCCESS; ++i)
        code = buffer_read(&promising->buffers[i], queue);
    if (code != CL_SUCCESS)
        return cl_status_error(error, "a transfer of flags", code);
    int right = 1;
    for (size_t set = 0; right == 1 && set < flags->sets; ++set)
        right = check_set(flags, set);
    return right;
}

static int prepare(struct flags *flags, struct error *error)
{
    struct promising *promising = flags->promising;
    const uint64_t most = promising_group_size(promising);
    const size_t units = promising->session->info.compute_units;

    flags->local = most != 0 && most < GROUP ? most : GROUP;
    flags->groups = 2 * units < 4 ? 4 : 2 * units < MOST_GROUPS ? 2 * units : MOST_GROUPS;
    flags->sets = promising->promise->of[1] == SCOPE_GROUP ? flags->groups : 1;
    flags->flags = &promising->buffers[0];
    flags->counts = &promising->buffers[1];
    flags->told = &promising->buffers[2];
    if (promising_buffer(promising, 0, flags->sets * (ONCE + 1), error) != 0 ||
        promising_buffer(promising, 1, flags->sets * COUNTS, error) != 0)
        return -1;
    return promising_buffer(promising, 2, flags->groups * flags->local * TOLD, error);
}

int promise_atomic_flag(struct promising *promising, struct error *error)
{
    struct flags flags = {.promising = promising};
    struct finding *finding = &promising->finding;

    if (!promising_has_atomics(promising, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES) || !finding->offered)
        return 0;
    const int outcome = promising_compile(promising, "promise_flag", error);
    if (outcome != 1)
        return outcome;
    if (prepare(&flags, error) != 0 || promising_settle(promising, try_once, &flags, error) != 0)
        return -1;
    if (finding->fails > 0)
        return promising_says(promising, "In %u of %u launches %s.", finding->fails, finding->tries,
                              promising->failure);
    if (flags.refused == 0)
        return promising_undecided(promising, "Nobody found a flag that another one held: work-items hardly ran at the "
                                              "same time.");
    return promising_says(promising, "All counts are right, of %zu work-items with %d turns in each of %u launches.",
                          flags.groups * flags.local, PROMISE_FLAGS, finding->tries);
}

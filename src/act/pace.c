/* What is fast, which nobody promises: the preferred multiple of work-items in a group beside the fastest size. */
#include "act/promising.h"

#include <inttypes.h>

enum {
    SIZES = 11, /* 1, 2, 4 ... 1024 */
    TURNS_FIRST = 16,
    TURNS_MOST = 1 << 16,
    ITEMS_FIRST = 1 << (SIZES - 1),
    ITEMS_MOST = 1 << 18,
    LONG_NS = 2000000, /* beside which what a launch costs is little */
    SAID = 2,          /* words that each work-item says */
};

struct pacing {
    struct promising *promising;
    size_t items;
    uint32_t turns; /* of each work-item */
    uint64_t shortest_ns[SIZES];
};

static int time_launch(struct pacing *pacing, size_t size, uint64_t *lasted_ns, struct error *error)
{
    struct promising *promising = pacing->promising;
    const size_t global[3] = {pacing->items, 1, 1}, local[3] = {size, 1, 1};
    const int ran = promising_run(promising, global, local, &promising->buffers[0], error);

    if (ran == 0)
        return error_set(error, STATUS_HARNESS, "a group of %zu work-items fails: %s", size,
                         promising_failure(promising));
    /* not every driver's profile can be believed */
    *lasted_ns = promising->end.ended_ns - promising->end.began_ns;
    return ran < 0 ? -1 : 0;
}

/* The shortest of several: any launch may have waited for its turn. */
static int time_sizes(struct pacing *pacing, size_t most, struct error *error)
{
    uint64_t lasted_ns = 0;

    for (int i = 0; i < SIZES; ++i)
        pacing->shortest_ns[i] = UINT64_MAX;
    for (int round = 0; round < PROMISE_TRIES; ++round)
        for (int i = 0; i < SIZES && (size_t)1 << i <= most; ++i) {
            if (time_launch(pacing, (size_t)1 << i, &lasted_ns, error) != 0)
                return -1;
            if (lasted_ns < pacing->shortest_ns[i])
                pacing->shortest_ns[i] = lasted_ns;
        }
    return 0;
}

/* As many work-items, and then as many turns of each, as make a launch long. */
static int lengthen(struct pacing *pacing, size_t most, struct error *error)
{
    uint64_t lasted_ns = 0;

    for (;;) {
        if (promising_set(pacing->promising, 1, pacing->turns, error) != 0 ||
            time_launch(pacing, most, &lasted_ns, error) != 0)
            return -1;
        if (lasted_ns > LONG_NS || pacing->turns == TURNS_MOST)
            return 0;
        if (pacing->items < ITEMS_MOST)
            pacing->items *= 4;
        else
            pacing->turns *= 4;
    }
}

/* The powers of two are those that were timed. */
static int nearest(uint64_t items)
{
    int i = 0;
    while (i < SIZES - 1 && UINT64_C(2) << i <= items)
        ++i;
    return i;
}

static void tell(struct pacing *pacing)
{
    struct finding *finding = &pacing->promising->finding;
    const int preferred = nearest(finding->promised);
    int fastest = 0;

    for (int i = 1; i < SIZES; ++i)
        if (pacing->shortest_ns[i] < pacing->shortest_ns[fastest])
            fastest = i;
    finding->measured = UINT64_C(1) << fastest;
    finding->tries = PROMISE_TRIES;
    promising_says(pacing->promising,
                   "The driver says %" PRIu64 ". %zu work-items took %" PRIu64 " us in groups of %" PRIu64 ", %" PRIu64
                   " us in groups of %d, and %" PRIu64 " us in groups of 1.",
                   finding->promised, pacing->items, pacing->shortest_ns[fastest] / 1000, finding->measured,
                   pacing->shortest_ns[preferred] / 1000, 1 << preferred, pacing->shortest_ns[0] / 1000);
}

static int measure(struct pacing *pacing, struct error *error)
{
    struct promising *promising = pacing->promising;
    const uint64_t allowed = promising_group_size(promising);
    const size_t most = allowed < ITEMS_FIRST ? (size_t)1 << nearest(allowed) : ITEMS_FIRST;

    if (promising_buffer(promising, 0, SAID * ITEMS_MOST, error) != 0 || lengthen(pacing, most, error) != 0 ||
        time_sizes(pacing, most, error) != 0)
        return -1;
    tell(pacing);
    return 0;
}

int promise_multiple(struct promising *promising, struct error *error)
{
    struct pacing pacing = {.promising = promising, .items = ITEMS_FIRST, .turns = TURNS_FIRST};

    if (promising_build(promising, "promise_loop", error) != 0)
        return -1;
    promising->finding.offered = true;
    promising->finding.promised =
        session_kernel_says(promising->session, promising->program, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
    return measure(&pacing, error);
}

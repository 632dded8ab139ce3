/* Promises about loops, and for how long kernels run. */
#include "act/promising.h"

#include <inttypes.h>

enum {
    TURNS_FIRST = 1000,
    TURNS_MOST = 10000000,
    BUDGET_NS = 500000000, /* of a launch: the next, ten times longer one must not take too long */
    LONG_NS = 200000000,   /* of a launch from whose time that of a longer one is known */
    KERNEL_S = 5,          /* for how long a kernel is tried */
};

struct looping {
    struct promising *promising;
    uint32_t bound;
    uint32_t turns;     /* that the last launch made, */
    uint32_t fewest;    /* and the fewest that one made which made too few */
    uint64_t lasted_ns; /* the last launch, */
    uint64_t least_ns;  /* and the quickest of those with this bound: others may have waited for a processor */
};

static int launch(struct looping *looping, struct error *error)
{
    static const size_t one[3] = {1, 1, 1};
    struct promising *promising = looping->promising;

    if (promising_set(promising, 1, looping->bound, error) != 0)
        return -1;
    const int ran = promising_run(promising, one, one, &promising->buffers[0], error);
    looping->turns = promising->buffers[0].words[0];
    looping->lasted_ns = promising->end.ended_ns - promising->end.began_ns;
    if (looping->lasted_ns < looping->least_ns)
        looping->least_ns = looping->lasted_ns;
    return ran;
}

/* 1: the loop ended where its code says. */
static int ends(void *context, struct error *error)
{
    struct looping *looping = context;
    struct promising *promising = looping->promising;
    const int ran = launch(looping, error);

    if (ran < 0 || (ran == 1 && looping->turns == looping->bound))
        return ran;
    looping->fewest = looping->turns < looping->fewest ? looping->turns : looping->fewest;
    if (ran == 0)
        return promising_says(promising, "A loop of %" PRIu32 " turns fails: %s.", looping->bound,
                              promising_failure(promising));
    if (promising->buffers[0].words[1] != 1)
        return promising_says(promising, "A kernel with a loop of %" PRIu32 " turns did not run to its end.",
                              looping->bound);
    return promising_says(promising, "A loop of %" PRIu32 " turns made %" PRIu32 ", and the driver reported success.",
                          looping->bound, looping->turns);
}

/* Longer and longer loops, as long as they end right and soon. */
static int lengthen(struct looping *looping, struct error *error)
{
    struct finding *finding = &looping->promising->finding;

    for (looping->bound = TURNS_FIRST; looping->bound <= TURNS_MOST; looping->bound *= 10) {
        finding->promised = looping->bound;
        looping->least_ns = UINT64_MAX;
        if (promising_repeat(looping->promising, ends, looping, error) != 0)
            return -1;
        if (finding->fails > 0) {
            finding->measured = looping->fewest;
            return 0;
        }
        finding->measured = looping->bound;
        if (looping->least_ns > BUDGET_NS / 10)
            break;
    }
    return 0;
}

static int begin(struct looping *looping, struct error *error)
{
    if (promising_build(looping->promising, "promise_loop", error) != 0)
        return -1;
    looping->promising->finding.offered = true;
    looping->fewest = UINT32_MAX;
    return promising_buffer(looping->promising, 0, 2, error);
}

int promise_loops(struct promising *promising, struct error *error)
{
    struct looping looping = {.promising = promising};

    return begin(&looping, error) != 0 ? -1 : lengthen(&looping, error);
}

/* --- for how long --- */

/* Launches loops of four times as many turns until one is long; 0: they do not become so. */
static int calibrate(struct looping *looping, struct error *error)
{
    for (looping->bound = TURNS_FIRST;; looping->bound *= 4) {
        const int ended = ends(looping, error);
        if (ended != 1 || looping->lasted_ns > LONG_NS)
            return ended;
        if (looping->bound > UINT32_MAX / 4)
            return 1;
    }
}

static int run_long(struct looping *looping, struct error *error)
{
    struct finding *finding = &looping->promising->finding;
    const uint64_t turns = (uint64_t)looping->bound * KERNEL_S * 1000 / (looping->lasted_ns / 1000000 + 1);

    looping->bound = turns < UINT32_MAX ? (uint32_t)turns : UINT32_MAX;
    if (promising_begins(looping->promising, error) != 0)
        return -1;
    const int ended = ends(looping, error);
    if (ended < 0)
        return -1;
    finding->measured = looping->lasted_ns / 1000000;
    if (ended == 1)
        promising_says(looping->promising, "It ended where its code does; no longer one was tried.");
    finding->tries = 1;
    finding->fails = ended == 0;
    return 0;
}

int promise_kernel_time(struct promising *promising, struct error *error)
{
    struct looping looping = {.promising = promising};

    if (begin(&looping, error) != 0)
        return -1;
    const int calibrated = calibrate(&looping, error);
    if (calibrated == 0)
        return error_set(error, STATUS_HARNESS, "a shorter loop of %" PRIu32 " turns does not end where it should",
                         looping.bound);
    return calibrated == 1 ? run_long(&looping, error) : -1;
}

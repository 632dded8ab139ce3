/* Promises about loops, and for how long kernels run. */
#include "act/run.h"
#include "device/cl_status.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    TURNS_FIRST = 1000,
    TURNS_MOST = 10000000,
    BUDGET_NS = 500000000, /* of a launch: the next, ten times longer one must not take too long */
    LONG_NS = 200000000,   /* of a launch from whose time that of a longer one is known */
    KERNEL_S = 5,          /* for how long a kernel is tried */
};

struct looping {
    struct promising *promising;
    struct program *program;
    struct results results;
    uint32_t bound;
    uint32_t turns;     /* that the last launch made, */
    uint32_t fewest;    /* and the fewest that one made which made too few */
    uint64_t lasted_ns; /* the last launch, */
    uint64_t least_ns;  /* and the quickest of those with this bound: others may have waited for a processor */
    struct launch_end end;
};

static int launch(struct looping *looping, struct error *error)
{
    const struct launch launch = {
        .kernel = looping->program->kernel, .global_size = {1, 1, 1}, .local_size = {1, 1, 1}};
    const cl_int code = clSetKernelArg(launch.kernel, 1, sizeof looping->bound, &looping->bound);

    if (code != CL_SUCCESS)
        return cl_status_error(error, "clSetKernelArg", code);
    const int ran = promising_run(looping->promising, &launch, &looping->results, &looping->end, error);
    looping->turns = looping->results.words[0];
    looping->lasted_ns = looping->end.ended_ns - looping->end.began_ns;
    if (looping->lasted_ns < looping->least_ns)
        looping->least_ns = looping->lasted_ns;
    return ran;
}

/* 1: the loop ended where its code says. */
static int ends(void *context, struct error *error)
{
    struct looping *looping = context;
    struct finding *finding = &looping->promising->finding;
    const int ran = launch(looping, error);

    if (ran < 0 || (ran == 1 && looping->turns == looping->bound))
        return ran;
    looping->fewest = looping->turns < looping->fewest ? looping->turns : looping->fewest;
    if (ran == 0)
        snprintf(finding->text, sizeof finding->text, "A loop of %" PRIu32 " turns fails: %s.", looping->bound,
                 promising_failure(&looping->end));
    else if (looping->results.words[1] != 1)
        snprintf(finding->text, sizeof finding->text,
                 "A kernel with a loop of %" PRIu32 " turns did not run to its end.", looping->bound);
    else
        snprintf(finding->text, sizeof finding->text,
                 "A loop of %" PRIu32 " turns made %" PRIu32 ", and the driver reported success.", looping->bound,
                 looping->turns);
    return 0;
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
    if (promising_build(looping->promising, "promise_loop", &looping->program, error) != 0)
        return -1;
    looping->promising->finding.offered = true;
    looping->fewest = UINT32_MAX;
    return results_init(&looping->results, looping->promising, looping->program->kernel, 2, error);
}

int promise_loops(struct promising *promising, struct error *error)
{
    struct looping looping = {.promising = promising};
    int outcome = begin(&looping, error);

    if (outcome == 0)
        outcome = lengthen(&looping, error);
    results_fini(&looping.results);
    return outcome;
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
        snprintf(finding->text, sizeof finding->text, "It ended where its code does; no longer one was tried.");
    finding->tries = 1;
    finding->fails = ended == 0;
    return 0;
}

int promise_kernel_time(struct promising *promising, struct error *error)
{
    struct looping looping = {.promising = promising};
    int outcome = begin(&looping, error);

    if (outcome == 0)
        outcome = calibrate(&looping, error);
    if (outcome == 1)
        outcome = run_long(&looping, error);
    else if (outcome == 0)
        outcome = error_set(error, STATUS_HARNESS, "a shorter loop of %" PRIu32 " turns does not end where it should",
                            looping.bound);
    results_fini(&looping.results);
    return outcome;
}

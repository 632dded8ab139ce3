/* Promises about events: their times, their status, and those that the host makes. */
#include "act/held.h"
#include "act/steps.h"
#include "base/clock.h"
#include "device/cl_status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

enum {
    TIMED = 20,       /* launches whose times are taken */
    TIMES = 4,        /* of each: when it was enqueued, was submitted, began and ended */
    LOOK_NS = 200000, /* between two looks at a status */
    LOOKS_RUNNING = 500,
    HOLD_MS = 500,
    ROUNDING_NS = 2,
    MISSES = 2,
};

/* --- times --- */

static int read_times(cl_event event, uint64_t times[TIMES], struct error *error)
{
    for (cl_uint i = 0; i < TIMES; ++i) {
        cl_ulong time;
        const cl_int code = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i, sizeof time, &time, NULL);
        if (code != CL_SUCCESS)
            return cl_status_error(error, "clGetEventProfilingInfo", code);
        times[i] = time;
    }
    return 0;
}

/* The times of launches that are enqueued one after another. 0: the driver refuses one. */
static int time_launches(struct steps *steps, uint64_t times[TIMED][TIMES], struct error *error)
{
    cl_command_queue queue = steps->promising->session->queue;
    cl_event events[TIMED] = {NULL};
    int outcome = steps_begin(steps, queue, error) == 0 ? 1 : -1;

    session_stage(steps->promising->session, STAGE_RUNNING);
    for (uint32_t i = 0; i < TIMED && outcome == 1; ++i)
        outcome = steps_enqueue(steps, i, queue, (struct wait_list){0, NULL}, &events[i], error);
    for (uint32_t i = 0; i < TIMED && events[i] != NULL; ++i) {
        const cl_int code = clWaitForEvents(1, &events[i]);
        if (outcome == 1 && code != CL_SUCCESS)
            outcome = cl_status_error(error, "clWaitForEvents", code);
        if (outcome == 1 && read_times(events[i], times[i], error) != 0)
            outcome = -1;
        clReleaseEvent(events[i]);
    }
    return outcome;
}

static int take_times(struct promising *promising, uint64_t times[TIMED][TIMES], struct error *error)
{
    struct steps steps;

    if (steps_open(&steps, promising, error) != 0)
        return -1;
    steps.turns /= 16;
    const int outcome = time_launches(&steps, times, error);
    if (outcome == 0)
        return error_set(error, STATUS_HARNESS, "%s", promising->finding.text);
    return outcome == 1 ? 0 : -1;
}

int promise_times(struct promising *promising, struct error *error)
{
    static const char *const names[TIMES] = {"QUEUED", "SUBMIT", "START", "END"};
    struct finding *finding = &promising->finding;
    uint64_t times[TIMED][TIMES] = {{0}};

    finding->offered = true;
    finding->promised = 1;
    if (promising_begins(promising, error) != 0 || take_times(promising, times, error) != 0)
        return -1;
    for (uint32_t i = 0; i < TIMED; ++i) {
        unsigned later = 1;
        while (later < TIMES && times[i][later] >= times[i][later - 1])
            ++later;
        if (later == TIMES)
            continue;
        finding->fails += 1;
        promising_says(promising, "%s was %" PRIu64 " ns, after %s, which was %" PRIu64 " ns.", names[later - 1],
                       times[i][later - 1], names[later], times[i][later]);
    }
    finding->tries = TIMED;
    finding->measured = finding->fails == 0;
    return 0;
}

static int by_time(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/* The greatest step of which all differences of these times are multiples; 0: they are the same. Sorts them. */
static uint64_t common_step(uint64_t *all, size_t count)
{
    uint64_t step = 0;

    qsort(all, count, sizeof *all, by_time);
    for (size_t i = 1; i < count; ++i)
        for (uint64_t rest = all[i] - all[i - 1]; rest != 0;) {
            const uint64_t divisor = rest;
            rest = step % rest;
            step = divisor;
        }
    return step;
}

/* The least by which two durations differ, rounding aside: no less than a step. */
static uint64_t least_difference(uint64_t times[TIMED][TIMES])
{
    uint64_t durations[TIMED * (TIMES - 1)], least = UINT64_MAX;
    size_t count = 0;

    for (int i = 0; i < TIMED; ++i)
        for (int j = 1; j < TIMES; ++j)
            durations[count++] = times[i][j] - times[i][j - 1];
    qsort(durations, count, sizeof *durations, by_time);
    for (size_t i = 1; i < count; ++i) {
        const uint64_t apart = durations[i] - durations[i - 1];
        least = apart > ROUNDING_NS && apart < least ? apart : least;
    }
    return least;
}

/*
 * A step that is longer than was said is one of which all differences are multiples; where one is shorter, two
 * durations differ by less.
 */
int promise_timer_step(struct promising *promising, struct error *error)
{
    struct finding *finding = &promising->finding;
    uint64_t times[TIMED][TIMES] = {{0}};

    finding->offered = true;
    finding->promised = promising_ask(promising, CL_DEVICE_PROFILING_TIMER_RESOLUTION);
    if (finding->promised == 0)
        return promising_undecided(promising, "The driver says 0 ns, which is no resolution.");
    if (take_times(promising, times, error) != 0)
        return -1;
    const uint64_t least = least_difference(times), step = common_step(&times[0][0], TIMED * TIMES);
    if (step == 0)
        return promising_undecided(promising, "All times are the same.");
    finding->tries = TIMED;
    finding->measured = step > finding->promised                  ? step
                        : least + ROUNDING_NS < finding->promised ? least
                                                                  : finding->promised;
    return promising_says(promising,
                          "The times of %d launches differ by multiples of %" PRIu64
                          " ns, and two durations by %" PRIu64 " ns.",
                          TIMED, step, least);
}

/* A launch: how long the kernel took by its event, and whether it was held, for which time at least. */
struct timed {
    struct held held;
    uint64_t device_ns, host_ns, step_ns;
    uint64_t least_ns; /* for so long it surely ran; 0: nobody knows */
    uint32_t misses;   /* launches that could not be held */
    uint32_t bound;    /* turns of a kernel that is not held */
};

/* Between two looks of the host's, of which the first sees that it runs; else it runs to its bound. */
static int hold(struct timed *timed, uint32_t launch, struct error *error)
{
    struct held *held = &timed->held;

    timed->least_ns = 0;
    if (held->bound <= timed->bound || !held_begins(held)) {
        timed->misses += 1;
        return 0;
    }
    const uint64_t seen_ns = clock_ns();
    nanosleep(&(struct timespec){.tv_nsec = 2000000L * (launch + 1)}, NULL);
    timed->least_ns = clock_ns() - seen_ns;
    return held_let_go(held, error);
}

static int time_both(struct timed *timed, uint32_t launch, struct error *error)
{
    struct held *held = &timed->held;
    uint64_t times[TIMES] = {0};
    const uint64_t began_ns = clock_ns();

    if (held_clear(held, error) != 0 || held_start(held, error) != 0)
        return -1;
    cl_event event = held->event;
    clRetainEvent(event);
    int outcome = hold(timed, launch, error);
    if (held_end(held, error) != 0)
        outcome = -1;
    timed->host_ns = clock_ns() - began_ns;
    if (outcome == 0)
        outcome = read_times(event, times, error);
    timed->device_ns = times[TIMES - 1] - times[TIMES - 2];
    if (timed->least_ns != 0 && held_read(held, HELD_LET_GO) == 0)
        timed->least_ns = 0; /* its bound ended it */
    clReleaseEvent(event);
    return outcome;
}

/*
 * Two clocks that go at slightly different rates may differ by a hundredth. Nothing makes ten turns in a nanosecond, so
 * that a kernel of many turns takes more time than none.
 */
static void judge_duration(struct promising *promising, const struct timed *timed)
{
    const uint64_t device_ns = timed->device_ns, host_ns = timed->host_ns, least_ns = timed->least_ns;
    struct finding *finding = &promising->finding;
    const bool longer = device_ns > host_ns + host_ns / 100 + timed->step_ns;
    const bool shorter = least_ns != 0 && device_ns + device_ns / 100 + timed->step_ns < least_ns;

    if (!longer && !shorter && (device_ns > 0 || timed->bound / 10 <= timed->step_ns))
        return;
    finding->fails += 1;
    promising_failed_in(promising, shorter ? "promise_hold" : "clGetEventProfilingInfo");
    if (shorter)
        promising_says(promising,
                       "From START to END were %" PRId64 " ns, and the host saw the kernel run for at least %" PRIu64
                       " ns.",
                       (int64_t)device_ns, least_ns);
    else
        promising_says(promising,
                       "From START to END were %" PRId64 " ns, and the host saw the whole launch take %" PRIu64 " ns.",
                       (int64_t)device_ns, host_ns);
}

/* What cannot be held only runs for some time. */
static void give_up_holding(struct timed *timed)
{
    if (timed->misses >= MISSES || held_refusal(&timed->held) != NULL)
        timed->held.bound = timed->bound;
}

int promise_duration(struct promising *promising, struct error *error)
{
    struct finding *finding = &promising->finding;
    struct timed timed = {.step_ns = promising_ask(promising, CL_DEVICE_PROFILING_TIMER_RESOLUTION)};
    uint32_t held = 0;

    if (held_open(&timed.held, promising, 1, error) != 0)
        return -1;
    timed.bound = timed.held.bound;
    if (held_open(&timed.held, promising, HOLD_MS, error) != 0)
        return -1;
    finding->offered = true;
    finding->promised = 1;
    if (promising_begins(promising, error) != 0)
        return -1;
    for (finding->tries = 0; finding->tries < TIMED; ++finding->tries) {
        give_up_holding(&timed);
        if (time_both(&timed, finding->tries, error) != 0)
            return -1;
        held += timed.least_ns != 0;
        judge_duration(promising, &timed);
    }
    finding->measured = finding->fails == 0;
    if (finding->fails > 0)
        return 0;
    if (held == 0)
        return promising_says(promising,
                              "No kernel was seen while it ran, so that only too long a time would be found.");
    return promising_says(promising, "%u of %d kernels were seen to run for a known time.", held, TIMED);
}

/* --- status --- */

/* On a busy machine the driver may take long to say it, but then the kernel makes few turns in that time. */
static bool has_looked_enough(struct held *held, int looks)
{
    return looks >= LOOKS_RUNNING && (held_read(held, HELD_TURN) > held->bound / 2 || held_has_ended(held));
}

static const char *status_word(cl_int status)
{
    static const char *const words[] = {"CL_COMPLETE", "CL_RUNNING", "CL_SUBMITTED", "CL_QUEUED"};
    return status >= 0 && (size_t)status < sizeof words / sizeof *words ? words[status] : "no status that there is";
}

/* Of a kernel that has ended: what its event was last while it ran, and whether it says now that it has ended. */
static int tell_status(struct held *held, cl_int status)
{
    const cl_int ended = clWaitForEvents(1, &held->event) == CL_SUCCESS ? event_status(held->event) : CL_COMPLETE;

    if (ended > CL_COMPLETE)
        return promising_says(held->promising,
                              "A kernel ran until the host let it go; its event was %s meanwhile, and %s when "
                              "clWaitForEvents had returned.",
                              status_word(status), status_word(ended));
    return promising_says(held->promising,
                          "A kernel ran until the host let it go, and its event was %s meanwhile, and not CL_RUNNING.",
                          status_word(status));
}

/* Of a kernel that surely runs: only the host's word ends it, and it has begun; or its event says that it has ended. */
static int try_running(void *context, struct error *error)
{
    struct held *held = context;
    cl_int status = CL_QUEUED;

    if (held_clear(held, error) != 0 || held_start(held, error) != 0)
        return -1;
    const bool begins = held_begins(held), ends = held_has_ended(held);
    for (int i = 0; begins && (status = event_status(held->event)) != CL_RUNNING && !has_looked_enough(held, i); ++i)
        nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
    if (ends)
        status = event_status(held->event);
    if (held_let_go(held, error) != 0)
        return -1;
    if (status != CL_RUNNING)
        tell_status(held, status);
    if (held_end(held, error) != 0)
        return -1;
    held->late = begins && held_read(held, HELD_LET_GO) == 0;
    if ((!begins && !ends) || held_read(held, HELD_LET_GO) == 0)
        return 2;
    return status == CL_RUNNING;
}

int promise_running(struct promising *promising, struct error *error)
{
    struct held held;

    if (held_open(&held, promising, HOLD_MS, error) != 0)
        return -1;
    if (held_refusal(&held) != NULL)
        return promising_undecided(promising, held_refusal(&held));
    if (promising_try(promising, try_running, &held, error) != 0)
        return -1;
    if (!promising->finding.undecided)
        return 0;
    return promising_undecided(promising, held.late ? "The status of its event was told only when the kernel had ended."
                                                    : "No kernel was seen while it ran.");
}

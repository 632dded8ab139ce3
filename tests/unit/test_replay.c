/*
 * Observations of real devices, judged again: what was read from each board, its verdict and its cause must be what
 * they were, and what had been predicted before the trial ran. tests/replay/README.md says how they were obtained.
 */
#include "judge/cause.h"
#include "store/store.h"

#include "harness.h"

#include <stdio.h>
#include <string.h>

struct replay {
    bool loops_cut;
    uint32_t launches, boards;
    bool causes[CAUSE_COUNT]; /* that were met */
};

/* What no board tells is taken over: how the launch ended, what the host saw meanwhile, and times. */
static struct observation host_part(const struct observation *stored)
{
    return (struct observation){
        .outcome = stored->outcome,
        .judged = stored->judged,
        .confirmed = stored->confirmed,
        .churned = stored->churned,
        .relapsed = stored->relapsed,
        .differing = stored->differing,
        .bad_result = stored->bad_result,
        .bad_at = stored->bad_at,
        .bad_wanted = stored->bad_wanted,
        .bad_got = stored->bad_got,
        .duration_ns = stored->duration_ns,
        .device_ns = stored->device_ns,
        .gap_ns = stored->gap_ns,
        .still_ns = stored->still_ns,
        .close_ns = stored->close_ns,
        .code = stored->code,
    };
}

static void read_again(const struct store_trial *stored)
{
    const struct observation *before = &stored->launches[stored->evidence].observation;
    struct observation again = host_part(before);
    const struct board board = trial_board(&stored->trial, stored->board);

    observation_read(&again, &stored->trial, &board, NULL);
    ck_assert_msg(again.started == before->started && again.waiting == before->waiting &&
                      again.ready == before->ready && again.done == before->done && again.late == before->late &&
                      again.witnesses == before->witnesses && again.ended_cut == before->ended_cut &&
                      again.busy_total == before->busy_total && again.checked == before->checked,
                  "%s: other counts", stored->name);
    again.waitfor.circle_certain = before->waitfor.circle_certain; /* which older rules did not tell */
    /* A launch that changed to its end has no graph that stood. */
    ck_assert_msg(!verdict_is_stall(stored->launches[stored->evidence].verdict) ||
                      memcmp(&again.waitfor, &before->waitfor, sizeof again.waitfor) == 0,
                  "%s: another graph", stored->name);
    ck_assert_str_eq(cause_name(cause_judge(&stored->trial, &again)),
                     cause_name(stored->launches[stored->evidence].cause));
}

static int take_trial(void *context, const struct store_trial *stored)
{
    struct replay *replay = context;
    const cause_set causes = stored->prediction.expected.causes;

    for (uint32_t i = 0; i < stored->count; ++i) {
        const struct store_launch *launch = &stored->launches[i];
        const enum cause cause = cause_judge(&stored->trial, &launch->observation);
        ck_assert_str_eq(verdict_name(verdict_judge(&stored->trial, &launch->observation)),
                         verdict_name(launch->verdict));
        ck_assert_msg(cause == launch->cause, "%s: %s, was %s", stored->name, cause_name(cause),
                      cause_name(launch->cause));
        ck_assert_msg(!cause_is_surprise(cause, causes, replay->loops_cut), "%s: %s", stored->name, cause_name(cause));
        replay->causes[cause] = true;
        replay->launches += 1;
    }
    if (stored->board == NULL)
        return 0;
    read_again(stored);
    replay->boards += 1;
    return 0;
}

static struct replay judge_again(const char *file)
{
    struct replay replay = {.launches = 0};
    struct store_device device = {.id = 0};
    struct store *store = NULL;
    struct error error = {0};
    char path[512];

    snprintf(path, sizeof path, "%s/%s", REPLAY_FOLDER, file);
    ck_assert_msg(store_open(path, &store, &error) == 0, "%s", error.text);
    ck_assert_int_eq(store_next_device(store, &device, &error), 1);
    replay.loops_cut = device.probe.loops_cut_at != 0;
    ck_assert_msg(store_each_trial(store, &(struct store_walk){device.id, 0, .take = take_trial, .context = &replay},
                                   &error) == 0,
                  "%s", error.text);
    store_close(store);
    return replay;
}

static void assert_met(const struct replay *replay, const enum cause *causes, size_t count)
{
    ck_assert_uint_gt(replay->boards, 0);
    for (size_t i = 0; i < count; ++i)
        ck_assert_msg(replay->causes[causes[i]], "no %s", cause_name(causes[i]));
}

START_TEST(launches_of_pocl)
{
    static const enum cause causes[] = {
        CAUSE_OCCUPANCY,    CAUSE_NOT_DISPATCHED, CAUSE_CIRCULAR_WAIT, CAUSE_LIVELOCK,    CAUSE_LOST_UNLOCK,
        CAUSE_WORK_ITEMS,   CAUSE_NOT_PUBLISHED,  CAUSE_UNEQUAL_TRIPS, CAUSE_LOST_SIGNAL, CAUSE_SLOW,
        CAUSE_LOST_ARRIVAL, CAUSE_STALE_DATA,     CAUSE_NONE,
    };
    const struct replay replay = judge_again("pocl.run");
    assert_met(&replay, causes, sizeof causes / sizeof *causes);
}
END_TEST

START_TEST(launches_of_a_driver_that_cuts_loops)
{
    static const enum cause causes[] = {CAUSE_LOOP_CUT, CAUSE_UNKNOWN, CAUSE_NONE};
    const struct replay replay = judge_again("llvmpipe.run");
    assert_met(&replay, causes, sizeof causes / sizeof *causes);
}
END_TEST

START_TEST(launches_of_an_nvidia_gpu)
{
    static const enum cause causes[] = {
        CAUSE_OCCUPANCY,     CAUSE_CIRCULAR_WAIT, CAUSE_LIVELOCK, CAUSE_LOST_UNLOCK, CAUSE_NOT_PUBLISHED,
        CAUSE_UNEQUAL_TRIPS, CAUSE_LOST_SIGNAL,   CAUSE_SLOW,     CAUSE_NONE,
    };
    const struct replay replay = judge_again("h200.run");
    assert_met(&replay, causes, sizeof causes / sizeof *causes);
}
END_TEST

HARNESS_MAIN("replay", launches_of_pocl, launches_of_a_driver_that_cuts_loops, launches_of_an_nvidia_gpu)

#include "worker/replay.h"

#include "base/trace.h"
#include "driver/model.h"
#include "search/shorten.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

/* Of a launch that is made of several the first ones are not noted, nor who holds places meanwhile. */
static bool is_one(const struct trial *trial)
{
    return trial->kind == TRIAL_WORK && trial->work.launches <= 1 && trial->work.numbers.held == 0;
}

/* What is spent on a shorter schedule, at most: the second one, in steps, is what a long launch meets. */
enum { LAUNCHES_MOST = 4000 };
#define STEPS_MOST (UINT64_C(1) << 30)

const struct schedule *replay_begin(struct replay *replay, struct session *session, const struct launch_plan *plan)
{
    struct mirror *mirror = session->mirror;
    const uint32_t turns = atomic_load(&mirror->asked_turns);

    *replay = (struct replay){.session = session, .plan = plan};
    if (turns == 0 || turns > SCHEDULE_TURNS || !is_one(plan->trial))
        return NULL;
    replay->asked = (struct schedule){.turns = mirror->asked, .count = turns};
    return &replay->asked;
}

void replay_compare(const struct replay *replay)
{
    atomic_uint *differs = &replay->session->mirror->differs;

    if (replay->asked.count > 0 && atomic_load(differs) == SCHEDULE_TURNS)
        atomic_store(differs, schedule_differs(&replay->asked, model_schedule()));
}

static void mirror_turns(const struct replay *replay, uint32_t cuts)
{
    const struct schedule *schedule = model_schedule();
    struct mirror *mirror = replay->session->mirror;

    memcpy(mirror->schedule, schedule->turns, schedule->count * sizeof *schedule->turns);
    model_stops(replay->plan->program->kernel, mirror->stops);
    atomic_store(&mirror->cuts, cuts);
    atomic_store(&mirror->turns, schedule->count);
}

bool replay_keep(struct replay *replay, const struct observation *observation)
{
    const struct trial *trial = replay->plan->trial;

    if (replay->kept || model_schedule()->count == 0 || !is_one(trial))
        return false;
    replay->kept = true;
    replay->seed = replay->plan->seed;
    replay->verdict = verdict_judge(trial, observation);
    replay->cause = cause_judge(trial, observation);
    mirror_turns(replay, 0);
    return true;
}

/* --- shorter ones --- */

struct replay_shortening {
    struct replay *replay;
    replay_launch *launch;
    void *context;
    uint32_t launches;
    uint64_t steps;
    bool failed;
};

static bool comes_to_the_same(void *context, const struct schedule *asked, struct schedule *made)
{
    struct replay_shortening *search = context;
    const struct replay *replay = search->replay;
    const struct trial *trial = replay->plan->trial;
    struct observation observation;

    ++search->launches;
    if (search->launch(search->context, asked, &observation) != 0) {
        search->failed = true;
        return false;
    }
    const struct schedule *schedule = model_schedule();
    schedule_copy(made, schedule->turns, schedule->count);
    for (uint32_t i = 0; i < made->count; ++i)
        search->steps += schedule_steps(&made->turns[i]);
    return verdict_judge(trial, &observation) == replay->verdict && cause_judge(trial, &observation) == replay->cause;
}

static bool is_enough(void *context)
{
    const struct replay_shortening *search = context;
    return search->failed || search->launches >= LAUNCHES_MOST || search->steps >= STEPS_MOST ||
           session_is_interrupted(search->replay->session);
}

void replay_shorten(struct replay *replay, replay_launch *launch, void *context)
{
    const struct mirror *mirror = replay->session->mirror;
    struct replay_shortening search = {.replay = replay, .launch = launch, .context = context};
    const struct shortening shortening = {comes_to_the_same, is_enough, &search};
    struct schedule schedule, last = {.turns = NULL};

    if (!replay->kept)
        return;
    schedule_copy(&schedule, mirror->schedule, atomic_load(&mirror->turns));
    const uint32_t cuts = schedule_cuts(&schedule);
    schedule_shorten(&schedule, &shortening);
    /* Once more, for where its turns end. */
    if (schedule_cuts(&schedule) < cuts && comes_to_the_same(&search, &schedule, &last))
        mirror_turns(replay, cuts);
    trace("%" PRIu32 " of %" PRIu32 " cuts are left after %" PRIu32 " launches", schedule_cuts(&schedule), cuts,
          search.launches);
    schedule_fini(&schedule);
    schedule_fini(&last);
}

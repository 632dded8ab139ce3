/* Schedules of launches on a model device: one that is asked for, and that of a launch that failed, made shorter. */
#pragma once

#include "core/schedule.h"
#include "device/session.h"
#include "judge/cause.h"
#include "judge/observation.h"
#include "judge/verdict.h"
#include "worker/launch.h"

#include <stdbool.h>

/* What a batch repeats, and keeps. */
struct replay {
    struct session *session;
    const struct launch_plan *plan;
    struct schedule asked; /* a view of the mirror's; empty: the device takes its own turns */
    /* The launch whose schedule is kept: */
    bool kept;
    uint32_t seed;
    enum verdict verdict;
    enum cause cause;
};

/* The schedule that is asked for, or NULL. The plan is that of the batch. */
const struct schedule *replay_begin(struct replay *replay, struct session *session, const struct launch_plan *plan);

/* Tells the supervisor where the last launch went another way than was asked. */
void replay_compare(const struct replay *replay);

/* The last launch has failed: its schedule is put into the mirror. False: it has none, or there is one. */
bool replay_keep(struct replay *replay, const struct observation *observation);

/* Launches with these turns and the seed of the launch whose schedule is kept; 0, or -1 if it could not. */
typedef int replay_launch(void *context, const struct schedule *schedule, struct observation *observation);

/* Replaces the schedule that is kept by one with fewer turns cut, which comes to the same verdict and cause. */
void replay_shorten(struct replay *replay, replay_launch *launch, void *context);

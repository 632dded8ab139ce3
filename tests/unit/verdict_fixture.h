/* Boards of launches, and their verdicts. */
#pragma once

#include "judge/cause.h"
#include "judge/verdict.h"

#include "board_builder.h"
#include "harness.h"

#include <string.h>

static const struct trial barrier = {.kind = TRIAL_BARRIER, .groups = 4, .rounds = 3};
static const struct trial census = {.kind = TRIAL_CENSUS, .groups = 4};

/* Adds what the board tells to what the host saw, frees the board and judges. */
static inline enum verdict judge(const struct trial *trial, struct observation seen, struct builder *builder)
{
    observation_read(&seen, trial, &builder->board, NULL);
    builder_fini(builder);
    return verdict_judge(trial, &seen);
}

static inline enum verdict judge_outcome(enum outcome outcome)
{
    return verdict_judge(&barrier, &(struct observation){.outcome = outcome, .groups = 4});
}

static const struct observation ended = {.outcome = OUTCOME_ENDED};
static const struct observation confirmed = {.outcome = OUTCOME_ENDED, .judged = true, .confirmed = true};
static const struct observation relapsed = {.outcome = OUTCOME_ENDED, .judged = true, .relapsed = true};
static const struct observation left_running = {.outcome = OUTCOME_LEFT_RUNNING, .judged = true, .confirmed = true};
static const struct observation killed = {.outcome = OUTCOME_KILLED, .judged = true, .confirmed = true};
static const struct observation killed_early = {.outcome = OUTCOME_KILLED};

static inline struct builder passed(void)
{
    struct builder b = builder_init(4);
    builder_pass_barrier(&b, 3);
    return b;
}

static inline struct builder starved(uint32_t how_waits_ended)
{
    struct builder b = builder_init(4);
    builder_starve_barrier(&b, 3, how_waits_ended);
    return b;
}

static inline struct builder circle(void)
{
    struct builder b = builder_init(4);
    for (uint32_t group = 0; group < 4; ++group) {
        builder_start_waiting(&b, group, (group + 1) % 4);
        builder_end_wait(&b, group, GL_ENDED_STOP, 0);
    }
    return b;
}

/* All arrived, and yet they wait. */
static inline struct builder stuck(void)
{
    struct builder b = builder_init(4);
    builder_starve_barrier(&b, 4, GL_ENDED_STOP);
    return b;
}

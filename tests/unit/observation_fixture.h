/* Boards, and what is observed of them. */
#pragma once

#include "judge/observation.h"

#include "board_builder.h"
#include "harness.h"

static const struct trial barrier = {.kind = TRIAL_BARRIER, .groups = 4, .rounds = 3};
static const struct trial census = {.kind = TRIAL_CENSUS, .groups = 4};
static const struct trial discovery = {.kind = TRIAL_DISCOVERY, .groups = 4};

/* Reads the board, and frees it. */
static inline struct observation observe(const struct trial *trial, struct builder *builder)
{
    struct observation observation = {.outcome = OUTCOME_ENDED};
    observation_read(&observation, trial, &builder->board, NULL);
    builder_fini(builder);
    return observation;
}

static inline struct builder four_passed(void)
{
    struct builder b = builder_init(4);
    builder_pass_barrier(&b, 3);
    return b;
}

/* All four were counted by a census and saw it closed. */
static inline struct builder four_counted(void)
{
    struct builder b = builder_init(4);
    builder_start_all(&b);
    for (uint32_t group = 0; group < 4; ++group) {
        builder_set(&b, group, GL_COUNTED, 1);
        builder_end_wait(&b, group, GL_ENDED_HELD, GL_CLOSED | 4);
        builder_done(&b, group);
    }
    return b;
}

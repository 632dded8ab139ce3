/* What a board's wait-for graph is asserted to show. */
#pragma once

#include "judge/waitfor.h"

#include "board_builder.h"
#include "harness.h"

#define NOBODY WAITFOR_NOBODY

/* Analyses the board, and frees it. */
static inline struct waitfor analyse(struct builder *builder)
{
    struct waitfor result;
    waitfor_analyse(&builder->board, NULL, &result);
    builder_fini(builder);
    return result;
}

static inline void assert_neither(struct builder *builder)
{
    struct waitfor result = analyse(builder);
    ck_assert_uint_eq(result.starved_from, NOBODY);
    ck_assert_uint_eq(result.never_started, NOBODY);
    ck_assert_uint_eq(result.circle_at, NOBODY);
}

static inline void assert_starved(struct builder *builder, uint32_t from, uint32_t never_started)
{
    struct waitfor result = analyse(builder);
    ck_assert_uint_eq(result.starved_from, from);
    ck_assert_uint_eq(result.never_started, never_started);
    ck_assert_uint_eq(result.circle_at, NOBODY);
}

static inline void assert_circle(struct builder *builder, uint32_t first, uint32_t last)
{
    struct waitfor result = analyse(builder);
    ck_assert_uint_eq(result.never_started, NOBODY);
    ck_assert_uint_ge(result.circle_at, first);
    ck_assert_uint_le(result.circle_at, last);
}

/* Each of the groups from `first` to `last` starts and waits for the next. */
static inline void chain(struct builder *builder, uint32_t first, uint32_t last)
{
    for (uint32_t group = first; group <= last; ++group)
        builder_start_waiting(builder, group, group + 1);
}

/* The group takes the lock that a word is: the word holds its id plus 1. */
static inline void own(struct builder *builder, uint32_t word, uint32_t group)
{
    builder->words[builder_sync(builder, word)] = group + 1;
}

/* Builds boards as work-groups would leave them, one group and one act at a time. */
#pragma once

#include "core/board.h"

#include <check.h>

#include <stdlib.h>

struct builder {
    uint32_t *words; /* owned; free with builder_fini */
    struct board board;
};

/* A board on which no group has started, with words behind its entries. */
static inline struct builder builder_init_sync(uint32_t groups, uint32_t sync_words)
{
    struct builder builder = {.words = calloc(board_words(groups, sync_words), sizeof(uint32_t))};
    ck_assert_ptr_nonnull(builder.words);
    builder.board = (struct board){builder.words, groups, sync_words};
    return builder;
}

static inline struct builder builder_init(uint32_t groups)
{
    return builder_init_sync(groups, 0);
}

static inline void builder_fini(struct builder *builder)
{
    free(builder->words);
    builder->words = NULL;
}

/* Writes one word of a group's entry. */
static inline void builder_set(struct builder *builder, uint32_t group, uint32_t field, uint32_t value)
{
    builder->words[GL_CONTROL_WORDS + (size_t)group * GL_ENTRY_WORDS + field] = value;
}

/* The group takes the next start ticket. */
static inline void builder_start(struct builder *builder, uint32_t group)
{
    builder_set(builder, group, GL_TICKET, ++builder->words[GL_STARTED]);
    builder_set(builder, group, GL_PHASE, GL_PHASE_RUNNING);
}

static inline void builder_start_all(struct builder *builder)
{
    for (uint32_t group = 0; group < builder->board.groups; ++group)
        builder_start(builder, group);
}

/* The group came after the stop word was set, and left. */
static inline void builder_late(struct builder *builder, uint32_t group)
{
    builder_set(builder, group, GL_LATE, 1);
}

/* A started group waits for another, or for GL_GROUP_*. */
static inline void builder_wait(struct builder *builder, uint32_t group, uint32_t other)
{
    builder_set(builder, group, GL_PHASE, GL_PHASE_WAITING);
    builder_set(builder, group, GL_WAIT_WORD, GL_BEAT);
    builder_set(builder, group, GL_WAIT_VALUE, 1);
    builder_set(builder, group, GL_WAIT_GROUP, other);
}

/* Index of a word behind the entries. */
static inline uint32_t builder_sync(const struct builder *builder, uint32_t word)
{
    return GL_SYNC(builder->board.groups) + word;
}

/* A started group waits until a word is so (GL_UNTIL_*), for another group or for GL_GROUP_*. */
static inline void builder_wait_until(struct builder *builder, uint32_t group, uint32_t word, uint32_t kind,
                                      uint32_t value, uint32_t other)
{
    builder_set(builder, group, GL_PHASE, GL_PHASE_WAITING);
    builder_set(builder, group, GL_WAIT_WORD, word);
    builder_set(builder, group, GL_WAIT_HOW, kind);
    builder_set(builder, group, GL_WAIT_VALUE, value);
    builder_set(builder, group, GL_WAIT_GROUP, other);
}

/* A group starts and waits for another. */
static inline void builder_start_waiting(struct builder *builder, uint32_t group, uint32_t other)
{
    builder_start(builder, group);
    builder_wait(builder, group, other);
}

/* A started group arrives at a round of the barrier, and waits for all others. */
static inline void builder_arrive(struct builder *builder, uint32_t group, uint32_t round)
{
    builder->words[GL_ARRIVALS] += 1;
    builder_set(builder, group, GL_ROUND, round);
    builder_set(builder, group, GL_PHASE, GL_PHASE_WAITING);
    builder_set(builder, group, GL_WAIT_WORD, GL_ARRIVALS);
    builder_set(builder, group, GL_WAIT_VALUE, round * builder->board.groups);
    builder_set(builder, group, GL_WAIT_GROUP, GL_GROUP_ALL);
}

/* A started group's last wait ended, and left these words. */
static inline void builder_end_wait(struct builder *builder, uint32_t group, uint32_t ended, uint32_t seen)
{
    builder_set(builder, group, GL_ENDED, ended);
    builder_set(builder, group, GL_SEEN, seen);
}

static inline void builder_done(struct builder *builder, uint32_t group)
{
    builder_set(builder, group, GL_PHASE, GL_PHASE_DONE);
}

/* All groups start, and pass all rounds of a barrier. */
static inline void builder_pass_barrier(struct builder *builder, uint32_t rounds)
{
    const uint32_t groups = builder->board.groups;
    for (uint32_t group = 0; group < groups; ++group) {
        builder_start(builder, group);
        builder_arrive(builder, group, rounds);
        builder_end_wait(builder, group, GL_ENDED_HELD, rounds * groups);
        builder_done(builder, group);
    }
    builder->words[GL_ARRIVALS] = rounds * groups;
}

/* The first `resident` groups start and wait at the first round; the others never get a place. */
static inline void builder_starve_barrier(struct builder *builder, uint32_t resident, uint32_t ended)
{
    for (uint32_t group = 0; group < resident; ++group) {
        builder_start(builder, group);
        builder_arrive(builder, group, 1);
        builder_end_wait(builder, group, ended, resident);
    }
}

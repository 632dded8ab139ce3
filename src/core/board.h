/* The board as the host reads it: what each work-group wrote about itself (kernels/abi.h). */
#pragma once

#include "abi.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A view of board words owned by somebody else, with entries for `groups` work-groups. */
struct board {
    const uint32_t *words;
    uint32_t groups;
    uint32_t sync_words; /* behind the entries */
};

/* The first ones are asked of each of thousands of groups, many times while a launch runs: hence they stand here. */

/* Words of a board with entries for `groups` work-groups, and `sync_words` behind them. */
static inline size_t board_words(uint32_t groups, uint32_t sync_words)
{
    return (size_t)GL_CONTROL_WORDS + (size_t)groups * GL_ENTRY_WORDS + sync_words;
}

/* Word `field` (GL_TICKET, ...) of the entry of `group`. */
static inline uint32_t board_entry(const struct board *board, uint32_t group, uint32_t field)
{
    return board->words[(size_t)GL_CONTROL_WORDS + (size_t)group * GL_ENTRY_WORDS + field];
}

/* The group took a start ticket. A group that started late did not: it had to leave at once. */
static inline bool board_started(const struct board *board, uint32_t group)
{
    return board_entry(board, group, GL_TICKET) != 0;
}

/* Returns the latest round that a group has noted. */
static inline uint32_t board_latest_round(const struct board *board)
{
    uint32_t latest = 0;

    for (uint32_t group = 0; group < board->groups; ++group)
        if (latest < board_entry(board, group, GL_ROUND))
            latest = board_entry(board, group, GL_ROUND);
    return latest;
}

/* The group waits, or waited when the launch was stopped. */
static inline bool board_waiting(const struct board *board, uint32_t group)
{
    const uint32_t phase = board_entry(board, group, GL_PHASE);
    return phase == GL_PHASE_WAITING || phase == GL_PHASE_ITEMS;
}

/* The group has come to its end with all conditions true. */
static inline bool board_ended(const struct board *board, uint32_t group)
{
    return board_entry(board, group, GL_PHASE) == GL_PHASE_DONE;
}

/* How the group waits, or waited last: GL_UNTIL_*. */
static inline uint32_t board_wait_kind(const struct board *board, uint32_t group)
{
    return board_entry(board, group, GL_WAIT_HOW) % GL_UNTILS;
}

/* The line of the kernel's file where it does; 0: unknown, or in another file. */
static inline uint32_t board_wait_line(const struct board *board, uint32_t group)
{
    return board_entry(board, group, GL_WAIT_HOW) / GL_HOW_LINE;
}

/* It does in a loop of the kernel's own, of which no board tells what it does beside reading the word. */
static inline bool board_waits_by_own_loop(const struct board *board, uint32_t group)
{
    return (board_entry(board, group, GL_WAIT_HOW) & GL_HOW_OWN) != 0;
}

/* A word with this value ends a wait of this kind (GL_UNTIL_*) for that value. */
static inline bool board_is_met(uint32_t kind, uint32_t seen, uint32_t value)
{
    if (kind == GL_UNTIL_EQUAL)
        return seen == value;
    if (kind == GL_UNTIL_DIFFERENT)
        return seen != value;
    return seen - value < GL_REACHED;
}

/* The group waits, and the word that it waits for has reached the value: it only has to look. */
static inline bool board_ready(const struct board *board, uint32_t group)
{
    const uint32_t word = board_entry(board, group, GL_WAIT_WORD);
    return board_waiting(board, group) && word < board_words(board->groups, board->sync_words) &&
           board_is_met(board_wait_kind(board, group), board->words[word], board_entry(board, group, GL_WAIT_VALUE));
}

/* The lock whose holder the group waits for: the index of its word on the board, or 0 if it does not say. */
uint32_t board_wait_lock(const struct board *board, uint32_t group);

/* The group says that it holds this lock. */
bool board_holds(const struct board *board, uint32_t group, uint32_t lock);

/* The group holds locks whose names it does not say. */
bool board_holds_unnamed(const struct board *board, uint32_t group);

/*
 * Group ids or GL_GROUP_*: whom `group` waits for. An owner is named by the word that it owns: its id, or
 * GL_GROUP_NOBODY.
 */
uint32_t board_awaited(const struct board *board, uint32_t group);

/* How far a word that counts is from what the group waits for; UINT32_MAX: it waits for no such word, or has it. */
uint32_t board_distance(const struct board *board, uint32_t group);

/* `other` could end the wait of `group`. */
bool board_awaits(const struct board *board, uint32_t group, uint32_t other);

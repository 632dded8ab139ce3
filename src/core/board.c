#include "core/board.h"

uint32_t board_wait_lock(const struct board *board, uint32_t group)
{
    return board_entry(board, group, GL_WAIT_GROUP) == GL_GROUP_HOLDER ? board_entry(board, group, GL_WAIT_LOCK) : 0;
}

/* A group without locks may be the first one of a launch over a range, which has other things in these words. */
static uint32_t names_told(const struct board *board, uint32_t group, uint32_t lock)
{
    uint32_t told = 0;
    if (board_entry(board, group, GL_LOCKS_HELD) == 0)
        return 0;
    for (uint32_t i = 0; i < GL_NAMED_MOST; ++i) {
        const uint32_t name = board_entry(board, group, GL_LOCK_NAMES + i);
        told += name != 0 && (lock == 0 || name == lock);
    }
    return told;
}

bool board_holds(const struct board *board, uint32_t group, uint32_t lock)
{
    return lock != 0 && names_told(board, group, lock) > 0;
}

bool board_holds_unnamed(const struct board *board, uint32_t group)
{
    return board_entry(board, group, GL_LOCKS_HELD) > names_told(board, group, 0);
}

uint32_t board_awaited(const struct board *board, uint32_t group)
{
    const uint32_t awaited = board_entry(board, group, GL_WAIT_GROUP);
    const uint32_t word = board_entry(board, group, GL_WAIT_WORD);
    if (awaited == GL_GROUP_SELF)
        return group;
    if (awaited != GL_GROUP_OWNER)
        return awaited;
    if (word >= board_words(board->groups, board->sync_words) || board->words[word] - 1 >= board->groups)
        return GL_GROUP_NOBODY;
    return board->words[word] - 1;
}

uint32_t board_distance(const struct board *board, uint32_t group)
{
    const uint32_t at = board_entry(board, group, GL_WAIT_WORD);
    if (!board_waiting(board, group) || board_ready(board, group) ||
        board_wait_kind(board, group) == GL_UNTIL_DIFFERENT || at >= board_words(board->groups, board->sync_words))
        return UINT32_MAX;
    const uint32_t word = board->words[at];
    const uint32_t value = board_entry(board, group, GL_WAIT_VALUE);
    const uint32_t apart = value - word;
    /* A word that must be equal may have to fall. */
    const bool falls = board_wait_kind(board, group) == GL_UNTIL_EQUAL && apart > GL_REACHED;
    return falls ? word - value : apart;
}

bool board_awaits(const struct board *board, uint32_t group, uint32_t other)
{
    uint32_t awaited = board_awaited(board, group);
    if (awaited == GL_GROUP_ALL)
        return !board_started(board, other) ||
               board_entry(board, other, GL_ROUND) < board_entry(board, group, GL_ROUND);
    if (awaited == GL_GROUP_HOLDER && board_wait_lock(board, group) != 0)
        return board_holds(board, other, board_wait_lock(board, group));
    if (awaited == GL_GROUP_HOLDER)
        return other != group && board_entry(board, other, GL_LOCKS_HELD) != 0;
    if (awaited == GL_GROUP_ANY)
        return other != group && !board_ended(board, other);
    return awaited == other;
}

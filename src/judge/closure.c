#include "judge/closure.h"

#include "base/alloc.h"

#include <stdlib.h>

/* One lock that a group names. */
struct held {
    uint32_t lock;
    uint32_t group;
};

struct closure {
    const struct board *board;
    unsigned char *marks;
    struct held *held; /* by locks, of groups that have not ended */
    size_t held_count;
    uint32_t stuck_holders; /* groups in the set with a lock */
    /* Groups that have started, have not ended and are not in the set: */
    uint32_t free;
    uint32_t free_holders; /* of these, with a lock */
    uint32_t free_unnamed; /* with one whose name they do not say */
};

static int compare_held(const void *left, const void *right)
{
    const struct held *a = left, *b = right;
    if (a->lock != b->lock)
        return a->lock < b->lock ? -1 : 1;
    return (a->group > b->group) - (a->group < b->group);
}

/* The group is not in the set, or leaves it. */
static void set_free(struct closure *closure, uint32_t group)
{
    const struct board *board = closure->board;

    closure->marks[group] = CLOSURE_FREE;
    closure->free += 1;
    closure->free_holders += board_entry(board, group, GL_LOCKS_HELD) != 0;
    closure->free_unnamed += board_holds_unnamed(board, group);
}

/* The first place among those held at which a lock with this index, or a higher one, stands. */
static size_t find_lock(const struct closure *closure, uint32_t lock)
{
    size_t low = 0, high = closure->held_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (closure->held[middle].lock < lock)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A group that waits for the holder of this lock: may one of those who hold it go on? */
static bool holder_is_free(const struct closure *closure, uint32_t group, uint32_t lock)
{
    bool others = false;
    for (size_t i = find_lock(closure, lock); i < closure->held_count && closure->held[i].lock == lock; ++i) {
        const uint32_t holder = closure->held[i].group;
        if (holder != group && closure->marks[holder] == CLOSURE_FREE)
            return true;
        others = others || holder != group;
    }
    /* Who holds it may not have said so yet, or may not say which lock it holds. */
    return others ? closure->free_unnamed > 0 : closure->free > 0;
}

static bool leads_to(const struct closure *closure, uint32_t group, uint32_t other)
{
    if (other == group || board_ended(closure->board, other))
        return false;
    return board_started(closure->board, other) ? closure->marks[other] == CLOSURE_FREE : closure->free > 0;
}

/* A wait for the holder of some lock, which does not say of which one. */
static bool any_holder_is_free(const struct closure *closure, uint32_t group)
{
    const bool holds = board_entry(closure->board, group, GL_LOCKS_HELD) != 0;
    return closure->free_holders > 0 || (closure->stuck_holders == holds && closure->free > 0);
}

static bool leads_out(const struct closure *closure, uint32_t group)
{
    const struct board *board = closure->board;
    const uint32_t awaited = board_awaited(board, group);
    const uint32_t lock = board_wait_lock(board, group);

    if (awaited < board->groups)
        return leads_to(closure, group, awaited);
    if (awaited == GL_GROUP_HOLDER)
        return lock != 0 ? holder_is_free(closure, group, lock) : any_holder_is_free(closure, group);
    return awaited == GL_GROUP_HOST || closure->free > 0;
}

static void survey(struct closure *closure)
{
    const struct board *board = closure->board;

    for (uint32_t group = 0; group < board->groups; ++group) {
        if (!board_started(board, group) || board_ended(board, group)) {
            closure->marks[group] = CLOSURE_FREE;
            continue;
        }
        if (closure->marks[group] == CLOSURE_FREE)
            set_free(closure, group);
        else
            closure->stuck_holders += board_entry(board, group, GL_LOCKS_HELD) != 0;
        if (board_entry(board, group, GL_LOCKS_HELD) == 0)
            continue;
        for (uint32_t i = 0; i < GL_NAMED_MOST; ++i) {
            const uint32_t lock = board_entry(board, group, GL_LOCK_NAMES + i);
            if (board_holds(board, group, lock))
                closure->held[closure->held_count++] = (struct held){lock, group};
        }
    }
    qsort(closure->held, closure->held_count, sizeof *closure->held, compare_held);
}

/* Takes out what leads out, until nothing does; true if something was taken out. */
static bool pass(struct closure *closure, bool upwards)
{
    const uint32_t groups = closure->board->groups;
    bool changed = false;

    for (uint32_t i = 0; i < groups; ++i) {
        const uint32_t group = upwards ? i : groups - 1 - i;
        if (closure->marks[group] != CLOSURE_FREE && leads_out(closure, group)) {
            closure->stuck_holders -= board_entry(closure->board, group, GL_LOCKS_HELD) != 0;
            set_free(closure, group);
            changed = true;
        }
    }
    return changed;
}

uint32_t closure_find(const struct board *board, unsigned char *marks)
{
    struct closure closure = {.board = board, .marks = marks};
    uint32_t count = 0;
    bool upwards = true;

    closure.held = xcalloc((size_t)board->groups * GL_NAMED_MOST + 1, sizeof *closure.held);
    survey(&closure);
    while (pass(&closure, upwards))
        upwards = !upwards;
    for (uint32_t group = 0; group < board->groups; ++group)
        count += marks[group] != CLOSURE_FREE;
    free(closure.held);
    return count;
}

uint32_t closure_of_board(const struct board *board, unsigned char *marks)
{
    for (uint32_t group = 0; group < board->groups; ++group)
        marks[group] = board_waiting(board, group) && !board_ready(board, group) ? CLOSURE_STUCK : CLOSURE_FREE;
    return closure_find(board, marks);
}

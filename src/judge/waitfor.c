#include "judge/waitfor.h"

#include "base/alloc.h"
#include "judge/closure.h"

#include <stdlib.h>
#include <string.h>

enum mark { UNSEEN, ON_PATH, FINISHED };

/* One group on the path of the depth-first search, and the next group to look at from there. */
struct step {
    uint32_t group, next;
};

struct graph {
    const struct board *board;
    const unsigned char *stuck;   /* enum closure_mark of each group: only these are on paths */
    bool certain;                 /* only waits that say whom they wait for lead on, and only to groups that started */
    uint32_t first_never_started; /* or WAITFOR_NOBODY */
    uint32_t outside;             /* groups that do not wait for all */
    uint32_t latest;              /* the latest round that a group has noted */
    uint32_t behind;              /* of those outside: groups that have not noted it */
    bool elsewhere;               /* some of these are stuck in another wait, or some wait for all at another word */
    bool all_dropped;             /* no group has a lock, nor has one ended with one */
    uint32_t word; /* at which groups wait for all, and how many do not wait for all there; 0: not known */
    uint32_t not_there;
    unsigned char *marks; /* enum mark of each group */
    struct step *path;
    /* What a finished group waited for need not be looked at again. */
    uint32_t explored_round; /* all that had not arrived at this round, or at an earlier one */
    bool explored_holders, explored_any;
};

static bool is_at_barrier(const struct board *board, const unsigned char *stuck, uint32_t group)
{
    return stuck[group] == CLOSURE_STUCK && board_entry(board, group, GL_WAIT_GROUP) == GL_GROUP_ALL;
}

static uint32_t count_not_at(struct graph *graph, uint32_t word)
{
    const struct board *board = graph->board;

    if (word == graph->word)
        return graph->not_there;
    graph->word = word;
    graph->not_there = 0;
    for (uint32_t group = 0; group < board->groups; ++group)
        graph->not_there +=
            !is_at_barrier(board, graph->stuck, group) || board_entry(board, group, GL_WAIT_WORD) != word;
    return graph->not_there;
}

/*
 * The word counts the arrivals of all groups, round by round, and lacks those of all that do not wait there. With two
 * groups the flags of a tree may look alike in some rounds, if groups do not say them.
 */
static bool lacks_all_others(struct graph *graph, uint32_t group)
{
    const struct board *board = graph->board;
    const uint32_t value = board_entry(board, group, GL_WAIT_VALUE), round = board_entry(board, group, GL_ROUND);
    const bool counts = board->groups > 2 ? value % board->groups == 0 : round > 0 && value == round * board->groups;

    return value > 0 && counts &&
           board_distance(board, group) == count_not_at(graph, board_entry(board, group, GL_WAIT_WORD));
}

/*
 * `group` waits for all to arrive, and `other` has started: is it certain that it has not arrived? Rounds tell that of
 * a group that has noted an earlier one: a group may note its round before it arrives, or none at all. Of a group that
 * is stuck in another wait it is certain, too, if the word lacks as many arrivals as there are groups outside, or as
 * there are of these that have not noted the latest round, and it is one of them; or if it waits for a lock of this
 * group's. It is of one at another barrier if the word counts arrivals.
 */
static bool has_yet_to_arrive(struct graph *graph, uint32_t group, uint32_t other)
{
    const struct board *board = graph->board;
    const uint32_t waits_for = board_entry(board, other, GL_WAIT_GROUP);
    const uint32_t round = board_entry(board, other, GL_ROUND);

    if (round > 0 && round < board_entry(board, group, GL_ROUND))
        return true;
    if (graph->stuck[other] != CLOSURE_STUCK)
        return false;
    if (waits_for == GL_GROUP_ALL)
        return board_entry(board, other, GL_WAIT_WORD) != board_entry(board, group, GL_WAIT_WORD) &&
               lacks_all_others(graph, group);
    if (board_distance(board, group) == graph->outside ||
        (round < graph->latest && board_distance(board, group) == graph->behind))
        return true;
    return (waits_for == GL_GROUP_OWNER || waits_for == GL_GROUP_HOLDER) && board_awaits(board, other, group) &&
           board_entry(board, group, GL_LOCKS_HELD) != 0;
}

static bool is_awaited(struct graph *graph, uint32_t group, uint32_t other)
{
    if (graph->certain && board_entry(graph->board, group, GL_WAIT_GROUP) == GL_GROUP_ALL)
        return board_started(graph->board, other) && has_yet_to_arrive(graph, group, other);
    return board_awaits(graph->board, group, other);
}

static bool is_explored(const struct graph *graph, uint32_t group, uint32_t awaited)
{
    if (awaited == GL_GROUP_ALL) /* each such wait may lead to others elsewhere */
        return !(graph->certain && graph->elsewhere) &&
               board_entry(graph->board, group, GL_ROUND) <= graph->explored_round;
    if (awaited == GL_GROUP_HOLDER)
        return board_wait_lock(graph->board, group) == 0 && graph->explored_holders;
    return awaited != GL_GROUP_ANY || graph->explored_any; /* else it is nobody, or the host */
}

/* Where only certain waits count: does this one? One for any group does if none of them could ever start. */
static bool leads_on(const struct graph *graph, uint32_t group, uint32_t awaited)
{
    if (!graph->certain)
        return true;
    if (awaited == GL_GROUP_HOLDER)
        return board_wait_lock(graph->board, group) != 0;
    return awaited != GL_GROUP_ANY || graph->first_never_started == WAITFOR_NOBODY;
}

/*
 * The lock has no name, and all who had one have dropped it: it may be given in an order, as the permits of a semaphore
 * by tickets, and be the turn of a group that never started.
 */
static bool waits_for_its_turn(const struct graph *graph, uint32_t group, uint32_t awaited)
{
    return awaited == GL_GROUP_HOLDER && board_wait_lock(graph->board, group) == 0 && graph->all_dropped;
}

/* The first group from `from` on that `group` waits for, or WAITFOR_NOBODY; one that never started comes first. */
static uint32_t next_awaited(struct graph *graph, uint32_t group, uint32_t from)
{
    const struct board *board = graph->board;
    const uint32_t awaited = board_awaited(board, group);
    const bool many = awaited == GL_GROUP_ALL || awaited == GL_GROUP_ANY || waits_for_its_turn(graph, group, awaited);
    if (awaited < board->groups)
        return from <= awaited ? awaited : WAITFOR_NOBODY;
    if (!leads_on(graph, group, awaited))
        return WAITFOR_NOBODY;
    if (!graph->certain && many && from == 0 && graph->first_never_started != WAITFOR_NOBODY)
        return graph->first_never_started;
    if (is_explored(graph, group, awaited))
        return WAITFOR_NOBODY;
    for (uint32_t other = from; other < board->groups; ++other)
        if (is_awaited(graph, group, other))
            return other;
    return WAITFOR_NOBODY;
}

static void note_explored(struct graph *graph, uint32_t group)
{
    uint32_t awaited = board_entry(graph->board, group, GL_WAIT_GROUP);
    uint32_t round = board_entry(graph->board, group, GL_ROUND);
    if (awaited == GL_GROUP_ALL && round > graph->explored_round)
        graph->explored_round = round;
    if (awaited == GL_GROUP_HOLDER && board_wait_lock(graph->board, group) == 0)
        graph->explored_holders = true;
    if (awaited == GL_GROUP_ANY)
        graph->explored_any = true;
}

/* The path leads back to one of its own groups: from there on it is a circle. */
static void note_circle(const struct step *path, size_t depth, uint32_t group, struct waitfor *result)
{
    size_t first = depth - 1;
    while (path[first].group != group)
        --first;
    result->circle_at = group;
    result->circle_groups = (uint32_t)(depth - first);
    result->circle_certain = 1;
}

static void visit(struct graph *graph, uint32_t root, struct waitfor *result)
{
    const struct board *board = graph->board;
    unsigned char *marks = graph->marks;
    struct step *path = graph->path;
    size_t depth = 0;

    path[depth++] = (struct step){root, 0};
    marks[root] = ON_PATH;
    while (depth > 0) {
        struct step *top = &path[depth - 1];
        uint32_t other = next_awaited(graph, top->group, top->next);
        if (other == WAITFOR_NOBODY) {
            marks[top->group] = FINISHED;
            note_explored(graph, top->group);
            --depth;
            continue;
        }
        top->next = other + 1;
        if (!board_started(board, other)) {
            if (graph->certain)
                continue;
            if (result->never_started == WAITFOR_NOBODY) {
                result->starved_from = root;
                result->never_started = other;
            }
            top->next = board->groups; /* one such group is enough: the others add no fact */
        } else if (marks[other] == ON_PATH) {
            if (graph->certain && result->circle_at == WAITFOR_NOBODY)
                note_circle(path, depth, other, result);
        } else if (marks[other] == UNSEEN && graph->stuck[other] == CLOSURE_STUCK) {
            marks[other] = ON_PATH;
            path[depth++] = (struct step){other, 0};
        }
    }
}

/* Goes through the graph from each group that is stuck. */
static void explore(struct graph *graph, bool certain, struct waitfor *result)
{
    graph->certain = certain;
    graph->explored_round = 0;
    graph->explored_holders = graph->explored_any = false;
    memset(graph->marks, UNSEEN, graph->board->groups);
    for (uint32_t group = 0; group < graph->board->groups; ++group)
        if (graph->marks[group] == UNSEEN && graph->stuck[group] == CLOSURE_STUCK)
            visit(graph, group, result);
}

static uint32_t first_never_started(const struct board *board)
{
    for (uint32_t group = 0; group < board->groups; ++group)
        if (!board_started(board, group))
            return group;
    return WAITFOR_NOBODY;
}

/* --- waits that nobody is left to end --- */

/* What is the same for all groups that wait alike, found once. */
struct survey {
    const struct board *board;
    const unsigned char *stuck;
    uint32_t lock; /* of which the holders are known: those that have not ended; 0: of locks without names */
    uint32_t holders;
    uint32_t alive; /* groups that have not ended */
    uint32_t ended;
    uint32_t round;   /* the first one in which a stuck group waits for all; later ones wait for that group, too */
    uint32_t missing; /* groups that have not come to it */
    uint32_t uneven;  /* the first of these, if they all have ended; or WAITFOR_NOBODY */
    bool elsewhere;   /* a group is stuck in another wait, or at another barrier: it may not have arrived */
};

static void survey_group(struct survey *survey, uint32_t group)
{
    const struct board *board = survey->board;
    const uint32_t round = board_entry(board, group, GL_ROUND);

    survey->alive += !board_ended(board, group);
    survey->ended += board_ended(board, group);
    if (survey->stuck[group] == CLOSURE_STUCK && board_entry(board, group, GL_WAIT_GROUP) == GL_GROUP_ALL &&
        round < survey->round)
        survey->round = round;
}

static struct survey survey_of(const struct board *board, const unsigned char *stuck)
{
    struct survey survey = {
        .board = board, .stuck = stuck, .lock = WAITFOR_NOBODY, .round = UINT32_MAX, .uneven = WAITFOR_NOBODY};
    uint32_t ended = 0;

    for (uint32_t group = 0; group < board->groups; ++group)
        survey_group(&survey, group);
    for (uint32_t group = 0; group < board->groups; ++group) {
        if (board_started(board, group) && board_entry(board, group, GL_ROUND) >= survey.round)
            continue;
        if (survey.missing++ == 0)
            survey.uneven = group;
        ended += board_ended(board, group);
    }
    if (ended < survey.missing)
        survey.uneven = WAITFOR_NOBODY;
    return survey;
}

/* The group waits for all to come to its round. If one work-item does so by itself, others may not have come yet. */
static void survey_barrier(const struct survey *survey, uint32_t group, struct waitfor *result)
{
    const bool whole = board_entry(survey->board, group, GL_PHASE) != GL_PHASE_ITEMS;
    if (board_entry(survey->board, group, GL_ROUND) != survey->round || survey->elsewhere)
        return;
    /* Where no group says its round, one that has ended may have left too soon, or with the last. */
    if (survey->missing == 0 && whole && (survey->round > 0 || survey->ended == 0))
        result->lost_at = group;
    else if (survey->uneven != WAITFOR_NOBODY)
        result->uneven_at = survey->uneven;
}

/* It may be the one that has to drop the lock. */
static bool holds(const struct board *board, uint32_t group, uint32_t lock)
{
    if (board_ended(board, group))
        return false;
    return lock != 0 ? board_holds(board, group, lock) || board_holds_unnamed(board, group)
                     : board_entry(board, group, GL_LOCKS_HELD) != 0;
}

/* Another group holds the lock for whose holder this one waits, and could still drop it. */
static bool another_holds(struct survey *survey, uint32_t group)
{
    const struct board *board = survey->board;
    const uint32_t lock = board_wait_lock(board, group);

    if (lock != survey->lock) {
        survey->lock = lock;
        survey->holders = 0;
        for (uint32_t other = 0; other < board->groups; ++other)
            survey->holders += holds(board, other, lock);
    }
    return survey->holders > holds(board, group, lock);
}

/* No group has this id, or the one that has it has ended. */
static bool is_gone(const struct board *board, uint32_t awaited)
{
    return awaited < board->groups ? board_ended(board, awaited) : awaited != GL_GROUP_HOST;
}

/* A lock names its owner, or some group holds it. */
static void survey_lock(struct survey *survey, uint32_t group, struct waitfor *result)
{
    const struct board *board = survey->board;
    const uint32_t owner = board_awaited(board, group);
    const bool has_one = board_entry(board, group, GL_LOCKS_HELD) != 0;
    const bool gone = owner == GL_GROUP_HOLDER ? !another_holds(survey, group) : is_gone(board, owner);

    if (gone || (owner == group && has_one))
        result->unlock_at = group;
    else if (owner == group)
        result->items_at = group; /* it bears the group's name, but another of its work-items took it */
}

static void survey_wait(struct survey *survey, uint32_t group, struct waitfor *result)
{
    const struct board *board = survey->board;
    const uint32_t awaited = board_entry(board, group, GL_WAIT_GROUP);

    if (awaited == GL_GROUP_OWNER || awaited == GL_GROUP_HOLDER)
        survey_lock(survey, group, result);
    else if (awaited == GL_GROUP_SELF || (awaited == group && board_entry(board, group, GL_PHASE) == GL_PHASE_ITEMS))
        result->items_at = group; /* where one work-item waits for all of them, its own id is a circle of one group */
    else if (awaited == GL_GROUP_ALL)
        survey_barrier(survey, group, result);
    else if (awaited == GL_GROUP_ANY ? survey->alive <= 1 : awaited == group || is_gone(board, awaited))
        result->signal_at = group;
}

static void analyse(struct graph *graph, struct waitfor *result)
{
    struct survey survey = survey_of(graph->board, graph->stuck);

    survey.elsewhere = graph->elsewhere;
    explore(graph, true, result);
    explore(graph, false, result);
    for (uint32_t group = 0; group < graph->board->groups; ++group)
        if (graph->stuck[group] == CLOSURE_STUCK)
            survey_wait(&survey, group, result);
}

static void count_outside(struct graph *graph)
{
    const struct board *board = graph->board;
    uint32_t word = 0;

    graph->all_dropped = true;
    for (uint32_t group = 0; group < board->groups; ++group) {
        const bool at_barrier = is_at_barrier(board, graph->stuck, group);
        const uint32_t at = at_barrier ? board_entry(board, group, GL_WAIT_WORD) : word;
        word = word == 0 ? at : word;
        graph->outside += !at_barrier;
        graph->all_dropped = graph->all_dropped && board_entry(board, group, GL_LOCKS_HELD) == 0;
        graph->behind += !at_barrier && board_entry(board, group, GL_ROUND) < graph->latest;
        graph->elsewhere = graph->elsewhere || at != word || (!at_barrier && graph->stuck[group] == CLOSURE_STUCK);
    }
}

void waitfor_analyse(const struct board *board, const unsigned char *marks, struct waitfor *result)
{
    unsigned char *own = xcalloc(board->groups + (size_t)1, sizeof *own);
    struct graph graph = {
        .board = board,
        .stuck = marks != NULL ? marks : own,
        .first_never_started = first_never_started(board),
        .latest = board_latest_round(board),
        .marks = xcalloc(board->groups + (size_t)1, sizeof *graph.marks),
        .path = xcalloc(board->groups + (size_t)1, sizeof *graph.path),
    };

    *result = (struct waitfor)WAITFOR_NOTHING;
    if (marks == NULL)
        closure_of_board(board, own);
    count_outside(&graph);
    analyse(&graph, result);
    free(graph.path);
    free(graph.marks);
    free(own);
}

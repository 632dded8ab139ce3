#include "judge/grouping.h"

#include "base/alloc.h"
#include "judge/waitfor.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

NAMING_DEFINE(group_state, enum group_state, GROUP_STATES, "not started", "running", "waiting", "ready", "done");

/* What is left out when groups are compared, from one coarseness to the next. */
enum coarseness { BY_ALL, BY_WAIT, BY_STATE, COARSENESSES };

enum { KEY_WORDS = 11 };

/* A group and what it shows; groups with equal keys are of one class. */
struct shown {
    uint32_t key[KEY_WORDS];
    uint32_t group;
};

static enum group_state state_of(const struct board *board, uint32_t group)
{
    if (!board_started(board, group))
        return GROUP_NOT_STARTED;
    if (board_ended(board, group))
        return GROUP_DONE;
    if (!board_waiting(board, group))
        return GROUP_RUNNING;
    return board_ready(board, group) ? GROUP_READY : GROUP_WAITING;
}

static bool waits(enum group_state state)
{
    return state == GROUP_WAITING || state == GROUP_READY;
}

/* What kind of group is waited for: GL_GROUP_*, or 0 for one that is named. A damaged board may name what is none. */
static uint32_t awaited_kind(const struct board *board, uint32_t awaited)
{
    if (awaited < board->groups)
        return 0;
    return awaited >= GL_GROUP_SELF ? awaited : GL_GROUP_NOBODY;
}

static struct shown show(const struct board *board, uint32_t group, enum coarseness coarseness)
{
    const enum group_state state = state_of(board, group);
    struct shown shown = {.key = {state}, .group = group};

    if (waits(state)) {
        const uint32_t awaited = board_entry(board, group, GL_WAIT_GROUP);
        shown.key[1] = coarseness == BY_ALL ? awaited : awaited_kind(board, awaited);
        if (coarseness == BY_ALL) {
            shown.key[2] = board_entry(board, group, GL_WAIT_WORD);
            shown.key[3] = board_entry(board, group, GL_WAIT_HOW);
            shown.key[4] = board_entry(board, group, GL_WAIT_VALUE);
            shown.key[7] = board_wait_lock(board, group);
        }
    }
    if (coarseness < BY_STATE && state != GROUP_NOT_STARTED) {
        shown.key[5] = board_entry(board, group, GL_ROUND);
        shown.key[6] = board_entry(board, group, GL_LOCKS_HELD);
    }
    for (uint32_t i = 0; coarseness == BY_ALL && i < GL_NAMED_MOST; ++i)
        if (board_holds(board, group, board_entry(board, group, GL_LOCK_NAMES + i)))
            shown.key[8 + i] = board_entry(board, group, GL_LOCK_NAMES + i);
    return shown;
}

static int compare_shown(const void *a, const void *b)
{
    const struct shown *first = a, *second = b;
    const int keys = memcmp(first->key, second->key, sizeof first->key);
    if (keys != 0)
        return keys;
    return first->group < second->group ? -1 : first->group > second->group;
}

static bool same_key(const struct shown *a, const struct shown *b)
{
    return memcmp(a->key, b->key, sizeof a->key) == 0;
}

static uint32_t count_classes(const struct shown *shown, uint32_t count)
{
    uint32_t classes = count > 0;
    for (uint32_t i = 1; i < count; ++i)
        classes += !same_key(&shown[i - 1], &shown[i]);
    return classes;
}

/* Sorts the groups by what they show, as finely as `most` allows. */
static enum coarseness sort(const struct board *board, struct shown *shown, uint32_t most)
{
    for (enum coarseness coarseness = BY_ALL;; ++coarseness) {
        for (uint32_t group = 0; group < board->groups; ++group)
            shown[group] = show(board, group, coarseness);
        qsort(shown, board->groups, sizeof *shown, compare_shown);
        if (coarseness == COARSENESSES - 1 || count_classes(shown, board->groups) <= most)
            return coarseness;
    }
}

static struct group_class describe(const struct board *board, const struct shown *first, bool mixed)
{
    const uint32_t group = first->group;
    return (struct group_class){
        .state = (enum group_state)first->key[0],
        .round = board_entry(board, group, GL_ROUND),
        .locks_held = board_entry(board, group, GL_LOCKS_HELD),
        .wait_word = board_entry(board, group, GL_WAIT_WORD),
        .wait_kind = board_wait_kind(board, group),
        .wait_line = board_wait_line(board, group),
        .wait_value = board_entry(board, group, GL_WAIT_VALUE),
        .wait_group = board_entry(board, group, GL_WAIT_GROUP),
        .mixed = mixed,
    };
}

static int compare_classes(const void *a, const void *b)
{
    const struct group_class *first = a, *second = b;
    return first->groups[0] < second->groups[0] ? -1 : 1;
}

static void divide(const struct board *board, const struct shown *shown, bool mixed, struct grouping *grouping)
{
    for (uint32_t i = 0; i < board->groups; ++i) {
        grouping->groups[i] = shown[i].group;
        if (i == 0 || !same_key(&shown[i - 1], &shown[i])) {
            struct group_class *class = &grouping->classes[grouping->count++];
            *class = describe(board, &shown[i], mixed);
            class->groups = &grouping->groups[i];
        }
        grouping->classes[grouping->count - 1].count += 1;
    }
    qsort(grouping->classes, grouping->count, sizeof *grouping->classes, compare_classes);
    for (uint32_t class = 0; class < grouping->count; ++class)
        for (uint32_t i = 0; i < grouping->classes[class].count; ++i)
            grouping->class_of[grouping->classes[class].groups[i]] = class;
}

/* --- edges --- */

/* Groups of a class that wait for no group in particular: one of each kind stands for all of that kind. */
static const uint32_t kinds[] = {GL_GROUP_ALL, GL_GROUP_HOLDER, GL_GROUP_ANY};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Of those that wait for all groups, the one in the last round waits for all that the others wait for. */
static bool stands_for(const struct board *board, uint32_t group, uint32_t other)
{
    return other == WAITFOR_NOBODY || board_entry(board, group, GL_ROUND) > board_entry(board, other, GL_ROUND);
}

static void mark_awaited(const struct board *board, const struct grouping *grouping, uint32_t waiting, bool *marks)
{
    for (uint32_t other = 0; waiting != WAITFOR_NOBODY && other < board->groups; ++other)
        if (board_awaits(board, waiting, other))
            marks[grouping->class_of[other]] = true;
}

/* Marks the classes that a class waits for. */
static void mark(const struct board *board, const struct grouping *grouping, const struct group_class *class,
                 bool *marks)
{
    uint32_t waiting[KINDS] = {WAITFOR_NOBODY, WAITFOR_NOBODY, WAITFOR_NOBODY};
    uint32_t known_lock = 0;

    for (uint32_t i = 0; i < class->count; ++i) {
        const uint32_t awaited = board_awaited(board, class->groups[i]);
        const uint32_t lock = board_wait_lock(board, class->groups[i]);
        if (awaited < board->groups)
            marks[grouping->class_of[awaited]] = true;
        else if (lock != 0 && lock != known_lock)
            mark_awaited(board, grouping, class->groups[i], marks);
        for (size_t kind = 0; kind < KINDS; ++kind)
            if (lock == 0 && awaited == kinds[kind] && stands_for(board, class->groups[i], waiting[kind]))
                waiting[kind] = class->groups[i];
        known_lock = lock;
    }
    for (size_t kind = 0; kind < KINDS; ++kind)
        mark_awaited(board, grouping, waiting[kind], marks);
}

static void find_edges(const struct board *board, struct grouping *grouping, bool *marks)
{
    for (uint32_t from = 0; from < grouping->count; ++from) {
        memset(marks, 0, grouping->count * sizeof *marks);
        if (grouping->classes[from].state == GROUP_WAITING)
            mark(board, grouping, &grouping->classes[from], marks);
        for (uint32_t to = 0; to < grouping->count; ++to)
            if (marks[to])
                grouping->edges[grouping->edge_count++] = (struct class_edge){from, to};
    }
}

void grouping_make(const struct board *board, uint32_t most, struct grouping *grouping)
{
    const size_t count = board->groups + (size_t)1;
    struct shown *shown = xcalloc(count, sizeof *shown);

    *grouping = (struct grouping){
        .class_of = xcalloc(count, sizeof *grouping->class_of),
        .groups = xcalloc(count, sizeof *grouping->groups),
    };
    const enum coarseness coarseness = sort(board, shown, most);
    const size_t classes = count_classes(shown, board->groups) + (size_t)1;
    grouping->classes = xcalloc(classes, sizeof *grouping->classes);
    grouping->edges = xcalloc(classes * classes, sizeof *grouping->edges);
    bool *marks = xcalloc(classes, sizeof *marks);
    divide(board, shown, coarseness != BY_ALL, grouping);
    find_edges(board, grouping, marks);
    free(marks);
    free(shown);
}

void grouping_fini(struct grouping *grouping)
{
    free(grouping->classes);
    free(grouping->edges);
    free(grouping->class_of);
    free(grouping->groups);
    *grouping = (struct grouping){.classes = NULL};
}

bool grouping_waits(const struct grouping *grouping, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < grouping->edge_count; ++i)
        if (grouping->edges[i].from == from && grouping->edges[i].to == to)
            return true;
    return false;
}

/*
 * The work-groups of a board by what they do: thousands of groups are a few classes, and each class waits for
 * classes. From this an explanation is told and drawn.
 */
#pragma once

#include "core/board.h"
#include "core/naming.h"

enum group_state {
    GROUP_NOT_STARTED,
    GROUP_RUNNING,
    GROUP_WAITING,
    GROUP_READY, /* it waits for what is already there */
    GROUP_DONE,
    GROUP_STATES,
};

struct group_class {
    enum group_state state;
    /* What its first group shows; all others show the same, unless the class is `mixed`. */
    uint32_t round;
    uint32_t locks_held;
    uint32_t wait_word; /* index on the board; as the others below, of groups that wait */
    uint32_t wait_kind; /* GL_UNTIL_* */
    uint32_t wait_line; /* of the kernel's file; 0: unknown, or in another file */
    uint32_t wait_value;
    uint32_t wait_group; /* an id, or GL_GROUP_* */
    bool mixed;          /* they differ in words and values, or in the groups that they wait for */
    uint32_t *groups;    /* ascending */
    uint32_t count;
};

/* Groups of one class wait for groups of another, or of the same one. */
struct class_edge {
    uint32_t from, to; /* indexes of classes */
};

struct grouping {
    struct group_class *classes; /* by their first groups */
    uint32_t count;
    struct class_edge *edges; /* ascending */
    uint32_t edge_count;
    uint32_t *class_of; /* of each group */
    uint32_t *groups;   /* the memory behind classes[].groups */
};

/*
 * Sorts the groups of a board into at most `most` classes (at least 20): groups that show the same, as long as these
 * are few enough; else groups in the same state that wait for the same kind of group. To be freed with grouping_fini.
 */
void grouping_make(const struct board *board, uint32_t most, struct grouping *grouping);
void grouping_fini(struct grouping *grouping);

/* The class waits for another one, or for itself. */
bool grouping_waits(const struct grouping *grouping, uint32_t from, uint32_t to);

NAMING_DECLARE(group_state, enum group_state);

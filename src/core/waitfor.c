#include "core/waitfor.h"

#include <stdlib.h>

enum mark { UNSEEN, ON_PATH, FINISHED };

/* One group on the path of the depth-first search, and the next group to look at from there. */
struct step {
    uint32_t group;
    uint32_t next;
};

struct graph {
    const struct board *board;
    uint32_t first_never_started; /* or WAITFOR_NOBODY */
    unsigned char *marks;         /* enum mark of each group */
    struct step *path;
    /* What a finished group waited for need not be looked at again. */
    uint32_t explored_round; /* all that had not arrived at this round, or at an earlier one */
    bool explored_holders;
    bool explored_any;
};

/* The id or GL_GROUP_* value that a group waits for; an owner is named by the word that it owns. */
static uint32_t awaited_by(const struct board *board, uint32_t group)
{
    const uint32_t awaited = board_entry(board, group, GL_WAIT_GROUP);
    const uint32_t word = board_entry(board, group, GL_WAIT_WORD);
    if (awaited != GL_GROUP_OWNER)
        return awaited;
    if (word >= board_words(board->groups, board->sync_words) || board->words[word] - 1 >= board->groups)
        return GL_GROUP_NOBODY;
    return board->words[word] - 1;
}

static bool awaits(const struct board *board, uint32_t group, uint32_t other)
{
    uint32_t awaited = awaited_by(board, group);
    if (awaited == GL_GROUP_ALL)
        return !board_started(board, other) ||
               board_entry(board, other, GL_ROUND) < board_entry(board, group, GL_ROUND);
    if (awaited == GL_GROUP_HOLDER)
        return board_entry(board, other, GL_LOCKS_HELD) != 0;
    if (awaited == GL_GROUP_ANY)
        return other != group && board_entry(board, other, GL_PHASE) != GL_PHASE_DONE;
    return awaited == other;
}

static bool is_explored(const struct graph *graph, uint32_t group, uint32_t awaited)
{
    switch (awaited) {
    case GL_GROUP_ALL:
        return board_entry(graph->board, group, GL_ROUND) <= graph->explored_round;
    case GL_GROUP_HOLDER:
        return graph->explored_holders;
    case GL_GROUP_ANY:
        return graph->explored_any;
    default:
        return true; /* nobody, or the host */
    }
}

/* The first group from `from` on that `group` waits for, or WAITFOR_NOBODY; one that never started comes first. */
static uint32_t next_awaited(const struct graph *graph, uint32_t group, uint32_t from)
{
    const struct board *board = graph->board;
    const uint32_t awaited = awaited_by(board, group);
    const bool many = awaited == GL_GROUP_ALL || awaited == GL_GROUP_ANY;
    if (awaited < board->groups)
        return from <= awaited ? awaited : WAITFOR_NOBODY;
    if (many && from == 0 && graph->first_never_started != WAITFOR_NOBODY)
        return graph->first_never_started;
    if (is_explored(graph, group, awaited))
        return WAITFOR_NOBODY;
    for (uint32_t other = from; other < board->groups; ++other)
        if (awaits(board, group, other))
            return other;
    return WAITFOR_NOBODY;
}

static void note_explored(struct graph *graph, uint32_t group)
{
    uint32_t awaited = board_entry(graph->board, group, GL_WAIT_GROUP);
    uint32_t round = board_entry(graph->board, group, GL_ROUND);
    if (awaited == GL_GROUP_ALL && round > graph->explored_round)
        graph->explored_round = round;
    if (awaited == GL_GROUP_HOLDER)
        graph->explored_holders = true;
    if (awaited == GL_GROUP_ANY)
        graph->explored_any = true;
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
            if (result->never_started == WAITFOR_NOBODY) {
                result->starved_from = root;
                result->never_started = other;
            }
            top->next = board->groups; /* one such group is enough: the others add no fact */
        } else if (marks[other] == ON_PATH) {
            if (result->circle_at == WAITFOR_NOBODY)
                result->circle_at = other;
        } else if (marks[other] == UNSEEN && board_waiting(board, other)) {
            marks[other] = ON_PATH;
            path[depth++] = (struct step){other, 0};
        }
    }
}

static uint32_t first_never_started(const struct board *board)
{
    for (uint32_t group = 0; group < board->groups; ++group)
        if (!board_started(board, group))
            return group;
    return WAITFOR_NOBODY;
}

int waitfor_analyse(const struct board *board, struct waitfor *result, struct error *error)
{
    int outcome = -1;
    struct graph graph = {
        .board = board,
        .first_never_started = first_never_started(board),
        .marks = calloc(board->groups + (size_t)1, sizeof *graph.marks),
        .path = calloc(board->groups + (size_t)1, sizeof *graph.path),
    };

    *result = (struct waitfor){WAITFOR_NOBODY, WAITFOR_NOBODY, WAITFOR_NOBODY};
    if (graph.marks == NULL || graph.path == NULL) {
        error_set(error, STATUS_HARNESS, "no memory for the wait-for graph of %u groups", board->groups);
        goto out;
    }
    for (uint32_t group = 0; group < board->groups; ++group)
        if (graph.marks[group] == UNSEEN && board_waiting(board, group))
            visit(&graph, group, result);
    outcome = 0;
out:
    free(graph.path);
    free(graph.marks);
    return outcome;
}

#include "explain/story.h"

#include "core/text.h"

#include <inttypes.h>

/* A group that holds more locks than a board has names for, or WAITFOR_NOBODY. */
static uint32_t with_too_many_locks(const struct evidence *evidence)
{
    const struct board *board = &evidence->board;

    for (uint32_t group = 0; evidence->words != NULL && group < board->groups; ++group) {
        uint32_t named = 0;
        for (uint32_t i = 0; i < GL_NAMED_MOST; ++i)
            named += board_holds(board, group, board_entry(board, group, GL_LOCK_NAMES + i));
        if (named == GL_NAMED_MOST && board_holds_unnamed(board, group))
            return group;
    }
    return WAITFOR_NOBODY;
}

/*
 * A group that has ended, where all that wait are at one barrier of which nobody says the round; or WAITFOR_NOBODY. It
 * may have left too soon, or its last arrival was not counted.
 */
static uint32_t ended_beside_barrier(const struct evidence *evidence)
{
    const struct board *board = &evidence->board;
    uint32_t ended = WAITFOR_NOBODY;

    if (evidence->words == NULL || board_latest_round(board) != 0)
        return WAITFOR_NOBODY;
    for (uint32_t group = 0; group < board->groups; ++group) {
        if (board_ended(board, group))
            ended = group;
        else if (!board_waiting(board, group) || board_entry(board, group, GL_WAIT_GROUP) != GL_GROUP_ALL)
            return WAITFOR_NOBODY;
    }
    return ended;
}

uint32_t story_item_at_barrier(const struct evidence *evidence)
{
    const struct board *board = &evidence->board;

    for (uint32_t group = 0; evidence->words != NULL && group < board->groups; ++group)
        if (board_entry(board, group, GL_PHASE) == GL_PHASE_ITEMS && evidence->trial.footprint.local_size > 1 &&
            board_entry(board, group, GL_WAIT_GROUP) == GL_GROUP_ALL)
            return group;
    return WAITFOR_NOBODY;
}

/* It stalled, and yet no cause is certain: the waits do not say enough. */
void remedy_tell_unnamed(const struct evidence *evidence, struct story *story)
{
    const uint32_t group = with_too_many_locks(evidence), ended = ended_beside_barrier(evidence),
                   item = story_item_at_barrier(evidence);

    if (group != WAITFOR_NOBODY) {
        text_append(story->allowed, STORY_TEXT,
                    "No group can go on, but group %" PRIu32 " holds %" PRIu32
                    " locks, and a group can name %u: nobody can tell who holds the others.",
                    group, board_entry(&evidence->board, group, GL_LOCKS_HELD), GL_NAMED_MOST);
        story_add_remedy(
            story,
            "Let the word of each lock bear its owner's id plus 1, and wait for GL_GROUP_OWNER: this needs no name.");
        return;
    }
    if (ended != WAITFOR_NOBODY) {
        text_append(story->allowed, STORY_TEXT,
                    "No group can go on: they wait for all to arrive, and group %" PRIu32
                    " has ended. Nobody says its round, so it may have left a round too soon, or its last arrival was "
                    "not counted.",
                    ended);
        story_add_remedy(story, "Let each group say its round before it waits (gl_round): then it is known which.");
        return;
    }
    if (item != WAITFOR_NOBODY) {
        text_append(story->allowed, STORY_TEXT,
                    "No group can go on: a work-item of group %" PRIu32
                    " waits for all to arrive. Others of its group may come only after it, where work-items run one "
                    "after another; or an arrival was not counted.",
                    item);
        story_add_remedy(story, "Let one work-item arrive and wait for its group, between two work-group barriers.");
        return;
    }
    text_append(story->allowed, STORY_TEXT,
                "No group can go on, but the waits do not say whom exactly they are for, so nobody can tell why.");
    story_add_remedy(
        story, "Let each wait say whom it is for: a group, or the lock that its holder must drop (gl_wait_lock).");
}

#include "report/wording.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { RANGES_MOST = 4 };

enum cause wording_cause(const struct device_probe *probe, enum cause cause)
{
    return probe->loops_cut_at != 0 && cause == CAUSE_SLOW ? CAUSE_UNKNOWN : cause;
}

void wording_groups(const struct group_class *class, char *text, size_t size)
{
    uint32_t i = 0;

    snprintf(text, size, "group%s ", class->count > 1 ? "s" : "");
    for (int ranges = 0; i < class->count && ranges < RANGES_MOST; ++ranges) {
        const uint32_t first = class->groups[i];
        uint32_t last = first;
        while (++i < class->count && class->groups[i] == last + 1)
            ++last;
        text_append(text, size, "%s%" PRIu32, ranges > 0 ? ", " : "", first);
        if (last > first)
            text_append(text, size, "-%" PRIu32, last);
    }
    if (i < class->count)
        text_append(text, size, " and %" PRIu32 " more", class->count - i);
}

void wording_word(const struct evidence *evidence, uint32_t word, char *text, size_t size)
{
    const uint32_t first = GL_SYNC(evidence->board.groups);

    if (word == GL_ARRIVALS)
        snprintf(text, size, "the arrival count");
    else if (word == GL_DISCOVERED || word == GL_LOCK_NOW || word == GL_LOCK_NEXT)
        snprintf(text, size, "the discovery lock");
    else if (word >= first)
        snprintf(text, size, "word %" PRIu32 " of the kernel", word - first);
    else
        snprintf(text, size, "word %" PRIu32 " of the board", word);
}

const char *wording_awaited(uint32_t awaited)
{
    switch (awaited) {
    case GL_GROUP_ALL:
        return "all groups to arrive";
    case GL_GROUP_HOLDER:
        return "the holder of the lock";
    case GL_GROUP_OWNER:
        return "the owner of the lock";
    case GL_GROUP_ANY:
        return "any other group";
    case GL_GROUP_HOST:
        return "the host";
    case GL_GROUP_SELF:
        return "another work-item of the same group";
    default:
        return "nobody";
    }
}

/* Whom the class waits for, where a lock tells: its owner, or its first holder. Two groups may wait for different ones. */
static void append_holder(const struct evidence *evidence, const struct group_class *class, char *text, size_t size)
{
    const struct board *board = &evidence->board;
    const uint32_t waiting = class->groups[0];
    uint32_t holders = 0, first = 0;

    if (class->mixed || (class->wait_group == GL_GROUP_HOLDER && board_wait_lock(board, waiting) == 0))
        return;
    for (uint32_t group = board->groups; group-- > 0;) {
        if (!board_awaits(board, waiting, group))
            continue;
        first = group;
        ++holders;
    }
    if (holders > 0)
        text_append(text, size, ", group %" PRIu32, first);
    if (holders > 1)
        text_append(text, size, " or one of %" PRIu32 " more", holders - 1);
}

static void append_wait(const struct evidence *evidence, const struct group_class *class, char *text, size_t size)
{
    static const char *const until[] = {"reaches", "is", "is no longer"};
    const size_t words = board_words(evidence->board.groups, evidence->board.sync_words);
    char word[WORDING_WORD];

    text_append(text, size, "%s in round %" PRIu32, class->count > 1 ? "wait" : "waits", class->round);
    if (class->locks_held > 0)
        text_append(text, size, ", holding %" PRIu32 " lock%s", class->locks_held, class->locks_held > 1 ? "s" : "");
    if (class->mixed) {
        text_append(text, size, ", each for its own word");
    } else {
        wording_word(evidence, class->wait_word, word, sizeof word);
        text_append(text, size, "%s until %s %s %" PRIu32, class->locks_held > 0 ? "," : "", word,
                    class->wait_kind < 3 ? until[class->wait_kind] : "is", class->wait_value);
        if (class->wait_word < words)
            text_append(text, size, "; it is %" PRIu32, evidence->words[class->wait_word]);
    }
    if (class->wait_group < evidence->board.groups && !class->mixed)
        text_append(text, size, "; group %" PRIu32 " must write it", class->wait_group);
    else if (class->wait_group >= evidence->board.groups)
        text_append(text, size, "; waiting for %s", wording_awaited(class->wait_group));
    if (class->wait_group == GL_GROUP_OWNER || class->wait_group == GL_GROUP_HOLDER)
        append_holder(evidence, class, text, size);
}

void wording_class(const struct evidence *evidence, const struct group_class *class, char *text, size_t size)
{
    const char *be = class->count > 1 ? "are" : "is";

    text[0] = '\0';
    switch (class->state) {
    case GROUP_NOT_STARTED:
        snprintf(text, size, "never started");
        break;
    case GROUP_RUNNING:
        snprintf(text, size, "%s running in round %" PRIu32, be, class->round);
        break;
    case GROUP_DONE:
        snprintf(text, size, "%s done, after round %" PRIu32, be, class->round);
        if (class->locks_held > 0)
            text_append(text, size, ", and still %s %" PRIu32 " lock%s", class->count > 1 ? "hold" : "holds",
                        class->locks_held, class->locks_held > 1 ? "s" : "");
        break;
    case GROUP_READY:
        append_wait(evidence, class, text, size);
        text_append(text, size, "; %s not seen this value yet", class->count > 1 ? "have" : "has");
        break;
    case GROUP_WAITING:
        append_wait(evidence, class, text, size);
        break;
    }
}

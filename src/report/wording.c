#include "report/wording.h"

#include "core/text.h"

#include <inttypes.h>
#include <stdio.h>

enum { RANGES_MOST = 4 };

enum cause wording_cause(const struct device_probe *probe, enum cause cause)
{
    return probe->loops_cut_at != 0 && cause == CAUSE_SLOW ? CAUSE_UNKNOWN : cause;
}

void wording_groups(const struct group_class *class, char *text, size_t size)
{
    uint32_t i = 0;

    snprintf(text, size, "group%s ", text_s(class->count));
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

/* The name that the kernel's header gives to a word of the board. */
static bool find_name(const struct evidence *evidence, uint32_t word, char *name)
{
    const uint32_t first = GL_SYNC(evidence->board.groups);
    return word >= first && word_name_find(evidence->trial.work.names, word - first, name);
}

void wording_word(const struct evidence *evidence, uint32_t word, char *text, size_t size)
{
    const uint32_t first = GL_SYNC(evidence->board.groups);
    char name[WORD_NAME];

    if (word == GL_ARRIVALS)
        snprintf(text, size, "the arrival count");
    else if (word == GL_DISCOVERED || word == GL_LOCK_NOW || word == GL_LOCK_NEXT)
        snprintf(text, size, "the discovery lock");
    else if (find_name(evidence, word, name))
        snprintf(text, size, "%s", name);
    else if (word >= first)
        snprintf(text, size, "word %" PRIu32 " of the kernel", word - first);
    else
        snprintf(text, size, "word %" PRIu32 " of the board", word);
}

const struct until *wording_until(uint32_t kind)
{
    static const struct until kinds[] = {
        {"reached", "reaches", "reach"}, {"equal", "is", "be"}, {"different", "is no longer", "not be"}};
    return &kinds[kind <= GL_UNTIL_DIFFERENT ? kind : GL_UNTIL_EQUAL];
}

const struct awaited *wording_awaited(uint32_t group)
{
    static const struct awaited kinds[] = {
        {GL_GROUP_ALL, "all groups to arrive", "to be written on arrival by",
         "waits for, although all have reached its round"},
        {GL_GROUP_HOLDER, "the holder of the lock", "held by", "waits for, but nobody holds"},
        {GL_GROUP_OWNER, "the owner of the lock", "held by", "waits for, but nobody holds"},
        {GL_GROUP_ANY, "any other group", "may be written by", "waits for, but nobody will write"},
        {GL_GROUP_HOST, "the host", "to be written by", "waits for the host to write"},
        {GL_GROUP_SELF, "another work-item of the same group", "to be written by another work-item of",
         "waits for, but nobody will write"},
    };
    static const struct awaited other = {0, "nobody", "to be written by", "waits for, but nobody will write"};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
        if (kinds[i].group == group)
            return &kinds[i];
    return &other;
}

/*
 * Whom the class waits for, where a lock tells: its owner, or its first holder. Two groups may wait for different
 * ones.
 */
static void print_holder(const struct evidence *evidence, const struct group_class *class, char *text, size_t size)
{
    const struct board *board = &evidence->board;
    const uint32_t waiting = class->groups[0];
    const bool tells = class->wait_group == GL_GROUP_OWNER ||
                       (class->wait_group == GL_GROUP_HOLDER && board_wait_lock(board, waiting) != 0);
    uint32_t holders = 0, first = 0;

    text[0] = '\0';
    if (class->mixed || !tells)
        return;
    for (uint32_t group = board->groups; group-- > 0;) {
        if (!board_awaits(board, waiting, group))
            continue;
        first = group;
        ++holders;
    }
    if (holders > 0)
        snprintf(text, size, "group %" PRIu32, first);
    if (holders > 1)
        text_append(text, size, " or one of %" PRIu32 " more", holders - 1);
}

/* It waits for a lock to be 0, which is free then: a word that bears its owner, or is itself the lock that is held. */
static bool waits_for_lock(const struct evidence *evidence, const struct group_class *class)
{
    return class->state == GROUP_WAITING && class->wait_kind == GL_UNTIL_EQUAL && class->wait_value == 0 &&
           (class->wait_group == GL_GROUP_OWNER ||
            board_wait_lock(&evidence->board, class->groups[0]) == class->wait_word);
}

/* Until which word is so. */
static void append_word(const struct evidence *evidence, const struct group_class *class, char *text, size_t size)
{
    const size_t words = board_words(evidence->board.groups, evidence->board.sync_words);
    char word[WORDING_WORD];

    wording_word(evidence, class->wait_word, word, sizeof word);
    text_append(text, size, "until %s %s %" PRIu32, word, wording_until(class->wait_kind)->is, class->wait_value);
    if (class->wait_word < words)
        text_append(text, size, "; it is %" PRIu32, evidence->words[class->wait_word]);
}

/* "at barrier_central.cl:62": where the kernel waits. */
static void append_place(const struct evidence *evidence, const struct group_class *class, char *text, size_t size)
{
    const char *kernel = evidence->trial.work.kernel;

    if (!class->mixed && class->wait_line != 0 && kernel[0] != '\0')
        text_append(text, size, " at %s.cl:%" PRIu32, kernel, class->wait_line);
}

static void append_wait(const struct evidence *evidence, const struct group_class *class, char *text, size_t size)
{
    char holder[64], lock[WORD_NAME];

    print_holder(evidence, class, holder, sizeof holder);
    text_append(text, size, "%s in round %" PRIu32, class->count > 1 ? "wait" : "waits", class->round);
    append_place(evidence, class, text, size);
    if (class->locks_held > 0)
        text_append(text, size, ", holding %" PRIu32 " lock%s", class->locks_held, text_s(class->locks_held));
    if (class->mixed) {
        text_append(text, size, ", each for its own word");
    } else {
        text_append(text, size, class->locks_held > 0 ? ", " : " ");
        if (holder[0] != '\0' && waits_for_lock(evidence, class) && find_name(evidence, class->wait_word, lock)) {
            text_append(text, size, "until %s is free; %s holds it", lock, holder);
            return;
        }
        append_word(evidence, class, text, size);
    }
    if (class->wait_group < evidence->board.groups && !class->mixed)
        text_append(text, size, "; group %" PRIu32 " must write it", class->wait_group);
    else if (class->wait_group >= evidence->board.groups)
        text_append(text, size, "; waiting for %s", wording_awaited(class->wait_group)->whom);
    if (holder[0] != '\0')
        text_append(text, size, ", %s", holder);
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
                        class->locks_held, text_s(class->locks_held));
        break;
    case GROUP_READY:
        append_wait(evidence, class, text, size);
        text_append(text, size, "; %s not seen this value yet", class->count > 1 ? "have" : "has");
        break;
    case GROUP_WAITING:
        append_wait(evidence, class, text, size);
        break;
    case GROUP_STATES:
        break;
    }
}

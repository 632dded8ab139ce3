#include "judge/standing.h"

#include "base/alloc.h"
#include "judge/closure.h"

#include <stdlib.h>
#include <string.h>

enum {
    BEATS = 2,              /* the first one after a look may tell of polls before it */
    TURN_NS = 20 * 1000000, /* a few time slices */
};

/*
 * What no board tells must not have happened for so long: work-items that do not wait do something, or a loop of the
 * kernel's own writes a word, or a group takes a lock and has not said so yet, or has said that it gives it back and
 * has not done so.
 */
static const uint64_t UNTOLD_NS = UINT64_C(2000000000);

void standing_begin(struct standing *standing, uint32_t groups)
{
    if (groups > standing->count) {
        standing_fini(standing);
        standing->groups = xcalloc(groups, sizeof *standing->groups);
        standing->marks = xcalloc(groups, sizeof *standing->marks);
        standing->count = groups;
    }
    if (groups > 0) {
        memset(standing->groups, 0, groups * sizeof *standing->groups);
        memset(standing->marks, CLOSURE_FREE, groups);
    }
    standing->looked = standing->busy = false;
    standing->changed_ns = standing->moved_ns = 0;
}

void standing_fini(struct standing *standing)
{
    free(standing->groups);
    free(standing->marks);
    standing->groups = NULL;
    standing->marks = NULL;
    standing->count = 0;
}

/* Of all that a group says but its polls. */
static uint64_t digest_of(const struct board *board, uint32_t group)
{
    static const uint32_t fields[] = {
        GL_TICKET,     GL_PHASE, GL_ROUND,    GL_WAIT_WORD, GL_WAIT_HOW,   GL_WAIT_VALUE,     GL_WAIT_GROUP,
        GL_LOCKS_HELD, GL_STEPS, GL_PROGRESS, GL_WAIT_LOCK, GL_LOCK_NAMES, GL_LOCK_NAMES + 1, GL_LOCK_NAMES + 2,
    };
    uint64_t sum = 0xcbf29ce484222325u;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
        sum = (sum ^ board_entry(board, group, fields[i])) * 0x100000001b3u; /* FNV-1a, a word at a time */
    return sum;
}

static uint32_t awaited_word(const struct board *board, uint32_t group)
{
    const uint32_t word = board_entry(board, group, GL_WAIT_WORD);
    return board_waiting(board, group) && word < board_words(board->groups, board->sync_words) ? board->words[word] : 0;
}

static bool has_turned(const struct standing_group *seen, const struct board *board, uint32_t group)
{
    return board_entry(board, group, GL_POLLS) - seen->polls >= BEATS * GL_BEAT_POLLS;
}

static bool is_busy(const struct standing_group *seen, const struct board *board, uint32_t group, uint64_t now_ns)
{
    if (!board_started(board, group) || board_ended(board, group))
        return false;
    return !board_waiting(board, group) || (board_ready(board, group) && now_ns - seen->beat_ns >= TURN_NS);
}

/*
 * The wait, or what it waits for, is another one than at the last look: true if the group came further, be it that a
 * word came nearer. Locks that are taken and dropped are no progress.
 */
static bool update(struct standing_group *seen, const struct board *board, uint32_t group, uint64_t now_ns)
{
    const uint64_t told = digest_of(board, group);
    const uint32_t word = awaited_word(board, group);
    const uint32_t wait = board_entry(board, group, GL_STEPS) / GL_STEP_WAIT;
    const uint32_t apart = board_distance(board, group);
    const bool same_wait = seen->told != 0 && wait == seen->wait;
    const bool nearer = apart < (same_wait ? seen->nearest : UINT32_MAX);
    const uint32_t beat = board_entry(board, group, GL_POLLS);

    if (beat != seen->beat) {
        seen->beat = beat;
        seen->beat_ns = now_ns;
    }
    if (told == seen->told && word == seen->word)
        return false;
    *seen = (struct standing_group){
        .told = told,
        .since_ns = now_ns,
        .word = word,
        .polls = beat,
        .beat = beat,
        .beat_ns = now_ns,
        .wait = wait,
        .nearest = nearer      ? apart
                   : same_wait ? seen->nearest
                               : UINT32_MAX,
    };
    return nearer || !same_wait;
}

static uint64_t progress_of(const struct board *board, uint32_t group)
{
    return (uint64_t)board_entry(board, group, GL_ROUND) + board_entry(board, group, GL_PROGRESS) +
           board_entry(board, group, GL_PHASE) + (board_entry(board, group, GL_TICKET) != 0);
}

/* What all groups say taken together: a digest of everything, and of what is progress. */
struct total {
    uint64_t digest;
    uint64_t progress;
    bool moved;
    bool busy;
};

static void look_at(struct standing *standing, const struct board *board, uint32_t group, uint64_t now_ns,
                    struct total *total)
{
    struct standing_group *seen = &standing->groups[group];

    if (!board_started(board, group))
        return;
    total->moved |= update(seen, board, group, now_ns);
    total->busy |= is_busy(seen, board, group, now_ns);
    total->digest = (total->digest ^ seen->told ^ seen->word) * 0x100000001b3u;
    total->progress += progress_of(board, group);
}

void standing_look(struct standing *standing, const struct board *board, uint64_t now_ns)
{
    struct total total = {.digest = 0xcbf29ce484222325u};

    for (uint32_t group = 0; group < board->groups; ++group)
        look_at(standing, board, group, now_ns, &total);
    if (!standing->looked || total.digest != standing->digest) {
        const uint64_t gap_ns = now_ns - standing->changed_ns;
        if (standing->looked && !standing->busy && gap_ns > standing->gap_ns)
            standing->gap_ns = gap_ns;
        standing->changed_ns = now_ns;
    }
    if (!standing->looked || total.moved || total.busy || total.progress != standing->progress)
        standing->moved_ns = now_ns;
    standing->digest = total.digest;
    standing->progress = total.progress;
    standing->busy = total.busy;
    standing->looked = true;
}

/*
 * Another of its work-items may compute, and be what it waits for, or what others do; or its loop may do more than
 * look, unless that was seen not to help.
 */
static bool may_act(const struct standing *standing, const struct board *board, uint32_t group)
{
    return board_entry(board, group, GL_PHASE) == GL_PHASE_ITEMS || board_awaited(board, group) == group ||
           (!standing->again && board_waits_by_own_loop(board, group));
}

static enum closure_mark mark_of(const struct standing *standing, const struct board *board, uint32_t group,
                                 uint64_t now_ns, uint64_t least_ns)
{
    const struct standing_group *seen = &standing->groups[group];
    const uint64_t stands_ns = now_ns - seen->since_ns;

    if (!board_started(board, group) || !board_waiting(board, group) || stands_ns < least_ns ||
        !has_turned(seen, board, group))
        return CLOSURE_FREE;
    if (board_ready(board, group))
        return CLOSURE_UNSEEN;
    return may_act(standing, board, group) && stands_ns < UNTOLD_NS ? CLOSURE_FREE : CLOSURE_STUCK;
}

/* Frees groups that wait for the holder of a lock beside a group that may hold it unsaid; returns whether one may. */
static bool doubt_holders(struct standing *standing, const struct board *board, uint64_t now_ns)
{
    bool free = false;
    for (uint32_t group = 0; group < board->groups && !free; ++group)
        free = standing->marks[group] == CLOSURE_FREE && board_started(board, group) && !board_ended(board, group);
    for (uint32_t group = 0; group < board->groups && free; ++group)
        if (standing->marks[group] == CLOSURE_STUCK && board_awaited(board, group) == GL_GROUP_HOLDER &&
            now_ns - standing->groups[group].since_ns < UNTOLD_NS)
            standing->marks[group] = CLOSURE_FREE;
    return free;
}

uint32_t standing_close(struct standing *standing, const struct board *board, uint64_t now_ns, uint64_t least_ns)
{
    bool some = false;
    for (uint32_t group = 0; group < board->groups; ++group) {
        standing->marks[group] = (unsigned char)mark_of(standing, board, group, now_ns, least_ns);
        some = some || standing->marks[group] != CLOSURE_FREE;
    }
    standing->untold = false;
    if (!some)
        return 0;
    const bool doubtful = doubt_holders(standing, board, now_ns);
    const uint32_t stuck = closure_find(board, standing->marks);
    for (uint32_t group = 0; group < board->groups && !standing->untold; ++group)
        standing->untold =
            standing->marks[group] == CLOSURE_STUCK &&
            (may_act(standing, board, group) || (doubtful && board_awaited(board, group) == GL_GROUP_HOLDER));
    return stuck;
}

uint32_t standing_busy(const struct standing *standing, const struct board *board, uint64_t now_ns, uint32_t *first)
{
    uint32_t count = 0;
    for (uint32_t group = 0; group < board->groups; ++group)
        if (is_busy(&standing->groups[group], board, group, now_ns) && count++ == 0)
            *first = group;
    return count;
}

bool standing_turns(const struct standing *standing, const struct board *board, uint64_t now_ns)
{
    const uint64_t half_ns = standing->moved_ns + (now_ns - standing->moved_ns) / 2;

    for (uint32_t group = 0; group < board->groups; ++group)
        if (board_waiting(board, group) && standing->groups[group].beat_ns < half_ns)
            return false;
    return true;
}

bool standing_advanced(const struct standing *standing, const struct board *board)
{
    uint64_t progress = 0;
    for (uint32_t group = 0; group < board->groups; ++group)
        progress += progress_of(board, group);
    return progress != standing->progress;
}

bool standing_refuted(const struct standing *standing, const struct board *board)
{
    bool others_went_on = false, met = false;

    for (uint32_t group = 0; group < board->groups; ++group) {
        const bool is_free = standing->marks[group] == CLOSURE_FREE;
        const bool went_on = digest_of(board, group) != standing->groups[group].told;
        if (!is_free && went_on)
            return true;
        others_went_on = others_went_on || (is_free && went_on);
        met = met || (standing->marks[group] == CLOSURE_STUCK && board_ready(board, group));
    }
    return others_went_on && met;
}

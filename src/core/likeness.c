#include "core/likeness.h"

#include "base/alloc.h"
#include "base/tally.h"

#include <stdlib.h>
#include <string.h>

/* Control words that differ between launches of one trial. */
static const uint32_t varying[] = {GL_BEAT, GL_FUSE_IDLE, GL_FUSE_TOTAL, GL_CLOSE_POLLS,
                                   GL_SEED, GL_RENEWED,   GL_POLLS_A_MS};

/* And words of an entry, of which counts only that they are not 0. */
static const uint32_t varying_of_group[] = {GL_TICKET,    GL_POLLS,      GL_IDLE,     GL_UNIT,
                                            GL_CLOCK_LOW, GL_CLOCK_HIGH, GL_CLOCK_END};

/* Bits: some group started after one with a lower id, and before one. */
static uint32_t order_of_starts(const struct board *board)
{
    uint32_t before = 0, order = 0;

    for (uint32_t group = 0; group < board->groups; ++group) {
        const uint32_t ticket = board_entry(board, group, GL_TICKET);
        if (ticket == 0)
            continue;
        order |= before == 0 ? 0 : ticket > before ? 1 : 2;
        before = ticket;
    }
    return order;
}

static void blur_entry(uint32_t *entry, bool of_census)
{
    for (size_t i = 0; i < sizeof varying_of_group / sizeof *varying_of_group; ++i)
        entry[varying_of_group[i]] = entry[varying_of_group[i]] != 0;
    if (of_census)
        entry[GL_SEEN] &= GL_CLOSED;
}

uint64_t board_likeness(const struct board *board)
{
    const size_t count = board_words(board->groups, board->sync_words);
    uint32_t *words = xmalloc((count + 1) * sizeof *words);

    memcpy(words, board->words, count * sizeof *words);
    for (size_t i = 0; i < sizeof varying / sizeof *varying; ++i)
        words[varying[i]] = 0;
    for (uint32_t group = 0; group < board->groups; ++group)
        blur_entry(words + GL_CONTROL_WORDS + (size_t)group * GL_ENTRY_WORDS, words[GL_MODE] == GL_MODE_CENSUS);
    words[count] = order_of_starts(board);
    const uint64_t code = tally_hash_bytes((const char *)words, (count + 1) * sizeof *words);
    free(words);
    return code;
}

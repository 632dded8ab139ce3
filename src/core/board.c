#include "core/board.h"

size_t board_words(uint32_t groups, uint32_t sync_words)
{
    return (size_t)GL_CONTROL_WORDS + (size_t)groups * GL_ENTRY_WORDS + sync_words;
}

uint32_t board_entry(const struct board *board, uint32_t group, uint32_t field)
{
    return board->words[(size_t)GL_CONTROL_WORDS + (size_t)group * GL_ENTRY_WORDS + field];
}

bool board_started(const struct board *board, uint32_t group)
{
    return board_entry(board, group, GL_TICKET) != 0;
}

bool board_waiting(const struct board *board, uint32_t group)
{
    return board_entry(board, group, GL_PHASE) == GL_PHASE_WAITING;
}

bool board_is_met(uint32_t kind, uint32_t seen, uint32_t value)
{
    if (kind == GL_UNTIL_EQUAL)
        return seen == value;
    if (kind == GL_UNTIL_DIFFERENT)
        return seen != value;
    return seen - value < GL_REACHED;
}

bool board_ready(const struct board *board, uint32_t group)
{
    const uint32_t word = board_entry(board, group, GL_WAIT_WORD);
    return board_waiting(board, group) && word < board_words(board->groups, board->sync_words) &&
           board_is_met(board_entry(board, group, GL_WAIT_KIND), board->words[word],
                        board_entry(board, group, GL_WAIT_VALUE));
}

bool board_blocked(const struct board *board)
{
    for (uint32_t group = 0; group < board->groups; ++group) {
        const uint32_t phase = board_entry(board, group, GL_PHASE);
        if (phase == GL_PHASE_RUNNING || board_ready(board, group))
            return false;
    }
    return true;
}

uint64_t board_progress(const struct board *board)
{
    uint64_t progress = 0;
    for (uint32_t group = 0; group < board->groups; ++group) {
        progress += board_entry(board, group, GL_PHASE) == GL_PHASE_DONE;
        progress += board_entry(board, group, GL_ROUND);
    }
    return progress;
}

static uint64_t mix(uint64_t sum, uint32_t word)
{
    return (sum ^ word) * 0x100000001b3u; /* FNV-1a, a word at a time */
}

uint64_t board_control_digest(const struct board *board)
{
    uint64_t sum = 0xcbf29ce484222325u;
    for (uint32_t word = GL_STARTED; word < GL_PARAMETERS; word += GL_LINE)
        sum = mix(sum, board->words[word]);
    return sum;
}

uint64_t board_digest(const struct board *board)
{
    uint64_t sum = board_control_digest(board);
    for (uint32_t group = 0; group < board->groups; ++group) {
        for (uint32_t field = GL_TICKET; field <= GL_LATE; ++field)
            sum = mix(sum, board_entry(board, group, field));
        sum = mix(sum, board_entry(board, group, GL_STEPS));
    }
    return sum;
}

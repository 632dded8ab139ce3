#include "judge/samples.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum { PHASE_BITS = 3, HEAD_WORDS = 2, CHANGE_WORDS = 2 };

uint32_t sample_phase(uint32_t state)
{
    return state & ((1u << PHASE_BITS) - 1);
}

uint32_t sample_round(uint32_t state)
{
    return state >> PHASE_BITS;
}

static uint32_t state_of(const struct board *board, uint32_t group)
{
    return (board_entry(board, group, GL_PHASE) & ((1u << PHASE_BITS) - 1)) | board_entry(board, group, GL_ROUND)
                                                                                  << PHASE_BITS;
}

/* The most that a look, or all that was before the first one, takes. */
static size_t most_words(const struct samples *samples)
{
    return HEAD_WORDS + CHANGE_WORDS * (size_t)samples->groups;
}

void samples_begin(struct samples *samples, uint32_t groups)
{
    samples_fini(samples);
    if (groups > SAMPLES_GROUPS)
        return;
    samples->groups = groups;
    samples->words = xcalloc(SAMPLES_WORDS, sizeof *samples->words);
    samples->states = xcalloc(groups + (size_t)1, sizeof *samples->states);
    samples->before = xcalloc(groups + (size_t)1, sizeof *samples->before);
}

/* Takes the oldest samples away, until so many words are left. */
static void forget(struct samples *samples, size_t left)
{
    size_t at = 0;
    struct sample sample;

    while (samples->used - at > left && samples_next(samples->words, samples->used, &at, &sample)) {
        for (uint32_t i = 0; i < sample.count; ++i)
            samples->before[sample.changes[CHANGE_WORDS * i]] = sample.changes[CHANGE_WORDS * i + 1];
        samples->before_us = sample.at_us;
    }
    memmove(samples->words, samples->words + at, (samples->used - at) * sizeof *samples->words);
    samples->used -= at;
}

/* Writes the groups whose states differ, and returns the words that this took: 0, if there is none. */
static size_t write_changes(const uint32_t *before, const uint32_t *states, uint32_t groups, uint32_t at_us,
                            uint32_t *words)
{
    uint32_t count = 0;

    for (uint32_t group = 0; group < groups; ++group) {
        if (states[group] == (before != NULL ? before[group] : 0))
            continue;
        words[HEAD_WORDS + CHANGE_WORDS * count] = group;
        words[HEAD_WORDS + CHANGE_WORDS * count + 1] = states[group];
        ++count;
    }
    words[0] = at_us;
    words[1] = count;
    return count > 0 ? HEAD_WORDS + CHANGE_WORDS * (size_t)count : 0;
}

void samples_look(struct samples *samples, const struct board *board, uint64_t now_ns)
{
    uint32_t *words, now[SAMPLES_GROUPS];

    if (samples->words == NULL)
        return;
    const size_t room = SAMPLES_WORDS - most_words(samples); /* what was before is written in front of all */
    if (samples->used + most_words(samples) > room)
        forget(samples, (room - most_words(samples)) / 2);
    words = samples->words + samples->used;
    for (uint32_t group = 0; group < samples->groups; ++group)
        now[group] = state_of(board, group);
    samples->used += write_changes(samples->states, now, samples->groups, (uint32_t)(now_ns / 1000), words);
    memcpy(samples->states, now, samples->groups * sizeof *now);
}

size_t samples_write(const struct samples *samples, uint32_t *words)
{
    if (samples->words == NULL)
        return 0;
    const size_t before = write_changes(NULL, samples->before, samples->groups, samples->before_us, words);
    memcpy(words + before, samples->words, samples->used * sizeof *words);
    return before + samples->used;
}

void samples_fini(struct samples *samples)
{
    free(samples->words);
    free(samples->states);
    free(samples->before);
    *samples = (struct samples){.words = NULL};
}

bool samples_next(const uint32_t *words, size_t count, size_t *at, struct sample *sample)
{
    const size_t left = count - *at;

    if (left < HEAD_WORDS || words[*at + 1] > (left - HEAD_WORDS) / CHANGE_WORDS)
        return false;
    *sample = (struct sample){.at_us = words[*at], .count = words[*at + 1], .changes = words + *at + HEAD_WORDS};
    *at += HEAD_WORDS + CHANGE_WORDS * (size_t)sample->count;
    return true;
}

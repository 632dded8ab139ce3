/*
 * How the groups of a launch came to stand as they do: which of them had come to another state since the host looked
 * last. Written by whoever watches the launch, and read back from its words. Pure: the caller reads the board, and
 * gives the time.
 */
#pragma once

#include "core/board.h"

/* 64 KiB a launch. Of larger launches no samples are kept. */
enum { SAMPLES_WORDS = 1 << 14, SAMPLES_GROUPS = 1 << 11 };

/*
 * A sample is its time in microseconds, how many groups changed, and of each its id and its state. Before the words are
 * full, the older half of them goes into one sample, which has all that had happened until then.
 */
struct samples {
    uint32_t *words; /* NULL: samples are not kept */
    size_t used;
    uint32_t groups;
    uint32_t *states; /* of each group, at the last look ... */
    uint32_t *before; /* ... and before the first sample in `words` */
    uint32_t before_us;
};

/* Begins with a launch of so many groups. */
void samples_begin(struct samples *samples, uint32_t groups);
void samples_look(struct samples *samples, const struct board *board, uint64_t now_ns);

/* Writes at most SAMPLES_WORDS words, and returns how many. */
size_t samples_write(const struct samples *samples, uint32_t *words);
void samples_fini(struct samples *samples);

/* One of them, as read back. */
struct sample {
    uint32_t at_us; /* time that was watched, since the first look */
    uint32_t count;
    const uint32_t *changes; /* by twos: a group and its state */
};

/* Reads the sample at *at and goes on to the next. Returns false at the end, or if the words are damaged. */
bool samples_next(const uint32_t *words, size_t count, size_t *at, struct sample *sample);

/* A state: GL_PHASE_*, and the round. */
uint32_t sample_phase(uint32_t state);
uint32_t sample_round(uint32_t state);

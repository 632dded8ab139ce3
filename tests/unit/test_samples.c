/* Samples: what is read back is what the board said, however long it went on. */
#include "judge/samples.h"

#include "harness.h"

#include <stdlib.h>

static uint32_t told[SAMPLES_WORDS];

/* A board, as a launch of so many groups would have it. */
static uint32_t *board_of(uint32_t groups, struct board *board)
{
    uint32_t *words = calloc(board_words(groups, 0), sizeof *words);
    ck_assert_ptr_nonnull(words);
    *board = (struct board){.words = words, .groups = groups};
    return words;
}

static void set(uint32_t *words, uint32_t group, uint32_t phase, uint32_t round)
{
    words[GL_CONTROL_WORDS + group * GL_ENTRY_WORDS + GL_PHASE] = phase;
    words[GL_CONTROL_WORDS + group * GL_ENTRY_WORDS + GL_ROUND] = round;
}

/* Replays what was told, and checks that in the end each group stands as on the board. Returns the samples. */
static uint32_t check_end(const struct samples *samples, const struct board *board)
{
    const size_t count = samples_write(samples, told);
    uint32_t states[SAMPLES_GROUPS] = {0}, found = 0, last_us = 0;
    struct sample sample;
    size_t at = 0;

    ck_assert_uint_le(count, SAMPLES_WORDS);
    for (; samples_next(told, count, &at, &sample); ++found) {
        ck_assert_uint_gt(sample.count, 0);
        ck_assert(found == 0 || sample.at_us > last_us);
        last_us = sample.at_us;
        for (uint32_t i = 0; i < sample.count; ++i)
            states[sample.changes[2 * i]] = sample.changes[2 * i + 1];
    }
    ck_assert_uint_eq(at, count);
    for (uint32_t group = 0; group < board->groups; ++group) {
        ck_assert_uint_eq(sample_phase(states[group]), board_entry(board, group, GL_PHASE));
        ck_assert_uint_eq(sample_round(states[group]), board_entry(board, group, GL_ROUND));
    }
    return found;
}

START_TEST(changes_alone_are_told)
{
    struct samples samples = {.words = NULL};
    struct board board;
    uint32_t *words = board_of(3, &board);
    struct sample sample;
    size_t at = 0;

    samples_begin(&samples, 3);
    samples_look(&samples, &board, 1000);
    set(words, 2, GL_PHASE_RUNNING, 0);
    samples_look(&samples, &board, 7000);
    words[GL_CONTROL_WORDS + 2 * GL_ENTRY_WORDS + GL_POLLS] = 9;
    samples_look(&samples, &board, 8000);
    set(words, 2, GL_PHASE_WAITING, 5);
    set(words, 0, GL_PHASE_RUNNING, 0);
    samples_look(&samples, &board, 9999);
    const size_t count = samples_write(&samples, told);
    ck_assert(samples_next(told, count, &at, &sample));
    ck_assert_uint_eq(sample.at_us, 7);
    ck_assert_uint_eq(sample.count, 1);
    ck_assert_uint_eq(sample.changes[0], 2);
    ck_assert_uint_eq(sample_phase(sample.changes[1]), GL_PHASE_RUNNING);
    ck_assert(samples_next(told, count, &at, &sample));
    ck_assert_uint_eq(sample.at_us, 9);
    ck_assert_uint_eq(sample.count, 2);
    ck_assert_uint_eq(sample.changes[2], 2);
    ck_assert_uint_eq(sample_round(sample.changes[3]), 5);
    ck_assert(!samples_next(told, count, &at, &sample));
    samples_fini(&samples);
    free(words);
}
END_TEST

/* Of a launch that goes on for long the end is kept, and all before it as one. */
START_TEST(the_end_is_kept)
{
    static const uint32_t sizes[] = {1, 2, 100, SAMPLES_GROUPS};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        struct samples samples = {.words = NULL};
        struct board board;
        uint32_t *words = board_of(sizes[i], &board);
        samples_begin(&samples, sizes[i]);
        for (uint32_t look = 1; look <= 20000; ++look) {
            set(words, look * 7919 % sizes[i], GL_PHASE_WAITING, look);
            if (look % 5000 == 0)
                for (uint32_t group = 0; group < sizes[i]; ++group)
                    set(words, group, GL_PHASE_DONE, look);
            samples_look(&samples, &board, look * UINT64_C(1000));
            ck_assert_uint_le(samples_write(&samples, told), SAMPLES_WORDS);
        }
        set(words, 0, GL_PHASE_RUNNING, 3);
        samples_look(&samples, &board, UINT64_C(20001000));
        ck_assert_uint_gt(check_end(&samples, &board), sizes[i] < SAMPLES_GROUPS ? 1000 : 1);
        samples_fini(&samples);
        free(words);
    }
}
END_TEST

START_TEST(each_launch_begins_anew)
{
    struct samples samples = {.words = NULL};
    struct board board;
    uint32_t *words = board_of(2, &board);

    samples_begin(&samples, 2);
    set(words, 1, GL_PHASE_DONE, 1);
    samples_look(&samples, &board, 1000);
    ck_assert_uint_eq(check_end(&samples, &board), 1);
    samples_begin(&samples, 2);
    ck_assert_uint_eq(samples_write(&samples, told), 0);
    samples_begin(&samples, SAMPLES_GROUPS + 1);
    samples_look(&samples, &board, 1000);
    ck_assert_uint_eq(samples_write(&samples, told), 0);
    samples_fini(&samples);
    free(words);
}
END_TEST

START_TEST(damaged_words_end)
{
    static const uint32_t damaged[][4] = {{1, 2, 0, 1}, {1, UINT32_MAX, 0, 1}, {1, 0x80000000, 0, 1}};
    struct sample sample;

    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; ++i)
        for (size_t count = 0; count <= 4; ++count) {
            size_t at = 0;
            ck_assert(!samples_next(damaged[i], count, &at, &sample));
        }
}
END_TEST

HARNESS_MAIN("samples", changes_alone_are_told, the_end_is_kept, each_launch_begins_anew, damaged_words_end)

/* How the run file keeps boards: packed, and large ones of limits once for all that are alike. */
#include "store_fixture.h"

#include "base/packed.h"
#include "core/board.h"

enum { GROUPS = 512 };

/* A stalled barrier: clocks and polls are of this launch, and so many groups wait. */
static uint32_t *make_board(uint32_t launch, uint32_t waiting)
{
    uint32_t *words = calloc(board_words(GROUPS, 0), sizeof *words);

    ck_assert_ptr_nonnull(words);
    words[GL_MODE] = GL_MODE_BARRIER;
    for (uint32_t group = 0; group < waiting; ++group) {
        uint32_t *entry = words + GL_CONTROL_WORDS + (size_t)group * GL_ENTRY_WORDS;
        entry[GL_TICKET] = 1 + (group * (5 + 2 * launch)) % GROUPS;
        entry[GL_PHASE] = GL_PHASE_WAITING;
        entry[GL_CLOCK_LOW] = 1000003 * launch + 7919 * group + 1;
        entry[GL_POLLS] = 17 * launch + group * group + 1;
    }
    return words;
}

static void end_with(struct store *store, int64_t device, uint32_t sequence, const uint32_t *board, bool shares,
                     bool is_packed)
{
    struct packed packed = {.bytes = NULL};
    const size_t count = board_words(GROUPS, 0);
    const struct store_end end = {.launches = &starved,
                                  .count = 1,
                                  .board = is_packed ? NULL : board,
                                  .board_words = count,
                                  .packed_board = &packed,
                                  .shares_board = shares,
                                  .note = ""};

    if (is_packed)
        packed_make(&packed, board, count);
    ck_assert_msg(store_end_trial(store, begin(store, device, sequence, &barrier), &end, &error) == 0, "%s",
                  error.text);
    packed_fini(&packed);
}

struct boards {
    uint32_t *words[4]; /* owned */
    char of[4][256];
    int count;
};

static int take_board(void *context, const struct store_trial *trial)
{
    struct boards *boards = context;
    uint32_t *words = malloc(trial->board_words * sizeof *words);

    ck_assert_uint_eq(trial->board_words, board_words(GROUPS, 0));
    ck_assert_ptr_nonnull(words);
    memcpy(words, trial->board, trial->board_words * sizeof *words);
    strcpy(boards->of[boards->count], trial->board_of);
    boards->words[boards->count++] = words;
    return 0;
}

static void free_boards(struct boards *boards)
{
    for (int i = 0; i < boards->count; ++i)
        free(boards->words[i]);
}

START_TEST(boards_that_are_alike_are_kept_once)
{
    uint32_t *first = make_board(1, 500), *alike = make_board(2, 500), *other = make_board(3, 499);
    const size_t bytes = board_words(GROUPS, 0) * sizeof *first;
    struct boards read = {.count = 0};
    struct store *store = create();
    const int64_t device = add_device(store);

    end_with(store, device, 0, first, true, false);
    end_with(store, device, 1, alike, true, true);
    end_with(store, device, 2, other, true, false);
    end_with(store, device, 3, alike, false, false);
    store = reopen(store);
    ck_assert_int_eq(
        store_each_trial(store, &(struct store_walk){device, 0, .take = take_board, .context = &read}, &error), 0);
    ck_assert_mem_eq(read.words[0], first, bytes);
    ck_assert_mem_eq(read.words[1], first, bytes);
    ck_assert_mem_eq(read.words[2], other, bytes);
    ck_assert_mem_eq(read.words[3], alike, bytes);
    ck_assert_str_eq(read.of[0], "");
    ck_assert_str_eq(read.of[1], query("SELECT name FROM trial WHERE sequence = 0"));
    ck_assert_str_eq(read.of[2], "");
    ck_assert_str_eq(read.of[3], "");
    ck_assert_str_eq(query("SELECT count(*) FROM board"), "2");
    free_boards(&read);
    store_close(store);
    free(first);
    free(alike);
    free(other);
}
END_TEST

START_TEST(boards_of_another_device_are_its_own)
{
    uint32_t *first = make_board(1, 500), *alike = make_board(2, 500);
    struct boards read = {.count = 0};
    struct store *store = create();
    const int64_t one = add_device(store), two = add_device(store);

    end_with(store, one, 0, first, true, false);
    end_with(store, two, 0, alike, true, false);
    store = reopen(store);
    ck_assert_int_eq(
        store_each_trial(store, &(struct store_walk){two, 0, .take = take_board, .context = &read}, &error), 0);
    ck_assert_mem_eq(read.words[0], alike, board_words(GROUPS, 0) * sizeof *alike);
    ck_assert_str_eq(read.of[0], "");
    free_boards(&read);
    store_close(store);
    free(first);
    free(alike);
}
END_TEST

START_TEST(packing_loses_nothing)
{
    for (size_t count = 1; count < 200; count += 13) {
        uint32_t words[200];
        size_t read = 0;
        struct packed packed;
        for (size_t i = 0; i < count; ++i)
            words[i] = (uint32_t)(i * 2654435761u) ^ (uint32_t)count;
        packed_make(&packed, words, count);
        uint32_t *copy = packed_words(packed.bytes, packed.size, &read);
        ck_assert_uint_eq(read, count);
        ck_assert_mem_eq(copy, words, count * sizeof *words);
        free(copy);
        packed_fini(&packed);
    }
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, boards_that_are_alike_are_kept_once);
    tcase_add_test(tests, boards_of_another_device_are_its_own);
    tcase_add_test(tests, packing_loses_nothing);
}

int main(void)
{
    return fixture_run("store boards", add_tests);
}

#include "board_builder.h"
#include "harness.h"

START_TEST(board_has_room_for_control_words_and_entries)
{
    ck_assert_uint_eq(board_words(0, 0), GL_CONTROL_WORDS);
    ck_assert_uint_eq(board_words(3, 0), GL_CONTROL_WORDS + 3 * GL_ENTRY_WORDS);
}
END_TEST

START_TEST(size_of_the_largest_board_does_not_wrap_round)
{
    ck_assert(board_words(UINT32_MAX, 0) == (size_t)GL_CONTROL_WORDS + (size_t)UINT32_MAX * GL_ENTRY_WORDS);
}
END_TEST

START_TEST(each_word_of_each_entry_is_read_from_its_own_place)
{
    struct builder b = builder_init(5);
    for (size_t word = 0; word < board_words(5, 0); ++word)
        b.words[word] = (uint32_t)word;
    for (uint32_t group = 0; group < 5; ++group)
        for (uint32_t field = GL_TICKET; field <= GL_BAD_GOT; ++field)
            ck_assert_uint_eq(board_entry(&b.board, group, field), GL_CONTROL_WORDS + group * GL_ENTRY_WORDS + field);
    builder_fini(&b);
}
END_TEST

START_TEST(group_with_a_ticket_has_started)
{
    struct builder b = builder_init(2);
    builder_start(&b, 1);
    ck_assert(board_started(&b.board, 1));
    ck_assert(!board_started(&b.board, 0));
    builder_fini(&b);
}
END_TEST

START_TEST(late_group_has_not_started)
{
    struct builder b = builder_init(1);
    builder_late(&b, 0);
    ck_assert(!board_started(&b.board, 0));
    builder_fini(&b);
}
END_TEST

START_TEST(only_a_group_in_the_waiting_phase_waits)
{
    struct builder b = builder_init(1);
    for (uint32_t phase = GL_PHASE_NONE; phase <= GL_PHASE_DONE; ++phase) {
        builder_set(&b, 0, GL_PHASE, phase);
        ck_assert_int_eq(board_waiting(&b.board, 0), phase == GL_PHASE_WAITING);
    }
    builder_fini(&b);
}
END_TEST

START_TEST(digest_of_an_unchanged_board_is_the_same)
{
    struct builder a = builder_init(3);
    struct builder b = builder_init(3);
    builder_pass_barrier(&a, 2);
    builder_pass_barrier(&b, 2);
    ck_assert(board_digest(&a.board) == board_digest(&b.board));
    builder_fini(&a);
    builder_fini(&b);
}
END_TEST

START_TEST(digest_changes_with_each_word_of_progress_in_each_entry)
{
    struct builder b = builder_init(4);
    builder_start_all(&b);
    const uint64_t before = board_digest(&b.board);
    for (uint32_t group = 0; group < 4; ++group)
        for (uint32_t field = GL_TICKET; field <= GL_LATE; ++field) {
            uint32_t old = board_entry(&b.board, group, field);
            builder_set(&b, group, field, old + 1);
            ck_assert_msg(board_digest(&b.board) != before, "group %u, field %u", group, field);
            builder_set(&b, group, field, old);
        }
    ck_assert(board_digest(&b.board) == before);
    builder_fini(&b);
}
END_TEST

START_TEST(digest_changes_with_each_control_word_that_groups_write)
{
    static const uint32_t control[] = {GL_STARTED,  GL_CENSUS,     GL_ARRIVALS, GL_LOCK_NEXT,
                                       GL_LOCK_NOW, GL_DISCOVERED, GL_BEAT};
    struct builder b = builder_init(1);
    const uint64_t before = board_digest(&b.board);
    for (size_t i = 0; i < sizeof control / sizeof *control; ++i) {
        b.words[control[i]] += 1;
        ck_assert_msg(board_digest(&b.board) != before, "control word %u", control[i]);
        b.words[control[i]] -= 1;
    }
    builder_fini(&b);
}
END_TEST

START_TEST(digest_does_not_change_with_polls)
{
    struct builder b = builder_init(2);
    builder_starve_barrier(&b, 1, GL_ENDED_NONE);
    const uint64_t before = board_digest(&b.board);
    builder_set(&b, 0, GL_POLLS, 12345);
    builder_set(&b, 0, GL_IDLE, 678);
    ck_assert(board_digest(&b.board) == before);
    builder_fini(&b);
}
END_TEST

START_TEST(digest_does_not_change_with_the_stop_word)
{
    struct builder b = builder_init(2);
    const uint64_t before = board_digest(&b.board);
    b.words[GL_STOP] = GL_STOP_HOST;
    ck_assert(board_digest(&b.board) == before);
    builder_fini(&b);
}
END_TEST

START_TEST(digest_does_not_change_with_the_parameters)
{
    struct builder b = builder_init(2);
    const uint64_t before = board_digest(&b.board);
    for (uint32_t word = GL_PARAMETERS; word < GL_CONTROL_WORDS; ++word)
        b.words[word] += 1000; /* the host may lengthen a fuse in a running launch */
    ck_assert(board_digest(&b.board) == before);
    builder_fini(&b);
}
END_TEST

START_TEST(digest_tells_which_of_two_groups_made_progress)
{
    struct builder a = builder_init(2);
    struct builder b = builder_init(2);
    builder_start(&a, 0);
    builder_start(&b, 1);
    ck_assert(board_digest(&a.board) != board_digest(&b.board));
    builder_fini(&a);
    builder_fini(&b);
}
END_TEST

static int compare_digests(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

START_TEST(digests_of_boards_that_differ_in_one_word_are_all_different)
{
    enum { GROUPS = 16, FIELDS = GL_LATE + 1, VALUES = 16 };
    static uint64_t digests[GROUPS * FIELDS * VALUES];
    struct builder b = builder_init(GROUPS);
    size_t count = 0;
    for (uint32_t group = 0; group < GROUPS; ++group)
        for (uint32_t field = GL_TICKET; field < FIELDS; ++field) {
            for (uint32_t value = 1; value <= VALUES; ++value) {
                builder_set(&b, group, field, value);
                digests[count++] = board_digest(&b.board);
            }
            builder_set(&b, group, field, 0);
        }
    qsort(digests, count, sizeof *digests, compare_digests);
    for (size_t i = 1; i < count; ++i)
        ck_assert(digests[i - 1] != digests[i]);
    builder_fini(&b);
}
END_TEST

START_TEST(waiting_group_is_ready_once_its_word_has_reached_the_value)
{
    struct builder b = builder_init(2);
    builder_start(&b, 0);
    builder_arrive(&b, 0, 1);
    ck_assert(!board_ready(&b.board, 0));
    builder_start(&b, 1);
    builder_arrive(&b, 1, 1);
    ck_assert(board_ready(&b.board, 0));
    builder_done(&b, 0);
    ck_assert(!board_ready(&b.board, 0));
    builder_fini(&b);
}
END_TEST

START_TEST(word_that_has_wrapped_round_has_reached_its_value)
{
    struct builder b = builder_init(1);
    builder_start_waiting(&b, 0, GL_GROUP_HOST);
    builder_set(&b, 0, GL_WAIT_VALUE, 0xfffffff0u);
    b.words[GL_BEAT] = 0xffffffefu;
    ck_assert(!board_ready(&b.board, 0));
    b.words[GL_BEAT] = 5;
    ck_assert(board_ready(&b.board, 0));
    builder_fini(&b);
}
END_TEST

START_TEST(word_outside_the_control_words_is_not_ready)
{
    struct builder b = builder_init(1);
    builder_start_waiting(&b, 0, GL_GROUP_HOST);
    builder_set(&b, 0, GL_WAIT_WORD, UINT32_MAX);
    ck_assert(!board_ready(&b.board, 0));
    builder_fini(&b);
}
END_TEST

START_TEST(board_is_blocked_when_no_started_group_can_go_on)
{
    struct builder b = builder_init(4);
    builder_starve_barrier(&b, 3, GL_ENDED_NONE);
    ck_assert(board_blocked(&b.board));
    builder_fini(&b);
}
END_TEST

START_TEST(board_with_a_running_group_is_not_blocked)
{
    struct builder b = builder_init(4);
    builder_starve_barrier(&b, 2, GL_ENDED_NONE);
    builder_start(&b, 2);
    ck_assert(!board_blocked(&b.board));
    builder_fini(&b);
}
END_TEST

START_TEST(board_with_a_ready_group_is_not_blocked)
{
    struct builder b = builder_init(3);
    builder_starve_barrier(&b, 3, GL_ENDED_NONE);
    ck_assert(!board_blocked(&b.board));
    builder_fini(&b);
}
END_TEST

/* --- words behind the entries, and other kinds of waits --- */

START_TEST(board_has_room_for_the_words_behind_its_entries)
{
    ck_assert_uint_eq(board_words(0, 5), GL_CONTROL_WORDS + 5);
    ck_assert_uint_eq(board_words(3, 100), GL_CONTROL_WORDS + 3 * GL_ENTRY_WORDS + 100);
    ck_assert(board_words(UINT32_MAX, UINT32_MAX) ==
              (size_t)GL_CONTROL_WORDS + (size_t)UINT32_MAX * GL_ENTRY_WORDS + UINT32_MAX);
}
END_TEST

START_TEST(words_behind_the_entries_begin_where_the_entries_end)
{
    ck_assert_uint_eq(GL_SYNC(3), board_words(3, 0));
    ck_assert_uint_gt(GL_ENTRY_WORDS, GL_BAD_GOT);
}
END_TEST

START_TEST(wait_is_met_as_its_kind_says)
{
    static const struct {
        uint32_t kind, seen, value;
        bool met;
    } cases[] = {
        {GL_UNTIL_REACHED, 4, 5, false},
        {GL_UNTIL_REACHED, 5, 5, true},
        {GL_UNTIL_REACHED, 6, 5, true},
        {GL_UNTIL_REACHED, 0, 0xfffffff0u, true},
        {GL_UNTIL_REACHED, 5 + GL_REACHED - 1, 5, true},
        {GL_UNTIL_REACHED, 5 + GL_REACHED, 5, false},
        {GL_UNTIL_EQUAL, 4, 5, false},
        {GL_UNTIL_EQUAL, 5, 5, true},
        {GL_UNTIL_EQUAL, 6, 5, false},
        {GL_UNTIL_EQUAL, 0, UINT32_MAX, false},
        {GL_UNTIL_DIFFERENT, 4, 5, true},
        {GL_UNTIL_DIFFERENT, 5, 5, false},
        {GL_UNTIL_DIFFERENT, 6, 5, true},
        {GL_UNTIL_DIFFERENT, 0, UINT32_MAX, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        ck_assert_msg(board_is_met(cases[i].kind, cases[i].seen, cases[i].value) == cases[i].met, "kind %u: %u for %u",
                      cases[i].kind, cases[i].seen, cases[i].value);
}
END_TEST

START_TEST(group_that_waits_for_a_value_is_ready_while_its_word_has_it)
{
    struct builder b = builder_init_sync(2, 4);
    const uint32_t word = builder_sync(&b, 3);
    builder_start(&b, 1);
    builder_wait_until(&b, 1, word, GL_UNTIL_EQUAL, 7, 0);
    ck_assert(!board_ready(&b.board, 1));
    b.words[word] = 7;
    ck_assert(board_ready(&b.board, 1));
    b.words[word] = 8; /* it came too late */
    ck_assert(!board_ready(&b.board, 1));
    builder_fini(&b);
}
END_TEST

START_TEST(group_that_waits_for_a_change_is_ready_once_its_word_has_changed)
{
    struct builder b = builder_init_sync(2, 4);
    const uint32_t word = builder_sync(&b, 0);
    b.words[word] = 7;
    builder_start(&b, 0);
    builder_wait_until(&b, 0, word, GL_UNTIL_DIFFERENT, 7, GL_GROUP_ANY);
    ck_assert(!board_ready(&b.board, 0));
    b.words[word] = 6;
    ck_assert(board_ready(&b.board, 0));
    builder_fini(&b);
}
END_TEST

START_TEST(word_behind_the_last_one_is_not_ready)
{
    struct builder b = builder_init_sync(2, 4);
    b.words[builder_sync(&b, 3)] = 1;
    builder_start(&b, 0);
    builder_wait_until(&b, 0, builder_sync(&b, 3), GL_UNTIL_DIFFERENT, 0, 1);
    ck_assert(board_ready(&b.board, 0));
    builder_set(&b, 0, GL_WAIT_WORD, builder_sync(&b, 4));
    ck_assert(!board_ready(&b.board, 0));
    builder_fini(&b);
}
END_TEST

START_TEST(board_is_blocked_by_waits_of_each_kind)
{
    struct builder b = builder_init_sync(3, 3);
    for (uint32_t group = 0; group < 3; ++group)
        builder_start(&b, group);
    builder_wait_until(&b, 0, builder_sync(&b, 0), GL_UNTIL_EQUAL, 1, 1);
    builder_wait_until(&b, 1, builder_sync(&b, 1), GL_UNTIL_DIFFERENT, 0, 2);
    builder_wait_until(&b, 2, builder_sync(&b, 2), GL_UNTIL_REACHED, 1, 0);
    ck_assert(board_blocked(&b.board));
    for (uint32_t word = 0; word < 3; ++word) {
        b.words[builder_sync(&b, word)] = 1;
        ck_assert(!board_blocked(&b.board));
        b.words[builder_sync(&b, word)] = 0;
    }
    builder_fini(&b);
}
END_TEST

START_TEST(progress_is_groups_that_are_done_and_rounds_that_they_arrived_at)
{
    struct builder b = builder_init(4);
    ck_assert_uint_eq(board_progress(&b.board), 0);
    builder_start(&b, 0);
    builder_set(&b, 0, GL_ROUND, 5);
    builder_start(&b, 2);
    builder_set(&b, 2, GL_ROUND, 2);
    ck_assert_uint_eq(board_progress(&b.board), 7);
    builder_done(&b, 2);
    builder_done(&b, 3);
    ck_assert_uint_eq(board_progress(&b.board), 9);
    builder_fini(&b);
}
END_TEST

START_TEST(locks_steps_and_waits_are_no_progress)
{
    static const uint32_t fields[] = {GL_STEPS, GL_LOCKS_HELD, GL_WAITS, GL_PROVEN, GL_POLLS, GL_CHECKED, GL_TICKET};
    struct builder b = builder_init(2);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
        builder_set(&b, 1, fields[i], 3);
    builder_wait(&b, 1, 0);
    b.words[GL_ARRIVALS] = 8;
    ck_assert_uint_eq(board_progress(&b.board), 0);
    builder_fini(&b);
}
END_TEST

START_TEST(digest_changes_with_the_steps_of_each_group)
{
    struct builder b = builder_init(3);
    const uint64_t before = board_digest(&b.board);
    for (uint32_t group = 0; group < 3; ++group) {
        builder_set(&b, group, GL_STEPS, 1);
        ck_assert(board_digest(&b.board) != before);
        builder_set(&b, group, GL_STEPS, 0);
    }
    ck_assert(board_digest(&b.board) == before);
    builder_fini(&b);
}
END_TEST

START_TEST(control_digest_tells_nothing_of_entries)
{
    struct builder b = builder_init(2);
    const uint64_t before = board_control_digest(&b.board);
    builder_set(&b, 1, GL_STEPS, 1);
    builder_set(&b, 1, GL_PHASE, GL_PHASE_DONE);
    ck_assert(board_control_digest(&b.board) == before);
    b.words[GL_ARRIVALS] = 1;
    ck_assert(board_control_digest(&b.board) != before);
    builder_fini(&b);
}
END_TEST

HARNESS_MAIN("board", board_has_room_for_control_words_and_entries, size_of_the_largest_board_does_not_wrap_round,
             each_word_of_each_entry_is_read_from_its_own_place, group_with_a_ticket_has_started,
             late_group_has_not_started, only_a_group_in_the_waiting_phase_waits,
             digest_of_an_unchanged_board_is_the_same, digest_changes_with_each_word_of_progress_in_each_entry,
             digest_changes_with_each_control_word_that_groups_write, digest_does_not_change_with_polls,
             digest_does_not_change_with_the_stop_word, digest_does_not_change_with_the_parameters,
             digest_tells_which_of_two_groups_made_progress,
             digests_of_boards_that_differ_in_one_word_are_all_different,
             waiting_group_is_ready_once_its_word_has_reached_the_value,
             word_that_has_wrapped_round_has_reached_its_value, word_outside_the_control_words_is_not_ready,
             board_is_blocked_when_no_started_group_can_go_on, board_with_a_running_group_is_not_blocked,
             board_with_a_ready_group_is_not_blocked, board_has_room_for_the_words_behind_its_entries,
             words_behind_the_entries_begin_where_the_entries_end, wait_is_met_as_its_kind_says,
             group_that_waits_for_a_value_is_ready_while_its_word_has_it,
             group_that_waits_for_a_change_is_ready_once_its_word_has_changed, word_behind_the_last_one_is_not_ready,
             board_is_blocked_by_waits_of_each_kind, digest_changes_with_the_steps_of_each_group,
             control_digest_tells_nothing_of_entries, progress_is_groups_that_are_done_and_rounds_that_they_arrived_at,
             locks_steps_and_waits_are_no_progress)

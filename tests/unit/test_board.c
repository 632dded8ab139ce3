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

START_TEST(group_holds_the_locks_that_it_names)
{
    struct builder b = builder_init(2);
    ck_assert(!board_holds(&b.board, 1, 0));
    ck_assert(!board_holds_unnamed(&b.board, 1));
    builder_set(&b, 1, GL_LOCKS_HELD, 2);
    builder_set(&b, 1, GL_LOCK_NAMES + 2, 400);
    ck_assert(board_holds(&b.board, 1, 400));
    ck_assert(!board_holds(&b.board, 1, 401));
    ck_assert(!board_holds(&b.board, 0, 400));
    ck_assert(board_holds_unnamed(&b.board, 1));
    builder_set(&b, 1, GL_LOCK_NAMES, 401);
    ck_assert(board_holds(&b.board, 1, 401));
    ck_assert(!board_holds_unnamed(&b.board, 1));
    builder_fini(&b);
}
END_TEST

START_TEST(shape_of_a_range_is_no_lock)
{
    struct builder b = builder_init(1);
    builder_start(&b, 0);
    for (uint32_t i = 0; i < 3; ++i)
        builder_set(&b, 0, GL_SHAPE + i, 64);
    builder_set(&b, 0, GL_LAUNCHED, 400);
    ck_assert(!board_holds(&b.board, 0, 64));
    ck_assert(!board_holds(&b.board, 0, 400));
    ck_assert(!board_holds_unnamed(&b.board, 0));
    builder_fini(&b);
}
END_TEST

START_TEST(only_a_wait_for_a_holder_names_a_lock)
{
    struct builder b = builder_init(1);
    builder_start_waiting(&b, 0, GL_GROUP_HOLDER);
    ck_assert_uint_eq(board_wait_lock(&b.board, 0), 0);
    builder_set(&b, 0, GL_WAIT_LOCK, 400);
    ck_assert_uint_eq(board_wait_lock(&b.board, 0), 400);
    builder_wait(&b, 0, GL_GROUP_OWNER);
    ck_assert_uint_eq(board_wait_lock(&b.board, 0), 0);
    builder_fini(&b);
}
END_TEST

HARNESS_MAIN("board", board_has_room_for_control_words_and_entries, size_of_the_largest_board_does_not_wrap_round,
             each_word_of_each_entry_is_read_from_its_own_place, group_with_a_ticket_has_started,
             late_group_has_not_started, only_a_group_in_the_waiting_phase_waits,
             waiting_group_is_ready_once_its_word_has_reached_the_value,
             word_that_has_wrapped_round_has_reached_its_value, word_outside_the_control_words_is_not_ready,
             board_has_room_for_the_words_behind_its_entries, words_behind_the_entries_begin_where_the_entries_end,
             wait_is_met_as_its_kind_says, group_that_waits_for_a_value_is_ready_while_its_word_has_it,
             group_that_waits_for_a_change_is_ready_once_its_word_has_changed, word_behind_the_last_one_is_not_ready,
             group_holds_the_locks_that_it_names, shape_of_a_range_is_no_lock, only_a_wait_for_a_holder_names_a_lock)

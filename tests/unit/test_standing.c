#include "judge/closure.h"
#include "judge/standing.h"

#include "board_builder.h"
#include "harness.h"

#define MS UINT64_C(1000000)
#define LEAST_NS (50 * MS)
#define STEP_NS (1 * MS)

/* A launch as the host watches it: a board, the time, and what is known of each group. */
struct story {
    struct builder b;
    struct standing standing;
    uint64_t now_ns;
};

static struct story begin(uint32_t groups)
{
    struct story story = {.b = builder_init_sync(groups, 4), .now_ns = 1};
    standing_begin(&story.standing, groups);
    builder_start_all(&story.b);
    return story;
}

static void end(struct story *story)
{
    standing_fini(&story->standing);
    builder_fini(&story->b);
}

/* The group polls on in its wait. */
static void turn(struct story *story, uint32_t group)
{
    builder_set(&story->b, group, GL_POLLS, board_entry(&story->b.board, group, GL_POLLS) + GL_BEAT_POLLS);
}

static void begin_wait(struct story *story, uint32_t group, uint32_t word, uint32_t kind, uint32_t value, uint32_t whom)
{
    builder_wait_until(&story->b, group, builder_sync(&story->b, word), kind, value, whom);
    builder_set(&story->b, group, GL_STEPS, board_entry(&story->b.board, group, GL_STEPS) + GL_STEP_WAIT);
}

static void look(struct story *story)
{
    standing_look(&story->standing, &story->b.board, story->now_ns);
    story->now_ns += STEP_NS;
}

/* Time passes, and these groups (a bit each) turn meanwhile. */
static void pass(struct story *story, uint64_t ns, uint32_t turning)
{
    for (const uint64_t until_ns = story->now_ns + ns; story->now_ns <= until_ns;) {
        for (uint32_t group = 0; group < story->b.board.groups; ++group)
            if (turning >> group & 1)
                turn(story, group);
        look(story);
    }
}

static uint32_t stuck(struct story *story)
{
    const uint64_t seen_ns = story->now_ns - STEP_NS;
    return standing_close(&story->standing, &story->b.board, seen_ns, LEAST_NS);
}

static uint32_t busy(struct story *story)
{
    uint32_t first;
    return standing_busy(&story->standing, &story->b.board, story->now_ns - STEP_NS, &first);
}

/* Groups 0 and 1 wait for each other, and turn. */
static struct story circle(uint32_t groups)
{
    struct story story = begin(groups);
    begin_wait(&story, 0, 0, GL_UNTIL_REACHED, 1, 1);
    begin_wait(&story, 1, 1, GL_UNTIL_REACHED, 1, 0);
    return story;
}

START_TEST(circle_is_stuck_once_it_has_stood_for_long_enough)
{
    struct story s = circle(2);
    pass(&s, LEAST_NS - 2 * STEP_NS, 3);
    ck_assert_int_eq(stuck(&s), 0);
    pass(&s, 2 * STEP_NS, 3);
    ck_assert_int_eq(stuck(&s), 2);
    ck_assert(!s.standing.untold);
    end(&s);
}
END_TEST

/* What such a loop does beside reading its word may be what the other one waits for. */
START_TEST(circle_through_a_loop_of_the_kernels_own_is_stuck_much_later)
{
    struct story s = circle(2);
    builder_set(&s.b, 1, GL_WAIT_HOW, board_entry(&s.b.board, 1, GL_WAIT_HOW) | GL_HOW_OWN);
    pass(&s, 2000 * MS - 2 * STEP_NS, 3);
    ck_assert_int_eq(stuck(&s), 0);
    pass(&s, 2 * STEP_NS, 3);
    ck_assert_int_eq(stuck(&s), 2);
    ck_assert(s.standing.untold);
    end(&s);
}
END_TEST

START_TEST(circle_through_such_a_loop_is_stuck_as_any_other_once_one_was)
{
    struct story s = circle(2);
    s.standing.again = true;
    builder_set(&s.b, 1, GL_WAIT_HOW, board_entry(&s.b.board, 1, GL_WAIT_HOW) | GL_HOW_OWN);
    pass(&s, LEAST_NS, 3);
    ck_assert_int_eq(stuck(&s), 2);
    ck_assert(!s.standing.untold);
    end(&s);
}
END_TEST

START_TEST(circle_is_stuck_whatever_a_third_group_does)
{
    struct story s = circle(3);
    for (uint32_t step = 1; step < 100; ++step) {
        builder_set(&s.b, 2, GL_ROUND, step);
        pass(&s, 0, 3);
    }
    ck_assert_int_eq(stuck(&s), 2);
    ck_assert_int_eq(s.standing.marks[2], CLOSURE_FREE);
    ck_assert_uint_eq(busy(&s), 1);
    end(&s);
}
END_TEST

START_TEST(group_that_does_not_turn_is_not_stuck)
{
    struct story s = circle(2);
    pass(&s, 10 * LEAST_NS, 1); /* 1 computes within its loop, or waits for a processor */
    ck_assert_int_eq(stuck(&s), 0);
    pass(&s, 2 * STEP_NS, 2);
    ck_assert_int_eq(stuck(&s), 2);
    end(&s);
}
END_TEST

START_TEST(waits_that_lead_to_a_group_that_computes_are_no_stall)
{
    struct story s = begin(4);
    begin_wait(&s, 0, 0, GL_UNTIL_REACHED, 1, GL_GROUP_ALL);
    builder_set(&s.b, 0, GL_ROUND, 1);
    begin_wait(&s, 1, 1, GL_UNTIL_EQUAL, 1, 0);
    begin_wait(&s, 2, 1, GL_UNTIL_DIFFERENT, 0, GL_GROUP_ANY);
    pass(&s, 100 * LEAST_NS, 7);
    ck_assert_int_eq(stuck(&s), 0);
    ck_assert_uint_eq(busy(&s), 1);
    end(&s);
}
END_TEST

START_TEST(group_that_computes_after_a_wait_for_a_growing_word_is_busy)
{
    struct story s = circle(2);
    s.b.words[builder_sync(&s.b, 0)] = 1; /* 0 has what it waits for, and has left its loop */
    pass(&s, 100 * LEAST_NS, 2);
    ck_assert_int_eq(stuck(&s), 0);
    ck_assert_uint_eq(busy(&s), 1);
    end(&s);
}
END_TEST

START_TEST(group_that_turns_on_although_its_word_has_the_value_does_not_see_it)
{
    struct story s = begin(2);
    builder_done(&s.b, 1);
    begin_wait(&s, 0, 0, GL_UNTIL_REACHED, 1, 1);
    s.b.words[builder_sync(&s.b, 0)] = 1;
    pass(&s, LEAST_NS, 1);
    ck_assert_int_eq(stuck(&s), 1);
    ck_assert_int_eq(s.standing.marks[0], CLOSURE_UNSEEN);
    ck_assert_uint_eq(busy(&s), 0);
    end(&s);
}
END_TEST

START_TEST(group_that_turns_on_while_whom_it_waits_for_computes_is_no_stall)
{
    struct story s = begin(2);
    begin_wait(&s, 0, 0, GL_UNTIL_DIFFERENT, 0, 1);
    s.b.words[builder_sync(&s.b, 0)] = 2; /* its loop waits for another bit than that */
    pass(&s, 100 * LEAST_NS, 1);
    ck_assert_int_eq(stuck(&s), 0);
    end(&s);
}
END_TEST

START_TEST(word_that_changes_and_comes_back_begins_the_time_anew)
{
    struct story s = begin(2);
    builder_done(&s.b, 1);
    begin_wait(&s, 0, 0, GL_UNTIL_EQUAL, 7, 1);
    pass(&s, LEAST_NS / 2, 1);
    s.b.words[builder_sync(&s.b, 0)] = 1;
    look(&s);
    s.b.words[builder_sync(&s.b, 0)] = 0;
    pass(&s, LEAST_NS / 2 + 2 * STEP_NS, 1);
    ck_assert_int_eq(stuck(&s), 0);
    pass(&s, LEAST_NS / 2, 1);
    ck_assert_int_eq(stuck(&s), 1);
    end(&s);
}
END_TEST

START_TEST(wait_for_another_item_of_the_group_must_stand_for_longer)
{
    struct story s = begin(1);
    begin_wait(&s, 0, 0, GL_UNTIL_EQUAL, 7, GL_GROUP_SELF);
    pass(&s, 1900 * MS, 1);
    ck_assert_int_eq(stuck(&s), 0);
    pass(&s, 200 * MS, 1);
    ck_assert_int_eq(stuck(&s), 1);
    end(&s);
}
END_TEST

START_TEST(group_whose_items_wait_by_themselves_must_stand_for_longer)
{
    struct story s = circle(2);
    builder_set(&s.b, 0, GL_PHASE, GL_PHASE_ITEMS);
    pass(&s, 1900 * MS, 3);
    ck_assert_int_eq(stuck(&s), 0);
    pass(&s, 200 * MS, 3);
    ck_assert_int_eq(stuck(&s), 2);
    end(&s);
}
END_TEST

/* Groups 0 and 1 wait for the holders of locks, and 0 holds one; 2 runs. */
static struct story queue_at_a_lock(uint32_t lock)
{
    struct story s = begin(3);
    begin_wait(&s, 0, 0, GL_UNTIL_REACHED, 1, 1);
    builder_set(&s.b, 0, GL_LOCKS_HELD, 1);
    builder_set(&s.b, 0, GL_LOCK_NAMES, lock);
    begin_wait(&s, 1, 1, GL_UNTIL_REACHED, 2, GL_GROUP_HOLDER);
    builder_set(&s.b, 1, GL_WAIT_LOCK, lock);
    return s;
}

START_TEST(wait_for_a_holder_beside_a_group_that_runs_must_stand_for_longer)
{
    for (uint32_t named = 0; named < 2; ++named) {
        struct story s = queue_at_a_lock(named);
        pass(&s, 1900 * MS, 3); /* 2 may be about to give a permit back, and has said so already */
        ck_assert_int_eq(stuck(&s), 0);
        pass(&s, 200 * MS, 3);
        ck_assert_int_eq(stuck(&s), 2);
        ck_assert(s.standing.untold);
        end(&s);
    }
}
END_TEST

START_TEST(wait_for_a_holder_beside_groups_that_ended_is_stuck_at_once)
{
    struct story s = queue_at_a_lock(0);
    builder_done(&s.b, 2);
    pass(&s, LEAST_NS + STEP_NS, 3);
    ck_assert_int_eq(stuck(&s), 2);
    ck_assert(!s.standing.untold);
    end(&s);
}
END_TEST

/* When did the launch move last, and has it since? */
static bool moves(struct story *s, uint64_t since_ns)
{
    return s->standing.moved_ns >= since_ns;
}

START_TEST(locks_that_are_taken_and_dropped_are_no_progress)
{
    struct story s = begin(2);
    begin_wait(&s, 0, 0, GL_UNTIL_EQUAL, 0, GL_GROUP_OWNER);
    begin_wait(&s, 1, 0, GL_UNTIL_EQUAL, 0, GL_GROUP_OWNER);
    s.b.words[builder_sync(&s.b, 0)] = 2;
    look(&s);
    look(&s);
    const uint64_t since_ns = s.now_ns;
    for (uint32_t i = 0; i < 200; ++i) {
        builder_set(&s.b, 0, GL_LOCKS_HELD, i % 2);
        builder_set(&s.b, 0, GL_STEPS, GL_STEP_WAIT + i + 1);
        s.b.words[builder_sync(&s.b, 0)] = 2 + i % 2;
        pass(&s, 0, 3);
    }
    ck_assert(!moves(&s, since_ns));
    ck_assert(s.standing.changed_ns >= since_ns);
    end(&s);
}
END_TEST

static bool turns(struct story *s)
{
    return standing_turns(&s->standing, &s->b.board, s->now_ns - STEP_NS);
}

/* Group 0 waited for a growing word, which is reset; 1 waits, and its word changes all the time. */
static struct story word_is_reset(uint32_t turning)
{
    struct story s = begin(2);
    begin_wait(&s, 0, 0, GL_UNTIL_REACHED, 2, GL_GROUP_ALL);
    begin_wait(&s, 1, 1, GL_UNTIL_EQUAL, 0, GL_GROUP_ANY);
    s.b.words[builder_sync(&s.b, 0)] = 1;
    pass(&s, 10 * STEP_NS, 3);
    s.b.words[builder_sync(&s.b, 0)] = 0;
    for (uint32_t i = 0; i < 200; ++i) {
        s.b.words[builder_sync(&s.b, 1)] = 2 + i % 2;
        pass(&s, 0, turning);
    }
    return s;
}

START_TEST(group_that_does_not_turn_after_a_reset_may_compute)
{
    struct story s = word_is_reset(0);
    ck_assert_uint_eq(busy(&s), 0); /* the board shows it waiting */
    ck_assert(!turns(&s));
    end(&s);
}
END_TEST

START_TEST(groups_turn_that_poll_or_whose_words_change)
{
    struct story s = word_is_reset(1);
    ck_assert(turns(&s));
    pass(&s, 1000 * STEP_NS, 1); /* the word of 1 stands, and 1 does not turn */
    ck_assert(!turns(&s));
    pass(&s, STEP_NS, 2);
    ck_assert(turns(&s));
    end(&s);
}
END_TEST

START_TEST(rounds_steps_ends_and_waits_are_progress)
{
    static const struct {
        uint32_t field, value;
    } acts[] = {{GL_ROUND, 9}, {GL_PROGRESS, 9}, {GL_PHASE, GL_PHASE_DONE}, {GL_STEPS, 9 * GL_STEP_WAIT}};
    for (size_t i = 0; i < sizeof acts / sizeof *acts; ++i) {
        struct story s = circle(2);
        pass(&s, 10 * STEP_NS, 3);
        const uint64_t since_ns = s.now_ns;
        pass(&s, 10 * STEP_NS, 3);
        ck_assert(!moves(&s, since_ns));
        builder_set(&s.b, 0, acts[i].field, acts[i].value);
        look(&s);
        ck_assert_msg(moves(&s, since_ns), "field %u", acts[i].field);
        end(&s);
    }
}
END_TEST

START_TEST(word_that_comes_nearer_to_what_a_wait_asks_for_is_progress)
{
    struct story s = begin(1);
    begin_wait(&s, 0, 0, GL_UNTIL_REACHED, 100, GL_GROUP_HOST);
    look(&s);
    for (uint32_t value = 1; value < 50; ++value) {
        const uint64_t since_ns = s.now_ns;
        s.b.words[builder_sync(&s.b, 0)] = value;
        pass(&s, 0, 1);
        ck_assert(moves(&s, since_ns));
    }
    end(&s);
}
END_TEST

START_TEST(word_that_nobody_waits_for_is_no_progress)
{
    struct story s = circle(2);
    pass(&s, 2 * STEP_NS, 3);
    const uint64_t since_ns = s.now_ns;
    for (uint32_t value = 1; value < 50; ++value) {
        s.b.words[builder_sync(&s.b, 3)] = value;
        pass(&s, 0, 3);
    }
    ck_assert(!moves(&s, since_ns));
    end(&s);
}
END_TEST

START_TEST(time_in_which_a_group_computes_is_no_gap)
{
    struct story s = begin(2);
    begin_wait(&s, 0, 0, GL_UNTIL_REACHED, 1, 1);
    pass(&s, 500 * MS, 1);
    builder_done(&s.b, 1);
    look(&s);
    ck_assert_uint_eq(s.standing.gap_ns, 0);
    end(&s);
}
END_TEST

START_TEST(time_in_which_all_wait_is_a_gap)
{
    struct story s = circle(2);
    pass(&s, 30 * MS, 3);
    builder_done(&s.b, 1);
    look(&s);
    ck_assert_uint_ge(s.standing.gap_ns, 30 * MS);
    end(&s);
}
END_TEST

START_TEST(group_that_leaves_as_it_stood_refutes_nothing)
{
    struct story s = circle(2);
    pass(&s, LEAST_NS, 3);
    ck_assert_int_eq(stuck(&s), 2);
    builder_end_wait(&s.b, 0, GL_ENDED_STOP, 0);
    builder_set(&s.b, 1, GL_LEAVING, 1);
    ck_assert(!standing_refuted(&s.standing, &s.b.board));
    builder_set(&s.b, 1, GL_ROUND, 5);
    ck_assert(standing_refuted(&s.standing, &s.b.board));
    end(&s);
}
END_TEST

START_TEST(group_outside_that_goes_on_refutes_nothing)
{
    struct story s = circle(3);
    pass(&s, LEAST_NS, 3);
    ck_assert_int_eq(stuck(&s), 2);
    builder_done(&s.b, 2);
    ck_assert(!standing_refuted(&s.standing, &s.b.board));
    ck_assert(standing_advanced(&s.standing, &s.b.board));
    end(&s);
}
END_TEST

START_TEST(group_outside_that_brings_about_what_was_awaited_refutes)
{
    struct story s = circle(3);
    pass(&s, LEAST_NS, 3);
    ck_assert_int_eq(stuck(&s), 2);
    s.b.words[builder_sync(&s.b, 0)] = 1; /* by a group of the circle that cleans up when it leaves? */
    ck_assert(!standing_refuted(&s.standing, &s.b.board));
    builder_done(&s.b, 2);
    ck_assert(standing_refuted(&s.standing, &s.b.board));
    end(&s);
}
END_TEST

START_TEST(polls_may_wrap)
{
    struct story s = circle(2);
    for (uint32_t group = 0; group < 2; ++group)
        builder_set(&s.b, group, GL_POLLS, UINT32_MAX - GL_BEAT_POLLS);
    pass(&s, LEAST_NS, 3);
    ck_assert_int_eq(stuck(&s), 2);
    end(&s);
}
END_TEST

HARNESS_MAIN("standing", circle_is_stuck_once_it_has_stood_for_long_enough,
             circle_through_a_loop_of_the_kernels_own_is_stuck_much_later,
             circle_through_such_a_loop_is_stuck_as_any_other_once_one_was, circle_is_stuck_whatever_a_third_group_does,
             group_that_does_not_turn_is_not_stuck, waits_that_lead_to_a_group_that_computes_are_no_stall,
             group_that_computes_after_a_wait_for_a_growing_word_is_busy,
             group_that_turns_on_although_its_word_has_the_value_does_not_see_it,
             group_that_turns_on_while_whom_it_waits_for_computes_is_no_stall,
             word_that_changes_and_comes_back_begins_the_time_anew,
             wait_for_another_item_of_the_group_must_stand_for_longer,
             group_whose_items_wait_by_themselves_must_stand_for_longer,
             wait_for_a_holder_beside_a_group_that_runs_must_stand_for_longer,
             wait_for_a_holder_beside_groups_that_ended_is_stuck_at_once,
             locks_that_are_taken_and_dropped_are_no_progress, group_that_does_not_turn_after_a_reset_may_compute,
             groups_turn_that_poll_or_whose_words_change, rounds_steps_ends_and_waits_are_progress,
             word_that_comes_nearer_to_what_a_wait_asks_for_is_progress, word_that_nobody_waits_for_is_no_progress,
             time_in_which_a_group_computes_is_no_gap, time_in_which_all_wait_is_a_gap,
             group_that_leaves_as_it_stood_refutes_nothing, group_outside_that_goes_on_refutes_nothing,
             group_outside_that_brings_about_what_was_awaited_refutes, polls_may_wrap)

#include "judge/stall.h"

#include "harness.h"

enum { SUSPECT_NS = 100, CONFIRM_NS = 1000 };

static struct stall_judge new_judge(void)
{
    struct stall_judge judge = {.suspect_ns = SUSPECT_NS, .confirm_ns = CONFIRM_NS, .patience = 16};
    stall_begin(&judge);
    return judge;
}

/* A sample of a launch in which no group that has started can go on. True: it has stalled. */
static bool sample(struct stall_judge *judge, uint64_t now_ns, uint64_t digest, uint32_t started)
{
    return stall_sample(judge, now_ns, digest, started) == STALL_DECIDE && stall_decide(judge, now_ns, started, true);
}

/* A launch of `groups` groups that changed last at `changed_ns` stalls; ends when the judge has decided. */
static uint64_t quiet_until_stalled(struct stall_judge *judge, uint64_t changed_ns, uint32_t groups)
{
    stall_begin(judge);
    sample(judge, changed_ns, 7, groups);
    for (uint64_t quiet_ns = 1; quiet_ns <= 100000; ++quiet_ns)
        if (sample(judge, changed_ns + quiet_ns, 7, groups))
            return quiet_ns;
    return 0;
}

START_TEST(launch_that_has_not_begun_to_run_does_not_stall)
{
    struct stall_judge judge = new_judge();
    ck_assert(!sample(&judge, 0, 7, 0));
    ck_assert(!sample(&judge, 1000 * CONFIRM_NS, 7, 0));
}
END_TEST

START_TEST(time_before_the_first_group_started_is_no_part_of_a_stall)
{
    struct stall_judge judge = new_judge();
    sample(&judge, 0, 7, 0);
    ck_assert(!sample(&judge, 2 * CONFIRM_NS, 7, 1));
    ck_assert_uint_eq(judge.gap_ns, 0);
}
END_TEST

START_TEST(first_stall_must_stand_the_longer_time)
{
    struct stall_judge judge = new_judge();
    ck_assert_uint_eq(quiet_until_stalled(&judge, 50, 3), CONFIRM_NS);
}
END_TEST

START_TEST(first_sample_counts_even_if_its_digest_is_0)
{
    struct stall_judge judge = new_judge();
    ck_assert(!sample(&judge, 5000, 0, 3));
    ck_assert(!sample(&judge, 5000 + CONFIRM_NS - 1, 0, 3));
    ck_assert(sample(&judge, 5000 + CONFIRM_NS, 0, 3));
}
END_TEST

START_TEST(change_begins_the_time_anew)
{
    struct stall_judge judge = new_judge();
    sample(&judge, 0, 7, 3);
    ck_assert(!sample(&judge, 90, 8, 3));
    ck_assert(!sample(&judge, CONFIRM_NS, 8, 3));
    ck_assert(sample(&judge, 90 + CONFIRM_NS, 8, 3));
}
END_TEST

START_TEST(launch_that_keeps_changing_does_not_stall)
{
    struct stall_judge judge = new_judge();
    for (uint64_t i = 0; i < 1000; ++i)
        ck_assert(!sample(&judge, i * (CONFIRM_NS - 1), i, 3));
}
END_TEST

START_TEST(change_after_a_suspicion_is_a_relapse)
{
    struct stall_judge judge = new_judge();
    sample(&judge, 0, 7, 3);
    sample(&judge, SUSPECT_NS, 7, 3);
    ck_assert(judge.suspected);
    ck_assert(!judge.relapsed);
    sample(&judge, SUSPECT_NS + 1, 8, 3);
    ck_assert(judge.relapsed);
    ck_assert(!judge.suspected);
}
END_TEST

START_TEST(change_before_a_suspicion_is_no_relapse)
{
    struct stall_judge judge = new_judge();
    sample(&judge, 0, 7, 3);
    sample(&judge, SUSPECT_NS - 1, 7, 3);
    sample(&judge, SUSPECT_NS, 8, 3);
    ck_assert(!judge.relapsed);
}
END_TEST

START_TEST(longest_gap_between_two_changes_is_kept)
{
    struct stall_judge judge = new_judge();
    sample(&judge, 1000, 1, 1);
    sample(&judge, 1300, 2, 2);
    sample(&judge, 1350, 3, 3);
    ck_assert_uint_eq(judge.gap_ns, 300);
}
END_TEST

START_TEST(quiet_end_of_a_stalled_launch_is_no_gap)
{
    struct stall_judge judge = new_judge();
    quiet_until_stalled(&judge, 0, 3);
    quiet_until_stalled(&judge, 9999, 3);
    ck_assert_uint_eq(judge.gap_ns, 0);
}
END_TEST

START_TEST(first_stall_must_stand_eight_gaps)
{
    struct stall_judge judge = new_judge();
    judge.gap_ns = 200;
    ck_assert_uint_eq(quiet_until_stalled(&judge, 0, 3), 1600);
}
END_TEST

START_TEST(eight_short_gaps_do_not_shorten_the_time)
{
    struct stall_judge judge = new_judge();
    judge.gap_ns = 10;
    ck_assert_uint_eq(quiet_until_stalled(&judge, 0, 3), CONFIRM_NS);
}
END_TEST

START_TEST(later_stall_in_the_same_state_must_stand_the_shorter_time)
{
    struct stall_judge judge = new_judge();
    quiet_until_stalled(&judge, 0, 3);
    ck_assert_uint_eq(quiet_until_stalled(&judge, 5000, 3), SUSPECT_NS);
}
END_TEST

START_TEST(later_stall_in_the_same_state_must_stand_two_gaps)
{
    struct stall_judge judge = new_judge();
    quiet_until_stalled(&judge, 0, 3);
    judge.gap_ns = 80;
    ck_assert_uint_eq(quiet_until_stalled(&judge, 5000, 3), 160);
}
END_TEST

START_TEST(later_stall_in_another_state_must_stand_the_longer_time)
{
    struct stall_judge judge = new_judge();
    quiet_until_stalled(&judge, 0, 3);
    ck_assert_uint_eq(quiet_until_stalled(&judge, 5000, 4), CONFIRM_NS);
}
END_TEST

START_TEST(launch_that_did_not_stall_confirms_nothing)
{
    struct stall_judge judge = new_judge();
    sample(&judge, 0, 7, 3);
    sample(&judge, CONFIRM_NS - 1, 7, 3);
    ck_assert_uint_eq(judge.confirmed_groups, 0);
    ck_assert_uint_eq(quiet_until_stalled(&judge, 5000, 3), CONFIRM_NS);
}
END_TEST

START_TEST(stall_with_fewer_groups_than_are_known_to_fit_must_stand_sixteen_times_as_long)
{
    struct stall_judge judge = new_judge();
    judge.proven_groups = 4;
    ck_assert_uint_eq(quiet_until_stalled(&judge, 0, 3), 16 * CONFIRM_NS);
}
END_TEST

START_TEST(stall_with_as_many_groups_as_are_known_to_fit_needs_no_patience)
{
    struct stall_judge judge = new_judge();
    judge.proven_groups = 3;
    ck_assert_uint_eq(quiet_until_stalled(&judge, 0, 3), CONFIRM_NS);
}
END_TEST

START_TEST(patience_multiplies_the_gaps_as_well)
{
    struct stall_judge judge = new_judge();
    judge.proven_groups = 4;
    judge.gap_ns = 200;
    ck_assert_uint_eq(stall_needed_ns(&judge, 3), 16 * 8 * 200);
}
END_TEST

START_TEST(fixed_time_is_all_that_a_stall_must_stand)
{
    struct stall_judge judge = new_judge();
    judge.fixed = true;
    judge.gap_ns = 200;
    judge.proven_groups = 4;
    ck_assert_uint_eq(quiet_until_stalled(&judge, 0, 3), CONFIRM_NS);
}
END_TEST

START_TEST(fixed_time_is_no_shorter_for_a_later_stall)
{
    struct stall_judge judge = new_judge();
    judge.fixed = true;
    quiet_until_stalled(&judge, 0, 3);
    ck_assert_uint_eq(quiet_until_stalled(&judge, 5000, 3), CONFIRM_NS);
}
END_TEST

START_TEST(new_launch_forgets_the_last_one_and_keeps_what_the_batch_taught)
{
    struct stall_judge judge = new_judge();
    judge.gap_ns = 20;
    sample(&judge, 0, 7, 3);
    sample(&judge, SUSPECT_NS, 7, 3);
    sample(&judge, SUSPECT_NS + 1, 8, 3);
    stall_begin(&judge);
    ck_assert(!judge.sampled && !judge.suspected && !judge.relapsed);
    ck_assert_uint_eq(judge.gap_ns, SUSPECT_NS + 1);
}
END_TEST

START_TEST(suspicion_of_the_launch_before_is_no_relapse)
{
    struct stall_judge judge = new_judge();
    quiet_until_stalled(&judge, 0, 3);
    stall_begin(&judge);
    sample(&judge, 5000, 8, 3);
    ck_assert(!judge.relapsed);
}
END_TEST

START_TEST(time_between_two_launches_is_neither_quiet_nor_a_gap)
{
    struct stall_judge judge = new_judge();
    sample(&judge, 0, 7, 3);
    stall_begin(&judge);
    ck_assert(!sample(&judge, 100 * CONFIRM_NS, 7, 3));
    ck_assert_uint_eq(judge.gap_ns, 0);
}
END_TEST

START_TEST(group_that_could_go_on_makes_the_time_sixteen_times_as_long)
{
    struct stall_judge judge = new_judge();
    stall_sample(&judge, 0, 7, 3);
    ck_assert_int_eq(stall_sample(&judge, CONFIRM_NS, 7, 3), STALL_DECIDE);
    ck_assert(!stall_decide(&judge, 16 * CONFIRM_NS - 1, 3, false));
    ck_assert_uint_eq(judge.confirmed_groups, 0);
    ck_assert(stall_decide(&judge, 16 * CONFIRM_NS, 3, false));
}
END_TEST

START_TEST(group_that_could_go_on_gets_a_quarter_of_that_once_one_like_it_did_not)
{
    struct stall_judge judge = new_judge();
    stall_sample(&judge, 0, 7, 3);
    ck_assert(stall_decide(&judge, 16 * CONFIRM_NS, 3, false));
    stall_begin(&judge);
    stall_sample(&judge, 0, 7, 3);
    ck_assert(!stall_decide(&judge, 4 * SUSPECT_NS - 1, 3, false));
    ck_assert(stall_decide(&judge, 4 * SUSPECT_NS, 3, false));
}
END_TEST

START_TEST(fixed_time_does_not_wait_for_a_group_that_could_go_on)
{
    struct stall_judge judge = new_judge();
    judge.fixed = true;
    stall_sample(&judge, 0, 7, 3);
    ck_assert(stall_decide(&judge, CONFIRM_NS, 3, false));
}
END_TEST

START_TEST(closer_look_is_asked_for_after_half_of_the_time)
{
    struct stall_judge judge = new_judge();
    stall_sample(&judge, 0, 7, 3);
    ck_assert_int_eq(stall_sample(&judge, CONFIRM_NS / 2 - 1, 7, 3), STALL_WAIT);
    ck_assert_int_eq(stall_sample(&judge, CONFIRM_NS / 2, 7, 3), STALL_LOOK);
    ck_assert_int_eq(stall_sample(&judge, CONFIRM_NS - 1, 7, 3), STALL_LOOK);
    ck_assert_int_eq(stall_sample(&judge, CONFIRM_NS, 7, 3), STALL_DECIDE);
}
END_TEST

START_TEST(refuted_stall_begins_the_time_anew)
{
    struct stall_judge judge = new_judge();
    stall_sample(&judge, 0, 7, 3);
    stall_refute(&judge, CONFIRM_NS, false);
    ck_assert(!judge.relapsed);
    ck_assert_int_eq(stall_sample(&judge, 2 * CONFIRM_NS - 1, 7, 3), STALL_LOOK);
    ck_assert_int_eq(stall_sample(&judge, 2 * CONFIRM_NS, 7, 3), STALL_DECIDE);
    stall_refute(&judge, 2 * CONFIRM_NS, true);
    ck_assert(judge.relapsed);
}
END_TEST

/* A launch that changes at each sample, without progress since 0: when is that a livelock? */
static uint64_t churns_at(struct stall_judge *judge)
{
    stall_begin(judge);
    for (uint64_t now_ns = 0; now_ns <= 100 * CONFIRM_NS; now_ns += SUSPECT_NS / 2) {
        if (stall_churns(judge, now_ns, now_ns, 0))
            return now_ns;
    }
    return 0;
}

START_TEST(changes_without_progress_for_long_are_a_livelock_and_sooner_once_seen)
{
    struct stall_judge judge = new_judge();
    ck_assert_uint_eq(churns_at(&judge), 40 * CONFIRM_NS);
    ck_assert_uint_eq(churns_at(&judge), 4 * CONFIRM_NS);
}
END_TEST

START_TEST(launch_that_does_not_change_is_no_livelock)
{
    struct stall_judge judge = new_judge();
    ck_assert(!stall_churns(&judge, 100 * CONFIRM_NS, 100 * CONFIRM_NS - SUSPECT_NS, 0));
}
END_TEST

START_TEST(launch_that_made_progress_lately_is_no_livelock)
{
    struct stall_judge judge = new_judge();
    ck_assert(!stall_churns(&judge, 100 * CONFIRM_NS, 100 * CONFIRM_NS, 60 * CONFIRM_NS + 1));
    ck_assert(stall_churns(&judge, 100 * CONFIRM_NS, 100 * CONFIRM_NS, 60 * CONFIRM_NS));
}
END_TEST

HARNESS_MAIN("stall", launch_that_has_not_begun_to_run_does_not_stall,
             time_before_the_first_group_started_is_no_part_of_a_stall, first_stall_must_stand_the_longer_time,
             first_sample_counts_even_if_its_digest_is_0, change_begins_the_time_anew,
             launch_that_keeps_changing_does_not_stall, change_after_a_suspicion_is_a_relapse,
             change_before_a_suspicion_is_no_relapse, longest_gap_between_two_changes_is_kept,
             quiet_end_of_a_stalled_launch_is_no_gap, first_stall_must_stand_eight_gaps,
             eight_short_gaps_do_not_shorten_the_time, later_stall_in_the_same_state_must_stand_the_shorter_time,
             later_stall_in_the_same_state_must_stand_two_gaps, later_stall_in_another_state_must_stand_the_longer_time,
             launch_that_did_not_stall_confirms_nothing,
             stall_with_fewer_groups_than_are_known_to_fit_must_stand_sixteen_times_as_long,
             stall_with_as_many_groups_as_are_known_to_fit_needs_no_patience, patience_multiplies_the_gaps_as_well,
             new_launch_forgets_the_last_one_and_keeps_what_the_batch_taught,
             time_between_two_launches_is_neither_quiet_nor_a_gap, suspicion_of_the_launch_before_is_no_relapse,
             fixed_time_is_all_that_a_stall_must_stand, fixed_time_is_no_shorter_for_a_later_stall,
             group_that_could_go_on_makes_the_time_sixteen_times_as_long,
             group_that_could_go_on_gets_a_quarter_of_that_once_one_like_it_did_not,
             fixed_time_does_not_wait_for_a_group_that_could_go_on, closer_look_is_asked_for_after_half_of_the_time,
             refuted_stall_begins_the_time_anew, changes_without_progress_for_long_are_a_livelock_and_sooner_once_seen,
             launch_that_does_not_change_is_no_livelock, launch_that_made_progress_lately_is_no_livelock)

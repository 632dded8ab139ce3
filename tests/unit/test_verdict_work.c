/* Verdicts on the results of a scenario's kernel; sets of verdicts and their names. */
#include "verdict_fixture.h"

/* --- results of a scenario's kernel --- */

static const struct trial work = {
    .kind = TRIAL_WORK, .groups = 4, .work = {.kernel = "toy", .checks_counted = true, .checks = 40}};

/* Every wait came true, and all checks were made. */
static struct observation worked(void)
{
    return (struct observation){
        .outcome = OUTCOME_ENDED,
        .groups = 4,
        .board_read = true,
        .started = 4,
        .done = 4,
        .witnesses = 4,
        .checked = 40,
        .waitfor = WAITFOR_NOTHING,
    };
}

START_TEST(work_with_right_reads_and_results_is_a_pass)
{
    struct observation o = worked();
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_PASS);
}
END_TEST

START_TEST(one_stale_read_is_stale)
{
    struct observation o = worked();
    o.stale = 1;
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_STALE);
}
END_TEST

START_TEST(one_wrong_read_is_wrong)
{
    struct observation o = worked();
    o.wrong = 1;
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_WRONG);
}
END_TEST

START_TEST(one_wrong_result_is_wrong)
{
    struct observation o = worked();
    o.differing = 1;
    o.bad_result = 1;
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_WRONG);
}
END_TEST

START_TEST(stale_outranks_wrong)
{
    struct observation o = worked();
    o.stale = 1;
    o.wrong = 5;
    o.differing = 5;
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_STALE);
    o.checked = 0;
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_STALE);
}
END_TEST

START_TEST(checks_that_were_not_made_are_wrong)
{
    struct observation o = worked();
    o.checked = 39;
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_WRONG);
    o.checked = 0;
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_WRONG);
    o.checked = 41;
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_WRONG);
}
END_TEST

START_TEST(checks_of_a_kernel_that_cannot_say_how_many_there_are_may_be_any)
{
    struct trial uncounted = work;
    struct observation o = worked();
    uncounted.work.checks_counted = false;
    uncounted.work.checks = 0;
    for (o.checked = 0; o.checked < 50; o.checked += 10)
        ck_assert_int_eq(verdict_judge(&uncounted, &o), VERDICT_PASS);
    o.wrong = 1;
    ck_assert_int_eq(verdict_judge(&uncounted, &o), VERDICT_WRONG);
}
END_TEST

START_TEST(work_with_a_wait_that_is_not_proven_is_wrong_before_it_is_stale)
{
    struct observation o = worked();
    o.witnesses = 3;
    o.stale = 1;
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_WRONG);
}
END_TEST

START_TEST(work_whose_groups_did_not_all_run_is_wrong)
{
    struct observation o = worked();
    o.started = 3;
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_WRONG);
    o = worked();
    o.done = 3;
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_WRONG);
}
END_TEST

START_TEST(stale_reads_before_a_stall_or_a_cut_do_not_hide_it)
{
    struct observation o = worked();
    o.stale = 1;
    o.done = 3;
    o.waiting = 1;
    o.confirmed = true;
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_STALLED);
    o.ended_cut = 1;
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_CUT);
}
END_TEST

/* The total fuse blew while locks were still taken and dropped; for so long nothing came of it. */
static struct observation spent(uint64_t still_ns)
{
    struct observation o = worked();
    o.done = 3;
    o.waiting = 1;
    o.ended_total = o.busy_total = 1;
    o.duration_ns = 1000;
    o.still_ns = still_ns;
    return o;
}

START_TEST(changes_without_progress_for_half_the_time_are_a_livelock)
{
    struct observation o = spent(500);
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_LIVELOCK);
    o = spent(1000);
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_LIVELOCK);
}
END_TEST

START_TEST(changes_with_late_progress_are_no_livelock)
{
    struct observation o = spent(499);
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_INCONCLUSIVE);
    o = spent(0);
    ck_assert_int_eq(verdict_judge(&work, &o), VERDICT_INCONCLUSIVE);
}
END_TEST

START_TEST(changes_without_progress_for_a_short_launch_are_no_livelock)
{
    struct observation o = spent(1000);
    struct trial patient = work;
    patient.confirm_ns = 1000;
    ck_assert_int_eq(verdict_judge(&patient, &o), VERDICT_INCONCLUSIVE);
}
END_TEST

START_TEST(results_of_a_limits_kernel_are_not_asked_for)
{
    struct observation o = worked();
    o.checked = 0;
    o.stale = o.wrong = o.differing = 1;
    ck_assert_int_eq(verdict_judge(&barrier, &o), VERDICT_PASS);
}
END_TEST

/* --- sets --- */

static verdict_set set_of(enum verdict verdict)
{
    return (verdict_set)1 << verdict;
}

static void assert_print(verdict_set set, const char *wanted)
{
    char text[512];
    verdict_set_print(set, text, sizeof text);
    ck_assert_str_eq(text, wanted);
}

START_TEST(set_is_printed_in_the_order_of_the_verdicts)
{
    assert_print(set_of(VERDICT_PASS), "pass");
    assert_print(set_of(VERDICT_STALE) | set_of(VERDICT_PASS), "pass or stale");
    assert_print(set_of(VERDICT_NOT_RUN) | set_of(VERDICT_STARVED) | set_of(VERDICT_DEVICE_LOST),
                 "starved or device-lost or not-run");
}
END_TEST

START_TEST(empty_set_is_printed_as_nothing)
{
    assert_print(0, "");
}
END_TEST

START_TEST(print_of_a_set_is_cut_to_fit)
{
    const verdict_set all = (1u << VERDICT_COUNT) - 1;
    char whole[512];
    verdict_set_print(all, whole, sizeof whole);
    for (size_t size = 1; size < 100; ++size) {
        char text[101];
        memset(text, '#', sizeof text);
        verdict_set_print(all, text, size);
        ck_assert_uint_eq(strlen(text), size - 1);
        ck_assert_int_eq(strncmp(text, whole, size - 1), 0);
        ck_assert_int_eq(text[size], '#');
    }
}
END_TEST

START_TEST(each_set_of_two_is_parsed_as_it_was_printed)
{
    for (int a = 0; a < VERDICT_COUNT; ++a)
        for (int b = 0; b < VERDICT_COUNT; ++b) {
            const verdict_set set = set_of((enum verdict)a) | set_of((enum verdict)b);
            char text[64];
            verdict_set parsed = 0;
            verdict_set_print(set, text, sizeof text);
            ck_assert_int_eq(naming_parse_set(&verdict_naming, text, &parsed, NULL), 0);
            ck_assert_uint_eq(parsed, set);
        }
}
END_TEST

START_TEST(set_is_parsed_in_any_order)
{
    verdict_set set;
    ck_assert_int_eq(naming_parse_set(&verdict_naming, "stalled or pass or pass", &set, NULL), 0);
    ck_assert_uint_eq(set, set_of(VERDICT_PASS) | set_of(VERDICT_STALLED));
}
END_TEST

START_TEST(what_is_no_set_is_refused_with_the_verdicts)
{
    static const char *const texts[] = {"",
                                        "maybe",
                                        "pass or ",
                                        "pass or",
                                        " or pass",
                                        "pass  or stale",
                                        "pass or maybe",
                                        "pass,stale",
                                        "pass starved",
                                        "PASS",
                                        " pass",
                                        "pass ",
                                        "or",
                                        "pass or or stale",
                                        "a name that is longer than any verdict has, and than any buffer"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        struct error error;
        verdict_set set;
        ck_assert_msg(naming_parse_set(&verdict_naming, texts[i], &set, &error) == -1, "'%s'", texts[i]);
        ck_assert_int_eq(error.status, STATUS_USAGE);
        ck_assert_ptr_nonnull(strstr(error.text, "unknown verdict '"));
        ck_assert_ptr_nonnull(strstr(error.text, "(expected pass, stale, wrong, starved, deadlock"));
    }
}
END_TEST

static bool surprises(enum verdict verdict, verdict_set predicted, verdict_set tolerated, bool loops_cut)
{
    const struct expected expected = {.verdicts = predicted, .tolerated = tolerated};
    return verdict_is_surprise(&expected, verdict, loops_cut);
}

/* Where nothing was predicted. */
static bool surprises_beside(enum verdict verdict, verdict_set allowed)
{
    const struct expected expected = {.allowed = allowed};
    return verdict_is_surprise(&expected, verdict, false);
}

START_TEST(surprise_is_what_is_neither_expected_nor_tolerated)
{
    const verdict_set pass = set_of(VERDICT_PASS), stale = set_of(VERDICT_STALE);

    ck_assert(!surprises(VERDICT_PASS, pass, 0, false));
    ck_assert(surprises(VERDICT_STALE, pass, 0, false));
    ck_assert(!surprises(VERDICT_STALE, pass, stale, false));
    ck_assert(surprises(VERDICT_WRONG, pass, stale, false));
    ck_assert(surprises(VERDICT_INCONCLUSIVE, pass, 0, false));
    ck_assert(surprises(VERDICT_CRASH, pass, 0, true));
}
END_TEST

START_TEST(older_file_has_no_surprise_without_an_expectation_but_failures_of_the_device)
{
    const verdict_set pass = set_of(VERDICT_PASS), crash = set_of(VERDICT_CRASH);

    ck_assert(!surprises(VERDICT_STALE, 0, 0, false));
    ck_assert(!surprises(VERDICT_STARVED, 0, 0, false));
    ck_assert(surprises(VERDICT_CRASH, 0, 0, false));
    ck_assert(surprises(VERDICT_BUILD_FAILED, 0, 0, true));
    ck_assert(!surprises(VERDICT_CRASH, 0, crash, false));
    ck_assert(!surprises(VERDICT_CRASH, crash, 0, false));
    ck_assert(!surprises(VERDICT_UNSUPPORTED, pass, 0, false));
    ck_assert(!surprises(VERDICT_INCOMPLETE, pass, 0, false));
}
END_TEST

/* Nothing was predicted. */
START_TEST(surprise_is_what_was_not_left_open)
{
    const verdict_set open = set_of(VERDICT_PASS) | set_of(VERDICT_STARVED);
    const verdict_set none =
        open | set_of(VERDICT_INCONCLUSIVE) | set_of(VERDICT_INCOMPLETE) | set_of(VERDICT_UNSUPPORTED);

    for (int verdict = 0; verdict < VERDICT_COUNT; ++verdict)
        ck_assert_msg(surprises_beside((enum verdict)verdict, open) != verdict_is_in((enum verdict)verdict, none), "%s",
                      verdict_name((enum verdict)verdict));
    ck_assert(!surprises_beside(VERDICT_STALE, open | set_of(VERDICT_STALE)));
    ck_assert(!surprises_beside(VERDICT_HANG, open | set_of(VERDICT_HANG)));
    ck_assert(surprises_beside(VERDICT_PASS, set_of(VERDICT_STARVED)));
}
END_TEST

START_TEST(what_was_left_open_counts_only_where_nothing_was_predicted)
{
    const struct expected expected = {.verdicts = set_of(VERDICT_PASS), .allowed = set_of(VERDICT_STALE)};
    const struct expected known = {.allowed = set_of(VERDICT_PASS), .tolerated = set_of(VERDICT_STALE)};

    ck_assert(verdict_is_surprise(&expected, VERDICT_STALE, false));
    ck_assert(verdict_is_surprise(&expected, VERDICT_INCONCLUSIVE, false));
    ck_assert(!verdict_is_surprise(&known, VERDICT_STALE, false));
    ck_assert(verdict_is_surprise(&known, VERDICT_CUT, false));
    ck_assert(!verdict_is_surprise(&known, VERDICT_CUT, true));
}
END_TEST

START_TEST(loop_that_is_cut_surprises_only_where_loops_are_not_cut)
{
    const verdict_set pass = set_of(VERDICT_PASS);

    ck_assert(surprises(VERDICT_CUT, pass, 0, false));
    ck_assert(!surprises(VERDICT_CUT, pass, 0, true));
    ck_assert(!surprises(VERDICT_INCONCLUSIVE, pass, 0, true));
    ck_assert(surprises(VERDICT_STALE, pass, 0, true));
}
END_TEST

START_TEST(verdict_is_in_the_sets_that_have_it)
{
    for (int a = 0; a < VERDICT_COUNT; ++a)
        for (int b = 0; b < VERDICT_COUNT; ++b)
            ck_assert_int_eq(verdict_is_in((enum verdict)a, set_of((enum verdict)b)), a == b);
    ck_assert(!verdict_is_in(VERDICT_PASS, 0));
}
END_TEST

/* --- names --- */

START_TEST(only_starved_deadlock_and_stalled_are_stalls)
{
    for (int i = 0; i < VERDICT_COUNT; ++i)
        ck_assert_int_eq(verdict_is_stall((enum verdict)i),
                         i == VERDICT_STARVED || i == VERDICT_DEADLOCK || i == VERDICT_STALLED);
}
END_TEST

START_TEST(each_verdict_is_found_by_its_name)
{
    for (int i = 0; i < VERDICT_COUNT; ++i)
        ck_assert_int_eq(naming_find(&verdict_naming, verdict_name((enum verdict)i)), i);
}
END_TEST

START_TEST(names_of_verdicts_are_in_the_order_of_the_verdicts)
{
    ck_assert_str_eq(verdict_name(VERDICT_PASS), "pass");
    ck_assert_str_eq(verdict_name(VERDICT_STARVED), "starved");
    ck_assert_str_eq(verdict_name(VERDICT_LIVELOCK), "livelock");
    ck_assert_str_eq(verdict_name(VERDICT_DEVICE_LOST), "device-lost");
    ck_assert_str_eq(verdict_name(VERDICT_NOT_RUN), "not-run");
}
END_TEST

START_TEST(unknown_verdict_is_not_found)
{
    ck_assert_int_eq(naming_find(&verdict_naming, "passed"), -1);
    ck_assert_int_eq(naming_find(&verdict_naming, ""), -1);
}
END_TEST

HARNESS_MAIN("verdict: work", only_starved_deadlock_and_stalled_are_stalls, each_verdict_is_found_by_its_name,
             names_of_verdicts_are_in_the_order_of_the_verdicts, unknown_verdict_is_not_found,
             work_with_right_reads_and_results_is_a_pass, one_stale_read_is_stale, one_wrong_read_is_wrong,
             one_wrong_result_is_wrong, stale_outranks_wrong, checks_that_were_not_made_are_wrong,
             checks_of_a_kernel_that_cannot_say_how_many_there_are_may_be_any,
             work_with_a_wait_that_is_not_proven_is_wrong_before_it_is_stale,
             work_whose_groups_did_not_all_run_is_wrong, stale_reads_before_a_stall_or_a_cut_do_not_hide_it,
             results_of_a_limits_kernel_are_not_asked_for, set_is_printed_in_the_order_of_the_verdicts,
             empty_set_is_printed_as_nothing, print_of_a_set_is_cut_to_fit, each_set_of_two_is_parsed_as_it_was_printed,
             set_is_parsed_in_any_order, what_is_no_set_is_refused_with_the_verdicts,
             surprise_is_what_is_neither_expected_nor_tolerated,
             older_file_has_no_surprise_without_an_expectation_but_failures_of_the_device,
             surprise_is_what_was_not_left_open, what_was_left_open_counts_only_where_nothing_was_predicted,
             loop_that_is_cut_surprises_only_where_loops_are_not_cut, verdict_is_in_the_sets_that_have_it,
             changes_without_progress_for_half_the_time_are_a_livelock, changes_with_late_progress_are_no_livelock,
             changes_without_progress_for_a_short_launch_are_no_livelock)

#include "host/ladder.h"

#include "harness.h"

#include <signal.h>

static const struct ladder_graces graces = {.stop_ns = 20, .sigterm_ns = 30, .sigkill_ns = 40};

enum { DEADLINE_NS = 1000, CLIMBED_NS = 5000 };

/* The next rung of a worker that has stood for `since_ns` on `rung`. */
static enum rung next(enum rung rung, uint64_t since_ns)
{
    return ladder_next(&(struct ladder){rung, CLIMBED_NS}, &graces, CLIMBED_NS + since_ns, DEADLINE_NS);
}

static enum rung at(uint64_t now_ns)
{
    return ladder_next(&(struct ladder){RUNG_NONE, 0}, &graces, now_ns, DEADLINE_NS);
}

START_TEST(worker_within_its_deadline_is_left_alone)
{
    ck_assert_int_eq(at(0), RUNG_NONE);
    ck_assert_int_eq(at(DEADLINE_NS - 1), RUNG_NONE);
}
END_TEST

START_TEST(worker_at_its_deadline_is_stopped)
{
    ck_assert_int_eq(at(DEADLINE_NS), RUNG_STOP_WORD);
}
END_TEST

START_TEST(worker_far_beyond_its_deadline_is_stopped_before_it_is_signalled)
{
    ck_assert_int_eq(at(1000 * DEADLINE_NS), RUNG_STOP_WORD);
}
END_TEST

START_TEST(stopped_worker_has_its_grace)
{
    ck_assert_int_eq(next(RUNG_STOP_WORD, 0), RUNG_STOP_WORD);
    ck_assert_int_eq(next(RUNG_STOP_WORD, 19), RUNG_STOP_WORD);
}
END_TEST

START_TEST(stopped_worker_that_does_not_end_gets_sigterm)
{
    ck_assert_int_eq(next(RUNG_STOP_WORD, 20), RUNG_SIGTERM);
}
END_TEST

START_TEST(worker_with_sigterm_has_its_grace)
{
    ck_assert_int_eq(next(RUNG_SIGTERM, 29), RUNG_SIGTERM);
}
END_TEST

START_TEST(worker_that_ignores_sigterm_gets_sigkill)
{
    ck_assert_int_eq(next(RUNG_SIGTERM, 30), RUNG_SIGKILL);
}
END_TEST

START_TEST(worker_with_sigkill_has_its_grace)
{
    ck_assert_int_eq(next(RUNG_SIGKILL, 39), RUNG_SIGKILL);
}
END_TEST

START_TEST(worker_that_survives_sigkill_is_given_up)
{
    ck_assert_int_eq(next(RUNG_SIGKILL, 40), RUNG_UNKILLABLE);
}
END_TEST

START_TEST(worker_that_was_given_up_stays_so)
{
    ck_assert_int_eq(next(RUNG_UNKILLABLE, 0), RUNG_UNKILLABLE);
    ck_assert_int_eq(next(RUNG_UNKILLABLE, 1000000), RUNG_UNKILLABLE);
}
END_TEST

START_TEST(no_rung_is_left_out_however_late_the_watchdog_looks)
{
    ck_assert_int_eq(next(RUNG_STOP_WORD, 1000000), RUNG_SIGTERM);
    ck_assert_int_eq(next(RUNG_SIGTERM, 1000000), RUNG_SIGKILL);
    ck_assert_int_eq(next(RUNG_SIGKILL, 1000000), RUNG_UNKILLABLE);
}
END_TEST

START_TEST(worker_that_dies_of_what_the_ladder_sends_was_ended_by_it)
{
    ck_assert(ladder_has_ended(RUNG_SIGTERM, SIGTERM));
    ck_assert(ladder_has_ended(RUNG_SIGKILL, SIGKILL));
    ck_assert(ladder_has_ended(RUNG_SIGTERM, 0)); /* it handled the signal, and left */
}
END_TEST

START_TEST(worker_that_dies_of_another_signal_was_not)
{
    ck_assert(!ladder_has_ended(RUNG_SIGTERM, SIGABRT));
    ck_assert(!ladder_has_ended(RUNG_SIGKILL, SIGSEGV));
    ck_assert(!ladder_has_ended(RUNG_NONE, SIGKILL));
    ck_assert(!ladder_has_ended(RUNG_STOP_WORD, 0));
}
END_TEST

START_TEST(each_rung_has_its_name)
{
    ck_assert_str_eq(rung_name(RUNG_NONE), "none");
    ck_assert_str_eq(rung_name(RUNG_STOP_WORD), "stop-word");
    ck_assert_str_eq(rung_name(RUNG_SIGTERM), "sigterm");
    ck_assert_str_eq(rung_name(RUNG_SIGKILL), "sigkill");
    ck_assert_str_eq(rung_name(RUNG_UNKILLABLE), "unkillable");
}
END_TEST

HARNESS_MAIN("ladder", worker_within_its_deadline_is_left_alone, worker_at_its_deadline_is_stopped,
             worker_far_beyond_its_deadline_is_stopped_before_it_is_signalled, stopped_worker_has_its_grace,
             stopped_worker_that_does_not_end_gets_sigterm, worker_with_sigterm_has_its_grace,
             worker_that_ignores_sigterm_gets_sigkill, worker_with_sigkill_has_its_grace,
             worker_that_survives_sigkill_is_given_up, worker_that_was_given_up_stays_so,
             no_rung_is_left_out_however_late_the_watchdog_looks,
             worker_that_dies_of_what_the_ladder_sends_was_ended_by_it, worker_that_dies_of_another_signal_was_not,
             each_rung_has_its_name)

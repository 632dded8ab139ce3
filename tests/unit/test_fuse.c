/* How long fuses are: long enough for the judge, and on a GPU never as long as a second. */
#include "core/fuse.h"

#include "harness.h"

static const uint64_t ms = 1000000;

/* A poll of one group takes a microsecond. */
static struct fuse_terms terms_of(bool cpu)
{
    return (struct fuse_terms){
        .cpu = cpu,
        .watched = true,
        .alone_ps = 1000000,
        .suspect_ns = (cpu ? 5 : 1) * ms,
        .confirm_ns = (cpu ? 50 : 10) * ms,
        .idle_factor = 1,
    };
}

START_TEST(fuse_lasts_longer_than_a_stall_must_stand)
{
    for (int cpu = 0; cpu < 2; ++cpu) {
        struct fuse_terms terms = terms_of(cpu != 0);
        ck_assert_uint_ge(fuse_total(&terms) * UINT64_C(1000), 8 * terms.confirm_ns);
        terms.worst_ps = 1000 * terms.alone_ps; /* contention must not take the judge's time */
        ck_assert_uint_ge(fuse_total(&terms) * UINT64_C(1000), 8 * terms.confirm_ns);
    }
}
END_TEST

START_TEST(fuse_of_a_gpu_ends_within_half_a_second)
{
    struct fuse_terms terms = terms_of(false);

    for (uint64_t worst_us = 1; worst_us <= 4; ++worst_us) {
        terms.worst_ps = worst_us * 1000000;
        ck_assert_uint_le(fuse_total(&terms) * worst_us * 1000, 500 * ms);
    }
}
END_TEST

START_TEST(slow_polls_say_nothing_of_a_cpu)
{
    struct fuse_terms terms = terms_of(true);
    const uint32_t alone = fuse_total(&terms);

    terms.worst_ps = 1000 * terms.alone_ps; /* its threads waited for their turn */
    ck_assert_uint_eq(fuse_total(&terms), alone);
}
END_TEST

START_TEST(first_fuse_of_a_gpu_is_small)
{
    struct fuse_terms terms = terms_of(false);
    const uint32_t first = fuse_total(&terms);

    terms.worst_ps = terms.alone_ps;
    ck_assert_uint_lt(first, fuse_total(&terms));
    terms.alone_ps = terms.worst_ps = 0; /* nothing is known */
    ck_assert_uint_gt(fuse_total(&terms), 0);
}
END_TEST

START_TEST(fuse_that_was_asked_for_is_kept_where_it_is_safe)
{
    struct fuse_terms terms = terms_of(true);

    terms.asked = UINT32_MAX - 1;
    ck_assert_uint_eq(fuse_total(&terms), UINT32_MAX - 1);
    terms.cpu = false;
    ck_assert_uint_lt(fuse_total(&terms), UINT32_MAX - 1);
    terms.asked = 7;
    ck_assert_uint_eq(fuse_total(&terms), 7);
}
END_TEST

START_TEST(fuse_stays_below_where_loops_are_cut)
{
    struct fuse_terms terms = terms_of(true);

    terms.watched = false;
    terms.loops_cut_at = 65536;
    ck_assert_uint_eq(fuse_total(&terms), 16384);
    ck_assert_uint_le(fuse_idle(&terms), 16384);
    terms.loops_cut_at = 3;
    ck_assert_uint_eq(fuse_total(&terms), 1);
    ck_assert_uint_eq(fuse_idle(&terms), 1);
}
END_TEST

START_TEST(host_that_judges_needs_no_idle_fuse)
{
    struct fuse_terms terms = terms_of(true);

    ck_assert_uint_eq(fuse_idle(&terms), FUSE_NONE);
    terms.watched = false;
    ck_assert_uint_eq(fuse_idle(&terms), 5000);
    terms.idle_factor = 4;
    ck_assert_uint_eq(fuse_idle(&terms), 20000);
    terms.idle_most = 64; /* polls with long pauses between them */
    ck_assert_uint_eq(fuse_idle(&terms), 256);
    terms.idle_most = 6000;
    ck_assert_uint_eq(fuse_idle(&terms), 20000);
    ck_assert_uint_eq(fuse_close(&terms, 3 * ms), 3000);
    ck_assert_uint_eq(fuse_close(&terms, UINT64_C(3600000) * ms), fuse_total(&terms));
}
END_TEST

START_TEST(fuse_grows_only_where_four_times_as_long_is_safe)
{
    struct fuse_terms terms = terms_of(false);
    const uint32_t before = fuse_total(&terms);

    ck_assert(fuse_may_grow(&terms, 125 * ms));
    ck_assert(!fuse_may_grow(&terms, 126 * ms));
    terms.shift = FUSE_LONGER;
    ck_assert_uint_eq(fuse_total(&terms), before << FUSE_LONGER);
    terms.asked = 9;
    ck_assert(!fuse_may_grow(&terms, 1));
    terms = terms_of(true);
    ck_assert(!fuse_may_grow(&terms, 1));
}
END_TEST

/* Else it would be killed, and nobody would know what it came to. */
START_TEST(fuse_of_a_launch_that_nobody_watches_grows_as_long_as_there_is_time)
{
    struct fuse_terms terms = terms_of(true);
    const uint32_t watched = fuse_total(&terms);

    terms.watched = false;
    terms.limit_ns = 80000 * ms;
    ck_assert_uint_eq(fuse_total(&terms), watched / 16);
    ck_assert(fuse_may_grow(&terms, 10000 * ms));
    ck_assert(!fuse_may_grow(&terms, 10001 * ms));
    ck_assert(fuse_has_time(&terms, 20000 * ms, 2));
    ck_assert(!fuse_has_time(&terms, 20001 * ms, 2));
    terms.limit_ns = 30000 * ms; /* a third is less than a launch may take elsewhere */
    ck_assert_uint_eq(fuse_total(&terms), watched / 32);
    terms.asked = 9;
    ck_assert(!fuse_may_grow(&terms, 1));
}
END_TEST

START_TEST(total_fuse_of_a_litmus_test_outlasts_its_idle_fuse)
{
    struct fuse_looks terms = {.look_ns = 100000};

    ck_assert_uint_eq(fuse_looks_total(&terms, 16), 4000);     /* 400 ms */
    ck_assert_uint_eq(fuse_looks_total(&terms, 10000), 20000); /* twice the idle one, though that is longer */
    ck_assert_uint_eq(fuse_looks_total(&(struct fuse_looks){0}, 16), 4096);
    ck_assert_uint_eq(fuse_looks_total(&(struct fuse_looks){0}, FUSE_LOOKS_IDLE_MOST), 2u * FUSE_LOOKS_IDLE_MOST);
    terms.loops_cut_at = 1000;
    ck_assert_uint_lt(fuse_looks_total(&terms, 16), 1000);
    terms.loops_cut_at = 1;
    ck_assert_uint_eq(fuse_looks_total(&terms, 16), 1);
}
END_TEST

START_TEST(fuse_of_a_litmus_test_is_found_from_what_a_launch_took)
{
    ck_assert_uint_eq(fuse_looks_guess(16, 0, 0), 256);
    ck_assert_uint_ge(fuse_looks_guess(16, ms, 100 * ms), 16 * 140);
    ck_assert_uint_eq(fuse_looks_guess(1 << 20, 1, 100 * ms), FUSE_LOOKS_IDLE_MOST);
    ck_assert_uint_gt(fuse_looks_lengthen(1000, 5 * ms, 10 * ms), 2000);
    ck_assert_uint_lt(fuse_looks_lengthen(1000, 5 * ms, 10 * ms), 2500);
}
END_TEST

START_TEST(fuse_was_short_only_beside_waits_that_take_as_long)
{
    ck_assert(fuse_was_short(1000000, 4000000));
    ck_assert(fuse_was_short(1000000, 600000));
    ck_assert(!fuse_was_short(1000000, 400000));
    ck_assert(!fuse_was_short(1000000, 0));
}
END_TEST

HARNESS_MAIN("fuse", fuse_lasts_longer_than_a_stall_must_stand, fuse_of_a_gpu_ends_within_half_a_second,
             slow_polls_say_nothing_of_a_cpu, first_fuse_of_a_gpu_is_small,
             fuse_that_was_asked_for_is_kept_where_it_is_safe, fuse_stays_below_where_loops_are_cut,
             host_that_judges_needs_no_idle_fuse, fuse_grows_only_where_four_times_as_long_is_safe,
             fuse_of_a_launch_that_nobody_watches_grows_as_long_as_there_is_time,
             total_fuse_of_a_litmus_test_outlasts_its_idle_fuse, fuse_of_a_litmus_test_is_found_from_what_a_launch_took,
             fuse_was_short_only_beside_waits_that_take_as_long)

/* How busy others kept the machine: what the system's figures say, and when that is too much. */
#include "core/strain.h"

#include "harness.h"

static const char stat_text[] = "cpu  900 0 100 1000 0 0 0 0 0 0\n"
                                "cpu0 100 10 20 500 40 1 2 3 7 0\n"
                                "cpu1 400 0 50 100 0 0 0 0 0 0\n"
                                "cpu3 1 0 0 9 0 0 0 0 0 0\n"
                                "intr 12 0 cpu 5\nctxt 5\n";

START_TEST(processors_that_may_be_used_are_added_up)
{
    static const bool all[4] = {true, true, true, true}, one[4] = {[0] = true}, none[4] = {[2] = true};
    struct load load;

    ck_assert(load_parse_stat(stat_text, all, 4, 100, &load));
    ck_assert_uint_eq(load.processors, 3);
    ck_assert_uint_eq(load.busy_us, (136 + 450 + 1) * 10000);
    ck_assert(load_parse_stat(stat_text, one, 4, 100, &load));
    ck_assert_uint_eq(load.processors, 1);
    ck_assert_uint_eq(load.busy_us, 1360000);
    ck_assert(load_parse_stat(stat_text, all, 1, 100, &load));
    ck_assert_uint_eq(load.processors, 1);
    ck_assert(!load_parse_stat(stat_text, none, 4, 100, &load));
}
END_TEST

START_TEST(what_tells_nothing_is_not_known)
{
    static const char *const texts[] = {"", "cpu  0 0 0 0\ncpu0 0 0 0 0 0 0 0 0\n", "cpu0\n", "cpu0 1 2\n",
                                        "cpux 1 2 3 4\n"};
    static const bool all[4] = {true, true, true, true};
    struct load load;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        ck_assert_msg(!load_parse_stat(texts[i], all, 4, 100, &load), "'%s'", texts[i]);
}
END_TEST

START_TEST(process_has_used_its_time_and_that_of_its_children)
{
    ck_assert_uint_eq(load_parse_process_us("42 (a b) c) S 1 42 42 0 -1 4194304 100 20 3 0 7 5 2 1 20 0 1\n", 100),
                      150000);
    ck_assert_uint_eq(load_parse_process_us("42 (a) R 1 42", 100), 0);
    ck_assert_uint_eq(load_parse_process_us("42 (a", 100), 0);
    ck_assert_uint_eq(load_parse_process_us("", 100), 0);
}
END_TEST

START_TEST(pressure_may_be_missing)
{
    struct load load;

    load_parse_pressure("some avg10=1.00 avg60=2.00 avg300=3.00 total=12345\nfull avg10=0.00 total=9\n", &load);
    ck_assert(load.pressure_known);
    ck_assert_uint_eq(load.pressure_us, 12345);
    load_parse_pressure("", &load);
    ck_assert(!load.pressure_known);
}
END_TEST

#define SECOND UINT64_C(1000000000)

START_TEST(others_used_what_this_process_did_not)
{
    const struct load before = {.at_ns = SECOND, .processors = 4, .busy_us = 5000000, .own_us = 1000000};
    struct load after = {.at_ns = 3 * SECOND, .processors = 4, .busy_us = 11000000, .own_us = 4000000};

    struct strain strain = strain_between(&before, &after);
    ck_assert(strain.known && !strain.pressure_known);
    ck_assert_uint_eq(strain.processors, 4);
    ck_assert_uint_eq(strain.others, 1500); /* (6 s - 3 s) in 2 s */
    after.own_us = 9000000;                 /* more than was counted for all */
    ck_assert_uint_eq(strain_between(&before, &after).others, 0);
    after.busy_us = 500000000;
    ck_assert_uint_eq(strain_between(&before, &after).others, 4000);
    after.at_ns = before.at_ns;
    ck_assert(!strain_between(&before, &after).known);
    after = (struct load){.at_ns = 3 * SECOND, .processors = 3};
    ck_assert(!strain_between(&before, &after).known);
}
END_TEST

START_TEST(pressure_is_a_share_of_the_time)
{
    const struct load before = {.at_ns = SECOND, .processors = 1, .pressure_known = true, .pressure_us = 10};
    struct load after = {.at_ns = 2 * SECOND, .processors = 1, .pressure_known = true, .pressure_us = 250010};

    ck_assert_uint_eq(strain_between(&before, &after).pressure, 250);
    after.pressure_us = 9000000;
    ck_assert_uint_eq(strain_between(&before, &after).pressure, 1000);
    after.pressure_known = false;
    ck_assert(!strain_between(&before, &after).pressure_known);
}
END_TEST

static bool heavy(uint32_t processors, uint32_t others, uint32_t needed)
{
    const struct strain strain = {.known = true, .processors = processors, .others = others};
    return strain_is_heavy(&strain, needed);
}

START_TEST(heavy_is_what_takes_processors_that_launches_could_use)
{
    ck_assert(!heavy(4, 0, 4)); /* an idle machine, of which the launches need all */
    ck_assert(!heavy(4, 900, 4));
    ck_assert(heavy(4, 1000, 4));
    ck_assert(heavy(4, 1000, 400)); /* no more than there are */
    ck_assert(!heavy(16, 8000, 4)); /* there is room beside the others */
    ck_assert(!heavy(16, 14000, 2));
    ck_assert(heavy(16, 14500, 1));
    ck_assert(heavy(2, 1900, 1));
    ck_assert(!heavy(1, 200, 1));
    ck_assert(heavy(1, 250, 1));
    ck_assert(!strain_is_heavy(&(struct strain){.known = false, .others = 4000}, 4));
    ck_assert(!strain_is_heavy(&(struct strain){.known = true, .processors = 4, .others = 4000}, 0));
}
END_TEST

HARNESS_MAIN("strain", processors_that_may_be_used_are_added_up, what_tells_nothing_is_not_known,
             process_has_used_its_time_and_that_of_its_children, pressure_may_be_missing,
             others_used_what_this_process_did_not, pressure_is_a_share_of_the_time,
             heavy_is_what_takes_processors_that_launches_could_use)

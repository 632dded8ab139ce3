#include "judge/whole.h"

#include "harness.h"

#include <stdio.h>
#include <string.h>

#define STALE (1u << VERDICT_STALE)
#define WRONG (1u << VERDICT_WRONG)
#define STARVED (1u << VERDICT_STARVED)

enum { NOTHING = 0 };

static void assert_judged(struct whole whole, const uint32_t counts[VERDICT_COUNT], unsigned shortfall)
{
    ck_assert_uint_eq(whole_judge(&whole, counts, NOTHING), shortfall);
}

START_TEST(nothing_that_is_expected_is_nothing_to_miss)
{
    assert_judged((struct whole){0}, (const uint32_t[VERDICT_COUNT]){[VERDICT_STALE] = 9}, 0);
}
END_TEST

START_TEST(some_launch_must_come_to_it)
{
    const struct whole whole = {.some = STALE | WRONG};

    assert_judged(whole, (const uint32_t[VERDICT_COUNT]){[VERDICT_PASS] = 99, [VERDICT_WRONG] = 1}, 0);
    assert_judged(whole, (const uint32_t[VERDICT_COUNT]){[VERDICT_PASS] = 100}, WHOLE_NONE_CAME);
    assert_judged(whole, (const uint32_t[VERDICT_COUNT]){[VERDICT_STARVED] = 1}, WHOLE_NONE_CAME);
}
END_TEST

START_TEST(rate_may_be_reached_and_not_passed)
{
    const struct whole whole = {.limited = STALE, .most = 1, .of = 200};

    assert_judged(whole, (const uint32_t[VERDICT_COUNT]){[VERDICT_PASS] = 200}, 0);
    assert_judged(whole, (const uint32_t[VERDICT_COUNT]){[VERDICT_PASS] = 199, [VERDICT_STALE] = 1}, 0);
    assert_judged(whole, (const uint32_t[VERDICT_COUNT]){[VERDICT_PASS] = 198, [VERDICT_STALE] = 1}, WHOLE_TOO_MANY);
    assert_judged(whole, (const uint32_t[VERDICT_COUNT]){[VERDICT_PASS] = 2, [VERDICT_STALE] = 1}, WHOLE_TOO_MANY);
}
END_TEST

START_TEST(rate_does_not_overflow)
{
    const struct whole whole = {.limited = STALE, .most = 999999999, .of = 1000000000};

    assert_judged(whole, (const uint32_t[VERDICT_COUNT]){[VERDICT_STALE] = UINT32_MAX}, WHOLE_TOO_MANY);
    assert_judged(whole, (const uint32_t[VERDICT_COUNT]){[VERDICT_STALE] = UINT32_MAX - 5, [VERDICT_PASS] = 5}, 0);
}
END_TEST

START_TEST(both_can_fall_short)
{
    const struct whole whole = {.some = STARVED, .limited = STALE, .most = 0, .of = 1};

    assert_judged(whole, (const uint32_t[VERDICT_COUNT]){[VERDICT_STALE] = 1}, WHOLE_NONE_CAME | WHOLE_TOO_MANY);
}
END_TEST

START_TEST(launches_that_decide_nothing_do_not_count)
{
    const struct whole some = {.some = STALE};
    const struct whole rate = {.limited = STALE, .most = 1, .of = 2};
    const struct whole undecided = {.limited = 1u << VERDICT_INCONCLUSIVE, .most = 1, .of = 2};
    static const enum verdict nothing[] = {VERDICT_INCONCLUSIVE, VERDICT_UNSUPPORTED, VERDICT_NOT_RUN, VERDICT_CUT};

    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; ++i) {
        uint32_t counts[VERDICT_COUNT] = {[VERDICT_STALE] = 2, [VERDICT_PASS] = 1};
        counts[nothing[i]] = 5;
        assert_judged(rate, counts, WHOLE_TOO_MANY);
        ck_assert_uint_eq(whole_launches(counts, STALE), 3);
        counts[VERDICT_STALE] = counts[VERDICT_PASS] = 0;
        assert_judged(some, counts, 0);
    }
    assert_judged(undecided, (const uint32_t[VERDICT_COUNT]){[VERDICT_INCONCLUSIVE] = 2, [VERDICT_PASS] = 1},
                  WHOLE_TOO_MANY);
}
END_TEST

START_TEST(point_that_was_interrupted_may_still_see_some)
{
    const struct whole whole = {.some = STALE};

    assert_judged(whole, (const uint32_t[VERDICT_COUNT]){[VERDICT_PASS] = 3, [VERDICT_INCOMPLETE] = 1}, 0);
}
END_TEST

START_TEST(known_failure_does_not_fall_short)
{
    const struct whole whole = {.some = STALE, .limited = WRONG, .most = 0, .of = 1};
    const uint32_t counts[VERDICT_COUNT] = {[VERDICT_WRONG] = 3};

    ck_assert_uint_eq(whole_judge(&whole, counts, WRONG), 0);
    ck_assert_uint_eq(whole_judge(&whole, counts, STARVED), WHOLE_NONE_CAME | WHOLE_TOO_MANY);
}
END_TEST

static void assert_rate(const char *text, verdict_set limited, uint32_t most, uint32_t of)
{
    struct whole whole = {0};
    struct error error = {0};
    char printed[256];

    ck_assert_msg(whole_parse_rate(text, &whole, &error) == 0, "%s: %s", text, error.text);
    ck_assert_uint_eq(whole.limited, limited);
    ck_assert_uint_eq(whole.most, most);
    ck_assert_uint_eq(whole.of, of);
    whole_print_rate(&whole, printed, sizeof printed);
    ck_assert_int_eq(whole_parse_rate(printed, &whole, &error), 0);
    ck_assert_uint_eq(whole.limited, limited);
    ck_assert_uint_eq(whole.of, of);
}

START_TEST(rates_are_read_and_printed)
{
    char text[64];

    assert_rate("stale <= 1/200", STALE, 1, 200);
    assert_rate("stale or wrong <=0/1", STALE | WRONG, 0, 1);
    assert_rate("starved<= 1000000000/1000000000", STARVED, 1000000000, 1000000000);
    whole_print_rate(&(const struct whole){.limited = STALE | WRONG, .most = 1, .of = 200}, text, sizeof text);
    ck_assert_str_eq(text, "stale or wrong <= 1/200");
    whole_print_rate(&(const struct whole){.some = STALE}, text, sizeof text);
    ck_assert_str_eq(text, "");
}
END_TEST

static void assert_refused(const char *text, const char *part)
{
    struct whole whole = {0};
    struct error error = {0};

    ck_assert_msg(whole_parse_rate(text, &whole, &error) == -1, "%s", text);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_msg(strstr(error.text, part) != NULL, "'%s' is missing: %s", part, error.text);
}

START_TEST(what_is_no_rate_is_refused)
{
    assert_refused("", "cannot parse the rate");
    assert_refused("stale", "cannot parse the rate 'stale'");
    assert_refused("stale < 1/2", "cannot parse the rate");
    assert_refused("stail <= 1/2", "unknown verdict 'stail'");
    assert_refused("<= 1/2", "unknown verdict ''");
    assert_refused("stale <= 1/200 of them", "cannot parse the share '1/200 of them'");
    for (const char *const *share = (const char *const[]){"", "1", "1/", "/2", "1/0", "3/2", "-1/2", "1/-2", "0.5",
                                                          "1/1000000001", "99999999999999999999/1", NULL};
         *share != NULL; ++share) {
        char text[64];
        snprintf(text, sizeof text, "stale <= %s", *share);
        assert_refused(text, "cannot parse the share");
    }
}
END_TEST

HARNESS_MAIN("whole", nothing_that_is_expected_is_nothing_to_miss, some_launch_must_come_to_it,
             rate_may_be_reached_and_not_passed, rate_does_not_overflow, both_can_fall_short,
             launches_that_decide_nothing_do_not_count, point_that_was_interrupted_may_still_see_some,
             known_failure_does_not_fall_short, rates_are_read_and_printed, what_is_no_rate_is_refused)

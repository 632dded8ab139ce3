/* What is known of ids before a device is. */
#include "plan_fixture.h"
#include "scenario/outline.h"

#define NUMBER "\x01"

static void assert_outlines(const char *sweep, size_t wanted_count, const char *const *wanted)
{
    char text[256];
    size_t found = 0;

    read_scenario("toy", sweep, "pass");
    while (plan_next(&plan)) {
        const int outcome = plan_outline(&plan, text, sizeof text, NULL);
        ck_assert_int_ge(outcome, 0);
        if (outcome != 0)
            continue;
        ck_assert_uint_lt(found, wanted_count);
        ck_assert_str_eq(text, wanted[found]);
        ++found;
    }
    ck_assert_uint_eq(found, wanted_count);
}

#define ASSERT_OUTLINES(sweep, ...)                                                                                    \
    assert_outlines(sweep, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), (const char *[]){__VA_ARGS__})

START_TEST(numbers_that_hang_on_the_device_are_open)
{
    ASSERT_OUTLINES("groups = 1, 7, resident + 1, 2x compute-units\nrounds = 5\n", "t/cl30/l64/rounds=5/g1",
                    "t/cl30/l64/rounds=5/g7", "t/cl30/l64/rounds=5/g" NUMBER, "t/cl30/l64/rounds=5/g" NUMBER);
    ASSERT_OUTLINES("groups = 3\nheld = resident - 1, 4\nlocal-size = 32\n", "t/cl30/l32/held=" NUMBER "/g3",
                    "t/cl30/l32/held=4/g3");
}
END_TEST

START_TEST(what_is_no_point_on_any_device_has_no_outline)
{
    ASSERT_OUTLINES("groups = 2, 2, 1x resident\n", "t/cl30/l64/g2", "t/cl30/l64/g" NUMBER);
    ASSERT_OUTLINES("groups = resident - resident, 1\n", "t/cl30/l64/g1");
}
END_TEST

HARNESS_MAIN("outline", numbers_that_hang_on_the_device_are_open, what_is_no_point_on_any_device_has_no_outline)

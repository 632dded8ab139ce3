/* Fisher's exact test. The values are those of other programs, or by hand. */
#include "report/compare.h"

#include "harness.h"

#include <math.h>

START_TEST(values)
{
    static const struct {
        struct events_seen a, b;
        double chance;
    } cases[] = {
        {{3, 4}, {1, 4}, 34.0 / 70},           /* the lady tasting tea */
        {{0, 10}, {4, 10}, 28.0 / 323},        /* 2 C(10, 4) / C(20, 4) */
        {{0, 10}, {5, 10}, 2 * 252.0 / 15504}, /* 2 C(10, 5) / C(20, 5) */
        {{0, 8960}, {1, 8960}, 1},
        {{0, 20}, {20, 20}, 2 / 137846528820.0},
        {{5, 10}, {5, 10}, 1},
        {{0, 10}, {0, 10}, 1},
        {{10, 10}, {10, 10}, 1},
        {{1, 8960}, {0, 1792}, 1},
        {{0, 1792}, {1, 8960}, 1},
        {{0, 8960}, {1, 1792}, 1.0 / 6},
        {{0, 0}, {5, 10}, 1},
        {{0, 0}, {0, 0}, 1},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const double one = chance_of(cases[i].a, cases[i].b), other = chance_of(cases[i].b, cases[i].a);
        ck_assert_msg(fabs(one - cases[i].chance) <= 1e-6 * cases[i].chance, "case %zu: %g", i, one);
        ck_assert_msg(fabs(one - other) <= 1e-9, "case %zu: %g and %g", i, one, other);
    }
}
END_TEST

/* Of equal samples the fewest events in one of them that are no chance. */
START_TEST(six_events_are_no_chance)
{
    for (uint64_t launches = 200; launches <= 20000; launches *= 10) {
        ck_assert(chance_of((struct events_seen){0, launches}, (struct events_seen){5, launches}) > CHANCE_AT_MOST);
        ck_assert(chance_of((struct events_seen){0, launches}, (struct events_seen){6, launches}) <= CHANCE_AT_MOST);
    }
}
END_TEST

HARNESS_MAIN("chance", values, six_events_are_no_chance)

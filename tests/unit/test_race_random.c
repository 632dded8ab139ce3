/* Random programs have the races that are found naively, and no others; the steps to each are as few as can be. */
#include "race_fixture.h"
#include "race_oracle.h"

#include <stdio.h>

enum { TEXT = 512, RANDOM = 2000 };

static struct oracle oracle;

static uint32_t lot(uint32_t bound)
{
    static uint64_t state = 38;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % bound;
}

static const char *one_of(const char *const *texts, size_t count)
{
    return texts[lot((uint32_t)count)];
}

#define ONE_OF(...) one_of((const char *const[]){__VA_ARGS__}, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *))

static void add_random_access(char *text, bool atomic)
{
    strcat(text, !atomic && lot(5) < 2 ? ONE_OF("x", "x=1", "x=2", "y", "y=1", "X", "X=1", "f=1", "f")
                                       : ONE_OF("f:", "f=1:", "f=2:", "f==1?:", "f==1?:", "f==2?:", "f+1:", "f[0]=1?:",
                                                "f[1]=2?:", "g=1:", "g==1?:", "g==1?:", "g+1:", "g:", "f+1:"));
    if (text[strlen(text) - 1] == ':') {
        strcat(text, ONE_OF("rlx", "acq", "rel", "ar", "sc"));
        strcat(text, ONE_OF("", "", "", ".wg", ".all"));
    }
}

/* What the graph would join is not side by side: an access comes behind a fence or a barrier, and before a fence. */
static void add_random_item(char *text, unsigned instructions, bool atomic)
{
    bool access = false;

    for (unsigned i = 0; i < instructions; ++i) {
        const uint32_t chosen = i + 1 == instructions || (i > 0 && !access) ? 6 : lot(7);
        strcat(text, i > 0 ? "; " : "");
        access = chosen > 1 || (chosen == 0 && i == 0);
        if (access)
            add_random_access(text, atomic);
        else if (chosen == 1)
            strcat(text, "barrier");
        else {
            strcat(text, ONE_OF("fence:acq", "fence:rel", "fence:ar", "fence:sc"));
            strcat(text, ONE_OF("", "", ".wg"));
        }
    }
}

/* Any accesses; or atomic ones only, behind a plain write of the first item and before a plain read of the last one. */
static uint32_t add_random_program(char *text)
{
    static const uint32_t shapes[][2] = {{2, 2}, {1, 2}, {3, 3}, {1, 3}, {2, 4}}; /* groups, items */
    const uint32_t *shape = shapes[lot(5)];
    const bool atomic = lot(2) == 0;

    strcpy(text, atomic ? "x=1; " : "");
    for (uint32_t item = 0; item < shape[1]; ++item) {
        strcat(text, item > 0 ? " | " : "");
        add_random_item(text, 2 + lot(shape[1] == 2 ? 4 : shape[1] == 3 ? 2 : 1), atomic);
    }
    strcat(text, atomic ? "; x" : "");
    return shape[0];
}

static void compare_with_oracle(const char *text)
{
    oracle_find(&oracle, &program);
    harness_assert(races.complete && races.pairs == oracle.pairs, "%s: %u pairs, not %u", text, races.pairs,
                   oracle.pairs);
    for (uint32_t i = 0; i < races.count; ++i) {
        const uint32_t a = place(&races.all[i], 0), b = place(&races.all[i], 1);
        const uint32_t steps = oracle.steps[a < b ? a : b][a < b ? b : a];
        harness_assert(steps == races.all[i].step_count, "%s: places %u, %u: %u steps, not %u", text, a, b,
                       races.all[i].step_count, steps);
    }
}

START_TEST(random_programs_have_the_races_that_all_runs_have)
{
    unsigned with = 0, without = 0;

    for (int i = 0; i < RANDOM; ++i) {
        char text[TEXT];
        const uint32_t groups = add_random_program(text);
        find(groups, text, MOST);
        compare_with_oracle(text);
        with += races.count > 0;
        without += races.count == 0;
        forget();
    }
    ck_assert_uint_gt(with, RANDOM / 4);
    ck_assert_uint_gt(without, RANDOM / 10);
}
END_TEST

/* What is found without a search are those that come next in one state: races, and of most programs that have any. */
START_TEST(without_a_search_races_are_found_but_no_others)
{
    unsigned with = 0, found = 0;

    for (int i = 0; i < RANDOM; ++i) {
        char text[TEXT];
        const uint32_t groups = add_random_program(text);
        find(groups, text, 1);
        oracle_find(&oracle, &program);
        for (uint32_t race = 0; race < races.count && !races.complete; ++race) {
            const uint32_t a = place(&races.all[race], 0), b = place(&races.all[race], 1);
            harness_assert(oracle.steps[a < b ? a : b][a < b ? b : a] != 0, "%s: places %u, %u", text, a, b);
        }
        with += !races.complete && oracle.pairs > 0;
        found += !races.complete && oracle.pairs > 0 && races.count > 0;
        forget();
    }
    ck_assert_uint_gt(with, RANDOM / 4);
    ck_assert_uint_gt(found, with - with / 10);
}
END_TEST

HARNESS_MAIN("race_random", random_programs_have_the_races_that_all_runs_have,
             without_a_search_races_are_found_but_no_others)

/* Which models the state in which a launch stood does not allow. */
#include "litmus/debt.h"

#include "harness.h"

enum { HSA = 1 << LITMUS_HSA | 1 << LITMUS_HSA_OBE, LOBE = 1 << LITMUS_LOBE, FAIR = 1 << LITMUS_FAIR };

struct stand {
    const char *threads; /* of the instance: '-' has not started, '*' waits, '.' has ended */
    uint32_t groups[4];  /* which they are */
    uint32_t started, ended, launch;
    uint32_t models;
};

static struct test_state state_of(const struct stand *stand, unsigned *threads)
{
    struct test_state state = {.groups = stand->launch, .started = stand->started, .ended = stand->ended, .stuck = 1};

    for (*threads = 0; stand->threads[*threads] != '\0'; ++*threads) {
        const char thread = stand->threads[*threads];
        state.threads_started |= (uint16_t)((thread != '-') << *threads);
        state.threads_ended |= (uint16_t)((thread == '.') << *threads);
    }
    return state;
}

START_TEST(models_that_a_state_does_not_allow)
{
    static const struct stand stands[] = {
        /* All have started. */
        {"**", {0, 1}, 2, 0, 2, 0},
        {".*", {0, 1}, 2, 1, 2, 0},
        /* The first waits for a later one. */
        {"*-", {0, 1}, 1, 0, 2, FAIR},
        {"*-", {3, 9}, 8, 2, 12, FAIR},
        /* Group 9 never started, though more than nine groups had, so that one of them is a later one. */
        {"*-", {3, 9}, 9, 2, 12, FAIR},
        {"*-", {3, 9}, 10, 2, 12, LOBE | FAIR},
        {"*--", {3, 8, 9}, 8, 2, 12, FAIR},
        {"*--", {3, 8, 9}, 9, 2, 12, LOBE | FAIR},
        /* A later one of the instance waits. */
        {"-*", {4, 7}, 2, 0, 12, LOBE | FAIR},
        {"*-.", {4, 7, 8}, 3, 1, 12, LOBE | FAIR},
        /* Whatever the order of its threads: by the ids it is the first that has started. */
        {"-*", {7, 4}, 2, 0, 12, FAIR},
        /* The first group of the launch never started. */
        {"-*", {0, 7}, 2, 0, 12, HSA | LOBE | FAIR},
        {"*-", {7, 0}, 2, 0, 12, HSA | LOBE | FAIR},
        /* All before group 1 or 2 are known to have ended, or one of them is not. */
        {".-*", {0, 1, 2}, 2, 1, 3, HSA | LOBE | FAIR},
        {"..-*", {0, 1, 2, 3}, 3, 2, 4, HSA | LOBE | FAIR},
        {"*-*", {0, 1, 2}, 2, 0, 3, LOBE | FAIR},
        {".-*", {0, 2, 3}, 4, 2, 6, LOBE | FAIR},
        /* In this instance all have started, and in others some have not. */
        {"**", {0, 1}, 7, 0, 12, FAIR},
    };

    for (size_t i = 0; i < sizeof stands / sizeof *stands; ++i) {
        unsigned threads;
        struct test_state state = state_of(&stands[i], &threads);
        uint32_t groups[MAPPING_THREADS] = {0};
        for (unsigned thread = 0; thread < threads; ++thread)
            groups[thread] = stands[i].groups[thread];
        ck_assert_msg(litmus_debtors(&state, threads, groups) == stands[i].models, "stand %zu: %x", i,
                      litmus_debtors(&state, threads, groups));
        state.stuck = 0; /* nobody waits */
        ck_assert_uint_eq(litmus_debtors(&state, threads, groups), 0);
    }
}
END_TEST

START_TEST(who_is_owed)
{
    const struct stand stand = {"-*-", {2, 5, 7}, 6, 1, 12, 0};
    unsigned threads;
    const struct test_state state = state_of(&stand, &threads);
    uint32_t groups[MAPPING_THREADS] = {2, 5, 7};

    ck_assert_uint_eq(litmus_owed(LITMUS_OBE, &state, threads, groups), 0);
    ck_assert_uint_eq(litmus_owed(LITMUS_HSA, &state, threads, groups), 0);
    ck_assert_uint_eq(litmus_owed(LITMUS_LOBE, &state, threads, groups), 1);
    ck_assert_uint_eq(litmus_owed(LITMUS_FAIR, &state, threads, groups), 5);
}
END_TEST

START_TEST(groups_of_the_instance)
{
    static const enum mapping_kind kinds[] = {MAPPING_ROUND_ROBIN, MAPPING_CHUNKED, MAPPING_HYBRID, MAPPING_RANDOM,
                                              MAPPING_SHUFFLED};
    struct test_state state = {.groups = 12};
    uint32_t slots[12], groups[MAPPING_THREADS];

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        const struct mapping mapping = {kinds[i], 5};
        mapping_fill(&mapping, 3, 12, slots);
        for (state.instance = 0; state.instance < 4; ++state.instance) {
            ck_assert(litmus_state_groups(&state, &mapping, 3, groups));
            for (unsigned thread = 0; thread < 3; ++thread)
                ck_assert_uint_eq(slots[groups[thread]], state.instance * 3 + thread);
        }
    }
}
END_TEST

/* Run files may hold anything. */
START_TEST(states_of_no_launch)
{
    static const struct test_state states[] = {
        {.groups = 0}, {.groups = 2}, {.groups = 10}, {.groups = 12, .instance = 4}, {.groups = 3 << 20}};
    const struct mapping mapping = {MAPPING_RANDOM, 1};
    uint32_t groups[MAPPING_THREADS];

    for (size_t i = 0; i < sizeof states / sizeof *states; ++i)
        ck_assert_msg(!litmus_state_groups(&states[i], &mapping, 3, groups), "state %zu", i);
}
END_TEST

HARNESS_MAIN("debts of models", models_that_a_state_does_not_allow, who_is_owed, groups_of_the_instance,
             states_of_no_launch)

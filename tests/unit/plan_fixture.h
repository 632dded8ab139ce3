/* Plans of one scenario: what is visited, in which order. */
#pragma once

#include "scenario/plan.h"

#include "harness.h"
#include "toy_kernels.h"

#include <stdio.h>
#include <string.h>

enum { MOST_POINTS = 256, UNITS = 2, MAX_GROUPS = 100 };

/* A point that the plan came to. */
struct visit {
    int outcome; /* of plan_trial */
    struct trial trial;
    struct expected expected;
    const char *reason;
    bool build_changed;
};

static struct scenario scenario;
static struct plan plan;
static struct visit visits[MOST_POINTS];
static size_t count;
static uint32_t resident = 4; /* of each build; 0: it cannot be measured */
static struct device_probe probe = {.dialect = DIALECT_CL30};

#define PASS (1u << VERDICT_PASS)
#define STALE (1u << VERDICT_STALE)
#define STARVED (1u << VERDICT_STARVED)

static inline void read_scenario(const char *kernel, const char *sweep, const char *verdict)
{
    char text[4096];
    struct error error = {0};
    snprintf(text, sizeof text,
             "[scenario]\nkernel = %s\npurpose = a\nteaches = b\n[sweep]\n%s[expect]\nverdict = %s\n", kernel, sweep,
             verdict);
    ck_assert_msg(scenario_parse(text, strlen(text), "t.ini", "", &scenario, &error) == 0, "%s", error.text);
    plan_init(&plan, &scenario, UNITS, MAX_GROUPS, &probe);
}

static inline void visit_all(void)
{
    struct error error = {0};
    for (count = 0; plan_next(&plan); ++count) {
        ck_assert_uint_lt(count, MOST_POINTS);
        struct visit *visit = &visits[count];
        visit->build_changed = plan.build_changed;
        if (plan.build_changed) {
            ck_assert_uint_eq(plan.resident, 0); /* the limit of the last build is forgotten */
            plan.resident = resident;
        }
        visit->outcome = plan_trial(&plan, &visit->trial, &visit->expected, &visit->reason, &error);
        ck_assert_msg(visit->outcome >= 0, "%s", error.text);
    }
}

/* All points of a sweep of the toy. */
static inline void play(const char *sweep)
{
    read_scenario("toy", sweep, "pass when groups <= resident; starved otherwise");
    visit_all();
}

/* The next point that is a trial, from *at on. */
static inline const struct visit *next_trial(size_t *at)
{
    while (*at < count && visits[*at].outcome != 0)
        ++*at;
    return *at < count ? &visits[(*at)++] : NULL;
}

static inline const struct trial *only_trial(void)
{
    size_t at = 0;
    const struct visit *visit = next_trial(&at);
    ck_assert_ptr_nonnull(visit);
    ck_assert_ptr_null(next_trial(&at));
    return &visit->trial;
}

static inline void assert_groups(size_t wanted_count, const uint32_t *wanted)
{
    size_t at = 0;
    for (size_t i = 0; i < wanted_count; ++i) {
        const struct visit *visit = next_trial(&at);
        ck_assert_ptr_nonnull(visit);
        ck_assert_uint_eq(visit->trial.groups, wanted[i]);
    }
    ck_assert_ptr_null(next_trial(&at));
}

/* The groups of all trials, in order. */
#define ASSERT_GROUPS(...)                                                                                             \
    do {                                                                                                               \
        const uint32_t wanted_groups[] = {__VA_ARGS__};                                                                \
        assert_groups(sizeof wanted_groups / sizeof *wanted_groups, wanted_groups);                                    \
    } while (0)

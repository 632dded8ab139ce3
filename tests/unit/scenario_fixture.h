/* Scenario files that are read. */
#pragma once

#include "scenario/scenario.h"

#include "harness.h"
#include "toy_kernels.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* These stand in for the scenarios that the binary carries. */
#define HEAD(kernel) "[scenario]\nkernel = " kernel "\npurpose = a question\nteaches = an answer\n"
#define TAIL "[expect]\nverdict = pass\n"
const struct scenario_file scenario_files[] = {
    {"bare_one.ini", HEAD("bare") "[sweep]\ngroups = 7\n" TAIL},
    {"toy_all.ini", HEAD("toy") "[sweep]\ngroups = 1, 2\n" TAIL},
    {"torn.ini", HEAD("toy") "[sweep]\n" TAIL},
    {NULL, NULL},
};

static struct scenario scenario;

static inline void assert_text(const char *text)
{
    struct error error = {0};
    ck_assert_msg(scenario_parse(text, strlen(text), "some/where/t.ini", "", &scenario, &error) == 0, "%s", error.text);
}

/* The scenario with these lines in its [sweep]; groups must be among them. */
static inline void assert_sweep(const char *lines)
{
    char text[16384];
    snprintf(text, sizeof text, HEAD("toy") "[sweep]\n%s" TAIL, lines);
    assert_text(text);
}

static inline void assert_items(const char *name, size_t count, const char *const *items)
{
    const struct axis_text *axis = scenario_axis(&scenario, name);
    ck_assert_msg(axis != NULL, "no axis %s", name);
    ck_assert_uint_eq(axis->count, count);
    for (size_t i = 0; i < count; ++i)
        ck_assert_str_eq(axis->items[i], items[i]);
}

#define ASSERT_ITEMS(name, ...)                                                                                        \
    do {                                                                                                               \
        const char *const wanted[] = {__VA_ARGS__};                                                                    \
        assert_items(name, sizeof wanted / sizeof *wanted, wanted);                                                    \
    } while (0)

/* Scenario files that are refused. */
#pragma once

#include "scenario/scenario.h"

#include "harness.h"
#include "toy_kernels.h"

#include <stdio.h>
#include <string.h>

#define HEAD "[scenario]\nkernel = toy\npurpose = a question\nteaches = an answer\n"
#define TAIL "[expect]\nverdict = pass\n"
enum { SWEEP_LINE = 7, VERDICT_LINE = 8 }; /* where the lines stand that the tests add */

static struct scenario scenario;

/* Refused as wrong usage, and the message begins with file and line. */
static inline void assert_bytes_refused(const char *text, size_t length, unsigned line, const char *part)
{
    struct error error = {0};
    char place[32];
    snprintf(place, sizeof place, "t.ini:%u: ", line);
    ck_assert_msg(scenario_parse(text, length, "t.ini", "", &scenario, &error) == -1, "%s", text);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_msg(strncmp(error.text, place, strlen(place)) == 0, "%s", error.text);
    ck_assert_msg(strstr(error.text, part) != NULL, "'%s' is missing: %s", part, error.text);
}

static inline void assert_refused(const char *text, unsigned line, const char *part)
{
    assert_bytes_refused(text, strlen(text), line, part);
}

/* One line in [sweep], beside groups. */
static inline void assert_sweep_refused(const char *line, const char *part)
{
    char text[16384];
    snprintf(text, sizeof text, HEAD "[sweep]\ngroups = 1\n%s\n" TAIL, line);
    assert_refused(text, SWEEP_LINE, part);
}

static inline void assert_groups_refused(const char *groups, const char *part)
{
    char text[1024];
    snprintf(text, sizeof text, HEAD "[sweep]\ngroups = %s\n" TAIL, groups);
    assert_refused(text, SWEEP_LINE - 1, part);
}

static inline void assert_rule_refused(const char *rule, const char *part)
{
    char text[2048];
    snprintf(text, sizeof text, HEAD "[sweep]\ngroups = 1\n[expect]\nverdict = %s\n", rule);
    assert_refused(text, VERDICT_LINE, part);
}

static inline void assert_kernel_refused(const char *kernel, const char *part)
{
    char text[1024];
    snprintf(text, sizeof text, "[scenario]\nkernel = %s\npurpose = a\nteaches = b\n[sweep]\ngroups = 1\n" TAIL,
             kernel);
    assert_refused(text, 2, part);
}

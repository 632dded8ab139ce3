/* A kernel's header, and its entry resolved. */
#pragma once

#include "scenario/entry.h"

#include "harness.h"

#include <stdio.h>
#include <string.h>

#define REQUIRED " * kernel:  toy\n * purpose: a toy\n * needs:   nothing\n * fails:   never\n * source:  nobody\n"

static const struct variable variables[] = {
    {"groups", 6, true},        {"local-size", 4, true}, {"rounds", 3, true},
    {"compute-units", 2, true}, {"line", 32, true},      {"resident", 0, false},
};
static const struct scope scope = {variables, sizeof variables / sizeof *variables};

static struct kernel_entry entry;
static struct entry_choice choice; /* the first value of each option, and 0 for each parameter */
static struct workload work;

static inline int resolve(const char *lines, struct error *error)
{
    char text[4096];
    *error = (struct error){0};
    snprintf(text, sizeof text, "/*\n" REQUIRED "%s */\n", lines);
    ck_assert_msg(entry_parse(text, "toy.cl", &entry, error) == 0, "%s", error->text);
    memset(&work, 0, sizeof work);
    return entry_resolve(&entry, &choice, &scope, &work, error);
}

static inline void assert_resolved(const char *lines)
{
    struct error error;
    ck_assert_msg(resolve(lines, &error) == 0, "%s", error.text);
}

static inline void assert_refused(const char *lines, const char *part)
{
    struct error error;
    ck_assert_msg(resolve(lines, &error) == -1, "%s", lines);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_msg(strstr(error.text, "kernel toy") != NULL, "%s", error.text);
    ck_assert_msg(strstr(error.text, part) != NULL, "%s", error.text);
}

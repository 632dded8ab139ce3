/* Kernel headers that are read or refused. */
#pragma once

#include "scenario/entry.h"

#include "harness.h"

#include <stdio.h>
#include <string.h>

/* The fields that each kernel has: lines 2 to 6. */
#define REQUIRED " * kernel:  toy\n * purpose: a toy\n * needs:   nothing\n * fails:   never\n * source:  nobody\n"
#define WITH(lines) "/*\n" REQUIRED lines " */\n#include \"group.h\"\n"
enum { FIRST_EXTRA_LINE = 7 };

static struct kernel_entry entry;

static inline int parse_file(const char *text, const char *file, struct error *error)
{
    *error = (struct error){0};
    return entry_parse(text, file, &entry, error);
}

static inline void assert_parsed(const char *text)
{
    struct error error;
    ck_assert_msg(parse_file(text, "toy.cl", &error) == 0, "%s", error.text);
}

/* Refused, with a message that begins with file and line. */
static inline void assert_refused(const char *text, unsigned line, const char *part)
{
    struct error error;
    char place[32];
    snprintf(place, sizeof place, "toy.cl:%u: ", line);
    ck_assert_msg(parse_file(text, "toy.cl", &error) == -1, "%s", text);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_msg(strncmp(error.text, place, strlen(place)) == 0, "%s", error.text);
    ck_assert_msg(strstr(error.text, part) != NULL, "%s", error.text);
}

/* The required fields, and one that is refused. */
static inline void assert_field_refused(const char *field, const char *part)
{
    char text[2048];
    snprintf(text, sizeof text, "/*\n" REQUIRED " * %s\n */\n", field);
    assert_refused(text, FIRST_EXTRA_LINE, part);
}

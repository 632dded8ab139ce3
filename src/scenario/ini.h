/*
 * INI files, as scenario files are written: [section], key = value, comments from # or ; at the start of a line, values
 * that go on in indented lines. Parsed by inih; this file gives it the lines, counts them, and refuses what inih would
 * let pass: long lines, bytes that are no text, sections that come again, and comments behind a value.
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>

/* The longest line, in bytes, its end included; and the longest file. */
enum { INI_LINE_BYTES = 200, INI_FILE_BYTES = 1 << 20 };

/* One key and its value, or (`goes_on`) a further line of the value before. */
struct ini_pair {
    const char *section;
    const char *key;
    const char *value;
    unsigned line;
    bool goes_on;
};

/* Takes a pair. 0, or -1 with an error without place: "file:line: " is put before it. */
typedef int ini_take(void *context, const struct ini_pair *pair, struct error *error);

/* Parses `length` bytes at `text`; `file` is for messages. Returns 0, or -1 with STATUS_USAGE and file:line. */
int ini_read(const char *text, size_t length, const char *file, ini_take *take, void *context, struct error *error);

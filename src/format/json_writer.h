/*
 * Writes JSON as it goes, so that a report of any length takes no memory. A name of NULL is for members of an array.
 * Failures of the stream show when it is flushed.
 */
#pragma once

#include "core/naming.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define JSON_SCHEMA_VERSION "1"

struct json_writer {
    FILE *out;
    bool indent; /* two blanks a level; otherwise all is on one line */
    bool line;   /* within json_writer_open_line */
    int depth;
    bool empty; /* nothing was written at this level yet */
};

void json_writer_open(struct json_writer *json, const char *name, char bracket); /* '{' or '[' */
void json_writer_close(struct json_writer *json, char bracket);                  /* '}' or ']' */

/* The same for one that is on a single line, and that is in another one; it holds none that is not. */
void json_writer_open_line(struct json_writer *json, const char *name, char bracket);
void json_writer_close_line(struct json_writer *json, char bracket);

void json_writer_integer(struct json_writer *json, const char *name, uint64_t value);
void json_writer_real(struct json_writer *json, const char *name, double value);
void json_writer_decimal(struct json_writer *json, const char *name, double value, int decimals);
void json_writer_bool(struct json_writer *json, const char *name, bool value);
void json_writer_null(struct json_writer *json, const char *name);

/* What is no UTF-8 is replaced; null for an empty text or NULL. */
void json_writer_text(struct json_writer *json, const char *name, const char *text);

/* A value, or null if it is not known. */
void json_writer_known(struct json_writer *json, const char *name, bool known, uint64_t value);
void json_writer_known_bool(struct json_writer *json, const char *name, bool known, bool value);

/* An integer, or null for 0. */
void json_writer_count(struct json_writer *json, const char *name, uint64_t value);

/* Opens an object, if it is known; otherwise it is null, and there is nothing to close. */
bool json_writer_open_known(struct json_writer *json, const char *name, bool known);

/* An array of the names of the values in the set; null if it is not known. */
void json_writer_known_set(struct json_writer *json, const char *name, bool known, const struct naming *naming,
                           uint32_t set);
void json_writer_set(struct json_writer *json, const char *name, const struct naming *naming, uint32_t set);

/* A document: an object with the version of its schema, indented, and its end, with a newline. */
struct json_writer json_writer_begin(FILE *out);
void json_writer_end(struct json_writer *json);

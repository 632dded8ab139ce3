/* JSON values made with care: strings that drivers give, and numbers that may be unknown. */
#ifndef GRIDLOCK_FORMAT_JSON_H
#define GRIDLOCK_FORMAT_JSON_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define JSON_SCHEMA_VERSION "1"

/* A string with what is no UTF-8 replaced; null for an empty one. */
json_t *json_text(const char *text);

/* An integer, or null if it is not known. */
json_t *json_known(bool known, uint64_t value);

/* An integer, or null for 0. */
json_t *json_count(uint64_t value);

/* Writes the object and a newline, then frees it. STATUS_HARNESS if it is NULL or cannot be written. */
int json_write(FILE *out, json_t *object, struct error *error);

#endif

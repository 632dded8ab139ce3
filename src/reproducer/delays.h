/* Delays in a kernel's text, before accesses of single work-items, so that these come in an order that is wanted. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct delay {
    uint32_t line, item; /* before what this work-item of the launch does in this line; */
    uint32_t parts;      /* so long: a part is enough for others to take a step */
};

/*
 * What the text begins with: a function reproducer_delay, and a macro that calls it before another function. A group
 * has so many work-items. Written as lines of C strings.
 */
void delays_write(FILE *out, uint32_t items, const struct delay *delays, size_t count);

/*
 * The text with delays in these lines: in front of each call of an atomic function; or, where there is none, in front
 * of the line, if it begins with a statement of a block, so that nothing else changes. Lines keep their numbers.
 * Allocated.
 */
char *delays_insert(const char *text, const struct delay *delays, size_t count);

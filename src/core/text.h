/* Text made fit for messages and pages. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Takes terminal colours (ANSI escape sequences) out of `text`, and puts '?' for all that is no printable ASCII. */
void text_make_plain(char *text);

/*
 * Writes the line of a compiler's log that tells what is wrong: the first with "error:", else with "error" in any
 * case, else the first that is not blank. A heading, which ends with a colon, is followed by the line below it.
 */
void text_of_log(const char *log, char *line, size_t size);

/* The ending of a noun of which there are so many: "" or "s". */
const char *text_s(uint64_t count);

/* Adds to a text with room for `size` bytes as much as fits. */
void text_append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Adds an item of a list, behind `between` unless it is the first. */
void text_list(char *text, size_t size, const char *between, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/*
 * Takes the next of the items "a,b,c" off *text, which is NULL after the last one. Writes as much of it as fits, and
 * returns its length.
 */
size_t text_item(const char **text, char *item, size_t size);

/* The length of the name in quotes of the file that a line of C includes, and where that is; or 0. */
size_t text_included(const char *line, const char **name);

/* How lines are made of a text; `first` and `margin` are what the first line begins with, and each other one. */
struct text_page {
    FILE *out;
    const char *first, *margin;
    int columns;
    int used;                                               /* of the first line, columns that are taken already */
    bool open;                                              /* the last line does not end with a newline */
    int (*put)(FILE *out, const char *word, size_t length); /* writes a word and returns its columns; NULL: as it is */
};

/* Writes words with a blank between them, in lines that each end with a newline. */
void text_wrap(const struct text_page *page, const char *text);

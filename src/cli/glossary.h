/*
 * The page that explains words, as packaging/manual/words has it: headings in capitals, and below a line of terms what
 * these mean, indented.
 */
#pragma once

#include "base/nearest.h"

#include <stdbool.h>
#include <stdio.h>

/* A part of the page: a heading, or a line of terms and what they mean. */
struct glossary_part {
    const char *text;
    size_t line, length; /* of its first line, and of all of it */
};

/* Finds the part at *at, and moves *at behind it; false at the end of the page. */
bool glossary_next(const char **at, struct glossary_part *part);

/* Answers whether nothing is indented below its first line. */
bool glossary_is_heading(const struct glossary_part *part);

/*
 * Prints of `page` what explains `word`, under its headings: entries that have it as a term, and those of whose subject
 * it is a name ("cl30" is a dialect). Case does not matter, and '-', '_' and a blank are the same. false: nothing does.
 */
bool glossary_print(FILE *out, const char *page, const char *word);

/* Tries the terms of `page`. */
void glossary_try(struct nearest *nearest, const char *page);

/*
 * The page that explains words, as packaging/manual/words has it: headings in capitals, and below a line of terms what
 * these mean, indented.
 */
#pragma once

#include "base/nearest.h"

#include <stdbool.h>
#include <stdio.h>

/*
 * Prints of `page` what explains `word`, under its headings: entries that have it as a term, and those of whose subject
 * it is a name ("cl30" is a dialect). Case does not matter, and '-', '_' and a blank are the same. false: nothing does.
 */
bool glossary_print(FILE *out, const char *page, const char *word);

/* Tries the terms of `page`. */
void glossary_try(struct nearest *nearest, const char *page);

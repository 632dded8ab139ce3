/* Of known words the one that somebody who mistyped, or typed only its beginning, may have meant. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { NEAREST_WORD = 64, NEAREST_TEXT = 200 };

struct nearest {
    const char *word;
    bool patterns;            /* set by the caller: a glob may stand for several */
    char found[NEAREST_WORD]; /* "": no word is near */
    size_t distance;
    size_t begun; /* candidates that begin with the word; the first two, and whether '_' follows in each */
    char begun_by[2][NEAREST_WORD];
    bool ends_part;
};

struct nearest nearest_begin(const char *word);
void nearest_try(struct nearest *nearest, const char *candidate);

/*
 * "; did you mean 'limits'?", or "". Where several begin with the word, these: "'barrier_*'" with patterns, else
 * "'report' or 'resume'", or, of more, "'a', 'b' or another one that begins so".
 */
const char *nearest_print(const struct nearest *nearest, char text[NEAREST_TEXT]);

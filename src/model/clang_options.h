/* What a program is built with: options as OpenCL has them, for clang. */
#pragma once

#include "base/error.h"

#include <stddef.h>

/* A list of words, ended by NULL. */
struct clang_words {
    char **words;
    size_t count;
};

void clang_words_add(struct clang_words *words, const char *word);

/* Adds words that have a blank between them. */
void clang_words_add_all(struct clang_words *words, const char *line);
void clang_words_fini(struct clang_words *words);

/* Adds to `words` what the options ask for. STATUS_USAGE: an option is not known, or not offered. */
int clang_options(const char *options, struct clang_words *words, struct error *error);

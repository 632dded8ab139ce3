/* The text of a program in C, or OpenCL C, as words, literals and signs. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct token {
    const char *at;
    size_t length;
};

/* Whether names, all of ASCII, have the character; and the length of the name, or number, at `at`, or 0. */
bool token_is_of_name(char character);
size_t token_name(const char *at);

/* The same of words, which may have more than ASCII. */
bool token_is_of_word(char character);
size_t token_word(const char *at);

/* The bytes of a line end, or 0. */
size_t token_line_end(const char *at);

/* Behind a blank, a line joint or a comment at `at`, or `at` itself. */
const char *token_skip_gap(const char *at);

/* A literal ends with its line at the latest, since text that is not compiled has apostrophes. */
const char *token_skip_literal(const char *at);
bool token_is_quote(char character);

/* Reads the token at `at`, where no gap is. */
struct token token_read(const char *at);

bool token_is(struct token token, const char *text);

/* It is one of these texts, of which the last is NULL. */
bool token_is_one_of(struct token token, const char *const *texts);

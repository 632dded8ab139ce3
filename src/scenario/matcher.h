/*
 * Extended regular expressions of POSIX, in the C locale, with GNU's \w, \W, \s, \S, \b, \B, \<, \>, \` and \'. There
 * are no back references, so that memory and time are bounded: by the text's length times that of the expression, in
 * which {20} counts as twenty copies.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the expressions of one list may copy, all together. */
enum { MATCHER_COPIES = 1 << 14 };

struct matcher_step;
struct matcher_set {
    uint8_t bits[32]; /* one for each byte */
};

/* A zeroed one is empty, and may be given to matcher_fini. */
struct matcher {
    struct matcher_step *steps;
    size_t count;
    struct matcher_set *sets; /* of bytes, which steps refer to */
    size_t set_count;
    uint32_t *states; /* room for a match */
};

/*
 * Takes from *copies what repetitions cost. Returns NULL, or what is wrong with the expression. Call matcher_fini in
 * either case.
 */
const char *matcher_compile(struct matcher *matcher, const char *expression, size_t *copies);
void matcher_fini(struct matcher *matcher);

/* Some part of the text matches. */
bool matcher_matches(const struct matcher *matcher, const char *text);

/* Stands for a number that is not known: one decimal digit or more. */
#define MATCHER_NUMBER '\x01'

/* Whether a text with such places matches: whatever the numbers are, for some (or so it seems), or for no numbers. */
enum matching { MATCHES_NEVER, MATCHES_PERHAPS, MATCHES_SURELY };
enum matching matcher_matches_outline(const struct matcher *matcher, const char *text);

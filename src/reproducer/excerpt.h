/* A text that takes from others, its libraries, only what it uses, so that a person can read all of it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct excerpt_piece;

/* A zeroed one is empty. */
struct excerpt {
    struct excerpt_piece *pieces;
    size_t count;
};

void excerpt_fini(struct excerpt *excerpt);

/* Goes on with `length` bytes that stay as they are. */
void excerpt_add(struct excerpt *excerpt, const char *text, size_t length);

/*
 * Goes on with a library of `length` bytes: a function, a structure, a type, or a macro stays if what stays names it,
 * with the comment right before it, and whatever has no name stays. An empty line or the end of a definition is where
 * pieces part. The first piece that offers a name is the one that is taken. Lines that include files, and a guard
 * against a second inclusion, are left out.
 * With `resolved`, pieces between "#if defined(NAME)" and its "#endif" count if the name has been offered so far,
 * without these two lines.
 */
void excerpt_add_library(struct excerpt *excerpt, const char *text, size_t length, bool resolved);

/* Chooses what stays, and writes it to allocated memory. */
char *excerpt_text(struct excerpt *excerpt);

/*
 * Returns a name that what was chosen uses, and that `others` offer and this one does not, whatever is defined; or
 * NULL. Sets *length to the length of the name.
 */
const char *excerpt_find_missing(const struct excerpt *excerpt, const struct excerpt *others, size_t *length);

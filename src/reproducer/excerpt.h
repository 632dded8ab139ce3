/* A text that takes from others, its libraries, only what it uses, so that a person can read all of it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct excerpt_piece;

/* A zeroed one is empty. Texts are not copied: they live as long as it does. */
struct excerpt {
    struct excerpt_piece *pieces;
    size_t count;
    bool short_of_memory; /* sticks */
};

void excerpt_fini(struct excerpt *excerpt);

/* Goes on with `length` bytes that stay as they are. */
void excerpt_add(struct excerpt *excerpt, const char *text, size_t length);

/*
 * Goes on with a library: a function, a structure, a type, or a macro stays if what stays names it, with the comment
 * right before it, and whatever has no name stays. An empty line or the end of a definition is where pieces part. The
 * first piece that offers a name is the one that is taken. Lines that include files, and a guard against a second inclusion,
 * are left out.
 * Where `is_defined` is not NULL pieces between "#if defined(NAME)" and its "#endif" count if that says so, without these
 * two lines.
 */
void excerpt_add_library(struct excerpt *excerpt, const char *text,
                         bool (*is_defined)(const void *context, const char *name), const void *context);

/* The text has a line "#define NAME". */
bool excerpt_defines(const struct excerpt *excerpt, const char *name);

/* Chooses what stays. 0, or -1: memory is short. */
int excerpt_choose(struct excerpt *excerpt);

/*
 * A name that what was chosen uses, and that `others` offer and this one does not, whatever is defined; NULL: there is none.
 * *length is that of the name.
 */
const char *excerpt_find_missing(const struct excerpt *excerpt, const struct excerpt *others, size_t *length);

/* Writes what was chosen. */
void excerpt_write(const struct excerpt *excerpt, FILE *out);

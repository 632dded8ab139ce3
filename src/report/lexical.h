/* The little of C's lexis that it takes to cut a text into pieces. */
#ifndef GRIDLOCK_REPORT_LEXICAL_H
#define GRIDLOCK_REPORT_LEXICAL_H

#include <stdbool.h>
#include <stddef.h>

/* The length of the comment that the text begins with, or 0. */
size_t lexical_comment(const char *text);

/* The length of the comment, string or character constant that the text begins with, or 0. */
size_t lexical_opaque(const char *text);

/* The length of the name that the text begins with, or 0. */
size_t lexical_name(const char *text);

/* Likewise of a number, with its suffix. */
size_t lexical_number(const char *text);

/* The length of the text's first line, with its end: comments and joined lines belong to the line that they begin in. */
size_t lexical_line(const char *text);

/* What follows the '#' of a line that is a directive, without blanks; NULL: it is none. */
const char *lexical_directive(const char *line);

/* The directive is this one. */
bool lexical_is(const char *directive, const char *name);

#endif

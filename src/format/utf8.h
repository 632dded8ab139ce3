/* UTF-8, for strings that drivers give and nobody vouches for. */
#ifndef GRIDLOCK_FORMAT_UTF8_H
#define GRIDLOCK_FORMAT_UTF8_H

#include <stddef.h>

/* Bytes of the well-formed character at the start of `text` (1 to 4; Unicode table 3-7), or 0. */
size_t utf8_length(const char *text);

#endif

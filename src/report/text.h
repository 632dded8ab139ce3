/* Text for people. */
#ifndef GRIDLOCK_REPORT_TEXT_H
#define GRIDLOCK_REPORT_TEXT_H

#include <stdio.h>

/* Writes a string that a driver gave, its control characters and bytes that are no UTF-8 as '?'. */
void text_clean(FILE *out, const char *text);

#endif

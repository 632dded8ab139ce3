/* Command lines as one text: words quoted as a POSIX shell takes them, so that people can paste them. */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* Writes one word. */
void words_print(FILE *out, const char *word);

/* Joins words with blanks between them. Allocated. */
char *words_join(char *const *words, size_t count);

/*
 * Splits what words_join has joined: *words becomes an array of *count words and a NULL, one block of memory that the
 * caller frees. 0, or -1 if the text is no such line (a quote that does not end).
 */
int words_split(const char *line, char ***words, size_t *count);

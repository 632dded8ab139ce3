#include "base/words.h"

#include "base/alloc.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_plain(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+@%^-";
    return word[0] != '\0' && strspn(word, plain) == strlen(word);
}

static void print_quoted(FILE *out, const char *word)
{
    fputc('\'', out);
    for (; *word != '\0'; ++word) {
        if (*word == '\'')
            fputs("'\\'", out); /* end the quotes, a quote by itself, and quotes again */
        fputc(*word, out);
    }
    fputc('\'', out);
}

void words_print(FILE *out, const char *word)
{
    if (is_plain(word))
        fputs(word, out);
    else
        print_quoted(out, word);
}

char *words_join(char *const *words, size_t count)
{
    char *line = NULL;
    FILE *out = xopen_memstream(&line, NULL);

    for (size_t i = 0; i < count; ++i) {
        if (i > 0)
            fputc(' ', out);
        words_print(out, words[i]);
    }
    return xclose_memstream(out, &line);
}

/* Copies one word without its quotes to *to, which moves behind its zero byte; returns the rest, or NULL. */
static const char *take_word(const char *from, char **to)
{
    bool quoted = false;

    for (; *from != '\0' && (quoted || *from != ' '); ++from) {
        if (*from == '\'')
            quoted = !quoted;
        else if (*from == '\\' && !quoted && from[1] != '\0')
            *(*to)++ = *++from;
        else
            *(*to)++ = *from;
    }
    *(*to)++ = '\0';
    return quoted ? NULL : from;
}

int words_split(const char *line, char ***words, size_t *count)
{
    /* No more words than every second byte, each shorter than its quotes and the blank after it. */
    const size_t most = strlen(line) / 2 + 2;
    char **split = xmalloc(most * sizeof *split + strlen(line) + 2);
    char *to = (char *)(split + most);
    *count = 0;
    for (line += strspn(line, " "); *line != '\0'; line += strspn(line, " ")) {
        split[(*count)++] = to;
        line = take_word(line, &to);
        if (line == NULL) {
            free(split);
            return -1;
        }
    }
    split[*count] = NULL;
    *words = split;
    return 0;
}

#include "cli/roff.h"

#include <ctype.h>

enum { LINE = 72 };

void roff_byte(FILE *out, char byte, bool literal)
{
    switch (byte) {
    case '\\':
        fputs("\\e", out);
        break;
    case '-':
        fputs(literal ? "\\-" : "-", out);
        break;
    case '~':
        fputs("\\(ti", out);
        break;
    case '^':
        fputs("\\(ha", out);
        break;
    case '`':
        fputs("\\(ga", out);
        break;
    case '\'':
        fputs(literal ? "\\(aq" : "'", out);
        break;
    default:
        fputc(byte, out);
    }
}

/* A word of a sentence. */
static void put_word(FILE *out, const char *word, size_t length)
{
    const size_t start = word[0] == '(' ? 1 : 0;
    const bool literal = length > start && word[start] == '-';

    for (size_t i = 0; i < length; ++i)
        roff_byte(out, word[i], literal);
}

void roff_text(FILE *out, const char *text, size_t length)
{
    const char *end = text + length;
    size_t column = 0;

    for (const char *at = text; at < end;) {
        size_t word = 0;
        while (at + word < end && at[word] != ' ' && at[word] != '\n')
            ++word;
        if (word > 0) {
            if (column > 0 && column + word + 1 > LINE) {
                fputc('\n', out);
                column = 0;
            }
            if (column > 0)
                fputc(' ', out);
            else if (at[0] == '.' || at[0] == '\'')
                fputs("\\&", out); /* it is no request */
            put_word(out, at, word);
            column += word + 1;
            if (at[word - 1] == '.' && word > 1 && at[word - 2] != '.') {
                fputc('\n', out);
                column = 0;
            }
        }
        at += word + 1;
    }
    if (column > 0)
        fputc('\n', out);
}

void roff_literal(FILE *out, const char *text)
{
    fputs("\\fB", out);
    for (; *text != '\0'; ++text)
        roff_byte(out, *text, true);
    fputs("\\fR", out);
}

void roff_arguments(FILE *out, const char *text)
{
    while (*text != '\0') {
        size_t length = 0;
        while (isupper((unsigned char)text[length]))
            ++length;
        if (length > 0)
            fprintf(out, "\\fI%.*s\\fR", (int)length, text);
        for (text += length; *text != '\0' && !isupper((unsigned char)*text); ++text)
            roff_byte(out, *text, true);
    }
}

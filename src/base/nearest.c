#include "base/nearest.h"

#include <stdio.h>
#include <string.h>

enum { LETTERS_MOST = 63 };

struct nearest nearest_begin(const char *word)
{
    /* At most every third letter may be wrong, and at least one. */
    return (struct nearest){word, NULL, strlen(word) < 3 ? 2 : 1 + strlen(word) / 3};
}

static size_t least(size_t a, size_t b, size_t c)
{
    const size_t less = a < b ? a : b;
    return less < c ? less : c;
}

/* Letters to insert, remove, replace, or swap with the next one; of no more than LETTERS_MOST. */
static size_t distance(const char *from, const char *to)
{
    size_t rows[3][LETTERS_MOST + 1];
    const size_t length = strlen(to);
    size_t *before = rows[0], *last = rows[1], *row = rows[2];

    for (size_t j = 0; j <= length; ++j)
        row[j] = j;
    for (size_t i = 0; from[i] != '\0'; ++i) {
        size_t *const oldest = before;
        before = last;
        last = row;
        row = oldest;
        row[0] = i + 1;
        for (size_t j = 0; j < length; ++j) {
            row[j + 1] = least(last[j + 1] + 1, row[j] + 1, last[j] + (from[i] != to[j]));
            if (i > 0 && j > 0 && from[i] == to[j - 1] && from[i - 1] == to[j] && before[j - 1] + 1 < row[j + 1])
                row[j + 1] = before[j - 1] + 1;
        }
    }
    return row[length];
}

void nearest_try(struct nearest *nearest, const char *candidate)
{
    if (strlen(nearest->word) > LETTERS_MOST || strlen(candidate) > LETTERS_MOST)
        return;
    const size_t away = distance(nearest->word, candidate);
    if (away >= nearest->distance)
        return;
    nearest->distance = away;
    nearest->found = candidate;
}

const char *nearest_print(const struct nearest *nearest, char *text, size_t size)
{
    text[0] = '\0';
    if (nearest->found != NULL)
        snprintf(text, size, "; did you mean '%s'?", nearest->found);
    return text;
}

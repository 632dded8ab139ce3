#include "base/nearest.h"

#include <stdio.h>
#include <string.h>

enum { LETTERS_MOST = NEAREST_WORD - 1 };

struct nearest nearest_begin(const char *word)
{
    /* At most every third letter may be wrong, and at least one. */
    return (struct nearest){.word = word, .distance = strlen(word) < 3 ? 2 : 1 + strlen(word) / 3, .ends_part = true};
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

static void note_begun(struct nearest *nearest, const char *candidate)
{
    const size_t length = strlen(nearest->word);

    if (length == 0 || strncmp(candidate, nearest->word, length) != 0)
        return;
    if (nearest->begun < 2)
        snprintf(nearest->begun_by[nearest->begun], NEAREST_WORD, "%s", candidate);
    nearest->begun += 1;
    nearest->ends_part = nearest->ends_part && candidate[length] == '_';
}

void nearest_try(struct nearest *nearest, const char *candidate)
{
    if (strlen(nearest->word) > LETTERS_MOST || strlen(candidate) > LETTERS_MOST)
        return;
    note_begun(nearest, candidate);
    const size_t away = distance(nearest->word, candidate);
    if (away >= nearest->distance)
        return;
    nearest->distance = away;
    snprintf(nearest->found, NEAREST_WORD, "%s", candidate);
}

/* A beginning is no mistake, so it says more than what is near. */
const char *nearest_print(const struct nearest *nearest, char text[NEAREST_TEXT])
{
    const char *const first = nearest->begun_by[0], *const second = nearest->begun_by[1];

    text[0] = '\0';
    if (nearest->begun > 1 && nearest->patterns)
        snprintf(text, NEAREST_TEXT, "; did you mean '%s%s*'?", nearest->word, nearest->ends_part ? "_" : "");
    else if (nearest->begun > 2)
        snprintf(text, NEAREST_TEXT, "; did you mean '%s', '%s' or another one that begins so?", first, second);
    else if (nearest->begun == 2)
        snprintf(text, NEAREST_TEXT, "; did you mean '%s' or '%s'?", first, second);
    else if (nearest->begun == 1 || nearest->found[0] != '\0')
        snprintf(text, NEAREST_TEXT, "; did you mean '%s'?", nearest->begun == 1 ? first : nearest->found);
    return text;
}

#include "core/word_name.h"

#include "core/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What is read may be anything: sums and products of such numbers fit, and no search for a name takes long. */
enum { TRIED_MOST = 1 << 20 };

static bool is_plain(const char *word, size_t length)
{
    for (size_t i = 0; i < length; ++i)
        if (!isalnum((unsigned char)word[i]) && word[i] != '-' && word[i] != '_')
            return false;
    return isalpha((unsigned char)word[0]);
}

/* A bit for each index of this letter. */
static unsigned indexes_of(const struct word_family *family, char letter)
{
    unsigned found = 0;

    for (size_t i = 0; i < family->index_count; ++i)
        if (family->indexes[i].letter == letter)
            found |= 1u << i;
    return found;
}

bool word_family_is_named(const struct word_family *family)
{
    unsigned missing = (1u << family->index_count) - 1;

    for (const char *word = family->name;; ++word) {
        const size_t length = strcspn(word, " ");
        const bool is_index = word > family->name && length == 3 && word[0] == '{' && word[2] == '}';
        const unsigned index = is_index ? indexes_of(family, word[1]) & missing : 0;
        if (is_index ? index == 0 || (index & (index - 1)) != 0 : !is_plain(word, length))
            return false;
        missing &= ~index;
        word += length;
        if (*word == '\0')
            return missing == 0;
    }
}

void word_family_append(const struct word_family *family, char *names)
{
    text_list(names, WORD_NAMES, "; ", "%s = %" PRId64, family->name, family->first);
    for (size_t i = 0; i < family->index_count; ++i)
        text_append(names, WORD_NAMES, "%+" PRId64 "*%c", family->indexes[i].step, family->indexes[i].letter);
    for (size_t i = 0; i < family->index_count; ++i)
        text_append(names, WORD_NAMES, ", %c < %" PRIu32, family->indexes[i].letter, family->indexes[i].count);
}

/* --- reading --- */

static bool take_number(const char **at, int64_t *number)
{
    char *end;

    *number = strtoll(*at, &end, 10);
    if (end == *at || *number < -WORD_MOST || *number > WORD_MOST)
        return false;
    *at = end;
    return true;
}

static bool take_sign(const char **at, const char *sign)
{
    const size_t length = strlen(sign);

    if (strncmp(*at, sign, length) != 0)
        return false;
    *at += length;
    return true;
}

static bool take_step(const char **at, struct word_family *family)
{
    struct word_index *index = &family->indexes[family->index_count];

    if (family->index_count == WORD_INDEXES || !take_number(at, &index->step) || !take_sign(at, "*") ||
        !islower((unsigned char)**at))
        return false;
    index->letter = *(*at)++;
    family->index_count += 1;
    return true;
}

static bool take_count(const char **at, struct word_index *index)
{
    const char wanted[] = {',', ' ', index->letter, ' ', '<', ' ', '\0'};
    int64_t count;

    if (!take_sign(at, wanted) || !take_number(at, &count) || count < 1)
        return false;
    index->count = (uint32_t)count;
    return true;
}

/* Of all indexes but the last. */
static uint64_t combinations(const struct word_family *family)
{
    uint64_t count = 1;

    for (size_t i = 0; i + 1 < family->index_count; ++i)
        count *= family->indexes[i].count;
    return count;
}

/* The next family of the text. */
static bool take_family(const char **at, struct word_family *family)
{
    const size_t length = strcspn(*at, "=");

    *family = (struct word_family){.index_count = 0};
    if (length < 2 || length > sizeof family->name || (*at)[length - 1] != ' ')
        return false;
    memcpy(family->name, *at, length - 1);
    *at += length;
    if (!take_sign(at, "= ") || !take_number(at, &family->first))
        return false;
    while (**at == '+' || **at == '-')
        if (!take_step(at, family))
            return false;
    for (size_t i = 0; i < family->index_count; ++i)
        if (!take_count(at, &family->indexes[i]))
            return false;
    return word_family_is_named(family) && combinations(family) <= TRIED_MOST;
}

/* --- naming --- */

/* The indexes from `index` on that lead `rest` words on from the first one; all but the last are tried. */
static bool solve(const struct word_family *family, size_t index, int64_t rest, int64_t *values)
{
    const struct word_index *own = &family->indexes[index];

    if (index == family->index_count)
        return rest == 0;
    if (index + 1 == family->index_count) {
        values[index] = own->step != 0 ? rest / own->step : 0;
        return values[index] >= 0 && values[index] < own->count && values[index] * own->step == rest;
    }
    for (values[index] = 0; values[index] < own->count; ++values[index])
        if (solve(family, index + 1, rest - values[index] * own->step, values))
            return true;
    return false;
}

static void print_name(const struct word_family *family, const int64_t *values, char *text)
{
    text[0] = '\0';
    for (const char *at = family->name; *at != '\0'; ++at) {
        if (*at != '{') {
            text_append(text, WORD_NAME, "%c", *at);
            continue;
        }
        for (size_t i = 0; i < family->index_count; ++i)
            if (family->indexes[i].letter == at[1])
                text_append(text, WORD_NAME, "%" PRId64, values[i]);
        at += 2;
    }
}

bool word_name_find(const char *names, uint32_t word, char *text)
{
    struct word_family family;
    int64_t values[WORD_INDEXES];

    while (*names != '\0') {
        if (!take_family(&names, &family) || (*names != '\0' && !take_sign(&names, "; ")))
            return false;
        if (solve(&family, 0, (int64_t)word - family.first, values)) {
            print_name(&family, values, text);
            return true;
        }
    }
    return false;
}

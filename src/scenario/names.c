#include "scenario/entry.h"

#include "base/alloc.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- the line --- */

/* Where ", i < COUNT" begins; NULL: nowhere. */
static const char *find_index(const char *text)
{
    while ((text = strchr(text, ',')) != NULL) {
        const char *letter = text + 1 + strspn(text + 1, " ");
        if (islower((unsigned char)letter[0]) && letter[1 + strspn(letter + 1, " ")] == '<')
            return text;
        ++text;
    }
    return NULL;
}

/* Copies what is before `end`, without blanks at either end; false: that is nothing, or too long. */
static bool take_part(const char *from, const char *end, char *part, size_t size)
{
    while (from < end && *from == ' ')
        ++from;
    while (end > from && end[-1] == ' ')
        --end;
    const size_t length = (size_t)(end - from);
    if (length == 0 || length >= size)
        return false;
    memcpy(part, from, length);
    part[length] = '\0';
    return true;
}

static bool take_index(const char *text, const char *end, struct entry_names *names)
{
    const size_t index = names->family.index_count;

    if (index == WORD_INDEXES)
        return false;
    text += 1 + strspn(text + 1, " ");
    names->family.indexes[index].letter = names->letters[index][0] = *text;
    names->family.index_count += 1;
    return take_part(strchr(text, '<') + 1, end, names->counts[index], sizeof names->counts[index]);
}

bool names_parse(const char *value, struct entry_names *names)
{
    const char *equals = strchr(value, '='), *index = find_index(value);
    const char *end = index != NULL ? index : value + strlen(value);

    *names = (struct entry_names){.line = 0};
    if (equals == NULL || equals > end || !take_part(value, equals, names->family.name, sizeof names->family.name) ||
        !take_part(equals + 1, end, names->word, sizeof names->word))
        return false;
    while (index != NULL) {
        const char *next = find_index(index + 1);
        if (!take_index(index, next != NULL ? next : index + strlen(index), names))
            return false;
        index = next;
    }
    return word_family_is_named(&names->family);
}

bool names_are_alike(const struct entry_names *a, const struct entry_names *b)
{
    const char *one = a->family.name, *other = b->family.name;

    while (*one != '\0' && *one == *other) {
        const int signs = *one == '{' ? 2 : 1;
        one += signs;
        other += signs;
    }
    return *one == *other;
}

/* --- numbers --- */

enum { SCOPE_MOST = 64 };

struct resolver {
    const struct entry_names *names;
    const struct scope *scope;
    struct workload *work;
    unsigned char *taken; /* a bit for each word that has a name */
    struct error *error;
};

/* The value of an expression; `indexes`: of those that it may use, or NULL. */
static int value_of(const struct resolver *resolver, const char *text, const uint32_t *indexes, int64_t *value)
{
    struct variable variables[SCOPE_MOST];
    const size_t own = indexes != NULL ? resolver->names->family.index_count : 0;
    size_t count = 0;

    for (; count < own; ++count)
        variables[count] = (struct variable){resolver->names->letters[count], indexes[count], true};
    for (size_t i = 0; i < resolver->scope->count && count < SCOPE_MOST; ++i)
        variables[count++] = resolver->scope->variables[i];
    const struct scope scope = {variables, count};
    const int outcome = expression_evaluate_linear(text, &scope, own, value, resolver->error);

    if (outcome > 0)
        return error_set(resolver->error, STATUS_USAGE, "'%s' has no value: the resident limit is unknown", text);
    return outcome;
}

static int no_word(const struct resolver *resolver, int64_t word)
{
    return error_set(resolver->error, STATUS_USAGE,
                     "word %" PRId64 " is none of the %" PRIu32 " that 'words' gives, which count from 0", word,
                     resolver->work->sync_words);
}

/* The word of which these are the indexes; as long as it is one, numbers stay small. */
static int word_of(const struct resolver *resolver, const uint32_t *indexes, int64_t *word)
{
    if (value_of(resolver, resolver->names->word, indexes, word) != 0)
        return -1;
    return *word >= 0 && *word < resolver->work->sync_words ? 0 : no_word(resolver, *word);
}

static int count_of(const struct resolver *resolver, const char *text, uint32_t *count)
{
    int64_t value;

    if (value_of(resolver, text, NULL, &value) != 0)
        return -1;
    if (value < 0 || value > WORD_MOST)
        return error_set(resolver->error, STATUS_USAGE, "'%s' is %" PRId64 ": expected 0 to %d", text, value,
                         WORD_MOST);
    *count = (uint32_t)value;
    return 0;
}

/* From word to word of each index: an expression is a sum of multiples of its indexes. */
static int resolve_steps(const struct resolver *resolver, struct word_family *family)
{
    for (size_t i = 0; i < family->index_count; ++i) {
        uint32_t indexes[WORD_INDEXES] = {0};
        int64_t word = family->first;
        indexes[i] = 1;
        if (family->indexes[i].count > 1 && word_of(resolver, indexes, &word) != 0)
            return -1;
        family->indexes[i].step = word - family->first;
    }
    return 0;
}

static int take_word(const struct resolver *resolver, int64_t word)
{
    const struct workload *work = resolver->work;
    char name[WORD_NAME];

    if (word < 0 || word >= work->sync_words)
        return no_word(resolver, word);
    if ((resolver->taken[word / 8] >> word % 8 & 1) == 0) {
        resolver->taken[word / 8] |= (unsigned char)(1u << word % 8);
        return 0;
    }
    if (word_name_find(work->names, (uint32_t)word, name))
        return error_set(resolver->error, STATUS_USAGE, "word %" PRId64 " is already '%s'; a word has one name", word,
                         name);
    return error_set(resolver->error, STATUS_USAGE, "word %" PRId64 " comes twice; a word has one name", word);
}

/* All words of the family; each has one name, so they are no more than there are words. */
static int take_words(const struct resolver *resolver, const struct word_family *family, size_t index, int64_t word)
{
    if (index == family->index_count)
        return take_word(resolver, word);
    for (uint32_t i = 0; i < family->indexes[index].count; ++i)
        if (take_words(resolver, family, index + 1, word + i * family->indexes[index].step) != 0)
            return -1;
    return 0;
}

/* The index with the largest count goes to the end, where finding a name does not try it. */
static void sort_indexes(struct word_family *family)
{
    for (size_t i = 0; i + 1 < family->index_count; ++i) {
        const struct word_index index = family->indexes[i];
        if (index.count <= family->indexes[i + 1].count)
            continue;
        family->indexes[i] = family->indexes[i + 1];
        family->indexes[i + 1] = index;
    }
}

static int resolve_family(const struct resolver *resolver)
{
    struct word_family family = resolver->names->family;
    const uint32_t none[WORD_INDEXES] = {0};
    bool empty = false;

    for (size_t i = 0; i < family.index_count; ++i) {
        if (count_of(resolver, resolver->names->counts[i], &family.indexes[i].count) != 0)
            return -1;
        empty = empty || family.indexes[i].count == 0;
    }
    if (empty)
        return 0;
    if (word_of(resolver, none, &family.first) != 0 || resolve_steps(resolver, &family) != 0 ||
        take_words(resolver, &family, 0, family.first) != 0)
        return -1;
    sort_indexes(&family);
    word_family_append(&family, resolver->work->names);
    return 0;
}

int names_resolve(const struct kernel_entry *entry, const struct scope *scope, struct workload *work,
                  struct error *error)
{
    struct resolver resolver = {.scope = scope, .work = work, .error = error};
    int outcome = 0;

    work->names[0] = '\0';
    if (entry->name_count == 0)
        return 0;
    resolver.taken = xcalloc(work->sync_words / 8 + (size_t)1, 1);
    for (size_t i = 0; i < entry->name_count && outcome == 0; ++i) {
        resolver.names = &entry->names[i];
        outcome = resolve_family(&resolver);
        /* The header's line is where it must be mended. */
        if (outcome != 0)
            error_context(error, "%s.cl:%u: names %s", entry->name, entry->names[i].line, entry->names[i].family.name);
    }
    free(resolver.taken);
    return outcome;
}

#include "report/macros.h"

#include "report/lexical.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 16 };

struct macro {
    char *name;
    char *value; /* "" after #undef */
    enum truth defined;
    bool plain; /* no parameters */
};

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t");
}

static struct macro *find(const struct macros *macros, const char *name, size_t length)
{
    for (size_t i = 0; i < macros->count; ++i)
        if (strlen(macros->items[i].name) == length && memcmp(macros->items[i].name, name, length) == 0)
            return &macros->items[i];
    return NULL;
}

static struct macro *find_or_add(struct macros *macros, const char *name, size_t length)
{
    struct macro *found = find(macros, name, length);
    struct macro *items = found == NULL ? realloc(macros->items, (macros->count + 1) * sizeof *items) : macros->items;

    if (found != NULL || items == NULL)
        return found;
    macros->items = items;
    items[macros->count] = (struct macro){.name = strndup(name, length)};
    return items[macros->count].name != NULL ? &items[macros->count++] : NULL;
}

static void set(struct macros *macros, const char *name, const char *value, enum truth defined, bool plain)
{
    struct macro *macro = find_or_add(macros, name, lexical_name(name));
    char *copy = macro != NULL ? strndup(value, strcspn(value, "\n")) : NULL;

    if (copy == NULL) {
        macros->short_of_memory = true;
        return;
    }
    free(macro->value);
    macro->value = copy;
    macro->defined = defined;
    macro->plain = plain;
}

void macros_define(struct macros *macros, const char *definition, bool certain)
{
    const char *name = skip_blanks(definition);
    const char *value = name + lexical_name(name);
    set(macros, name, value, certain ? TRUTH_YES : TRUTH_UNKNOWN, *value != '(');
}

void macros_undefine(struct macros *macros, const char *name, bool certain)
{
    set(macros, skip_blanks(name), "", certain ? TRUTH_NO : TRUTH_UNKNOWN, true);
}

void macros_fini(struct macros *macros)
{
    for (size_t i = 0; i < macros->count; ++i) {
        free(macros->items[i].name);
        free(macros->items[i].value);
    }
    free(macros->items);
    macros->items = NULL;
    macros->count = 0;
}

static bool is_among(const char *const *names, const char *name, size_t length)
{
    for (; names != NULL && *names != NULL; ++names)
        if (strlen(*names) == length && memcmp(*names, name, length) == 0)
            return true;
    return false;
}

static bool has_prefix(const char *const *prefixes, const char *name, size_t length)
{
    for (; prefixes != NULL && *prefixes != NULL; ++prefixes)
        if (strlen(*prefixes) <= length && memcmp(*prefixes, name, strlen(*prefixes)) == 0)
            return true;
    return false;
}

enum truth macros_defined(const struct macros *macros, const char *name, size_t length)
{
    const struct macro *macro = find(macros, name, length);
    if (is_among(macros->open, name, length))
        return TRUTH_UNKNOWN;
    if (macro != NULL)
        return macro->defined;
    return has_prefix(macros->prefixes, name, length) ? TRUTH_NO : TRUTH_UNKNOWN;
}

/* --- conditions --- */

struct value {
    bool known;
    int64_t number;
};

struct reader {
    const struct macros *macros;
    const char *at;
    int depth;
    bool bad; /* it is no condition that this can compute */
};

static const struct value unknown = {false, 0};

static struct value number(int64_t value)
{
    return (struct value){true, value};
}

/* The text goes on with this, and not with a longer operator. */
static bool take(struct reader *reader, const char *token)
{
    const size_t length = strlen(token);
    const char *at = skip_blanks(reader->at);

    if (strncmp(at, token, length) != 0)
        return false;
    if (length == 1 && strchr("<>!", *token) != NULL && (at[1] == '=' || at[1] == *token))
        return false;
    reader->at = at + length;
    return true;
}

/* Nothing follows but a comment. */
static bool is_at_end(const struct reader *reader)
{
    const char *at = skip_blanks(reader->at);
    return *at == '\0' || *at == '\n' || (at[0] == '/' && (at[1] == '*' || at[1] == '/'));
}

static struct value read_primary(struct reader *reader);
static struct value read_any(struct reader *reader);

static struct value read_defined(struct reader *reader)
{
    const bool in_parentheses = take(reader, "(");
    const char *name = skip_blanks(reader->at);
    const size_t length = lexical_name(name);

    reader->at = name + length;
    if (length == 0 || (in_parentheses && !take(reader, ")")))
        reader->bad = true;
    const enum truth truth = macros_defined(reader->macros, name, length);
    return truth == TRUTH_UNKNOWN ? unknown : number(truth == TRUTH_YES);
}

/* A macro's value, or 0 of what is no macro. */
static struct value read_name(struct reader *reader)
{
    const char *name = reader->at;
    const size_t length = lexical_name(name);
    const struct macro *macro = find(reader->macros, name, length);
    const enum truth truth = macros_defined(reader->macros, name, length);

    reader->at += length;
    if (length == strlen("defined") && memcmp(name, "defined", length) == 0)
        return read_defined(reader);
    if (truth == TRUTH_NO)
        return number(0);
    if (truth == TRUTH_UNKNOWN || !macro->plain || reader->depth == DEPTH_MOST) {
        reader->bad = reader->bad || *skip_blanks(reader->at) == '('; /* its arguments are not read */
        return unknown;
    }
    struct reader inner = {.macros = reader->macros, .at = macro->value, .depth = reader->depth + 1};
    const struct value value = read_primary(&inner); /* no more, because it stands without parentheses */
    return inner.bad || !is_at_end(&inner) ? unknown : value;
}

static struct value read_number(struct reader *reader)
{
    char *end;
    const unsigned long long value = strtoull(reader->at, &end, 0);

    while (*end == 'u' || *end == 'U' || *end == 'l' || *end == 'L')
        ++end;
    reader->at = end;
    if (lexical_name(end) > 0 || value > INT64_MAX) {
        reader->bad = true;
        return unknown;
    }
    return number((int64_t)value);
}

static struct value read_primary(struct reader *reader)
{
    if (take(reader, "!")) {
        const struct value value = read_primary(reader);
        return value.known ? number(value.number == 0) : unknown;
    }
    if (take(reader, "(")) {
        const struct value value = read_any(reader);
        reader->bad = !take(reader, ")") || reader->bad;
        return value;
    }
    reader->at = skip_blanks(reader->at);
    if (isdigit((unsigned char)*reader->at))
        return read_number(reader);
    if (lexical_name(reader->at) > 0)
        return read_name(reader);
    reader->bad = true;
    return unknown;
}

enum operation { EQUAL, DIFFERENT, NOT_MORE, NOT_LESS, LESS, MORE };

static struct value compare(int operation, struct value left, struct value right)
{
    if (!left.known || !right.known)
        return unknown;
    switch (operation) {
    case EQUAL:
        return number(left.number == right.number);
    case DIFFERENT:
        return number(left.number != right.number);
    case NOT_MORE:
        return number(left.number <= right.number);
    case NOT_LESS:
        return number(left.number >= right.number);
    case LESS:
        return number(left.number < right.number);
    default:
        return number(left.number > right.number);
    }
}

static struct value read_comparison(struct reader *reader)
{
    static const char *const operators[] = {"==", "!=", "<=", ">=", "<", ">"};
    struct value value = read_primary(reader);

    for (int i = 0; i <= MORE; ++i)
        if (take(reader, operators[i]))
            return compare(i, value, read_primary(reader));
    return value;
}

static struct value read_all(struct reader *reader)
{
    struct value value = read_comparison(reader);
    while (take(reader, "&&")) {
        const struct value right = read_comparison(reader);
        if ((value.known && value.number == 0) || (right.known && right.number == 0))
            value = number(0);
        else
            value = value.known && right.known ? number(1) : unknown;
    }
    return value;
}

static struct value read_any(struct reader *reader)
{
    struct value value = read_all(reader);
    while (take(reader, "||")) {
        const struct value right = read_all(reader);
        if ((value.known && value.number != 0) || (right.known && right.number != 0))
            value = number(1);
        else
            value = value.known && right.known ? number(0) : unknown;
    }
    return value;
}

enum truth macros_evaluate(const struct macros *macros, const char *condition)
{
    struct reader reader = {.macros = macros, .at = condition};
    const struct value value = read_any(&reader);

    if (reader.bad || !value.known || !is_at_end(&reader))
        return TRUTH_UNKNOWN;
    return value.number != 0 ? TRUTH_YES : TRUTH_NO;
}

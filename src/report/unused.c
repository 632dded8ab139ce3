#include "report/unused.h"

#include "report/lexical.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct span {
    const char *begin;
    size_t length;
};

/* A directive, a declaration or a definition, with the comments that stand right before it. */
struct item {
    struct span text;
    struct span name; /* that it can be left out by; empty: it stays */
    bool blank_before;
    bool kept;
};

struct items {
    struct item *list;
    size_t count;
    bool whole; /* the text cannot be cut */
    bool short_of_memory;
};

/* --- cutting --- */

/* What has been seen of a declaration so far, names and parentheses outside of any braces. */
struct declaration {
    struct span first, last, called, tagged; /* names: called stands before a parenthesis, tagged after struct */
    int parentheses, braces;
    bool has_body, has_initializer;
};

static bool is(const struct span *span, const char *word)
{
    return span->length == strlen(word) && memcmp(span->begin, word, span->length) == 0;
}

static void take_name(struct declaration *declaration, const char *name, size_t length)
{
    if (declaration->parentheses > 0 || declaration->braces > 0)
        return;
    if (is(&declaration->first, "struct") && declaration->tagged.length == 0)
        declaration->tagged = (struct span){name, length};
    if (declaration->first.length == 0)
        declaration->first = (struct span){name, length};
    declaration->last = (struct span){name, length};
}

static void take_sign(struct declaration *declaration, char sign)
{
    const bool outside = declaration->parentheses == 0 && declaration->braces == 0;

    if (sign == '(' && outside && !is(&declaration->last, "__attribute__"))
        declaration->called = declaration->last;
    if (sign == '=' && outside)
        declaration->has_initializer = true;
    if (sign == '{' && outside)
        declaration->has_body = true;
    declaration->parentheses += (sign == '(') - (sign == ')');
    declaration->braces += (sign == '{') - (sign == '}');
}

static bool is_over(const struct declaration *declaration, char sign)
{
    if (declaration->parentheses != 0 || declaration->braces != 0)
        return false;
    return sign == ';' || (sign == '}' && declaration->called.length > 0 && !declaration->has_initializer);
}

/* Whatever else stands in the line of what has just ended. */
static size_t rest_of_line(const char *text)
{
    size_t length = strspn(text, " \t");
    const size_t comment = lexical_comment(text + length);
    length += comment;
    length += strspn(text + length, " \t");
    return text[length] == '\n' ? length + 1 : 0;
}

/* The name without which nobody can refer to it. */
static struct span name_of(const struct declaration *declaration)
{
    const bool inside = is(&declaration->first, "static") || is(&declaration->first, "GL_INLINE");
    const bool called = declaration->called.length > 0;

    if (declaration->has_initializer || is(&declaration->last, "__attribute__"))
        return (struct span){NULL, 0};
    if (inside && called)
        return declaration->called;
    if (is(&declaration->first, "typedef") && !called)
        return declaration->last;
    if (declaration->has_body && !called && declaration->tagged.begin == declaration->last.begin)
        return declaration->tagged;
    return (struct span){NULL, 0};
}

/* Directives within a declaration must match: else it cannot go without them. */
static int directive_depth(const char *line)
{
    const char *directive = lexical_directive(line);
    if (directive == NULL)
        return 0;
    if (lexical_is(directive, "if") || lexical_is(directive, "ifdef") || lexical_is(directive, "ifndef"))
        return 1;
    return lexical_is(directive, "endif") ? -1 : 0;
}

/* Reads a declaration or a definition; its length, or 0 if it does not end. */
static size_t read_declaration(const char *text, struct item *item)
{
    struct declaration declaration = {.parentheses = 0};
    size_t length = 0;
    int depth = 0;
    bool matched = true;

    while (text[length] != '\0') {
        const char *at = text + length;
        const bool begins_line = length > 0 && at[-1] == '\n';
        const size_t opaque = lexical_opaque(at), name = lexical_name(at);
        if (begins_line && lexical_directive(at) != NULL) {
            depth += directive_depth(at);
            matched = matched && depth >= 0;
            length += lexical_line(at);
            continue;
        }
        if (name > 0)
            take_name(&declaration, at, name);
        else if (opaque == 0)
            take_sign(&declaration, *at);
        length += name > 0 ? name : opaque > 0 ? opaque : lexical_number(at) > 0 ? lexical_number(at) : 1;
        if (name == 0 && opaque == 0 && is_over(&declaration, *at)) {
            item->name = matched && depth == 0 ? name_of(&declaration) : (struct span){NULL, 0};
            return length + rest_of_line(text + length);
        }
    }
    return 0;
}

static size_t read_directive(const char *text, struct item *item)
{
    const char *directive = lexical_directive(text);

    if (lexical_is(directive, "define")) {
        const char *name = directive + strlen("define");
        name += strspn(name, " \t");
        item->name = (struct span){name, lexical_name(name)};
    }
    return lexical_line(text);
}

static void add(struct items *items, const struct item *item)
{
    struct item *list = realloc(items->list, (items->count + 1) * sizeof *list);
    if (list == NULL) {
        items->short_of_memory = true;
        return;
    }
    items->list = list;
    list[items->count++] = *item;
}

/* Passes blanks and comments; those comments after which no line is empty belong to the item. */
static const char *skip_to_item(const char *at, struct item *item)
{
    size_t comment = 0;

    for (item->text.begin = at;; at += comment) {
        const size_t blanks = strspn(at, " \t\n");
        size_t lines = comment > 0 ? 0 : 1; /* before anything a single end of a line is an empty line */
        for (size_t i = 0; i < blanks; ++i)
            lines += at[i] == '\n';
        at += blanks;
        if (lines > 1) {
            item->blank_before = true;
            item->text.begin = at;
        }
        comment = lexical_comment(at);
        if (comment == 0)
            return at;
    }
}

static void cut(struct items *items, const char *text)
{
    for (const char *at = text; !items->whole;) {
        struct item item = {.kept = false};
        at = skip_to_item(at, &item);
        if (*at == '\0')
            return;
        const size_t length = lexical_directive(at) != NULL ? read_directive(at, &item) : read_declaration(at, &item);
        items->whole = length == 0;
        at += length;
        item.text.length = (size_t)(at - item.text.begin);
        add(items, &item);
    }
}

/* --- keeping --- */

static size_t keep_named(struct items *items, const char *name, size_t length)
{
    size_t kept = 0;

    for (size_t i = 0; i < items->count; ++i) {
        struct item *item = &items->list[i];
        if (item->kept || item->name.length != length || memcmp(item->name.begin, name, length) != 0)
            continue;
        item->kept = true;
        ++kept;
    }
    return kept;
}

/* Keeps what an item uses; how many items that are. */
static size_t keep_used(struct items *items, const struct item *item)
{
    size_t kept = 0;

    for (size_t i = 0; i < item->text.length;) {
        const char *at = item->text.begin + i;
        const size_t opaque = lexical_opaque(at), number = lexical_number(at), name = lexical_name(at);
        if (at[0] == '#' && at[1] == '#')
            items->whole = true; /* a name may be put together from pieces */
        if (name > 0)
            kept += keep_named(items, at, name);
        i += opaque > 0 ? opaque : number > 0 ? number : name > 0 ? name : 1;
    }
    return kept;
}

/* What has no name stays, and what is used by what stays. */
static void keep(struct items *items)
{
    bool *seen = calloc(items->count + 1, sizeof *seen);
    size_t kept = 1;

    items->short_of_memory = items->short_of_memory || seen == NULL;
    for (size_t i = 0; i < items->count; ++i)
        items->list[i].kept = items->list[i].name.length == 0;
    while (kept > 0 && !items->short_of_memory) {
        kept = 0;
        for (size_t i = 0; i < items->count; ++i) {
            if (!items->list[i].kept || seen[i])
                continue;
            seen[i] = true;
            kept += 1 + keep_used(items, &items->list[i]);
        }
    }
    free(seen);
}

/* --- writing --- */

static char *write_kept(const struct items *items)
{
    char *text = NULL;
    size_t size = 0;
    bool blank = false, first = true;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        return NULL;
    for (size_t i = 0; i < items->count; ++i) {
        const struct item *item = &items->list[i];
        blank = blank || item->blank_before;
        if (!item->kept)
            continue;
        if (blank && !first)
            fputc('\n', out);
        blank = first = false;
        fwrite(item->text.begin, 1, item->text.length, out);
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

char *unused_drop(const char *text)
{
    struct items items = {.list = NULL};
    char *result = NULL;

    cut(&items, text);
    if (!items.whole && !items.short_of_memory)
        keep(&items);
    if (!items.short_of_memory)
        result = items.whole ? strdup(text) : write_kept(&items);
    free(items.list);
    return result;
}

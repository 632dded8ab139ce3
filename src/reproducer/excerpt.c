#include "reproducer/excerpt.h"

#include "base/alloc.h"
#include "core/tokens.h"
#include "reproducer/files.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 128 };

struct excerpt_piece {
    char *text;
    bool whole; /* a text that stays, and has its own empty lines */
    bool blank_before;
    bool absent; /* its condition does not hold */
    bool kept;
    bool searched; /* what it names is kept as well */
};

void excerpt_fini(struct excerpt *excerpt)
{
    for (size_t i = 0; i < excerpt->count; ++i)
        free(excerpt->pieces[i].text);
    free(excerpt->pieces);
    *excerpt = (struct excerpt){.pieces = NULL};
}

/* --- names --- */

static bool begins(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0;
}

/* The name that ends before this place. */
static const char *name_before(const char *line, const char *end, size_t *length)
{
    const char *begin = end;
    while (begin > line && token_is_of_name(begin[-1]))
        --begin;
    *length = (size_t)(end - begin);
    return begin;
}

/* Where the name of the variable ends that a whole line defines; NULL: it defines none. */
static const char *variable_end(const char *line)
{
    const size_t length = strcspn(line, "[=(;{\n");
    const char *rest = strpbrk(line, ";\n");

    if (!begins(line, "static ") || rest == NULL || *rest != ';' || line[length] == '(' || line[length] == '{')
        return NULL;
    rest += 1 + strspn(rest + 1, " ");
    return *rest == '\n' || begins(rest, "/*") ? line + length - (line[length] == '=') : NULL;
}

/* What a line that is not indented defines; of length 0: nothing. */
static const char *defined_name(const char *line, size_t *length)
{
    const size_t size = strcspn(line, "\n");
    const char *variable = variable_end(line);
    const char *parenthesis = memchr(line, '(', size), *semicolon = memchr(line, ';', size);

    *length = 0;
    if (begins(line, "#define ") || (begins(line, "struct ") && size > 0 && line[size - 1] == '{')) {
        line += strcspn(line, " ") + 1;
        *length = token_name(line);
        return line;
    }
    if (variable != NULL)
        return name_before(line, variable, length);
    if (begins(line, "typedef ") && semicolon != NULL)
        return name_before(line, semicolon, length);
    if (!isalpha((unsigned char)*line) || parenthesis == NULL || line[size - 1] == ';' || line[size - 1] == '/')
        return line; /* no definition */
    return name_before(line, parenthesis, length);
}

/* A line of the piece defines the name; NULL: any. */
static bool offers(const struct excerpt_piece *piece, const char *name, size_t length)
{
    size_t found;

    for (const char *line = piece->text; *line != '\0'; line += reproducer_line(line)) {
        const char *defined = defined_name(line, &found);
        if (found > 0 && (name == NULL || (found == length && memcmp(defined, name, length) == 0)))
            return true;
    }
    return false;
}

/* The next name at or after `at`, outside of comments and strings; NULL: there is none. */
static const char *next_name(const char *at, size_t *length)
{
    while (*at != '\0') {
        const char *behind = *at == '"' ? token_skip_literal(at) : token_skip_gap(at);
        if (behind == at && (*length = token_name(at)) > 0)
            return at;
        at = behind == at ? at + 1 : behind;
    }
    return NULL;
}

/* A line of the piece names it in an enumeration. */
static bool enumerates(const struct excerpt_piece *piece, const char *name, size_t length)
{
    size_t found;

    for (const char *line = piece->text; *line != '\0'; line += reproducer_line(line)) {
        const char *next = begins(line, "enum {") ? line : NULL;
        while (next != NULL && (next = next_name(next, &found)) != NULL && next < line + reproducer_line(line)) {
            if (found == length && memcmp(next, name, length) == 0)
                return true;
            next += found;
        }
    }
    return false;
}

static bool any_offers(const struct excerpt *excerpt, const char *name, size_t length)
{
    for (size_t i = 0; i < excerpt->count; ++i)
        if (offers(&excerpt->pieces[i], name, length) || enumerates(&excerpt->pieces[i], name, length))
            return true;
    return false;
}

/* --- cutting --- */

/* A piece of this text, which stays at once if it is whole or has no name. */
static void append(struct excerpt *excerpt, const char *text, size_t length, struct excerpt_piece piece)
{
    piece.text = xstrndup(text, length);
    piece.kept = piece.whole || (!piece.absent && !offers(&piece, NULL, 0));
    GROW(excerpt->pieces, excerpt->count);
    excerpt->pieces[excerpt->count++] = piece;
}

void excerpt_add(struct excerpt *excerpt, const char *text, size_t length)
{
    if (length > 0)
        append(excerpt, text, length, (struct excerpt_piece){.whole = true});
}

/* Inclusions, and the guard against a second one. */
static bool is_left_out(const char *line)
{
    return begins(line, "#include \"") || begins(line, "#ifndef GRIDLOCK_") || begins(line, "#define GRIDLOCK_") ||
           begins(line, "#endif");
}

/* The piece that begins here: within directives and definitions none ends. */
static size_t piece_length(const char *text, const char *end)
{
    bool inside = false, joined = false, is_macro = false;
    size_t length = 0;
    int depth = 0;

    while (text + length < end) {
        const char *line = text + length;
        const size_t last = strcspn(line, "\n") - (*line != '\n'); /* character, in front of the line's end */
        if (depth == 0 && !inside && !joined && (*line == '\n' || is_left_out(line)))
            break;
        is_macro = joined ? is_macro : begins(line, "#define");
        joined = line[last] == '\\';
        depth += begins(line, "#if") - begins(line, "#endif");
        inside = *line != '}' && (inside || (!isspace((unsigned char)*line) && line[last] == '{'));
        length += reproducer_line(line);
        if (depth == 0 && !inside && !joined && (is_macro || *line == '}' || variable_end(line) != NULL))
            break;
    }
    return length;
}

/* "#if defined(NAME)" alone. */
static bool is_condition(const char *line, char name[NAME_BYTES])
{
    char end = '\0';
    return sscanf(line, "#if defined(%127[A-Za-z0-9_])%c", name, &end) == 2 && end == '\n';
}

void excerpt_add_library(struct excerpt *excerpt, const char *text, size_t length, bool resolved)
{
    const char *end = text + length;
    bool blank = excerpt->count > 0, absent = false;
    char name[NAME_BYTES];

    while (text < end) {
        const bool is_begin = resolved && is_condition(text, name);
        size_t taken = reproducer_line(text);
        if (*text == '\n' || is_left_out(text) || is_begin) {
            absent = is_begin ? !any_offers(excerpt, name, strlen(name)) : absent && !begins(text, "#endif");
            blank = blank || *text == '\n';
        } else {
            taken = piece_length(text, end);
            append(excerpt, text, taken, (struct excerpt_piece){.blank_before = blank, .absent = absent});
            blank = false;
        }
        text += taken;
    }
}

/* --- choosing --- */

static void keep(struct excerpt *excerpt, const char *name, size_t length)
{
    struct excerpt_piece *found = NULL;

    for (size_t i = excerpt->count; i-- > 0;) {
        struct excerpt_piece *piece = &excerpt->pieces[i];
        if (piece->absent || !offers(piece, name, length))
            continue;
        if (piece->kept)
            return;
        found = piece;
    }
    if (found != NULL)
        found->kept = true;
}

static void choose(struct excerpt *excerpt)
{
    size_t length;

    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < excerpt->count; ++i) {
            struct excerpt_piece *piece = &excerpt->pieces[i];
            if (!piece->kept || piece->searched)
                continue;
            piece->searched = changed = true;
            for (const char *name = piece->text; (name = next_name(name, &length)) != NULL; name += length)
                keep(excerpt, name, length);
        }
    }
}

const char *excerpt_find_missing(const struct excerpt *excerpt, const struct excerpt *others, size_t *length)
{
    for (size_t i = 0; i < excerpt->count; ++i) {
        const char *name = excerpt->pieces[i].kept ? excerpt->pieces[i].text : "";
        for (; (name = next_name(name, length)) != NULL; name += *length)
            if (any_offers(others, name, *length) && !any_offers(excerpt, name, *length))
                return name;
    }
    return NULL;
}

/* Its last line is a macro of one line: with another one after it it needs no empty line. */
static bool ends_with_macro(const struct excerpt_piece *piece)
{
    const char *last = piece->text + strlen(piece->text) - 1;
    while (last > piece->text && last[-1] != '\n')
        --last;
    return !piece->whole && begins(last, "#define");
}

static void write_chosen(const struct excerpt *excerpt, FILE *out)
{
    bool blank = false, after_blank = true, was_macro = false;

    for (size_t i = 0; i < excerpt->count; ++i) {
        const struct excerpt_piece *piece = &excerpt->pieces[i];
        blank = !piece->whole && (blank || piece->blank_before);
        if (!piece->kept)
            continue;
        if (blank && !after_blank && !(was_macro && begins(piece->text, "#define")))
            fputc('\n', out);
        blank = false;
        was_macro = ends_with_macro(piece);
        const size_t length = strlen(piece->text);
        after_blank = length > 1 && strcmp(piece->text + length - 2, "\n\n") == 0;
        fputs(piece->text, out);
    }
}

char *excerpt_text(struct excerpt *excerpt)
{
    char *text = NULL;
    FILE *out = xopen_memstream(&text, NULL);

    choose(excerpt);
    write_chosen(excerpt, out);
    return xclose_memstream(out, &text);
}

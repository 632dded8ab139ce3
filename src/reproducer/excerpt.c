#include "reproducer/excerpt.h"

#include "base/grow.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 128 };

struct excerpt_piece {
    const char *begin;
    size_t length;
    bool whole; /* a text that stays, and has its own empty lines */
    bool blank_before;
    bool absent; /* its condition does not hold */
    bool kept;
};

void excerpt_fini(struct excerpt *excerpt)
{
    free(excerpt->pieces);
    *excerpt = (struct excerpt){.pieces = NULL};
}

static void append(struct excerpt *excerpt, const struct excerpt_piece *piece)
{
    if (GROW(excerpt->pieces, excerpt->count) == 0)
        excerpt->pieces[excerpt->count++] = *piece;
    else
        excerpt->short_of_memory = true;
}

void excerpt_add(struct excerpt *excerpt, const char *text, size_t length)
{
    if (length > 0)
        append(excerpt, &(struct excerpt_piece){.begin = text, .length = length, .whole = true, .kept = true});
}

/* --- names --- */

static size_t line_length(const char *line)
{
    const size_t length = strcspn(line, "\n");
    return length + (line[length] == '\n');
}

static bool begins(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0;
}

static size_t name_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        ++length;
    return length;
}

/* The name that ends before this place. */
static const char *name_before(const char *line, const char *end, size_t *length)
{
    const char *begin = end;
    while (begin > line && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_'))
        --begin;
    *length = (size_t)(end - begin);
    return begin;
}

/* What a line that is not indented defines; of length 0: nothing. */
static const char *defined_name(const char *line, size_t *length)
{
    const size_t size = strcspn(line, "\n");
    const char *parenthesis = memchr(line, '(', size), *semicolon = memchr(line, ';', size);

    *length = 0;
    if (begins(line, "#define ") || (begins(line, "struct ") && size > 0 && line[size - 1] == '{')) {
        line += strcspn(line, " ") + 1;
        *length = name_length(line);
        return line;
    }
    if (begins(line, "typedef ") && semicolon != NULL)
        return name_before(line, semicolon, length);
    if (!isalpha((unsigned char)*line) || parenthesis == NULL || line[size - 1] == ';' || line[size - 1] == '/')
        return line; /* no definition */
    return name_before(line, parenthesis, length);
}

static bool offers(const struct excerpt_piece *piece, const char *name, size_t length)
{
    const char *end = piece->begin + piece->length;
    size_t found;

    for (const char *line = piece->begin; line < end; line += line_length(line)) {
        const char *defined = defined_name(line, &found);
        if (found == length && memcmp(defined, name, length) == 0)
            return true;
    }
    return false;
}

static bool has_names(const struct excerpt_piece *piece)
{
    size_t length = 0;
    for (const char *line = piece->begin; length == 0 && line < piece->begin + piece->length; line += line_length(line))
        defined_name(line, &length);
    return length > 0;
}

bool excerpt_defines(const struct excerpt *excerpt, const char *name)
{
    for (size_t i = 0; i < excerpt->count; ++i) {
        const struct excerpt_piece *piece = &excerpt->pieces[i];
        for (const char *line = piece->begin; line < piece->begin + piece->length; line += line_length(line))
            if (begins(line, "#define ") && name_length(line + 8) == strlen(name) && begins(line + 8, name))
                return true;
    }
    return false;
}

/* The next name at or after `at`, outside of comments and strings; NULL: none before `end`. */
static const char *next_name(const char *at, const char *end, size_t *length)
{
    while (at < end) {
        const char *close = NULL;
        size_t skipped = 1;
        if (begins(at, "/*")) {
            close = strstr(at + 2, "*/");
            skipped = close != NULL ? (size_t)(close - at) + 2 : strlen(at);
        } else if (begins(at, "//")) {
            skipped = line_length(at);
        } else if (*at == '"') {
            while (at[skipped] != '"' && at[skipped] != '\n' && at[skipped] != '\0')
                skipped += at[skipped] == '\\' && at[skipped + 1] != '\0' ? 2 : 1;
            ++skipped;
        } else if (isalnum((unsigned char)*at) || *at == '_') {
            *length = name_length(at);
            return at;
        }
        at += skipped;
    }
    return NULL;
}

/* --- cutting --- */

/* Where the reader of a library is: within directives and definitions no piece ends. */
struct cutter {
    int depth;
    bool inside, joined;
};

static void read_line(struct cutter *cutter, const char *line, size_t length)
{
    while (length > 0 && line[length - 1] == '\n')
        --length;
    cutter->joined = length > 0 && line[length - 1] == '\\';
    cutter->depth += begins(line, "#if") - begins(line, "#endif");
    if (*line == '}')
        cutter->inside = false;
    else if (length > 0 && !isspace((unsigned char)*line) && line[length - 1] == '{')
        cutter->inside = true;
}

/* Inclusions, and the guard against a second one. */
static bool is_left_out(const char *line)
{
    return begins(line, "#include \"") || begins(line, "#ifndef GRIDLOCK_") || begins(line, "#define GRIDLOCK_") ||
           begins(line, "#endif");
}

/* The piece that begins here. */
static size_t piece_length(const char *text)
{
    struct cutter cutter = {.depth = 0};
    bool is_macro = false;
    size_t length = 0;

    while (text[length] != '\0') {
        const char *line = text + length;
        const size_t size = line_length(line);
        const bool is_open = cutter.inside || cutter.joined || cutter.depth > 0;
        if (!is_open && (*line == '\n' || is_left_out(line)))
            break;
        is_macro = cutter.joined ? is_macro : begins(line, "#define");
        read_line(&cutter, line, size);
        length += size;
        if (!cutter.inside && !cutter.joined && cutter.depth == 0 && (is_macro || *line == '}'))
            break;
    }
    return length;
}

/* "#if defined(NAME)" alone, which is gone by where `is_defined` is not NULL. */
static bool is_condition(const char *line, char name[NAME_BYTES])
{
    char end = '\0';
    return sscanf(line, "#if defined(%127[A-Za-z0-9_])%c", name, &end) == 2 && end == '\n';
}

void excerpt_add_library(struct excerpt *excerpt, const char *text,
                         bool (*is_defined)(const void *context, const char *name), const void *context)
{
    bool blank = excerpt->count > 0, absent = false;
    char name[NAME_BYTES];

    while (*text != '\0') {
        const bool is_begin = is_defined != NULL && is_condition(text, name);
        if (*text == '\n' || is_left_out(text) || is_begin) {
            absent = is_begin ? !is_defined(context, name) : absent && !begins(text, "#endif");
            blank = blank || *text == '\n';
            text += line_length(text);
            continue;
        }
        struct excerpt_piece piece = {.begin = text, .blank_before = blank, .absent = absent};
        piece.length = piece_length(text);
        text += piece.length;
        piece.kept = !piece.absent && !has_names(&piece);
        append(excerpt, &piece);
        blank = false;
    }
}

/* --- choosing --- */

static bool keep(struct excerpt *excerpt, const char *name, size_t length)
{
    struct excerpt_piece *found = NULL;

    for (size_t i = excerpt->count; i-- > 0;) {
        struct excerpt_piece *piece = &excerpt->pieces[i];
        if (piece->absent || !offers(piece, name, length))
            continue;
        if (piece->kept)
            return false;
        found = piece;
    }
    if (found != NULL)
        found->kept = true;
    return found != NULL;
}

static size_t keep_used(struct excerpt *excerpt, size_t i)
{
    const char *end = excerpt->pieces[i].begin + excerpt->pieces[i].length;
    size_t kept = 0, length;

    for (const char *name = excerpt->pieces[i].begin; (name = next_name(name, end, &length)) != NULL; name += length)
        kept += keep(excerpt, name, length);
    return kept;
}

int excerpt_choose(struct excerpt *excerpt)
{
    bool *seen = calloc(excerpt->count + 1, sizeof *seen);

    excerpt->short_of_memory = excerpt->short_of_memory || seen == NULL;
    for (size_t changed = 1; changed > 0 && !excerpt->short_of_memory;) {
        changed = 0;
        for (size_t i = 0; i < excerpt->count; ++i) {
            if (!excerpt->pieces[i].kept || seen[i])
                continue;
            seen[i] = true;
            changed += 1 + keep_used(excerpt, i);
        }
    }
    free(seen);
    return excerpt->short_of_memory ? -1 : 0;
}

/* A line of the piece names it in an enumeration. */
static bool enumerates(const struct excerpt_piece *piece, const char *name, size_t length)
{
    const char *end = piece->begin + piece->length;
    size_t found;

    for (const char *line = piece->begin; line < end; line += line_length(line)) {
        const char *next = begins(line, "enum {") ? line : NULL;
        while (next != NULL && (next = next_name(next, line + line_length(line), &found)) != NULL) {
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

const char *excerpt_find_missing(const struct excerpt *excerpt, const struct excerpt *others, size_t *length)
{
    for (size_t i = 0; i < excerpt->count; ++i) {
        const struct excerpt_piece *piece = &excerpt->pieces[i];
        const char *end = piece->begin + piece->length, *name = piece->begin;
        for (; piece->kept && (name = next_name(name, end, length)) != NULL; name += *length)
            if (any_offers(others, name, *length) && !any_offers(excerpt, name, *length))
                return name;
    }
    return NULL;
}

/* Its last line is a macro of one line: with another one after it it needs no empty line. */
static bool ends_with_macro(const struct excerpt_piece *piece)
{
    const char *last = piece->begin + piece->length - 1;
    while (last > piece->begin && last[-1] != '\n')
        --last;
    return !piece->whole && begins(last, "#define");
}

void excerpt_write(const struct excerpt *excerpt, FILE *out)
{
    bool blank = false, after_blank = true, was_macro = false;

    for (size_t i = 0; i < excerpt->count; ++i) {
        const struct excerpt_piece *piece = &excerpt->pieces[i];
        blank = !piece->whole && (blank || piece->blank_before);
        if (!piece->kept)
            continue;
        const bool is_macro = begins(piece->begin, "#define");
        if (blank && !after_blank && !(is_macro && was_macro))
            fputc('\n', out);
        blank = false;
        was_macro = ends_with_macro(piece);
        after_blank = piece->length > 1 && memcmp(piece->begin + piece->length - 2, "\n\n", 2) == 0;
        fwrite(piece->begin, 1, piece->length, out);
    }
}

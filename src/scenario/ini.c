#include "scenario/ini.h"

#include <ini.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { SECTIONS = 16, SECTION_BYTES = 50 };

struct source {
    const char *at;
    const char *end;
    const char *file;
    unsigned line; /* last given to inih, from 1 */
    bool indented; /* that line */
    bool has_pair; /* the present section: an indented line goes on with it */
    char sections[SECTIONS][SECTION_BYTES];
    size_t section_count;
    ini_take *take;
    void *context;
    struct error *error;
    bool failed;
};

static void fail(struct source *source, unsigned line, const char *what)
{
    if (source->failed)
        return;
    source->failed = true;
    error_set(source->error, STATUS_USAGE, "%s:%u: %s", source->file, line, what);
}

static bool is_text(const char *line, size_t length)
{
    for (size_t i = 0; i < length; ++i)
        if (((unsigned char)line[i] < 0x20 && line[i] != '\t' && !(line[i] == '\r' && i + 1 == length)) ||
            line[i] == 0x7f)
            return false;
    return true;
}

static size_t count_blanks(const char *line, size_t length)
{
    size_t count = 0;
    while (count < length && (line[count] == ' ' || line[count] == '\t'))
        ++count;
    return count;
}

static bool has_comment_behind(const char *line, size_t length)
{
    const size_t first = count_blanks(line, length);
    if (first < length && (line[first] == '#' || (line[first] == ';' && first == 0)))
        return false; /* all of it is one */
    if (first < length && line[first] == ';')
        return true; /* a clause of a rule, it seems */
    for (size_t i = first + 1; i < length; ++i)
        if (line[i] == ';' && (line[i - 1] == ' ' || line[i - 1] == '\t'))
            return true;
    return false;
}

/* A section may come only once: inih would merge the two. */
static void note_section(struct source *source, const char *line, size_t length)
{
    const char *close = memchr(line, ']', length);
    const size_t name = close != NULL ? (size_t)(close - line) - 1 : 0;
    bool alone = true;

    for (size_t i = name + 2; i < length; ++i)
        alone = alone && strchr(" \t\r", line[i]) != NULL;
    if (name == 0 || name >= SECTION_BYTES || !alone) {
        fail(source, source->line, "expected a section in the form [name]");
        return;
    }
    if (source->section_count == SECTIONS) {
        fail(source, source->line, "too many sections");
        return;
    }
    for (size_t i = 0; i < source->section_count; ++i)
        if (strlen(source->sections[i]) == name && strncmp(source->sections[i], line + 1, name) == 0)
            fail(source, source->line, "this section is given twice");
    snprintf(source->sections[source->section_count++], SECTION_BYTES, "%.*s", (int)name, line + 1);
    source->has_pair = false;
}

/* Gives inih the next line; after a failure there is none. */
static char *next_line(char *buffer, int size, void *context)
{
    struct source *source = context;
    const size_t left = (size_t)(source->end - source->at);
    const char *newline = memchr(source->at, '\n', left);
    const size_t length = newline != NULL ? (size_t)(newline - source->at) : left;

    if (left == 0 || source->failed)
        return NULL;
    const size_t blanks = count_blanks(source->at, length);
    source->line += 1;
    source->indented = source->at[0] == ' ' || source->at[0] == '\t';
    if (length + 2 > INI_LINE_BYTES || length + 2 > (size_t)size)
        fail(source, source->line, "the line is longer than 198 bytes: continue lists on indented lines");
    else if (!is_text(source->at, length))
        fail(source, source->line, "the line has a byte that is not text");
    else if (has_comment_behind(source->at, length))
        fail(source, source->line, "a ; after a blank begins a comment: write it directly after the previous word");
    else if (source->line == 1 && length >= 3 && memcmp(source->at, "\xef\xbb\xbf", 3) == 0)
        fail(source, source->line, "the file begins with a byte order mark: remove it");
    else if (blanks < length && source->at[blanks] == '[' && !(source->indented && source->has_pair))
        note_section(source, source->at + blanks, length - blanks);
    if (source->failed)
        return NULL;
    memcpy(buffer, source->at, length);
    buffer[length] = '\n';
    buffer[length + 1] = '\0';
    source->at += length + (newline != NULL);
    return buffer;
}

static int take_pair(void *context, const char *section, const char *key, const char *value)
{
    struct source *source = context;
    struct error inner = {0};

    if (source->failed)
        return 0;
    source->has_pair = true;
    const struct ini_pair pair = {
        .section = section,
        .key = key,
        .value = value != NULL ? value : "",
        .line = source->line,
        .goes_on = source->indented,
    };
    if (source->take(source->context, &pair, &inner) == 0)
        return 1;
    fail(source, source->line, inner.text);
    return 0;
}

int ini_read(const char *text, size_t length, const char *file, ini_take *take, void *context, struct error *error)
{
    struct source source = {
        .at = text, .end = text + length, .file = file, .take = take, .context = context, .error = error};

    if (length > INI_FILE_BYTES)
        return error_set(error, STATUS_USAGE, "%s:1: the file is larger than 1 MiB", file);
    const int refused = ini_parse_stream(next_line, &source, take_pair, &source);
    if (refused > 0)
        fail(&source, (unsigned)refused, "expected [section], key = value or a comment");
    else if (refused < 0)
        return error_set(error, STATUS_HARNESS, "%s: no memory to read it", file);
    return source.failed ? -1 : 0;
}

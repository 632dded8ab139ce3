#include "scenario/ini.h"

#include "base/alloc.h"

#include <ini.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { SECTIONS = 16, SECTION_BYTES = 50 };

static const char blanks[] = " \t";

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

/* A line that begins with blanks and a semicolon may be a clause of a rule; one that begins with it is a comment. */
static bool has_comment_behind(const char *line)
{
    if (line[0] == ';' || line[strspn(line, blanks)] == '#')
        return false; /* all of it is one */
    return strstr(line, " ;") != NULL || strstr(line, "\t;") != NULL;
}

/* A section may come only once: inih would merge the two. */
static void note_section(struct source *source, const char *line)
{
    const char *close = strchr(line, ']');
    const size_t name = close != NULL ? (size_t)(close - line) - 1 : 0;

    if (name == 0 || name >= SECTION_BYTES || close[1 + strspn(close + 1, " \t\r")] != '\0') {
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
    source->line += 1;
    if (length + 2 > INI_LINE_BYTES || length + 2 > (size_t)size) {
        fail(source, source->line, "the line is longer than 198 bytes: continue lists on indented lines");
        return NULL;
    }
    memcpy(buffer, source->at, length);
    buffer[length] = '\0';
    source->at += length + (newline != NULL);
    const char *first = buffer + strspn(buffer, blanks);
    source->indented = first > buffer;
    if (!is_text(buffer, length))
        fail(source, source->line, "the line has a byte that is not text");
    else if (has_comment_behind(buffer))
        fail(source, source->line, "a ; after a blank begins a comment: write it directly after the previous word");
    else if (source->line == 1 && strncmp(buffer, "\xef\xbb\xbf", 3) == 0)
        fail(source, source->line, "the file begins with a byte order mark: remove it");
    else if (*first == '[' && !(source->indented && source->has_pair))
        note_section(source, first);
    if (source->failed)
        return NULL;
    memcpy(buffer + length, "\n", 2);
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
        out_of_memory(0);
    return source.failed ? -1 : 0;
}

#include "core/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

/* The first character after an escape sequence that begins at `from` (ECMA-48: ESC [ parameters final). */
static const char *skip_escape(const char *from)
{
    const char *at = from + 1;
    if (*at != '[')
        return at;
    ++at;
    while (*at >= 0x20 && *at <= 0x3f)
        ++at;
    return *at >= 0x40 && *at <= 0x7e ? at + 1 : at;
}

void text_make_plain(char *text)
{
    char *out = text;
    for (const char *at = text; *at != '\0';) {
        if (*at == 0x1b) {
            at = skip_escape(at);
            continue;
        }
        const bool plain = *at >= ' ' && *at <= '~';
        *out++ = (char)(plain ? *at : '?');
        ++at;
    }
    *out = '\0';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Its length without blanks at its end. */
static size_t line_length(const char *line)
{
    size_t length = strcspn(line, "\n");

    while (length > 0 && is_blank(line[length - 1]))
        --length;
    return length;
}

void text_of_log(const char *log, char *line, size_t size)
{
    static const char blanks[] = " \t\r\n";
    const char *named = strstr(log, "error:");
    const char *found = named != NULL ? named : strcasestr(log, "error");

    while (found != NULL && found > log && found[-1] != '\n')
        --found;
    if (found == NULL)
        found = log + strspn(log, blanks);
    const size_t length = line_length(found);
    const char *below = found + length + strspn(found + length, blanks);
    const bool heads = length > 0 && found[length - 1] == ':' && *below != '\0';
    snprintf(line, size, "%.*s%s%.*s", (int)length, found, heads ? " " : "", heads ? (int)line_length(below) : 0,
             below);
    text_make_plain(line);
}

const char *text_s(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static void append(char *text, size_t size, const char *format, va_list arguments)
{
    const size_t used = strlen(text);
    vsnprintf(text + used, size - used, format, arguments);
}

void text_append(char *text, size_t size, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    append(text, size, format, arguments);
    va_end(arguments);
}

void text_list(char *text, size_t size, const char *between, const char *format, ...)
{
    va_list arguments;

    if (text[0] != '\0')
        text_append(text, size, "%s", between);
    va_start(arguments, format);
    append(text, size, format, arguments);
    va_end(arguments);
}

size_t text_item(const char **text, char *item, size_t size)
{
    const size_t length = strcspn(*text, ",");

    snprintf(item, size, "%.*s", (int)(length < size ? length : size - 1), *text);
    *text = (*text)[length] == ',' ? *text + length + 1 : NULL;
    return length;
}

size_t text_included(const char *line, const char **name)
{
    line += strspn(line, " \t");
    if (*line++ != '#')
        return 0;
    line += strspn(line, " \t");
    if (strncmp(line, "include", 7) != 0)
        return 0;
    line += 7 + strspn(line + 7, " \t");
    if (*line != '"')
        return 0;
    *name = line + 1;
    const size_t length = strcspn(line + 1, "\"\n");
    return line[1 + length] == '"' ? length : 0;
}

void text_wrap(const struct text_page *page, const char *text)
{
    const char *margin = page->first;
    int column = 0, used = page->used;

    while (*(text += strspn(text, " ")) != '\0') {
        const size_t length = strcspn(text, " ");
        if (column > 0 && used + column + 1 + (int)length > page->columns) {
            fputc('\n', page->out);
            column = used = 0;
        }
        column += fprintf(page->out, "%s", column > 0 ? " " : margin);
        column += page->put != NULL ? page->put(page->out, text, length) : (int)fwrite(text, 1, length, page->out);
        margin = page->margin;
        text += length;
    }
    if (!page->open)
        fputc('\n', page->out);
}

#include "format/escape.h"

#include "format/utf8.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_control(char byte)
{
    return (unsigned char)byte < ' ' || byte == 0x7f;
}

/* The character at *text, and goes on behind it; *length is 0 where a byte belongs to none. */
static const char *next(const char **text, size_t *length)
{
    const char *at = *text;
    *length = utf8_length(at);
    *text += *length > 0 ? *length : 1;
    return at;
}

/* --- JSON --- */

static void json_control(FILE *out, char byte)
{
    static const char letters[] = {['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r'};
    const unsigned char code = (unsigned char)byte;

    if (code < sizeof letters && letters[code] != 0)
        fprintf(out, "\\%c", letters[code]);
    else
        fprintf(out, "\\u%04x", code);
}

/* Bytes that stand for themselves in a string of JSON. */
static size_t plain_length(const char *text)
{
    size_t length = 0;
    while ((unsigned char)text[length] < 0x80 && !is_control(text[length]) && text[length] != '"' &&
           text[length] != '\\')
        ++length;
    return length;
}

void escape_json(FILE *out, const char *text)
{
    fputc('"', out);
    while (*text != '\0') {
        size_t length = plain_length(text);
        fwrite(text, 1, length, out);
        text += length;
        if (*text == '\0')
            break;
        const char *at = next(&text, &length);
        if (length == 0)
            fputc('?', out);
        else if (is_control(*at))
            json_control(out, *at);
        else if (*at == '"' || *at == '\\')
            fprintf(out, "\\%c", *at);
        else
            fwrite(at, 1, length, out);
    }
    fputc('"', out);
}

/* --- numbers --- */

/* printf writes the point of the locale. */
static void write_with_point(FILE *out, char *digits)
{
    for (char *at = digits; *at != '\0'; ++at)
        if (strchr("+-0123456789einfa", *at) == NULL)
            *at = '.';
    fputs(digits, out);
}

void escape_real(FILE *out, double value)
{
    char digits[40];
    const int length = snprintf(digits, sizeof digits, "%.17g", value);
    if (strpbrk(digits, ".,einf") == NULL)
        snprintf(digits + length, sizeof digits - (size_t)length, ".0"); /* so that it stays a real */
    write_with_point(out, digits);
}

void escape_decimal(FILE *out, double value, int decimals)
{
    char digits[360];
    snprintf(digits, sizeof digits, "%.*f", decimals, value);
    write_with_point(out, digits);
}

/* --- XML --- */

/* U+FFFE and U+FFFF are no characters of XML, and of the controls only tab, line feed and carriage return. */
static bool is_xml(const char *at, size_t length)
{
    if (length == 1)
        return !is_control(*at) || *at == '\t' || *at == '\n' || *at == '\r';
    return length > 0 && memcmp(at, "\xef\xbf\xbe", 3) != 0 && memcmp(at, "\xef\xbf\xbf", 3) != 0;
}

char *escape_xml(const char *text)
{
    char *copy = malloc(strlen(text) + 1), *end = copy;

    while (copy != NULL && *text != '\0') {
        size_t length;
        const char *at = next(&text, &length);
        if (is_xml(at, length)) {
            memcpy(end, at, length);
            end += length;
        } else {
            *end++ = '?';
        }
    }
    if (copy != NULL)
        *end = '\0';
    return copy;
}

/* --- CSV --- */

void escape_csv(FILE *out, const char *text)
{
    const bool formula = *text != '\0' && strchr("=+-@\t\r", *text) != NULL;
    const size_t size = strlen(text);
    const bool quoted = strpbrk(text, "\",\r\n") != NULL || (size > 0 && (text[0] == ' ' || text[size - 1] == ' '));

    if (quoted)
        fputc('"', out);
    if (formula)
        fputc('\'', out);
    while (*text != '\0') {
        size_t length;
        const char *at = next(&text, &length);
        if (length == 0 || (is_control(*at) && *at != '\t' && *at != '\r' && *at != '\n'))
            fputc('?', out);
        else
            fwrite(at, 1, length, out);
        if (*at == '"')
            fputc('"', out);
    }
    if (quoted)
        fputc('"', out);
}

/* --- the others, one line each --- */

void escape_markdown(FILE *out, const char *text)
{
    while (*text != '\0') {
        size_t length;
        const char *at = next(&text, &length);
        if (*at == '<')
            fputs("&lt;", out); /* a backslash would not keep all readers from taking it for a tag */
        else if (*at == '&')
            fputs("&amp;", out);
        else if (is_control(*at))
            fputc(' ', out);
        else if (length == 0)
            fputc('?', out);
        else if (strchr("\\`*_[]>|~#!", *at) != NULL)
            fprintf(out, "\\%c", *at);
        else
            fwrite(at, 1, length, out);
    }
}

static bool is_safe(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
           byte == '.' || byte == '_' || byte == '-';
}

void escape_lava(FILE *out, const char *text)
{
    while (*text != '\0') {
        size_t length;
        const char *at = next(&text, &length);
        fputc(is_safe(*at) ? *at : '_', out);
    }
}

void escape_label(FILE *out, const char *text)
{
    while (*text != '\0') {
        size_t length;
        const char *at = next(&text, &length);
        if (*at == '\n')
            fputs("\\n", out);
        else if (length == 0 || is_control(*at))
            fputc('?', out);
        else if (*at == '"' || *at == '\\')
            fprintf(out, "\\%c", *at);
        else
            fwrite(at, 1, length, out);
    }
}

void escape_dot(FILE *out, const char *text)
{
    while (*text != '\0') {
        size_t length;
        const char *at = next(&text, &length);
        if (*at == '\n')
            fputs("\\n", out);
        else if (*at == '&')
            fputs("&amp;", out); /* entities of HTML are read as what they name */
        else if (is_control(*at) || !is_xml(at, length))
            fputc('?', out);
        else if (*at == '"' || *at == '\\')
            fprintf(out, "\\%c", *at);
        else
            fwrite(at, 1, length, out);
    }
}

void escape_tap(FILE *out, const char *text)
{
    while (*text != '\0') {
        size_t length;
        const char *at = next(&text, &length);
        if (is_control(*at))
            fputc(' ', out);
        else if (length == 0)
            fputc('?', out);
        else if (*at == '#' || *at == '\\')
            fprintf(out, "\\%c", *at);
        else
            fwrite(at, 1, length, out);
    }
}

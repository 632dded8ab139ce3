#include "format/escape.h"

#include "base/alloc.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

/* Unicode's table 3-7: what the first byte of a longer character may be, and what the second one then may be. */
static const struct form {
    unsigned char first, last, least, most;
    size_t length;
} forms[] = {
    {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3},
    {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

size_t utf8_length(const char *text)
{
    const unsigned char *byte = (const unsigned char *)text;
    const struct form *form = forms, *end = forms + sizeof forms / sizeof *forms;

    if (byte[0] < 0x80)
        return 1;
    while (form < end && (byte[0] < form->first || byte[0] > form->last))
        ++form;
    if (form == end || byte[1] < form->least || byte[1] > form->most)
        return 0;
    for (size_t i = 2; i < form->length; ++i)
        if ((byte[i] & 0xc0) != 0x80)
            return 0;
    return form->length;
}

/* U+0080 to U+009F as well, of which U+009B begins an escape sequence of its own. */
static bool is_control(const char *at)
{
    const unsigned char *byte = (const unsigned char *)at;
    return byte[0] < ' ' || byte[0] == 0x7f || (byte[0] == 0xc2 && byte[1] >= 0x80 && byte[1] <= 0x9f);
}

/* The character at *text, and goes on behind it; *length is 0 where a byte belongs to none. */
static const char *next(const char **text, size_t *length)
{
    const char *at = *text;
    *length = utf8_length(at);
    *text += *length > 0 ? *length : 1;
    return at;
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

/* --- text --- */

/* How a syntax spells what does not stand for itself there; a member that is left out has no characters. */
struct spelling {
    const char *escaped;  /* with a backslash before them, */
    bool doubled;         /* or themselves */
    const char *entities; /* as entities of XML and HTML */
    const char *numbered; /* as references of XML to their numbers */
    const char *feed;     /* a line feed; NULL: like other control characters */
    const char *kept;     /* control characters that stand for themselves */
    char control;         /* for the others; 0: as JSON has them */
    bool is_xml;          /* what XML cannot hold is no character */
};

static bool is_in(const char *set, char character)
{
    return set != NULL && strchr(set, character) != NULL;
}

/* U+FFFE and U+FFFF are no characters of XML. */
static bool is_xml(const char *at)
{
    return strncmp(at, "\xef\xbf\xbe", 3) != 0 && strncmp(at, "\xef\xbf\xbf", 3) != 0;
}

/* NULL: there is none. */
static const char *entity(char byte)
{
    static const char *const entities[] = {['<'] = "&lt;", ['>'] = "&gt;", ['&'] = "&amp;", ['"'] = "&quot;"};
    const unsigned char code = (unsigned char)byte;
    return code < sizeof entities / sizeof *entities ? entities[code] : NULL;
}

/* Of two bytes, the second is the character's number. */
static void spell_control(FILE *out, const char *at, size_t length, char instead)
{
    static const char letters[] = {['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r'};
    const unsigned char code = (unsigned char)at[length - 1];

    if (instead != 0)
        fputc(instead, out);
    else if (code < sizeof letters && letters[code] != 0)
        fprintf(out, "\\%c", letters[code]);
    else
        fprintf(out, "\\u%04x", code);
}

/* Bytes that stand for themselves. */
static size_t plain_length(const char *text, const struct spelling *spelling)
{
    size_t length = 0;
    while ((unsigned char)text[length] < 0x80 && !is_control(&text[length]) &&
           !is_in(spelling->escaped, text[length]) && !is_in(spelling->entities, text[length]))
        ++length;
    return length;
}

static void spell(FILE *out, const char *text, const struct spelling *spelling)
{
    while (*text != '\0') {
        size_t length = plain_length(text, spelling);
        fwrite(text, 1, length, out);
        text += length;
        if (*text == '\0')
            break;
        const char *at = next(&text, &length);
        if (*at == '\n' && spelling->feed != NULL)
            fputs(spelling->feed, out);
        else if (is_in(spelling->numbered, *at))
            fprintf(out, "&#%d;", *at);
        else if (is_control(at) && !is_in(spelling->kept, *at))
            spell_control(out, at, length, spelling->control);
        else if (length == 0 || (spelling->is_xml && !is_xml(at)))
            fputc('?', out);
        else if (is_in(spelling->entities, *at))
            fputs(entity(*at), out);
        else if (is_in(spelling->escaped, *at))
            fprintf(out, "%c%c", spelling->doubled ? *at : '\\', *at);
        else
            fwrite(at, 1, length, out);
    }
}

void escape_json(FILE *out, const char *text)
{
    fputc('"', out);
    spell(out, text, &(struct spelling){.escaped = "\"\\"});
    fputc('"', out);
}

void escape_xml(FILE *out, const char *text)
{
    spell(out, text,
          &(struct spelling){.entities = "<>&\"", .numbered = "\r", .kept = "\t\n", .control = '?', .is_xml = true});
}

void escape_xml_value(FILE *out, const char *text)
{
    spell(out, text, &(struct spelling){.entities = "<>&\"", .numbered = "\t\n\r", .control = '?', .is_xml = true});
}

void escape_csv(FILE *out, const char *text)
{
    const size_t size = strlen(text);
    const bool quoted = strpbrk(text, "\",\r\n") != NULL || (size > 0 && (text[0] == ' ' || text[size - 1] == ' '));

    fputs(quoted ? "\"" : "", out);
    fputs(size > 0 && is_in("=+-@\t\r", *text) ? "'" : "", out);
    spell(out, text, &(struct spelling){.escaped = "\"", .doubled = true, .kept = "\t\n\r", .control = '?'});
    fputs(quoted ? "\"" : "", out);
}

void escape_text(FILE *out, const char *text)
{
    spell(out, text, &(struct spelling){.control = '?'});
}

/* A backslash before '<' would not keep all readers from taking it for a tag. */
void escape_markdown(FILE *out, const char *text)
{
    spell(out, text, &(struct spelling){.escaped = "\\`*_[]>|~#!", .entities = "<&", .control = ' '});
}

void escape_label(FILE *out, const char *text)
{
    spell(out, text, &(struct spelling){.escaped = "\"\\", .feed = "\\n", .control = '?'});
}

void escape_tap(FILE *out, const char *text)
{
    spell(out, text, &(struct spelling){.escaped = "#\\", .control = ' '});
}

/* Entities of HTML are read there as what they name. */
void escape_dot(FILE *out, const char *text)
{
    spell(out, text,
          &(struct spelling){.escaped = "\"\\", .entities = "&", .feed = "\\n", .control = '?', .is_xml = true});
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

void escape_each(escaper *escape, FILE *out, ...)
{
    va_list texts;
    bool is_value = false;

    va_start(texts, out);
    for (const char *text; (text = va_arg(texts, const char *)) != NULL; is_value = !is_value)
        if (is_value)
            escape(out, text);
        else
            fputs(text, out);
    va_end(texts);
}

/* --- streams --- */

/* NULL: it stands for itself. */
static const char *sieved(char byte, bool json)
{
    if (json)
        return byte == '<' ? "\\u003c" : NULL;
    return entity(byte);
}

static void put(struct sieve *sieve, const char *text, size_t size)
{
    sieve->bytes += size;
    if (sieve->out != NULL)
        fwrite(text, 1, size, sieve->out);
}

static ssize_t sift(void *cookie, const char *text, size_t size)
{
    struct sieve *sieve = cookie;
    size_t begin = 0;

    for (size_t i = 0; i < size; ++i) {
        const char *instead = sieved(text[i], sieve->json);
        if (instead == NULL)
            continue;
        put(sieve, text + begin, i - begin);
        put(sieve, instead, strlen(instead));
        begin = i + 1;
    }
    put(sieve, text + begin, size - begin);
    return (ssize_t)size;
}

FILE *sieve_open(struct sieve *sieve)
{
    FILE *stream = fopencookie(sieve, "w", (cookie_io_functions_t){.write = sift});

    if (stream == NULL)
        out_of_memory(0);
    return stream;
}

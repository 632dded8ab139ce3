/* All formats, names that none may stumble over, and what they write. */
#pragma once

#include "format/format.h"
#include "store_fixture.h"

#define LONG_NAME "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"

static const char *const names[] = {
    "a <b> & \"c\" %s%n",   "bell\x07 esc\x1b[31m\ttab\nline", "=cmd|' /C calc'!A0", "caf\xc3\xa9 \xff\xfe",
    LONG_NAME LONG_NAME "",
};
enum { NAMES = sizeof names / sizeof *names };

static const char *const formats[] = {"text",     "json", "jsonl",      "junit",    "tap", "csv",
                                      "markdown", "lava", "prometheus", "baseline", "html"};

/* The format's text, to be freed. */
static char *written(const struct report *report, const char *format)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(out);
    const struct text_style style = {true, &colors_none};
    ck_assert_msg(report_writers[naming_find(&report_formats, format)](out, report, &style, &error) == 0, "%s",
                  error.text);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_uint_eq(strlen(text), size); /* no zero byte */
    return text;
}

static inline void read_report(struct store *store, struct report *report)
{
    *report = (struct report){0};
    ck_assert_msg(report_read(report, store, &error) == 0, "%s", error.text);
}

/* Neither control characters nor bytes that are no UTF-8. */
static inline void check_clean(const char *text, const char *format, int name)
{
    for (const char *at = text; *at != '\0'; ++at)
        ck_assert_msg((unsigned char)*at >= ' ' || strchr("\t\r\n", *at) != NULL, "%s, name %d: byte %d", format, name,
                      *at);
    ck_assert_msg(strpbrk(text, "\x7f\xff\xfe") == NULL, "%s, name %d", format, name);
}

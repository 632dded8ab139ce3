/*
 * A page for a browser. All that it shows it draws from the JSON of its runs, which it carries; page/page.js does that. It
 * needs no network, and allows none.
 */
#include "base/source.h"
#include "format/escape.h"
#include "format/format.h"
#include "format/kind.h"

#include <stdlib.h>
#include <string.h>

/* What the data of all runs may take, so that a page with its style and its script stays below 5 MB. */
enum { PAGE_BYTES = 4900000 };

/* A stream of text that goes on to `out` as HTML, or as JSON inside HTML; NULL: it is only counted. */
struct sieve {
    FILE *out;
    bool json;
    size_t bytes;
};

static const char *escaped(char byte, bool json)
{
    switch (byte) {
    case '<':
        return json ? "\\u003c" : "&lt;";
    case '>':
        return json ? NULL : "&gt;";
    case '&':
        return json ? NULL : "&amp;";
    case '"':
        return json ? NULL : "&quot;";
    default:
        return NULL;
    }
}

static ssize_t sift(void *cookie, const char *text, size_t size)
{
    struct sieve *sieve = cookie;

    for (size_t i = 0; i < size; ++i) {
        const char *instead = escaped(text[i], sieve->json);
        sieve->bytes += instead != NULL ? strlen(instead) : 1;
        if (sieve->out != NULL && instead != NULL)
            fputs(instead, sieve->out);
        else if (sieve->out != NULL)
            fputc(text[i], sieve->out);
    }
    return (ssize_t)size;
}

/* NULL: memory is short. */
static FILE *sieve_open(struct sieve *sieve)
{
    return fopencookie(sieve, "w", (cookie_io_functions_t){.write = sift});
}

static int no_memory(struct error *error)
{
    return error_set(error, STATUS_HARNESS, "no memory for the page");
}

static int write_path(FILE *out, const char *path, struct error *error)
{
    struct sieve sieve = {.out = out};
    FILE *stream = sieve_open(&sieve);

    if (stream == NULL)
        return no_memory(error);
    escape_text(stream, path);
    fclose(stream);
    return 0;
}

/* For browsers that run no scripts. */
static int write_text(FILE *out, const struct report *report, size_t *bytes, struct error *error)
{
    struct sieve sieve = {.out = out};
    FILE *stream = sieve_open(&sieve);

    if (stream == NULL)
        return no_memory(error);
    report_write_text(stream, report, &(struct text_style){.colors = &colors_none}, error);
    fclose(stream);
    *bytes = sieve.bytes;
    return 0;
}

static int write_data(FILE *out, const struct report *report, enum rows_left left, size_t *bytes, struct error *error)
{
    struct sieve sieve = {.out = out, .json = true};
    FILE *stream = sieve_open(&sieve);

    if (stream == NULL)
        return no_memory(error);
    struct rows rows = {.json = json_writer_begin(stream), .left = left};
    rows.json.indent = false;
    rows_write(&rows, report);
    fclose(stream);
    *bytes = sieve.bytes;
    return 0;
}

/* As much as fits is told of points that came out as expected. */
static int choose_left(const struct report *report, size_t most, enum rows_left *left, struct error *error)
{
    size_t bytes = SIZE_MAX;

    for (*left = ROWS_NONE_LEFT; *left < ROWS_POINTS_LEFT; ++*left) {
        if (write_data(NULL, report, *left, &bytes, error) != 0)
            return -1;
        if (bytes <= most)
            return 0;
    }
    return 0;
}

int html_run(FILE *out, const struct report *report, size_t share, struct error *error)
{
    static const char *const names[] = {"nothing", "details", "points"};
    const size_t most = PAGE_BYTES / share;
    enum rows_left left = ROWS_NONE_LEFT;
    size_t bytes = 0;

    fputs("<noscript><pre>", out);
    if (write_text(out, report, &bytes, error) != 0 ||
        choose_left(report, bytes < most ? most - bytes : 0, &left, error) != 0)
        return -1;
    fprintf(out, "</pre></noscript>\n<script type=\"application/json\" data-of=\"%s\" data-left-out=\"%s\" data-run=\"",
            report_kind_name(report->kind), names[left]);
    if (write_path(out, report->path, error) != 0)
        return -1;
    fputs("\">", out);
    if (write_data(out, report, left, &bytes, error) != 0)
        return -1;
    fputs("</script>\n", out);
    return 0;
}

static const char runs[] = "@runs@\n";

void html_begin(FILE *out)
{
    const char *page = html_pages[0].text;

    fwrite(page, 1, (size_t)(strstr(page, runs) - page), out);
}

void html_end(FILE *out)
{
    fputs(strstr(html_pages[0].text, runs) + sizeof runs - 1, out);
}

int report_write_html(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    (void)style;
    html_begin(out);
    const int result = html_run(out, report, 1, error);
    html_end(out);
    return result;
}

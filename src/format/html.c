/*
 * A page for a browser. All that it shows it draws from the JSON of its runs, which it carries; the scripts in page/
 * do that. It needs no network, and allows none.
 */
#include "base/source.h"
#include "format/escape.h"
#include "format/format.h"
#include "format/kind.h"

#include <string.h>

/*
 * With its script a page stays below 5 MB. Each run may take what those before it have left, but for something for
 * those behind it.
 */
enum { DATA_BYTES = 3900000, EXPLANATIONS_BYTES = 900000, RESERVED_BYTES = 100000 };

enum part { PART_TEXT, PART_PATH, PART_DATA };

/* Writes it as HTML, so many bytes; `out` may be NULL. */
static size_t write_part(FILE *out, const struct report *report, enum part part, enum rows_left left)
{
    struct sieve sieve = {.out = out, .json = part == PART_DATA};
    FILE *stream = sieve_open(&sieve);

    if (part == PART_TEXT) {
        report_write_text(stream, report, &(struct text_style){.colors = &colors_none}, NULL);
    } else if (part == PART_PATH) {
        escape_text(stream, report->path);
    } else {
        struct rows rows = {.json = json_writer_begin(stream), .left = left};
        rows.json.indent = false;
        rows_write(&rows, report);
    }
    fclose(stream);
    return sieve.bytes;
}

/* As much as fits is told of points that came out as expected. */
static enum rows_left choose_left(const struct report *report, size_t most)
{
    enum rows_left left = ROWS_NONE_LEFT;

    while (left < ROWS_POINTS_LEFT && write_part(NULL, report, PART_DATA, left) > most)
        ++left;
    return left;
}

static size_t less(size_t from, size_t bytes)
{
    return from > bytes ? from - bytes : 0;
}

void html_run(struct html_page *page, const struct report *report)
{
    static const char *const names[] = {"nothing", "details", "points"};

    page->runs -= 1;
    fputs("<noscript><pre>", page->out); /* for browsers that run no scripts */
    page->data = less(page->data, write_part(page->out, report, PART_TEXT, ROWS_NONE_LEFT));
    const enum rows_left left = choose_left(report, less(page->data, RESERVED_BYTES * page->runs));
    fprintf(page->out,
            "</pre></noscript>\n<script type=\"application/json\" data-of=\"%s\" data-left-out=\"%s\" data-run=\"",
            report_kind_name(report->kind), names[left]);
    write_part(page->out, report, PART_PATH, left);
    fputs("\">", page->out);
    page->data = less(page->data, write_part(page->out, report, PART_DATA, left));
    fputs("</script>\n", page->out);
}

static const char runs_here[] = "@runs@\n";

void html_begin(struct html_page *page, FILE *out, size_t runs)
{
    const char *text = html_pages[0].text;

    *page = (struct html_page){.out = out, .runs = runs, .data = DATA_BYTES, .explanations = EXPLANATIONS_BYTES};
    fwrite(text, 1, (size_t)(strstr(text, runs_here) - text), out);
}

void html_end(struct html_page *page)
{
    fputs(strstr(html_pages[0].text, runs_here) + sizeof runs_here - 1, page->out);
}

int report_write_html(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    struct html_page page;

    (void)style;
    (void)error;
    html_begin(&page, out, 1);
    html_run(&page, report);
    html_end(&page);
    return 0;
}

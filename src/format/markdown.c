/* Tables in Markdown, for a page or a comment. */
#include "core/text.h"
#include "format/format.h"
#include "format/kind.h"

struct markdown {
    FILE *out;
    bool verbose;
    size_t count; /* rows of the table so far */
};

static void write_device(FILE *out, const struct store_device *stored)
{
    escape_each(escape_markdown, out, "## ", DEVICE_LABEL_OF(&stored->info), "\n\n", stored->info.platform, ", driver ",
                stored->info.driver_version, NULL);
    fprintf(out, ", %" PRIu32 " compute unit%s\n\n", stored->info.compute_units, text_s(stored->info.compute_units));
}

static void write_case(void *context, const struct report_case *found)
{
    struct markdown *markdown = context;
    const bool bad = found->result == RESULT_FAIL || found->result == RESULT_ERROR;

    if ((found->note != NOTE_NONE && found->note != NOTE_ASSERTED) || (!bad && !markdown->verbose))
        return;
    if (markdown->count++ == 0)
        fprintf(markdown->out, "### %s\n\n| case | verdict | seen |\n|---|---|---|\n",
                markdown->verbose ? "All" : "Surprises and failures");
    escape_each(escape_markdown, markdown->out, "| ", found->suite, "/", found->name, NULL);
    fprintf(markdown->out, bad ? " | **%s** | " : " | %s | ", found->type);
    report_case_write(markdown->out, found, escape_markdown);
    fputs(" |\n", markdown->out);
}

/* What is said of the device or the run, in bold if it is bad. */
static void write_note(void *context, const struct report_case *found)
{
    struct markdown *markdown = context;
    const char *bold = found->result == RESULT_ERROR ? "**" : "";

    fputs(bold, markdown->out);
    report_case_write(markdown->out, found, escape_markdown);
    fprintf(markdown->out, "%s\n\n", bold);
}

int report_write_markdown(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    struct markdown markdown = {.out = out, .verbose = style->verbose};

    (void)error;
    fputs("# gridlock\n\n", out);
    for (size_t i = 0; i < report_suite_count(report); ++i) {
        if (report_device(report, i) != NULL)
            write_device(out, report_device(report, i));
        report_each_note(report, i, write_note, &markdown);
        if (report_device(report, i) != NULL)
            report_parts(report)->markdown(out, report, i);
        markdown.count = 0;
        report_each_case(report, i, write_case, &markdown);
        if (markdown.count > 0)
            fputc('\n', out);
    }
    return 0;
}

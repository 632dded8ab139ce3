/* TAP 13, which Debian's prove reads: what was expected, a stall too, is plain "ok". */
#include "format/case.h"
#include "format/escape.h"
#include "format/format.h"

#include <stdlib.h>

struct tap {
    FILE *out;
    size_t count;
    bool failed; /* memory was short */
};

static void count_case(void *context, const struct report_case *found)
{
    struct tap *tap = context;
    (void)found;
    tap->count += 1;
}

/* Its reader in prove knows scalars, and no lists in brackets. */
static void write_block(FILE *out, const char *type, const char *message, uint64_t duration_ns)
{
    fprintf(out, "  ---\n  verdict: %s\n  message: ", type);
    escape_json(out, message);
    fputs("\n  duration_s: ", out);
    escape_decimal(out, (double)duration_ns / 1e9, 6);
    fputs("\n  ...\n", out);
}

static void write_case(void *context, const struct report_case *found)
{
    struct tap *tap = context;
    const bool known = found->result == RESULT_KNOWN;
    /* "TODO" is for what always fails: a flake may come out right. */
    const bool todo = known && found->known_failure;
    const bool bad = found->result == RESULT_FAIL || found->result == RESULT_ERROR || todo;
    const bool skipped = found->result == RESULT_SKIP || found->result == RESULT_UNKNOWN;

    fprintf(tap->out, "%sok %zu - ", bad ? "not " : "", ++tap->count);
    escape_each(escape_tap, tap->out, "", found->suite, "/", found->name, NULL);
    if (skipped)
        fprintf(tap->out, " # SKIP %s", found->type);
    if (todo)
        fputs(" # TODO known failure", tap->out);
    fputc('\n', tap->out);
    if (!bad && !known && !found->told)
        return;
    char *message = report_case_message(found);
    tap->failed = tap->failed || message == NULL;
    write_block(tap->out, found->type, message != NULL ? message : "", found->duration_ns);
    free(message);
}

static void write_device(FILE *out, const struct store_device *stored)
{
    escape_each(escape_tap, out, "# ", stored->info.name, " (", stored->info.platform, ", driver ",
                stored->info.driver_version, ")\n", NULL);
}

/* Behind all results, because a reader stops there. */
static void bail_out(FILE *out, const struct report *report)
{
    for (size_t i = 0; i < report_device_count(report); ++i) {
        const struct store_device *stored = report_device(report, i);
        if (!stored->wedged)
            continue;
        escape_each(escape_tap, out, "Bail out! ", stored->info.name, " stopped working; the rest was not run\n", NULL);
        return;
    }
}

int report_write_tap(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    struct tap tap = {.out = out};

    (void)style;
    for (size_t i = 0; i < report_device_count(report); ++i)
        report_each_case(report, i, count_case, &tap);
    fprintf(out, "TAP version 13\n1..%zu%s\n", tap.count, tap.count == 0 ? " # SKIP nothing was run" : "");
    tap.count = 0;
    for (size_t i = 0; i < report_device_count(report); ++i) {
        write_device(out, report_device(report, i));
        report_each_case(report, i, write_case, &tap);
    }
    bail_out(out, report);
    return tap.failed ? error_set(error, STATUS_HARNESS, "no memory for the report") : 0;
}

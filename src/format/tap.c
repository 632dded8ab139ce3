/* TAP 13, which Debian's prove reads: what was expected, a stall too, is plain "ok". */
#include "format/case.h"
#include "format/format.h"

struct tap {
    FILE *out;
    const char *device; /* the present one */
    size_t count;
    bool bailed;
};

static bool is_test(const struct report_case *found)
{
    return found->note == NOTE_NONE || found->note == NOTE_ASSERTED;
}

static void count_case(void *context, const struct report_case *found)
{
    struct tap *tap = context;
    tap->count += is_test(found);
}

static void write_case(void *context, const struct report_case *found)
{
    struct tap *tap = context;
    const bool known = found->result == RESULT_KNOWN;

    if (!is_test(found))
        return;
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
    /* Its reader in prove knows scalars, and no lists in brackets. */
    fprintf(tap->out, "  ---\n  verdict: %s\n  message: ", found->type);
    report_case_write(tap->out, found, escape_json);
    fputs("\n  duration_s: ", tap->out);
    escape_decimal(tap->out, (double)found->duration_ns / 1e9, 6);
    fputs("\n  ...\n", tap->out);
}

static void write_note(void *context, const struct report_case *found)
{
    struct tap *tap = context;
    if (found->note != NOTE_SHARD)
        return;
    fputs("# ", tap->out);
    report_case_write(tap->out, found, escape_tap);
    fputc('\n', tap->out);
}

static void write_device(struct tap *tap, const struct report *report, size_t device)
{
    const struct device_info *info = &report_suite_device(report, device)->info;

    if (report_device(report, device) == NULL)
        return;
    escape_each(escape_tap, tap->out, "# ", DEVICE_LABEL_OF(info), " (", info->platform, ", driver ",
                info->driver_version, ")\n", NULL);
    report_each_note(report, device, write_note, tap);
}

/* What was not run. */
static void bail_out(void *context, const struct report_case *found)
{
    struct tap *tap = context;
    if (found->note == NOTE_SHARD || tap->bailed)
        return;
    tap->bailed = true;
    escape_each(escape_tap, tap->out, "Bail out! ", tap->device, ": ", NULL);
    report_case_write(tap->out, found, escape_tap);
    fputc('\n', tap->out);
}

int report_write_tap(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    struct tap tap = {.out = out};

    (void)style;
    (void)error;
    for (size_t i = 0; i < report_suite_count(report); ++i)
        report_each_case(report, i, count_case, &tap);
    fprintf(out, "TAP version 13\n1..%zu%s\n", tap.count,
            report_suite_count(report) == 0 ? " # SKIP nothing was run" : "");
    tap.count = 0;
    for (size_t i = 0; i < report_suite_count(report); ++i) {
        write_device(&tap, report, i);
        report_each_case(report, i, write_case, &tap);
    }
    /* Behind all results, because a reader stops there. */
    for (size_t i = 0; i < report_suite_count(report); ++i) {
        tap.device = DEVICE_LABEL_OF(&report_suite_device(report, i)->info);
        report_each_note(report, i, bail_out, &tap);
    }
    return 0;
}

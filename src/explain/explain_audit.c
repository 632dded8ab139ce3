#include "explain/explain.h"
#include "format/escape.h"
#include "format/text.h"
#include "report/repeat.h"

#include <stdlib.h>
#include <string.h>

static const char prefix[] = "audit/";

/* "group-size", of "audit/group-size#0" as well. */
static bool is_named(const struct audit_row *row, const char *name)
{
    const size_t skipped = strncmp(name, prefix, sizeof prefix - 1) == 0 ? sizeof prefix - 1 : 0;
    const size_t length = strcspn(name + skipped, "#");

    return strlen(row->promise->name) == length && strncmp(row->promise->name, name + skipped, length) == 0;
}

static void print_repeat(FILE *out, const struct store_run *run, const struct device_info *device,
                         const struct audit_row *row)
{
    char *command = repeat_command(
        &(struct repeated){.run = run, .scenario = "", .device = device, .name = row->promise->name, .promise = true});
    if (command == NULL)
        return;
    escape_each(escape_text, out, "\nTo repeat it:\n  ", command, "\n", NULL);
    free(command);
}

static void explain_row(FILE *out, const struct report *report, const struct store_device *device,
                        const struct audit_row *row)
{
    static const char margin[] = "            ";
    const struct promise *promise = row->promise;
    struct text_lines lines;

    fprintf(out, "%s: %s\n", promise->name, keeping_name(row->keeping));
    text_device_lines(out, "  on ", "    ", &device->info);
    fputs("\n\n", out);
    text_clean_lines(out, "Promised    ", margin, promise->says);
    text_clean_lines(out, "by          ", margin, promise->made);
    text_clean_lines(out, "Measured    ", margin, promise->measured);
    FILE *line = text_lines_begin(&lines);
    audit_text_finding(line, row);
    text_lines_end(&lines, out, "Found       ", margin);
    if (row->keeping == KEEPING_BROKEN) {
        text_clean_lines(out, "So          ", margin, promise->follows);
        text_clean_lines(out, "What to do  ", margin, promise->advice);
    }
    if (report_run(report, row->run) != NULL)
        print_repeat(out, report_run(report, row->run), &device->info, row);
}

static bool is_wanted(const struct evidence_wanted *wanted, const struct audit_row *row)
{
    return wanted->trial != NULL ? is_named(row, wanted->trial) : row->keeping == KEEPING_BROKEN;
}

/* How many there were. */
static size_t explain_rows(FILE *out, const struct report *report, const struct evidence_wanted *wanted)
{
    size_t count = 0;

    for (size_t i = 0; i < report->audit.count; ++i) {
        const struct audit_device *device = &report->audit.devices[i];
        for (size_t j = 0; evidence_is_on(wanted, &device->stored.info) && j < device->count; ++j) {
            if (!is_wanted(wanted, &device->rows[j]))
                continue;
            fputs(count++ > 0 ? "\n" : "", out);
            explain_row(out, report, &device->stored, &device->rows[j]);
        }
    }
    return count;
}

static int no_promise(const struct evidence_wanted *wanted, struct error *error)
{
    if (wanted->trial == NULL)
        return error_set(error, STATUS_USAGE, "no promise is broken in this run; name one, as RUN:PROMISE");
    return error_set(error, STATUS_USAGE, "this run has no promise '%.60s'; gridlock report lists those it has",
                     wanted->trial);
}

int explain_find_promise(const struct report *report, const struct evidence_wanted *wanted,
                         const struct audit_device **device, const struct audit_row **row, struct error *error)
{
    for (size_t i = 0; i < report->audit.count; ++i) {
        *device = &report->audit.devices[i];
        for (size_t j = 0; evidence_is_on(wanted, &(*device)->stored.info) && j < (*device)->count; ++j) {
            *row = &(*device)->rows[j];
            if (is_wanted(wanted, *row))
                return 0;
        }
    }
    return no_promise(wanted, error);
}

int explain_audit(FILE *out, struct store *store, const struct evidence_wanted *wanted, struct error *error)
{
    struct report report = {.heads = NULL};
    int outcome = report_read(&report, store, error);

    if (outcome == 0 && explain_rows(out, &report, wanted) == 0) {
        if (wanted->trial != NULL)
            outcome = no_promise(wanted, error);
        else
            fputs("No promise is broken in this run.\n", out);
    }
    report_fini(&report);
    return outcome;
}

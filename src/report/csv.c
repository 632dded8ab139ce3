/* CSV (RFC 4180): one row a point, or a footprint. */
#include "report/escape.h"
#include "report/report.h"

#include <inttypes.h>
#include <stdlib.h>

struct csv {
    FILE *out;
    bool begun; /* the row has a cell */
    const struct device_info *info;
    bool failed; /* memory was short */
};

static void write_text(struct csv *csv, const char *text)
{
    if (csv->begun)
        fputc(',', csv->out);
    csv->begun = true;
    escape_csv(csv->out, text);
}

static void write_number(struct csv *csv, uint64_t value)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, value);
    write_text(csv, digits);
}

/* An empty cell for 0. */
static void write_count(struct csv *csv, uint64_t value)
{
    if (value != 0)
        write_number(csv, value);
    else
        write_text(csv, "");
}

static void end_row(struct csv *csv)
{
    fputs("\r\n", csv->out);
    csv->begun = false;
}

static void write_device(struct csv *csv)
{
    write_text(csv, csv->info->name);
    write_text(csv, csv->info->platform);
    write_text(csv, csv->info->driver_version);
}

static void write_point(struct csv *csv, const struct report_case *found)
{
    const struct run_point *point = found->point;
    char expected[160];

    verdict_set_print(point->expected, expected, sizeof expected);
    write_number(csv, point->groups);
    write_number(csv, point->local_size);
    write_count(csv, point->resident);
    write_text(csv, expected);
    write_text(csv, verdict_name(point->verdict));
    write_text(csv, point->seen->cause != CAUSE_NONE ? cause_name(point->seen->cause) : "");
    write_text(csv, point->surprise ? "true" : "false");
    write_text(csv, point->known_failure ? "failure" : point->known_flake ? "flake" : "");
    write_number(csv, point->tally->launches);
    write_number(csv, point->tally->counts[VERDICT_PASS]);
    write_count(csv, point->fastest_ns);
    write_count(csv, point->fastest_host_ns);
    write_number(csv, point->duration_ns);
}

static void write_limit(struct csv *csv, const struct limits_row *row)
{
    const struct limit *limit = &row->limit;

    write_number(csv, limit->footprint.local_size);
    write_number(csv, limit->footprint.local_memory_bytes);
    write_number(csv, limit->footprint.private_bytes);
    write_text(csv, limit->measured ? "true" : "false");
    write_text(csv, limit->measured ? "" : verdict_name(limits_row_refusal(row)));
    write_count(csv, limit->resident);
    write_count(csv, limit->counted);
    write_count(csv, limit->passes_at);
    write_count(csv, limit->passes);
    write_count(csv, limit->pass_launches);
    write_count(csv, limit->stalls_at);
    write_count(csv, limit->stalls);
    write_count(csv, limit->stall_launches);
    write_count(csv, limit->discovery_max);
    write_text(csv, limit->agree ? "true" : "false");
    write_text(csv, limit->monotone ? "true" : "false");
    write_number(csv, limit->duration_ns);
}

static void write_case(void *context, const struct report_case *found)
{
    struct csv *csv = context;
    const bool explained = found->point == NULL || !run_point_passed(found->point);
    char *message = explained ? report_case_message(found) : NULL;

    write_device(csv);
    if (found->point != NULL) {
        write_text(csv, found->suite);
        write_text(csv, found->name);
        write_point(csv, found);
    } else if (found->limit != NULL) {
        write_limit(csv, found->limit);
    }
    csv->failed = csv->failed || (explained && message == NULL);
    write_text(csv, message != NULL ? message : "");
    free(message);
    end_row(csv);
}

static void write_header(struct csv *csv, bool of_limits)
{
    static const char run[] =
        "device,platform,driver_version,scenario,point,groups,local_size,resident,expected,"
        "verdict,cause,surprise,known,launches,passes,fastest_ns,fastest_host_ns,duration_ns,evidence";
    static const char limits[] = "device,platform,driver_version,local_size,local_memory_bytes,private_bytes,measured,"
                                 "not_measured_verdict,resident,census,passes_at,passes,launches_at_passes_at,stalls_"
                                 "at,stalls,launches_at_stalls_at,"
                                 "discovery_max,estimators_agree,monotone,duration_ns,evidence";
    fputs(of_limits ? limits : run, csv->out);
    end_row(csv);
}

int report_write_csv(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    struct csv csv = {.out = out};

    (void)style;
    write_header(&csv, report->of_limits);
    for (size_t i = 0; i < report_device_count(report); ++i) {
        csv.info = &report_device(report, i)->info;
        report_each_case(report, i, write_case, &csv);
    }
    return csv.failed ? error_set(error, STATUS_HARNESS, "no memory for the report") : 0;
}

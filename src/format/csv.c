/* CSV (RFC 4180): one row a point, a footprint, or a model of progress and a fairness. */
#include "format/case.h"
#include "format/escape.h"
#include "format/format.h"
#include "litmus/form.h"

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
    char expected[256], some[256], rate[288];

    verdict_set_print(point->batches.expected, expected, sizeof expected);
    verdict_set_print(point->whole->some, some, sizeof some);
    whole_print_rate(point->whole, rate, sizeof rate);
    write_number(csv, point->groups);
    write_number(csv, point->local_size);
    write_count(csv, point->batches.resident);
    write_text(csv, expected);
    write_text(csv, some);
    write_text(csv, rate);
    write_text(csv, verdict_name(point->batches.verdict));
    write_text(csv, point->seen->cause != CAUSE_NONE ? cause_name(point->seen->cause) : "");
    write_text(csv, point->batches.surprise ? "true" : "false");
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

static void write_standing(struct csv *csv, const struct report_model *found)
{
    const struct litmus_classification *all = &found->device->classification;
    const struct litmus_standing *standing = &all->standings[found->model][found->fairness];
    char program[LITMUS_TEXT] = "";

    if (litmus_is_broken(standing))
        litmus_text(&standing->reason.program, program);
    write_text(csv, litmus_model_name(found->model));
    write_text(csv, litmus_fairness_name(found->fairness));
    write_number(csv, standing->guaranteed);
    write_number(csv, standing->ended);
    write_number(csv, standing->refuting);
    write_number(csv, standing->undecided);
    write_number(csv, standing->states);
    write_number(csv, standing->doubtful);
    write_text(csv, litmus_is_broken(standing) ? "true" : "false");
    write_text(csv, litmus_is_strongest(all, found->model, found->fairness) ? "true" : "false");
    write_text(csv, found->expected ? "true" : "false");
    write_text(csv, program);
    write_text(csv, litmus_is_broken(standing) ? mapping_name(standing->reason.mapping.kind) : "");
}

/* What is no model has a row with empty cells. */
static void write_model(struct csv *csv, const struct report_model *found)
{
    enum { CELLS = 13 };

    if (found->about == CASE_MODEL)
        write_standing(csv, found);
    for (int i = 0; i < CELLS && found->about != CASE_MODEL; ++i)
        write_text(csv, "");
}

static void write_case(void *context, const struct report_case *found)
{
    struct csv *csv = context;
    /* What is no model is worth a row if it went wrong. */
    if (found->model != NULL && found->model->about != CASE_MODEL && found->result == RESULT_PASS)
        return;
    const bool explained = found->point == NULL || found->point->batches.surprise || !run_point_passed(found->point);
    char *message = explained ? report_case_message(found) : NULL;

    write_device(csv);
    if (found->point != NULL) {
        write_text(csv, found->suite);
        write_text(csv, found->name);
        write_point(csv, found);
    } else if (found->limit != NULL) {
        write_limit(csv, found->limit);
    } else if (found->model != NULL) {
        write_text(csv, found->name);
        write_model(csv, found->model);
    }
    csv->failed = csv->failed || (explained && message == NULL);
    write_text(csv, message != NULL ? message : "");
    free(message);
    end_row(csv);
}

static void write_header(struct csv *csv, enum report_kind kind)
{
    static const char run[] =
        "device,platform,driver_version,scenario,point,groups,local_size,resident,expected,expected_some,expected_rate,"
        "verdict,cause,surprise,known,launches,passes,fastest_ns,fastest_host_ns,duration_ns,evidence";
    static const char limits[] = "device,platform,driver_version,local_size,local_memory_bytes,private_bytes,measured,"
                                 "not_measured_verdict,resident,census,passes_at,passes,launches_at_passes_at,stalls_"
                                 "at,stalls,launches_at_stalls_at,"
                                 "discovery_max,estimators_agree,monotone,duration_ns,evidence";
    static const char progress[] = "device,platform,driver_version,case,model,fairness,guaranteed,ended,stalled,"
                                   "undecided,states,doubtful,broken,strongest,expected,program,mapping,evidence";
    fputs(kind == REPORT_LIMITS ? limits : kind == REPORT_PROGRESS ? progress : run, csv->out);
    end_row(csv);
}

int report_write_csv(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    struct csv csv = {.out = out};

    (void)style;
    write_header(&csv, report->kind);
    for (size_t i = 0; i < report_device_count(report); ++i) {
        csv.info = &report_device(report, i)->info;
        report_each_case(report, i, write_case, &csv);
    }
    return csv.failed ? error_set(error, STATUS_HARNESS, "no memory for the report") : 0;
}

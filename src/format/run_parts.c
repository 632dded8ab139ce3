/* A run of scenarios, as each format shows it. */
#include "format/kind.h"
#include "format/run.h"

static void write_csv(struct csv *csv, const struct report_case *found)
{
    const struct run_point *point = found->point;
    const bool ran = !run_point_is_void(point);
    char expected[256], allowed[256], some[256], rate[288];

    verdict_set_print(point->batches.expected, expected, sizeof expected);
    verdict_set_print(point->batches.allowed, allowed, sizeof allowed);
    verdict_set_print(point->whole->some, some, sizeof some);
    whole_print_rate(point->whole, rate, sizeof rate);
    csv_text(csv, found->suite);
    csv_text(csv, found->name);
    csv_number(csv, point->groups);
    csv_number(csv, point->local_size);
    csv_count(csv, point->batches.resident);
    csv_text(csv, expected);
    csv_text(csv, allowed);
    csv_text(csv, some);
    csv_text(csv, rate);
    csv_text(csv, verdict_name(point->batches.verdict));
    csv_text(csv, point->seen->launch.cause != CAUSE_NONE ? cause_name(point->seen->launch.cause) : "");
    csv_text(csv, point->batches.surprise ? "true" : "false");
    csv_text(csv, known_as_name(point->known));
    csv_known(csv, ran, point->tally->launches);
    csv_known(csv, ran, point->tally->counts[VERDICT_PASS]);
    csv_count(csv, point->fastest_ns);
    csv_count(csv, point->fastest_host_ns);
    csv_count(csv, point->handover_ps);
    csv_count(csv, point->duration_ns);
}

/* --- rows of scenarios --- */

enum safety_metric { SAFE_GROUPS, RESIDENT_GROUPS, UNSAFE_GROUPS };

/* A row of a report, and what it is of. */
struct row_writer {
    FILE *out;
    const struct report *report;
    size_t device;
    const struct run_scenario *scenario;
    const char *metric;
    enum safety_metric which;
};

/* --- Markdown --- */

static void write_row(void *context, const struct run_row *row)
{
    const struct row_writer *writer = context;
    const struct run_safety *safety = &row->safety;
    FILE *out = writer->out;
    char safe[RUN_SAFE_BYTES];

    escape_each(escape_markdown, out, "| ", writer->scenario->name, "", NULL);
    if (row->label[0] != '\0')
        escape_each(escape_markdown, out, " ", row->label, "", NULL);
    run_text_safe(safety, safe);
    fprintf(out, "%s | %s |", safety->anti_pattern ? " (anti-pattern)" : "", safety->safe != NULL ? safe : "-");
    if (safety->unsafe != NULL)
        fprintf(out, " %" PRIu32 " %s |", safety->unsafe->groups, verdict_name(safety->unsafe->batches.verdict));
    else
        fputs(" - |", out);
    fprintf(out, " %" PRIu32 " | %" PRIu32 " | %" PRIu32 " |\n", safety->points, safety->surprises,
            safety->unsupported + safety->incomplete);
}

static void write_markdown(FILE *out, const struct report *report, size_t number)
{
    const struct run_device *device = &report->run.devices[number];

    fputs("| scenario | safe up to groups | first unsafe | points | surprises | unsupported or incomplete |\n"
          "|---|---:|---:|---:|---:|---:|\n",
          out);
    for (size_t i = 0; i < device->count; ++i) {
        struct row_writer writer = {.out = out, .scenario = &device->scenarios[i]};
        if (writer.scenario->count > 0)
            run_scenario_each_row(writer.scenario, write_row, &writer);
    }
    fputc('\n', out);
}

/* --- Prometheus --- */

static void write_sample(void *context, const struct run_row *row)
{
    const struct row_writer *writer = context;
    const struct run_point *point = writer->which == UNSAFE_GROUPS ? row->safety.unsafe : row->safety.safe;

    if (point == NULL || (writer->which == RESIDENT_GROUPS && point->batches.resident == 0))
        return;
    prometheus_begin(writer->out, writer->report, writer->device, writer->metric);
    prometheus_label(writer->out, ",scenario", writer->scenario->name);
    if (row->label[0] != '\0')
        prometheus_label(writer->out, ",options", row->label);
    prometheus_end(writer->out, writer->which == RESIDENT_GROUPS ? point->batches.resident : point->groups);
}

static void write_safety(FILE *out, const struct report *report, const char *name, const char *help,
                         enum safety_metric metric)
{
    prometheus_head(out, name, "gauge", help);
    for (size_t i = 0; i < report->run.count; ++i)
        for (size_t j = 0; j < report->run.devices[i].count; ++j) {
            const struct run_scenario *scenario = &report->run.devices[i].scenarios[j];
            struct row_writer writer = {out, report, i, scenario, name, metric};
            run_scenario_each_row(scenario, write_sample, &writer);
        }
}

enum { EXPECTED, SURPRISE, KNOWN, UNPREDICTED, EXPECTATIONS };
static int outcome_of(const struct run_point *point)
{
    if (run_point_is_known(point))
        return KNOWN;
    if (point->batches.surprise)
        return SURPRISE;
    return point->batches.expected != 0 ? EXPECTED : UNPREDICTED;
}

typedef uint64_t point_counts[VERDICT_COUNT][EXPECTATIONS];

static void write_counts(FILE *out, const struct report *report, size_t device, const char *scenario,
                         point_counts counts)
{
    static const char *const names[] = {"expected", "surprise", "known", "unpredicted"};

    for (int verdict = 0; verdict < VERDICT_COUNT; ++verdict)
        for (int i = 0; i < EXPECTATIONS; ++i) {
            if (counts[verdict][i] == 0)
                continue;
            prometheus_begin(out, report, device, "gridlock_points_total");
            prometheus_label(out, ",scenario", scenario);
            fprintf(out, ",verdict=\"%s\",outcome=\"%s\"", verdict_name((enum verdict)verdict), names[i]);
            prometheus_end(out, counts[verdict][i]);
        }
}

static void write_points(FILE *out, const struct report *report)
{
    prometheus_head(out, "gridlock_points_total", "counter", "Points of scenarios, by outcome.");
    for (size_t i = 0; i < report->run.count; ++i)
        for (size_t j = 0; j < report->run.devices[i].count; ++j) {
            const struct run_scenario *scenario = &report->run.devices[i].scenarios[j];
            point_counts counts = {{0}};
            for (size_t k = 0; k < scenario->count; ++k) {
                const struct run_point *point = &scenario->points[k];
                counts[point->batches.verdict][outcome_of(point)] += 1;
            }
            write_counts(out, report, i, scenario->name, counts);
        }
}

static void write_prometheus(FILE *out, const struct report *report)
{
    write_safety(out, report, "gridlock_safe_groups", "Most work-groups up to which all launches of a scenario passed.",
                 SAFE_GROUPS);
    write_safety(out, report, "gridlock_unsafe_groups", "Fewest work-groups at which a launch did not pass.",
                 UNSAFE_GROUPS);
    write_safety(out, report, "gridlock_resident_groups", "Work-groups that are resident together in that kernel.",
                 RESIDENT_GROUPS);
    write_points(out, report);
}

/* --- cases --- */

static enum report_result result_of_point(const struct run_point *point)
{
    if (run_point_is_known(point))
        return RESULT_KNOWN;
    if (verdict_is_in(point->batches.verdict, point->batches.expected | point->batches.allowed) &&
        !point->batches.surprise)
        return RESULT_PASS;
    if (verdict_is_failure_of_the_device(point->batches.verdict))
        return RESULT_ERROR;
    if (point->batches.surprise)
        return RESULT_FAIL;
    if (point->batches.verdict == VERDICT_UNSUPPORTED)
        return RESULT_SKIP;
    if (point->batches.verdict == VERDICT_INCONCLUSIVE || point->batches.verdict == VERDICT_INCOMPLETE ||
        point->batches.verdict == VERDICT_NOT_RUN)
        return RESULT_UNKNOWN;
    return RESULT_PASS; /* nothing else was expected */
}

/* All launches had the one verdict that was predicted. */
static bool is_just_as_predicted(const struct run_point *point)
{
    const enum verdict verdict = point->batches.verdict;
    return !point->batches.surprise && point->batches.expected == UINT32_C(1) << verdict && point->whole->some == 0 &&
           point->whole->limited == 0 && point->tally->counts[verdict] == point->tally->launches;
}

static void write_message(FILE *out, const struct report_case *found)
{
    const struct run_point *point = found->point;

    if (point->known != KNOWN_AS_NOTHING)
        fprintf(out, "known %s: ", known_as_name(point->known));
    run_text_counts(out, point);
    if (point->batches.verdict == VERDICT_INCONCLUSIVE)
        fputs(", which decides nothing", out);
    if (is_just_as_predicted(point)) {
        fputs(", as predicted", out);
    } else if (run_point_is_predicted(point) || point->batches.surprise) {
        fputs(run_point_is_predicted(point) ? ", expected " : ", ", out);
        run_text_expected(out, point);
    }
    run_print_shortfall(out, point, "; ");
    fputs(": ", out);
    run_text_evidence(out, point);
}

static void each_case(const struct report *report, size_t number, case_taker *take, void *context)
{
    const struct run_device *device = &report->run.devices[number];

    for (size_t i = 0; i < device->count; ++i)
        for (size_t j = 0; j < device->scenarios[i].count; ++j) {
            const struct run_scenario *scenario = &device->scenarios[i];
            const struct run_point *point = &scenario->points[j];
            struct report_case found = {
                .suite = scenario->name,
                .result = result_of_point(point),
                .type = verdict_name(point->batches.verdict),
                .cause = point->seen->launch.cause,
                .known_failure = point->known == KNOWN_AS_FAILURE,
                .plain = !point->batches.surprise && run_point_passed(point),
                .duration_ns = point->duration_ns,
                .point = point,
                .message = write_message,
            };
            run_point_rest(scenario, point, found.name);
            take(context, &found);
        }
}

static const char columns[] =
    "scenario,point,groups,local_size,resident,expected,allowed,expected_some,expected_rate,verdict,"
    "cause,surprise,known,launches,passes,fastest_ns,fastest_host_ns,handover_ps,duration_ns";

const struct report_parts run_parts = {
    .text = run_text,
    .json_device = run_json_device,
    .json_list = "scenarios",
    .json = run_json,
    .csv_columns = columns,
    .csv = write_csv,
    .markdown = write_markdown,
    .prometheus = write_prometheus,
    .each_case = each_case,
};

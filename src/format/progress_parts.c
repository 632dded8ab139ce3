/* What litmus tests said of devices, as each format shows it. */
#include "format/kind.h"
#include "format/progress.h"
#include "litmus/form.h"

/* What is no model has a row with empty cells. */
static void write_csv(struct csv *csv, const struct report_case *found)
{
    enum { CELLS = 14 };
    const struct report_model *of = found->model;
    const struct litmus_classification *all = &of->device->classification;
    const struct litmus_standing *standing = &all->standings[of->model][of->fairness];
    const bool broken = litmus_is_broken(standing);
    const bool tested = standing->guaranteed > 0 || broken;
    char program[LITMUS_TEXT] = "";

    csv_text(csv, found->name);
    for (int i = 0; i < CELLS && of->about != CASE_MODEL; ++i)
        csv_text(csv, "");
    if (of->about != CASE_MODEL)
        return;
    if (broken)
        litmus_text(&standing->reason.program, program);
    csv_text(csv, litmus_model_name(of->model));
    csv_text(csv, litmus_fairness_name(of->fairness));
    csv_number(csv, standing->guaranteed);
    csv_known(csv, tested, standing->ended);
    csv_known(csv, tested, standing->refuting);
    csv_known(csv, tested, standing->undecided);
    csv_known(csv, tested, standing->states);
    csv_known(csv, tested, standing->doubtful);
    csv_text(csv, !tested ? "" : broken ? "true" : "false");
    csv_text(csv, litmus_is_strongest(all, of->model, of->fairness) ? "true" : "false");
    csv_text(csv, of->expected ? "true" : "false");
    csv_text(csv, program);
    csv_text(csv, broken ? mapping_name(standing->reason.mapping.kind) : "");
    csv_text(csv, level_name(of->device->level));
}

/* --- Markdown --- */

static void write_row(FILE *out, const struct litmus_classification *all, enum litmus_model model,
                      enum litmus_fairness fairness)
{
    const struct litmus_standing *standing = &all->standings[model][fairness];
    const struct litmus_case *reason = &standing->reason;
    char program[LITMUS_TEXT];

    fprintf(out, "| %s | %s | %" PRIu32 " | %" PRIu32 " | %" PRIu32 " | %" PRIu32 " | %" PRIu32 " | %s |",
            litmus_model_name(model), litmus_fairness_name(fairness), standing->guaranteed, standing->ended,
            standing->refuting, litmus_open(standing), standing->states,
            progress_is_not_told_apart(all, model, fairness) ? PROGRESS_NO_OWN_TEST : progress_standing_word(standing));
    fputs(litmus_is_strongest(all, model, fairness) ? " yes |" : " |", out);
    if (!litmus_is_broken(standing)) {
        fputs(" | |\n", out);
        return;
    }
    litmus_text(&reason->program, program);
    escape_each(escape_markdown, out, " ", program, NULL);
    fprintf(out, " | %s |\n", mapping_name(reason->mapping.kind));
}

static void write_level(FILE *out, const struct progress_device *device)
{
    const uint32_t open = litmus_strongest_open(&device->classification);
    char classes[LITMUS_CLASSES];

    litmus_classes(&device->classification, classes);
    if (device->level != LEVEL_GROUP)
        fprintf(out, "level %s\n\n", level_name(device->level));
    if (device->not_offered != NULL) {
        escape_each(escape_markdown, out, "not offered: ", device->not_offered, "\n\n", NULL);
        return;
    }
    fputs("| model | fairness | guaranteed | ended | stalled | undecided | states | seen | strongest | broken by | "
          "mapping |\n"
          "|---|---|---:|---:|---:|---:|---:|---|---|---|---|\n",
          out);
    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model)
        for (enum litmus_fairness fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness)
            write_row(out, &device->classification, model, fairness);
    if (device->tests > 0)
        fprintf(out, "\nstrongest not broken: **%s**\n", classes);
    if (open > 0)
        fprintf(out, "\nundecided tests that might refute it: **%" PRIu32 "**\n", open);
    if (limit_search_result(&device->limit) != 0)
        fprintf(out, "\nwaiting groups that keep later groups from starting, with mapping chunked: **%" PRIu32 "**\n",
                limit_search_result(&device->limit));
    fputc('\n', out);
}

static void write_markdown(FILE *out, const struct report *report, size_t number)
{
    for (enum block_level level = 0; level < LEVEL_COUNT; ++level)
        if (progress_at(&report->progress.devices[number], level) != NULL)
            write_level(out, progress_at(&report->progress.devices[number], level));
}

/* --- Prometheus --- */

/* What is told of each model; of each sample its labels. */
static const struct {
    const char *name, *help, *labels[3];
} metrics[] = {
    {"gridlock_model_broken", "1 if the device breaks the progress model.", {""}},
    {"gridlock_model_tests",
     "Litmus tests that the model guarantees to end, by outcome.",
     {",outcome=\"ended\"", ",outcome=\"stalled\"", ",outcome=\"undecided\""}},
    /* Of all tests, not only of those that it guarantees. */
    {"gridlock_model_states",
     "Litmus tests that stalled in a state that the model does not allow, by whether the stall was confirmed.",
     {",confirmed=\"0\"", ",confirmed=\"1\""}},
};
enum { METRIC_BROKEN, METRICS = sizeof metrics / sizeof *metrics };

/* Models under weak and strong fairness have numbers in the order of the table. */
struct prometheus_row {
    size_t device;
    const struct progress_device *at; /* at a level */
    unsigned number;
};

static void write_samples(FILE *out, const struct report *report, const struct prometheus_row *row, int metric)
{
    const unsigned number = row->number;
    const enum litmus_model model = number / LITMUS_FAIRNESSES;
    const enum litmus_fairness fairness = number % LITMUS_FAIRNESSES;
    const struct litmus_standing *standing = &row->at->classification.standings[model][fairness];
    const uint64_t values[METRICS][3] = {{litmus_is_broken(standing)},
                                         {standing->ended, standing->refuting, standing->undecided},
                                         {standing->doubtful, standing->states}};

    if (metric == METRIC_BROKEN && standing->guaranteed == 0 && !litmus_is_broken(standing))
        return;
    for (int i = 0; i < 3 && metrics[metric].labels[i] != NULL; ++i) {
        prometheus_begin(out, report, row->device, metrics[metric].name);
        if (row->at->level != LEVEL_GROUP)
            fprintf(out, ",level=\"%s\"", level_name(row->at->level));
        fprintf(out, ",model=\"%s\",fairness=\"%s\"%s", litmus_model_name(model), litmus_fairness_name(fairness),
                metrics[metric].labels[i]);
        prometheus_end(out, values[metric][i]);
    }
}

static void write_troubles(FILE *out, const struct report *report)
{
    enum { BLOCKING = 2 };
    static const char *const gauges[][2] = {
        {"gridlock_blocks_missing", "Blocks of litmus tests that did not finish."},
        {"gridlock_engine_disagreements", "Litmus tests about which the engines disagree."},
        {"gridlock_blocking_groups",
         "Fewest waiting work-groups that keep later ones from starting, with mapping chunked."},
    };

    for (int i = 0; i <= BLOCKING; ++i) {
        prometheus_head(out, gauges[i][0], "gauge", gauges[i][1]);
        for (size_t j = 0; j < report->progress.count; ++j) {
            const struct progress_device *device = &report->progress.devices[j];
            const uint64_t values[] = {device->missing, device->disagreement_count,
                                       limit_search_result(&device->limit)};
            if (i != BLOCKING || values[BLOCKING] != 0)
                prometheus_sample(out, report, j, gauges[i][0], values[i]);
        }
    }
}

static void write_prometheus(FILE *out, const struct report *report)
{
    for (int metric = 0; metric < METRICS; ++metric) {
        prometheus_head(out, metrics[metric].name, "gauge", metrics[metric].help);
        for (size_t device = 0; device < report->progress.count; ++device)
            for (int i = 0; i < (int)LEVEL_COUNT * LITMUS_STANDINGS; ++i) {
                const enum block_level level = (enum block_level)(i / LITMUS_STANDINGS);
                const struct prometheus_row row = {device, progress_at(&report->progress.devices[device], level),
                                                   (unsigned)(i % LITMUS_STANDINGS)};
                if (row.at != NULL)
                    write_samples(out, report, &row, metric);
            }
    }
    write_troubles(out, report);
}

/* --- cases --- */

static void judge_model(const struct litmus_standing *standing, struct report_case *found)
{
    const bool broken = litmus_is_broken(standing);

    found->type = progress_standing_word(standing);
    found->measured = litmus_open(standing);
    found->unit = "undecided";
    found->told = broken || found->measured > 0;
    if (broken)
        found->result = found->model->expected ? RESULT_FAIL : RESULT_PASS;
    else if (standing->guaranteed == 0)
        found->result = RESULT_SKIP;
    else
        found->result = standing->ended > 0 ? RESULT_PASS : RESULT_UNKNOWN;
}

/* Before the names of cases below groups. */
static const char *prefix(const struct progress_device *device, char text[16])
{
    snprintf(text, 16, "%s%s", device->level != LEVEL_GROUP ? level_name(device->level) : "",
             device->level != LEVEL_GROUP ? "-" : "");
    return text;
}

static void each_model(const struct report *report, const struct progress_device *device, case_taker *take,
                       void *context)
{
    struct report_model model = {.device = device, .about = CASE_MODEL};
    char level[16];
    const struct litmus_classification *all = &model.device->classification;

    for (model.model = 0; model.model < LITMUS_MODELS; ++model.model)
        for (model.fairness = 0; model.fairness < LITMUS_FAIRNESSES; ++model.fairness) {
            struct report_case found = {.suite = "progress", .model = &model, .message = progress_text_message};
            model.expected = report->expectation.models[device->level][model.model][model.fairness];
            snprintf(found.name, sizeof found.name, "%s%s-%s", prefix(device, level), litmus_model_name(model.model),
                     litmus_fairness_name(model.fairness));
            judge_model(&all->standings[model.model][model.fairness], &found);
            take(context, &found);
        }
}

/* That the engines agree, where both ran the same tests, and that the blocks came to their end. */
static void each_other(const struct progress_device *device, case_taker *take, void *context)
{
    const struct report_model engines = {.device = device, .about = CASE_ENGINES};
    const struct report_model blocks = {.device = device, .about = CASE_BLOCKS};
    char level[16];
    struct report_case found = {
        .suite = "progress", .name = "engines", .model = &engines, .aside = true, .message = progress_text_message};

    found.result = device->disagreement_count > 0 ? RESULT_FAIL : RESULT_PASS;
    found.type = device->disagreement_count > 0 ? "engines-disagree" : "engines-agree";
    if (device->compared > 0)
        take(context, &found);
    found =
        (struct report_case){.suite = "progress", .model = &blocks, .aside = true, .message = progress_text_message};
    snprintf(found.name, sizeof found.name, "%sblocks", prefix(device, level));
    found.result = device->missing > 0           ? RESULT_ERROR
                   : device->not_offered != NULL ? RESULT_SKIP
                   : device->tests > 0           ? RESULT_PASS
                                                 : RESULT_UNKNOWN;
    found.type = device->missing > 0           ? "incomplete"
                 : device->not_offered != NULL ? "not-offered"
                 : device->tests > 0           ? "ended"
                                               : "not-run";
    found.duration_ns = device->duration_ns;
    take(context, &found);
}

static void each_case(const struct report *report, size_t device, case_taker *take, void *context)
{
    for (enum block_level level = 0; level < LEVEL_COUNT; ++level) {
        const struct progress_device *at = progress_at(&report->progress.devices[device], level);
        if (at != NULL && at->not_offered == NULL)
            each_model(report, at, take, context);
        if (at != NULL)
            each_other(at, take, context);
    }
}

const struct report_parts progress_parts = {
    .text = progress_text,
    .json_device = progress_json_device,
    .json_list = "models",
    .json = progress_json,
    .csv_columns = "case,model,fairness,guaranteed,ended,stalled,undecided,states,doubtful,broken,strongest,expected,"
                   "program,mapping,level",
    .csv = write_csv,
    .markdown = write_markdown,
    .prometheus = write_prometheus,
    .each_case = each_case,
};

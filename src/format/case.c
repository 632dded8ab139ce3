#include "format/case.h"
#include "format/limits.h"
#include "format/progress.h"
#include "format/run.h"

#include <inttypes.h>
#include <string.h>

typedef void case_taker(void *context, const struct report_case *found);

static bool is_failure_of_the_device(enum verdict verdict)
{
    return verdict == VERDICT_HANG || verdict == VERDICT_CRASH || verdict == VERDICT_DEVICE_LOST ||
           verdict == VERDICT_BUILD_FAILED || verdict == VERDICT_ERROR || verdict == VERDICT_WEDGED;
}

static enum report_result result_of_point(const struct run_point *point)
{
    if ((point->batches.surprise && point->known_flake) ||
        (point->known_failure && point->batches.as_known && !point->batches.surprise))
        return RESULT_KNOWN;
    if (verdict_is_in(point->batches.verdict, point->batches.expected) && !point->batches.surprise)
        return RESULT_PASS;
    if (is_failure_of_the_device(point->batches.verdict))
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

static void each_point(const struct run_device *device, case_taker *take, void *context)
{
    for (size_t i = 0; i < device->count; ++i)
        for (size_t j = 0; j < device->scenarios[i].count; ++j) {
            const struct run_scenario *scenario = &device->scenarios[i];
            const struct run_point *point = &scenario->points[j];
            struct report_case found = {
                .suite = scenario->name,
                .result = result_of_point(point),
                .type = verdict_name(point->batches.verdict),
                .duration_ns = point->duration_ns,
                .point = point,
            };
            run_point_rest(scenario, point, found.name);
            take(context, &found);
        }
}

static void judge_measured(const struct limit *limit, struct report_case *found)
{
    if (!limit->agree || !limit->monotone) {
        found->type = limit->agree ? "not-monotone" : "estimators-disagree";
        found->result = RESULT_FAIL;
    } else if (limit->fails) {
        found->type = verdict_name(limit->failure);
        found->result = is_failure_of_the_device(limit->failure) ? RESULT_ERROR : RESULT_FAIL;
    } else {
        found->type = "measured";
        found->result = RESULT_PASS;
    }
}

/* The case's result, and its type. */
static void judge_limit(const struct limits_device *device, const struct limits_row *row, struct report_case *found)
{
    const enum verdict refusal = limits_row_refusal(row);

    found->told = row->limit.failed > 0;
    if (row->limit.measured) {
        judge_measured(&row->limit, found);
        return;
    }
    found->type = verdict_name(refusal);
    if (refusal == VERDICT_INCOMPLETE || refusal == VERDICT_INCONCLUSIVE)
        found->result = RESULT_UNKNOWN;
    else if (!limits_row_is_surprise(device, row))
        found->result = RESULT_SKIP;
    else
        found->result = is_failure_of_the_device(refusal) ? RESULT_ERROR : RESULT_FAIL;
}

static void each_limit(const struct limits_device *device, case_taker *take, void *context)
{
    for (size_t i = 0; i < device->count; ++i) {
        const struct limits_row *row = &device->rows[i];
        const struct footprint *footprint = &row->search.footprint;
        struct report_case found = {.suite = "limits", .duration_ns = row->limit.duration_ns, .limit = row};
        snprintf(found.name, sizeof found.name, "l%" PRIu32 "-m%" PRIu64 "-p%" PRIu32, footprint->local_size,
                 footprint->local_memory_bytes, footprint->private_bytes);
        judge_limit(device, row, &found);
        take(context, &found);
    }
}

/* --- of progress --- */

static void judge_model(const struct litmus_standing *standing, struct report_case *found)
{
    const bool broken = litmus_is_broken(standing);

    found->type = progress_standing_word(standing);
    found->told = broken || litmus_open(standing) > 0;
    if (broken)
        found->result = found->model->expected ? RESULT_FAIL : RESULT_PASS;
    else if (standing->guaranteed == 0)
        found->result = RESULT_SKIP;
    else
        found->result = standing->ended > 0 ? RESULT_PASS : RESULT_UNKNOWN;
}

static void each_model(const struct report *report, size_t device, case_taker *take, void *context)
{
    struct report_model model = {.device = &report->progress.devices[device], .about = CASE_MODEL};
    const struct litmus_classification *all = &model.device->classification;

    for (model.model = 0; model.model < LITMUS_MODELS; ++model.model)
        for (model.fairness = 0; model.fairness < LITMUS_FAIRNESSES; ++model.fairness) {
            struct report_case found = {.suite = "progress", .model = &model};
            model.expected = report->expectation.models[model.model][model.fairness];
            snprintf(found.name, sizeof found.name, "%s-%s", litmus_model_name(model.model),
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
    struct report_case found = {.suite = "progress", .name = "engines", .model = &engines};

    found.result = device->disagreement_count > 0 ? RESULT_FAIL : RESULT_PASS;
    found.type = device->disagreement_count > 0 ? "engines-disagree" : "engines-agree";
    if (device->compared > 0)
        take(context, &found);
    found = (struct report_case){.suite = "progress", .name = "blocks", .model = &blocks};
    found.result = device->missing > 0 ? RESULT_ERROR : device->tests > 0 ? RESULT_PASS : RESULT_UNKNOWN;
    found.type = device->missing > 0 ? "incomplete" : device->tests > 0 ? "ended" : "not-run";
    found.duration_ns = device->duration_ns;
    take(context, &found);
}

void report_each_case(const struct report *report, size_t device,
                      void (*take)(void *context, const struct report_case *found), void *context)
{
    if (report->kind == REPORT_LIMITS)
        each_limit(&report->limits.devices[device], take, context);
    else if (report->kind == REPORT_RUN)
        each_point(&report->run.devices[device], take, context);
    if (report->kind != REPORT_PROGRESS)
        return;
    each_model(report, device, take, context);
    each_other(&report->progress.devices[device], take, context);
}

static void describe_point(FILE *out, const struct run_point *point)
{
    if (point->known_failure || point->known_flake)
        fprintf(out, "known %s: ", point->known_failure ? "failure" : "flake");
    run_text_counts(out, point);
    if (run_point_is_predicted(point)) {
        fputs(", expected ", out);
        run_text_expected(out, point);
    }
    run_print_shortfall(out, point, "; ");
    fputs(": ", out);
    run_text_evidence(out, point);
}

static void describe_model(FILE *out, const struct report_model *found)
{
    if (found->about == CASE_ENGINES)
        progress_text_engines(out, found->device);
    else if (found->about == CASE_BLOCKS)
        progress_text_blocks(out, found->device);
    else
        progress_text_standing(out, &found->device->classification.standings[found->model][found->fairness],
                               found->expected);
}

char *report_case_message(const struct report_case *found)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        return NULL;
    if (found->point != NULL)
        describe_point(out, found->point);
    else if (found->limit != NULL)
        limits_text_evidence(out, found->limit);
    else
        describe_model(out, found->model);
    return fclose(out) == 0 ? text : NULL;
}

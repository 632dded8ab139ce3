/* Proofs, as each format shows them. */
#include "format/kind.h"
#include "format/proof.h"
#include "proof/needs.h"
#include "proof/race.h"

#include "base/alloc.h"

#include <stdlib.h>

static const char *const kind_names[] = {"load", "store", "update", "barrier"};
static const char *const order_names[] = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};
static const char *const scope_names[] = {"work_item", "sub_group", "work_group", "device", "all"};
static const char *const extent_names[PROOF_EXTENTS] = {"all", "fault", "memory", "time", "alone", "less"};

static void write_step(struct json_writer *json, const struct proof_result *result, const char *name,
                       const struct proof_told *told)
{
    json_writer_open_line(json, name, '{');
    json_writer_integer(json, "group", told->item / result->items);
    json_writer_integer(json, "item", told->item % result->items);
    json_writer_text(json, "line", result->texts[told->line]);
    json_writer_text(json, "access", kind_names[told->kind]);
    json_writer_text(json, "object", result->texts[told->object]);
    json_writer_integer(json, "offset", told->offset);
    json_writer_integer(json, "bytes", told->bytes);
    json_writer_text(json, "order", told->atomic ? order_names[told->order] : "");
    json_writer_text(json, "scope", told->atomic ? scope_names[told->scope] : "");
    json_writer_integer(json, "before", told->before);
    json_writer_integer(json, "after", told->after);
    json_writer_close_line(json, '}');
}

void proof_json_way(struct json_writer *json, const struct proof_result *result, uint32_t number)
{
    const struct proof_way *way = &result->ways[number];

    json_writer_integer(json, "left_out", way->left_out);
    json_writer_integer(json, "circle", way->circle);
    json_writer_open(json, "steps", '[');
    for (uint32_t i = 0; i < way->count; ++i)
        write_step(json, result, NULL, &result->told[way->first + i]);
    json_writer_close(json, ']');
}

static void write_model(struct json_writer *json, const struct proof_promise *promise)
{
    const bool unfair = promise->model == PROOF_UNFAIR;

    json_writer_text(json, "model", unfair ? "unfair" : litmus_model_name((enum litmus_model)promise->model));
    json_writer_text(json, "fairness", unfair ? "" : litmus_fairness_name(promise->fairness));
}

void proof_json_promise(struct json_writer *json, const struct proof_promise *promise)
{
    write_model(json, promise);
    json_writer_integer(json, "places", promise->places);
}

static void write_needs(struct json_writer *json, const struct proof_result *result)
{
    struct proof_needs needs;
    char text[PROOF_NEEDS_TEXT];

    proof_needs_find(&result->progress, &needs);
    json_writer_text(json, "needs", proof_needs_text(&needs, text));
    json_writer_open(json, "promises", '[');
    for (unsigned i = 0; i < needs.count; ++i) {
        json_writer_open_line(json, NULL, '{');
        proof_json_promise(json, &needs.all[i]);
        json_writer_close_line(json, '}');
    }
    json_writer_close(json, ']');
}

/* Of each promise, with how many places it is enough. */
static void write_models(struct json_writer *json, const struct proof_result *result)
{
    struct proof_promise promise;

    json_writer_open(json, "models", '[');
    for (promise.model = 0; promise.model < PROOF_PROMISES; ++promise.model)
        for (promise.fairness = 0; promise.fairness < (promise.model == PROOF_UNFAIR ? 1 : LITMUS_FAIRNESSES);
             ++promise.fairness) {
            json_writer_open_line(json, NULL, '{');
            write_model(json, &promise);
            json_writer_open(json, "ends_with_places", '[');
            for (promise.places = 1; promise.places <= result->groups; ++promise.places)
                if (proof_ends(&result->progress, &promise))
                    json_writer_integer(json, NULL, promise.places);
            json_writer_close(json, ']');
            json_writer_close_line(json, '}');
        }
    json_writer_close(json, ']');
}

void proof_json_groups(struct json_writer *json, const char *name, uint32_t groups)
{
    json_writer_open(json, name, '[');
    for (uint32_t group = 0; group < PROOF_GROUPS; ++group)
        if ((groups >> group & 1) != 0)
            json_writer_integer(json, NULL, group);
    json_writer_close(json, ']');
}

static void write_stalls(struct json_writer *json, const struct proof_result *result)
{
    json_writer_open(json, "stalls", '[');
    for (uint32_t i = 0; i < result->stall_count; ++i) {
        json_writer_open(json, NULL, '{');
        proof_json_promise(json, &result->stalls[i].promise);
        proof_json_groups(json, "started", result->stalls[i].started);
        proof_json_groups(json, "ended", result->stalls[i].ended);
        proof_json_way(json, result, result->stalls[i].way);
        json_writer_close(json, '}');
    }
    json_writer_close(json, ']');
}

static void write_raced(struct json_writer *json, const struct proof_result *result)
{
    static const char *const why[PROOF_RACE_CAUSES] = {"not-atomic", "not-inclusive", "not-far"};

    json_writer_open(json, "raced", '[');
    for (uint32_t i = 0; i < result->raced_count; ++i) {
        json_writer_open(json, NULL, '{');
        json_writer_text(json, "why", why[result->raced[i].why]);
        json_writer_bool(json, "same_value", result->raced[i].same);
        write_step(json, result, "first", &result->raced[i].first);
        write_step(json, result, "second", &result->raced[i].second);
        proof_json_way(json, result, result->raced[i].way);
        json_writer_close(json, '}');
    }
    json_writer_close(json, ']');
}

static void write_differences(struct json_writer *json, const struct proof_result *result)
{
    json_writer_open(json, "differences", '[');
    for (uint32_t i = 0; i < result->difference_count; ++i) {
        const struct proof_difference *difference = &result->differences[i];
        json_writer_open_line(json, NULL, '{');
        json_writer_text(json, "object", result->texts[difference->object]);
        json_writer_integer(json, "offset", difference->offset);
        json_writer_integer(json, "bytes", difference->bytes);
        json_writer_integer(json, "one", difference->values[0]);
        json_writer_integer(json, "other", difference->values[1]);
        json_writer_close_line(json, '}');
    }
    json_writer_close(json, ']');
}

static void write_wrong(struct json_writer *json, const struct proof_result *result)
{
    const struct proof_wrong *wrong = &result->wrong;
    char is[PROOF_NUMBER_TEXT], right[PROOF_NUMBER_TEXT];

    if (!json_writer_open_known(json, "wrong_end", result->wrong_finals > 0))
        return;
    json_writer_text(json, "object", result->texts[wrong->object]);
    json_writer_integer(json, "offset", wrong->offset);
    json_writer_integer(json, "bytes", wrong->bytes);
    json_writer_text(json, "is", wrong->bytes > 0 ? proof_number_text(wrong, wrong->is, is) : "");
    json_writer_text(json, "right", wrong->bytes > 0 ? proof_number_text(wrong, wrong->right, right) : "");
    proof_json_way(json, result, wrong->way);
    json_writer_close(json, '}');
}

/* What follows from the states. */
static void write_found(struct json_writer *json, const struct proof_result *result)
{
    write_needs(json, result);
    json_writer_text(json, "explored", extent_names[result->extent]);
    json_writer_integer(json, "states", result->states);
    json_writer_integer(json, "known_states", result->known);
    json_writer_integer(json, "steps_taken", result->steps);
    json_writer_integer(json, "state_bytes", result->states > 0 ? result->bytes / result->states : 0);
    json_writer_integer(json, "launches_by_lot", result->walked);
    json_writer_integer(json, "steps_by_lot", result->walk_steps);
    json_writer_bool(json, "found_by_lot", result->walk_found);
    json_writer_text(json, "ignored", result->texts[result->ignored]);
    json_writer_bool(json, "ignored_read", result->ignored_read);
    json_writer_text(json, "grows", result->texts[result->grows]);
    json_writer_text(json, "made_up", result->texts[result->made_up]);
    json_writer_text(json, "unwritten", result->texts[result->unwritten]);
    json_writer_text(json, "sequential", result->texts[result->sequential]);
    json_writer_text(json, "fault", result->fault);
    json_writer_text(json, "fault_line", result->texts[result->fault_line]);
    json_writer_integer(json, "races", result->races);
    json_writer_bool(json, "races_known", result->races_known);
    json_writer_integer(json, "ends", result->finals);
    json_writer_known(json, "wrong_ends", result->finals_checked, result->wrong_finals);
    json_writer_known(json, "unchecked_ends", result->finals_checked, result->unchecked);
}

/* And how. */
static void write_details(struct json_writer *json, const struct proof_result *result)
{
    write_models(json, result);
    if (result->fault[0] != '\0')
        proof_json_way(json, result, result->fault_way);
    write_stalls(json, result);
    write_raced(json, result);
    write_wrong(json, result);
    write_differences(json, result);
}

void proof_json_answer(struct json_writer *json, const struct proof_row *row)
{
    char *text = NULL;
    FILE *stream = xopen_memstream(&text, NULL);

    proof_text_answer(stream, row);
    xclose_memstream(stream, &text);
    json_writer_text(json, "answer", text);
    free(text);
}

/* null: its groups lie in one row that begins at 0. */
static void write_range(struct json_writer *json, const struct nd_range *range)
{
    const struct nd_range groups = nd_range_groups(range);
    char shape[SHAPE_BYTES];

    if (!json_writer_open_known(json, "range", range->dimensions != 0))
        return;
    nd_range_print_shape(&groups, shape);
    json_writer_text(json, "groups", shape);
    json_writer_open(json, "global", '[');
    for (uint32_t i = 0; i < range->dimensions; ++i)
        json_writer_integer(json, NULL, range->global[i]);
    json_writer_close(json, ']');
    json_writer_open(json, "offset", '[');
    for (uint32_t i = 0; i < range->dimensions; ++i)
        json_writer_integer(json, NULL, range->offset[i]);
    json_writer_close(json, ']');
    json_writer_close(json, '}');
}

static void write_launch(struct json_writer *json, const struct proof_row *row)
{
    const struct subject *subject = &row->trial.footprint.subject;
    char id[RUN_ID_BYTES], name[PROOF_NAME], shape[SHAPE_BYTES];

    trial_point_id(&row->trial, id, sizeof id);
    proof_print_name(&row->trial, name, shape);
    json_writer_text(json, "id", id);
    json_writer_text(json, "source", subject->file);
    json_writer_text(json, "options", subject->options);
    json_writer_text(json, "scenario", row->trial.work.scenario);
    json_writer_text(json, "point", row->trial.work.point);
    json_writer_text(json, "kernel", subject->file[0] != '\0' ? subject->kernel : row->trial.work.kernel);
    json_writer_integer(json, "groups", row->trial.groups);
    json_writer_text(json, "local_size", shape);
    write_range(json, &row->trial.work.range);
    json_writer_text(json, "verdict", proof_verdict_name(row->proved));
    proof_json_answer(json, row);
    json_writer_text(json, "note", row->note);
    json_writer_bool(json, "incomplete", row->incomplete);
    json_writer_integer(json, "duration_ns", row->duration_ns);
}

static void write_row(struct rows *rows, const struct proof_row *row)
{
    const enum rows_left left = row->batches.surprise ? ROWS_NONE_LEFT : rows->left;

    if (left == ROWS_POINTS_LEFT)
        return;
    rows_open(rows, "launch");
    write_launch(&rows->json, row);
    if (row->proved != PROOF_NOTHING) {
        json_writer_bool(&rows->json, "exceeds", row->exceeds);
        write_found(&rows->json, &row->result);
        if (left == ROWS_NONE_LEFT)
            write_details(&rows->json, &row->result);
    }
    rows_close(rows);
}

static void write_json(struct rows *rows, const struct report *report, size_t number)
{
    const struct proofs_device *device = &report->proofs.devices[number];

    for (size_t i = 0; i < device->count; ++i)
        write_row(rows, &device->rows[i]);
}

static void write_message(FILE *out, const struct report_case *found)
{
    proof_text_answer(out, found->proof);
}

static void write_csv(struct csv *csv, const struct report_case *found)
{
    const struct proof_row *row = found->proof;
    const bool explored = row->proved != PROOF_NOTHING;
    struct proof_needs needs;
    char text[PROOF_NEEDS_TEXT], name[PROOF_NAME], shape[SHAPE_BYTES];

    proof_needs_find(&row->result.progress, &needs);
    proof_print_name(&row->trial, name, shape);
    csv_text(csv, name);
    csv_number(csv, row->trial.groups);
    csv_text(csv, shape);
    csv_text(csv, proof_verdict_name(row->proved));
    csv_text(csv, explored ? proof_needs_text(&needs, text) : "");
    csv_known(csv, explored, row->result.races);
    csv_known(csv, explored, row->result.finals);
    csv_known(csv, explored, row->result.known);
    csv_count(csv, row->duration_ns);
}

static void write_markdown(FILE *out, const struct report *report, size_t number)
{
    const struct proofs_device *device = &report->proofs.devices[number];

    fputs("| kernel | groups | verdict | found |\n|---|---|---|---|\n", out);
    for (size_t i = 0; i < device->count; ++i) {
        const struct proof_row *row = &device->rows[i];
        const struct report_case found = {.proof = row, .message = write_message};
        char name[PROOF_NAME], shape[SHAPE_BYTES];
        proof_print_name(&row->trial, name, shape);
        escape_each(escape_markdown, out, "| ", name, NULL);
        fprintf(out, " | %" PRIu32 " | %s | ", row->trial.groups, proof_verdict_name(row->proved));
        report_case_write(out, &found, escape_markdown);
        fputs(" |\n", out);
    }
    fputc('\n', out);
}

static void write_prometheus(FILE *out, const struct report *report)
{
    prometheus_head(out, "gridlock_proofs", "gauge", "Launches that were explored, by what was proved.");
    for (size_t i = 0; i < report->proofs.count; ++i)
        for (int j = 0; j < PROOF_VERDICTS; ++j) {
            prometheus_begin(out, report, i, "gridlock_proofs");
            prometheus_label(out, ",verdict", proof_verdict_name((enum proof_verdict)j));
            prometheus_end(out, report->proofs.devices[i].of[j]);
        }
}

static enum report_result result_of(const struct proof_row *row)
{
    if (row->exceeds || row->unsafe)
        return RESULT_FAIL;
    switch (row->proved) {
    case PROOF_PROVED:
        return RESULT_PASS;
    case PROOF_NOT_REFUTED:
        return RESULT_UNKNOWN;
    case PROOF_NOTHING:
        return row->incomplete ? RESULT_UNKNOWN : row->verdict == VERDICT_UNSUPPORTED ? RESULT_SKIP : RESULT_ERROR;
    default:
        return RESULT_FAIL;
    }
}

static void each_case(const struct report *report, size_t number, case_taker *take, void *context)
{
    const struct proofs_device *device = &report->proofs.devices[number];

    for (size_t i = 0; i < device->count; ++i) {
        const struct proof_row *row = &device->rows[i];
        struct report_case found = {
            .suite = "prove",
            .result = result_of(row),
            .type = row->exceeds  ? "needs-more"
                    : row->unsafe ? "unsafe"
                                  : proof_verdict_name(row->proved),
            .told = true,
            .duration_ns = row->duration_ns,
            .proof = row,
            .message = write_message,
        };
        trial_point_id(&row->trial, found.name, sizeof found.name);
        take(context, &found);
    }
}

const struct report_parts proof_parts = {
    .text = proof_text,
    .json_device = proof_json_here,
    .json_list = "launches",
    .json = write_json,
    .csv_columns = "kernel,groups,local_size,verdict,needs,races,ends,states,duration_ns",
    .csv = write_csv,
    .markdown = write_markdown,
    .prometheus = write_prometheus,
    .each_case = each_case,
};

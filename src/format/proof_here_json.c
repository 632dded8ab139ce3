/* With how many groups kernels that were proved are safe on devices of run files, as JSON. */
#include "report/here.h"

#include "format/kind.h"

static void write_tests(struct json_writer *json, const struct here *here)
{
    static const char *const kept[] = {"unknown", "kept", "broken"};
    const struct certificate *certificate = &here->certificate;
    const bool asked = certificate->has_promise && certificate->model != PROOF_UNFAIR;

    json_writer_text(json, "kept", certificate->has_promise ? kept[certificate->kept] : "");
    if (!json_writer_open_known(json, "tests", asked))
        return;
    const struct certificate_tests *tests = &here->found.tests[certificate->model][certificate->promise.fairness];
    json_writer_text(json, "model", litmus_model_name((enum litmus_model)certificate->model));
    json_writer_text(json, "fairness", litmus_fairness_name(certificate->promise.fairness));
    json_writer_integer(json, "guaranteed", tests->guaranteed);
    json_writer_integer(json, "ended", tests->ended);
    json_writer_integer(json, "stalled", tests->stalled);
    json_writer_integer(json, "undecided", tests->undecided);
    json_writer_integer(json, "states", tests->states);
    json_writer_close(json, '}');
}

static void write_needed(struct json_writer *json, const struct certificate *certificate)
{
    const struct proof_promise *promise = &certificate->promise;
    const bool unfair = promise->model == PROOF_UNFAIR;

    if (!json_writer_open_known(json, "needed", certificate->has_promise))
        return;
    json_writer_text(json, "model", unfair ? "unfair" : litmus_model_name((enum litmus_model)promise->model));
    json_writer_text(json, "fairness", unfair ? "" : litmus_fairness_name(promise->fairness));
    json_writer_count(json, "places", promise->places);
    json_writer_bool(json, "uniform", certificate->uniform);
    json_writer_close(json, '}');
}

static void write_fits(struct json_writer *json, const struct here *here)
{
    json_writer_open(json, "sizes", '[');
    for (size_t i = 0; i < here->fit_count; ++i) {
        const struct here_fit *fit = &here->fits[i];
        const uint32_t groups = certificate_groups(&here->certificate, fit->resident);
        char shape[SHAPE_BYTES];
        nd_range_print_shape(&fit->shape, shape);
        json_writer_open_line(json, NULL, '{');
        json_writer_text(json, "local_size", shape);
        json_writer_integer(json, "resident", fit->resident);
        json_writer_known(json, "safe_groups", groups != UINT32_MAX, groups);
        json_writer_count(json, "first_unsafe", here->certificate.answer == CERTIFICATE_RESIDENT ? fit->stalls_at : 0);
        json_writer_close_line(json, '}');
    }
    json_writer_close(json, ']');
}

static void write_conditions(struct json_writer *json, const struct here *here, const struct proof_row *row)
{
    const struct device_info *info = here->device;

    json_writer_open(json, "conditions", '{');
    json_writer_text(json, "platform", info->platform);
    json_writer_text(json, "device_version", info->device_version);
    json_writer_integer(json, "compute_units", info->compute_units);
    json_writer_integer(json, "max_local_size", info->max_local_size);
    json_writer_integer(json, "local_memory_bytes", info->local_memory_bytes);
    json_writer_text(json, "build_options", row->trial.footprint.subject.options);
    json_writer_text(json, "source_sha256", here->source_sha256);
    json_writer_text(json, "options_sha256", here->options_sha256);
    json_writer_close(json, '}');
}

static void write_runs(struct json_writer *json, const struct here *here, const struct here_runs *runs)
{
    json_writer_open(json, "runs", '[');
    for (size_t i = 0; i < runs->count; ++i) {
        const struct here_run *run = &runs->runs[i];
        if ((here->used >> i & 1) == 0)
            continue;
        json_writer_open(json, NULL, '{');
        json_writer_text(json, "path", run->path);
        json_writer_text(json, "sha256", run->sha256);
        json_writer_text(json, "environment", run->report.head_count > 0 ? run->report.heads[0].run.environment : "");
        json_writer_close(json, '}');
    }
    json_writer_close(json, ']');
}

static void write_launches(struct json_writer *json, const struct proofs_device *device, const struct here *here)
{
    json_writer_open(json, "launches", '[');
    for (size_t i = here->row; i < device->count; ++i) {
        char id[RUN_ID_BYTES];
        trial_point_id(&device->rows[i].trial, id, sizeof id);
        if (here_same_kernel(&device->rows[i], &device->rows[here->row]))
            json_writer_text(json, NULL, id);
    }
    json_writer_close(json, ']');
}

static void write_here(struct json_writer *json, const struct proofs_device *device, const struct here *here)
{
    static const char *const counted[] = {"", "kernel", "scenario", "own"};
    const struct proof_row *row = &device->rows[here->row];
    char name[PROOF_NAME], shape[SHAPE_BYTES];

    proof_print_name(&row->trial, name, shape);
    json_writer_open(json, NULL, '{');
    json_writer_text(json, "kernel", name);
    write_launches(json, device, here);
    json_writer_text(json, "device", here->device->name);
    json_writer_text(json, "driver", here->device->driver_version);
    json_writer_text(json, "answer", certificate_answer_name(here->certificate.answer));
    write_needed(json, &here->certificate);
    write_tests(json, here);
    json_writer_text(json, "counted", counted[here->counted]);
    write_fits(json, here);
    json_writer_integer(json, "published", here->found.published);
    json_writer_integer(json, "stale", here->found.stale);
    write_conditions(json, here, row);
    write_runs(json, here, device->here_runs);
    json_writer_close(json, '}');
}

void proof_json_here(struct json_writer *json, const struct report *report, size_t number)
{
    const struct proofs_device *device = &report->proofs.devices[number];

    if (device->here_count == 0)
        return;
    json_writer_open(json, "here", '[');
    for (size_t i = 0; i < device->here_count; ++i)
        write_here(json, device, &device->here[i]);
    json_writer_close(json, ']');
}

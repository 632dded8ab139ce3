#include "format/kind.h"
#include "litmus/form.h"
#include "litmus/lanes.h"

static void write_state(struct json_writer *json, const struct litmus_case *found)
{
    const struct test_state *state = &found->outcome.state;

    json_writer_open(json, "state", '{');
    json_writer_integer(json, "groups", state->groups);
    json_writer_integer(json, "started", state->started);
    json_writer_integer(json, "ended", state->ended);
    json_writer_integer(json, "stuck_instances", state->stuck);
    json_writer_integer(json, "instance", state->instance);
    json_writer_bool(json, "starved", state->starved);
    json_writer_open(json, "memory", '[');
    for (unsigned location = 0; location < LITMUS_LOCATIONS; ++location)
        json_writer_integer(json, NULL, state->memory >> location & 1);
    json_writer_close(json, ']');
    json_writer_open(json, "threads", '[');
    for (unsigned thread = 0; thread < found->program.threads; ++thread)
        json_writer_known(json, NULL, (state->threads_started >> thread & 1) != 0, state->position[thread]);
    json_writer_close(json, ']');
    json_writer_close(json, '}');
}

static void write_case(struct json_writer *json, const struct litmus_case *found, bool broken)
{
    char text[LITMUS_TEXT];

    if (!json_writer_open_known(json, "broken_by", broken))
        return;
    litmus_text(&found->program, text);
    json_writer_text(json, "program", text);
    json_writer_text(json, "mapping", mapping_name(found->mapping.kind));
    json_writer_text(json, "engine", engine_name(found->engine));
    json_writer_integer(json, "seed", found->mapping.seed);
    json_writer_integer(json, "launches", found->outcome.ran);
    json_writer_integer(json, "stalled", found->outcome.stalled);
    write_state(json, found);
    json_writer_close(json, '}');
}

static void write_standing(struct json_writer *json, const struct progress_device *device, enum litmus_model model,
                           enum litmus_fairness fairness)
{
    const struct litmus_classification *all = &device->classification;
    const struct litmus_standing *standing = &all->standings[model][fairness];

    json_writer_text(json, "level", level_name(device->level));
    json_writer_text(json, "model", litmus_model_name(model));
    json_writer_text(json, "fairness", litmus_fairness_name(fairness));
    json_writer_integer(json, "guaranteed", standing->guaranteed);
    json_writer_integer(json, "ended", standing->ended);
    json_writer_integer(json, "stalled", standing->refuting);
    json_writer_integer(json, "undecided", standing->undecided);
    json_writer_integer(json, "states", standing->states);
    json_writer_integer(json, "doubtful", standing->doubtful);
    json_writer_bool(json, "broken", litmus_is_broken(standing));
    json_writer_bool(json, "told_apart", litmus_is_told_apart(all, model, fairness));
    json_writer_bool(json, "strongest", litmus_is_strongest(all, model, fairness));
    write_case(json, &standing->reason, litmus_is_broken(standing));
}

static void write_disagreements(struct json_writer *json, const struct progress_device *device)
{
    json_writer_open(json, "disagreements", '[');
    for (size_t i = 0; i < device->disagreement_count && i < PROGRESS_LISTED; ++i) {
        json_writer_open(json, NULL, '{');
        json_writer_text(json, "program", device->disagreements[i].program);
        json_writer_text(json, "mapping", mapping_name(device->disagreements[i].mapping.kind));
        json_writer_text(json, "stalls_by", engine_name(device->disagreements[i].stalled));
        json_writer_close(json, '}');
    }
    json_writer_close(json, ']');
}

static void write_like(struct json_writer *json, const struct progress_device *device)
{
    json_writer_open(json, "like", '[');
    for (enum lanes_machine machine = LANES_OF_A_MODEL + 1; machine < LANES_MACHINES; ++machine)
        if ((progress_like(device) >> machine & 1) != 0)
            json_writer_text(json, NULL, lanes_machine_name(machine));
    json_writer_close(json, ']');
}

static void write_level(struct json_writer *json, const struct progress_device *device)
{
    char classes[LITMUS_CLASSES];

    litmus_classes(&device->classification, classes);
    json_writer_integer(json, "tests", device->tests);
    json_writer_integer(json, "launches", device->launches);
    json_writer_integer(json, "stalled_tests", device->stalled_tests);
    json_writer_integer(json, "stalled_launches", device->stalled);
    json_writer_integer(json, "undecided_launches", device->undecided);
    json_writer_integer(json, "cut_tests", device->cut_tests);
    json_writer_integer(json, "livelocks_apart", device->livelocks_apart);
    json_writer_integer(json, "missing_blocks", device->missing);
    json_writer_integer(json, "most_groups", device->most_groups);
    json_writer_integer(json, "duration_ns", device->duration_ns);
    json_writer_count(json, "stall_ns", device->stall_ns);
    json_writer_text(json, "not_offered", device->not_offered);
    json_writer_count(json, "limit_passes", limit_search_passes(&device->limit));
    json_writer_count(json, "limit_stalls", limit_search_result(&device->limit));
    json_writer_text(json, "strongest", device->tests > 0 ? classes : NULL);
    json_writer_integer(json, "strongest_undecided", litmus_strongest_open(&device->classification));
    write_like(json, device);
    write_disagreements(json, device);
}

/* What is known of groups, and a list of the levels below. */
void progress_json_device(struct json_writer *json, const struct report *report, size_t number)
{
    const struct progress_device *device = &report->progress.devices[number];

    write_level(json, device);
    json_writer_open(json, "levels", '[');
    for (enum block_level level = LEVEL_GROUP + 1; level < LEVEL_COUNT; ++level) {
        if (progress_at(device, level) == NULL)
            continue;
        json_writer_open(json, NULL, '{');
        json_writer_text(json, "level", level_name(level));
        write_level(json, progress_at(device, level));
        json_writer_close(json, '}');
    }
    json_writer_close(json, ']');
}

static void write_models(struct rows *rows, const struct report *report, const struct progress_device *device)
{
    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model)
        for (enum litmus_fairness fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness) {
            rows_open(rows, "model");
            if (rows->lines)
                json_writer_bool(&rows->json, "expected", report->expectation.models[device->level][model][fairness]);
            write_standing(&rows->json, device, model, fairness);
            rows_close(rows);
        }
}

void progress_json(struct rows *rows, const struct report *report, size_t number)
{
    for (enum block_level level = 0; level < LEVEL_COUNT; ++level)
        if (progress_at(&report->progress.devices[number], level) != NULL)
            write_models(rows, report, progress_at(&report->progress.devices[number], level));
}

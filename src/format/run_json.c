#include "format/facts_json.h"
#include "format/kind.h"
#include "format/schedule_json.h"

/* null: nothing was expected. */
static void write_expected(struct json_writer *json, const char *name, verdict_set expected)
{
    json_writer_known_set(json, name, expected != 0, &verdict_naming, expected);
}

static void write_rate(struct json_writer *json, const struct whole *whole)
{
    if (!json_writer_open_known(json, "expected_rate", whole->limited != 0))
        return;
    write_expected(json, "verdicts", whole->limited);
    json_writer_integer(json, "most", whole->most);
    json_writer_integer(json, "of", whole->of);
    json_writer_close(json, '}');
}

static void write_shortfall(struct json_writer *json, unsigned shortfall)
{
    json_writer_open(json, "shortfall", '[');
    if ((shortfall & WHOLE_NONE_CAME) != 0)
        json_writer_text(json, NULL, "some");
    if ((shortfall & WHOLE_TOO_MANY) != 0)
        json_writer_text(json, NULL, "rate");
    json_writer_close(json, ']');
}

static void write_counts(struct json_writer *json, const char *name, const struct verdict_tally *tally)
{
    json_writer_open(json, name, '{');
    for (int verdict = 0; verdict < VERDICT_COUNT; ++verdict)
        if (tally->counts[verdict] > 0)
            json_writer_integer(json, verdict_name((enum verdict)verdict), tally->counts[verdict]);
    json_writer_close(json, '}');
}

/* A cause is no fact of the observation, but follows from it. */
static void write_cause(struct json_writer *json, const void *launch)
{
    facts_json(json, FACTS_VERDICT, launch, NULL);
}

/* What was seen in the launch that gave the point its verdict. */
static void write_seen(struct json_writer *json, const struct run_seen *seen)
{
    static const struct facts_other others[] = {{"checked", write_cause}, {NULL, NULL}};

    json_writer_open(json, "seen", '{');
    facts_json(json, FACTS_SEEN, &seen->launch, others);
    json_writer_close(json, '}');
}

/* The shape that was asked for, and how the range was divided; null: it was launched over groups. */
static void write_range(struct json_writer *json, const struct run_form *form)
{
    char shape[SHAPE_BYTES];

    if (!json_writer_open_known(json, "range", form->range.dimensions >= 1 && form->range.dimensions <= 3))
        return;
    nd_range_print_shape(&form->range, shape);
    json_writer_text(json, "shape", shape);
    json_writer_open(json, "global", '[');
    for (uint32_t i = 0; i < form->range.dimensions; ++i)
        json_writer_integer(json, NULL, form->range.global[i]);
    json_writer_close(json, ']');
    json_writer_open(json, "first_group", '[');
    for (uint32_t i = 0; i < form->range.dimensions; ++i)
        json_writer_integer(json, NULL, form->took[i]);
    json_writer_close(json, ']');
    json_writer_count(json, "launched_groups", form->launched);
    json_writer_close(json, '}');
}

static void write_outcome(struct json_writer *json, const struct run_point *point)
{
    char id[RUN_ID_BYTES];

    run_point_id(point, id);
    json_writer_text(json, "id", id);
    json_writer_integer(json, "groups", point->groups);
    json_writer_integer(json, "local_size", point->local_size);
    json_writer_count(json, "resident", point->batches.resident);
    write_expected(json, "expected", point->batches.expected);
    write_expected(json, "allowed", point->batches.allowed);
    write_expected(json, "expected_some", point->whole->some);
    write_rate(json, point->whole);
    json_writer_text(json, "verdict", verdict_name(point->batches.verdict));
    json_writer_bool(json, "surprise", point->batches.surprise);
}

static void write_details(struct json_writer *json, const struct run_point *point)
{
    write_shortfall(json, point->batches.shortfall);
    json_writer_text(json, "known", known_as_name(point->known));
    json_writer_integer(json, "batches", point->batches.count);
    json_writer_integer(json, "surprising_batches", point->batches.surprising);
    json_writer_integer(json, "launches", point->tally->launches);
    write_counts(json, "verdicts", point->tally);
    write_counts(json, "verdicts_of_batches", point->all);
    write_seen(json, point->seen);
    json_writer_count(json, "fastest_ns", point->fastest_ns);
    json_writer_count(json, "fastest_host_ns", point->fastest_host_ns);
    json_writer_count(json, "handover_ps", point->handover_ps);
    write_range(json, point->form);
    facts_json(json, FACTS_KERNEL, &point->form->facts, NULL);
    json_writer_set(json, "left_out", &optional_naming, point->left_out);
    json_writer_text(json, "note", point->note);
    schedule_json(json, point->schedule);
}

static void write_row(struct rows *rows, const struct run_scenario *scenario, const struct run_point *point)
{
    const bool as_expected = run_point_is_predicted(point) && !point->batches.surprise;
    const enum rows_left left = as_expected ? rows->left : ROWS_NONE_LEFT;

    if (left == ROWS_POINTS_LEFT)
        return;
    rows_open(rows, "point");
    if (rows->lines)
        json_writer_text(&rows->json, "scenario", scenario->name);
    write_outcome(&rows->json, point);
    if (left == ROWS_NONE_LEFT)
        write_details(&rows->json, point);
    if (rows->lines)
        json_writer_integer(&rows->json, "duration_ns", point->duration_ns);
    rows_close(rows);
}

static void write_mutant(struct json_writer *json, enum run_mutant mutant)
{
    json_writer_known_bool(json, "mutant_caught", mutant != MUTANT_NONE, mutant == MUTANT_CAUGHT);
    json_writer_known_bool(json, "mutant_missed", mutant != MUTANT_NONE, mutant == MUTANT_MISSED);
}

static void write_safety(struct json_writer *json, const struct run_safety *safety)
{
    const struct run_point *safe = safety->safe, *unsafe = safety->unsafe;

    json_writer_count(json, "safe_groups", safe != NULL ? safe->groups : 0);
    json_writer_count(json, "safe_groups_resident", safe != NULL ? safe->batches.resident : 0);
    json_writer_count(json, "unsafe_groups", unsafe != NULL ? unsafe->groups : 0);
    json_writer_text(json, "unsafe_verdict", unsafe != NULL ? verdict_name(unsafe->batches.verdict) : NULL);
    json_writer_bool(json, "all_safe", safety->all_safe);
    json_writer_bool(json, "anti_pattern", safety->anti_pattern);
}

/* If no option changes the answer, there is one row, and the scenario says all of it. */
static void write_option_row(void *context, const struct run_row *row)
{
    struct json_writer *json = context;

    if (row->label[0] == '\0')
        return;
    json_writer_open(json, NULL, '{');
    json_writer_text(json, "options", row->label);
    write_safety(json, &row->safety);
    json_writer_close(json, '}');
}

static void write_scenario(struct json_writer *json, const struct run_scenario *scenario)
{
    struct run_safety safety;

    run_scenario_safety(scenario, &safety);
    json_writer_text(json, "name", scenario->name);
    write_safety(json, &safety);
    json_writer_open(json, "by_options", '[');
    run_scenario_each_row(scenario, write_option_row, json);
    json_writer_close(json, ']');
    write_mutant(json, run_scenario_mutant(scenario));
    json_writer_integer(json, "as_predicted", safety.right);
    json_writer_integer(json, "surprises", safety.surprises);
    json_writer_integer(json, "known", safety.known);
    json_writer_integer(json, "undecided", safety.undecided);
    json_writer_integer(json, "unpredicted", safety.unpredicted);
    json_writer_integer(json, "unsupported", safety.unsupported);
    json_writer_integer(json, "incomplete", safety.incomplete);
    json_writer_integer(json, "duration_ns", scenario->duration_ns);
}

void run_json_device(struct json_writer *json, const struct report *report, size_t number)
{
    json_writer_integer(json, "trials", report->run.devices[number].trials);
    json_writer_integer(json, "launches", report->run.devices[number].launches);
}

void run_json(struct rows *rows, const struct report *report, size_t number)
{
    const struct run_device *device = &report->run.devices[number];

    for (size_t i = 0; i < device->count; ++i) {
        const struct run_scenario *scenario = &device->scenarios[i];
        rows_open(rows, "scenario");
        write_scenario(&rows->json, scenario);
        rows_open_list(rows, "points");
        for (size_t j = 0; j < scenario->count; ++j)
            write_row(rows, scenario, &scenario->points[j]);
        rows_close_list(rows);
    }
}

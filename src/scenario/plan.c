#include "scenario/plan.h"

#include "core/text.h"
#include "scenario/keys.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Values of the present point. */
struct values {
    struct variable variables[SCENARIO_AXES + 4];
    size_t variable_count;
    struct word words[SCENARIO_AXES];
    size_t word_count;
};

/* --- the order of points --- */

/* Axes that make another build come first, groups last. */
static int rank(const struct axis_text *axis)
{
    if (axis->kind == AXIS_DIALECT)
        return 0;
    if (axis_is_of_build(axis))
        return axis->kind == AXIS_SHAPE || axis->kind == AXIS_NUMBER ? 2 : 1;
    return axis->kind == AXIS_GROUPS ? 4 : 3;
}

void plan_init(struct plan *plan, const struct scenario *scenario, uint32_t compute_units, uint32_t max_groups,
               const struct device_probe *probe)
{
    size_t count = 0;

    *plan =
        (struct plan){.scenario = scenario, .compute_units = compute_units, .max_groups = max_groups, .probe = probe};
    for (int wanted = 0; wanted <= 4; ++wanted)
        for (size_t i = 0; i < scenario->axis_count; ++i)
            if (rank(&scenario->axes[i]) == wanted)
                plan->order[count++] = i;
}

/* Dialects that `all` stands for. */
static const enum dialect all_dialects[] = {DIALECT_CL30, DIALECT_CL12, DIALECT_PTX};
enum { ALL_DIALECTS = 3 };

static bool has_all_dialects(const struct axis_text *axis)
{
    return axis->kind == AXIS_DIALECT && strcmp(axis->items[0], "all") == 0;
}

static size_t item_count(const struct axis_text *axis)
{
    return has_all_dialects(axis) ? ALL_DIALECTS : axis->count;
}

uint64_t plan_length(const struct plan *plan)
{
    uint64_t length = 1;
    for (size_t i = 0; i < plan->scenario->axis_count; ++i)
        length *= item_count(&plan->scenario->axes[i]);
    return length;
}

bool plan_next(struct plan *plan)
{
    const struct scenario *scenario = plan->scenario;

    if (!plan->begun) {
        plan->begun = true;
        plan->build_changed = true;
        return true;
    }
    plan->build_changed = false;
    for (size_t i = scenario->axis_count; i > 0; --i) {
        const size_t axis = plan->order[i - 1];
        if (axis_is_of_build(&scenario->axes[axis])) {
            plan->build_changed = true;
            plan->resident = 0;
        }
        if (++plan->at[axis] < item_count(&scenario->axes[axis]))
            return true;
        plan->at[axis] = 0;
    }
    return false;
}

void plan_again(struct plan *plan)
{
    for (size_t i = 0; i < plan->scenario->axis_count; ++i)
        if (!axis_is_of_build(&plan->scenario->axes[i]))
            plan->at[i] = 0;
    plan->build_changed = true;
    plan->resident = plan->recounted = 0;
}

/* --- values --- */

static void add_value(struct values *values, const char *name, int64_t value, bool known)
{
    values->variables[values->variable_count++] = (struct variable){name, value, known};
}

static const struct variable *find_variable(const struct values *values, const char *name)
{
    for (size_t i = 0; i < values->variable_count; ++i)
        if (strcmp(values->variables[i].name, name) == 0)
            return &values->variables[i];
    return NULL;
}

static uint32_t number(const struct values *values, const char *name)
{
    const struct variable *variable = find_variable(values, name);
    return variable != NULL && variable->known ? (uint32_t)variable->value : 0;
}

static enum dialect dialect_of(const struct plan *plan)
{
    const struct axis_text *axis = scenario_axis(plan->scenario, "dialect");
    const size_t at = plan->at[axis - plan->scenario->axes];
    if (has_all_dialects(axis))
        return all_dialects[at];
    const int dialect = naming_find(&dialect_naming, axis->items[at]);
    return dialect < 0 ? plan->probe->dialect : (enum dialect)dialect;
}

static const char *word_of(const struct plan *plan, const struct axis_text *axis)
{
    return axis->kind == AXIS_DIALECT ? dialect_name(dialect_of(plan))
                                      : axis->items[plan->at[axis - plan->scenario->axes]];
}

/* An earlier item of the list is the same word, be it by another name: best, and the dialect that it is. */
static bool came_before(const struct plan *plan, const struct axis_text *axis)
{
    const size_t index = (size_t)(axis - plan->scenario->axes);
    struct plan earlier = *plan;

    for (earlier.at[index] = 0; earlier.at[index] < plan->at[index]; ++earlier.at[index])
        if (strcmp(word_of(&earlier, axis), word_of(plan, axis)) == 0)
            return true;
    return false;
}

/* 0: it has a value within its limits; 1: it has none here, with *reason or without. */
static int evaluate(const struct axis_text *axis, size_t item, const struct values *values, int64_t most,
                    int64_t *value, const char **reason, struct error *error)
{
    const struct scope scope = {values->variables, values->variable_count};
    const int outcome = expression_evaluate(axis->items[item], &scope, value, error);

    if (outcome < 0)
        return error_context(error, "%s", axis->name);
    if (outcome > 0)
        *reason = "the resident limit of this kernel is unknown";
    return outcome > 0 || *value < axis->least || *value > (axis->most < most ? axis->most : most);
}

/* The present value of an axis; 1 if an earlier item of its list has the same. */
static int take_number(const struct plan *plan, const struct axis_text *axis, struct values *values,
                       const char **reason, struct error *error)
{
    const size_t at = plan->at[axis - plan->scenario->axes];
    const int64_t most = axis->kind == AXIS_GROUPS ? (int64_t)plan->max_groups : INT64_MAX;
    int64_t value, before;

    const int outcome = evaluate(axis, at, values, most, &value, reason, error);
    if (outcome != 0)
        return outcome;
    for (size_t i = 0; i < at; ++i) {
        const char *ignored = NULL;
        const int known = evaluate(axis, i, values, most, &before, &ignored, error);
        if (known < 0)
            return -1;
        if (known == 0 && before == value)
            return 1;
    }
    add_value(values, axis->name, value, true);
    return 0;
}

static void begin_values(const struct plan *plan, struct values *values)
{
    *values = (struct values){0};
    add_value(values, "resident", plan->resident, plan->resident != 0);
    add_value(values, "compute-units", plan->compute_units, true);
    add_value(values, "line", 32, true);
}

/* The shape, and whether edges are ragged, of a kernel that is launched over a range. */
static void choose_range(const struct plan *plan, struct entry_choice *choice)
{
    nd_range_parse_shape(word_of(plan, scenario_axis(plan->scenario, "shape")), &choice->range);
    choice->ragged = strcmp(word_of(plan, scenario_axis(plan->scenario, "edge")), "ragged") == 0;
}

/* Groups come before what may be relative to them. */
static int take_values(const struct plan *plan, struct values *values, const char **reason, struct error *error)
{
    const struct scenario *scenario = plan->scenario;
    struct entry_choice choice;
    int outcome = 0;

    begin_values(plan, values);
    /* A kernel with a range has one entry on its board, and what else depends on a group's size has its shape's. */
    if (entry_has_range(&scenario->entry)) {
        choose_range(plan, &choice);
        add_value(values, "groups", 1, true);
        add_value(values, "local-size", (int64_t)nd_range_local_size(&choice.range), true);
    }
    for (int groups = 1; groups >= 0; --groups) {
        for (size_t i = 0; i < scenario->axis_count && outcome == 0; ++i) {
            const struct axis_text *axis = &scenario->axes[i];
            if ((axis->kind == AXIS_GROUPS) != (groups == 1))
                continue;
            if (axis_is_word(axis)) {
                values->words[values->word_count++] = (struct word){axis->name, word_of(plan, axis)};
                outcome = came_before(plan, axis);
            } else {
                outcome = take_number(plan, axis, values, reason, error);
            }
        }
    }
    return outcome;
}

/* The value of an axis that makes another build; 0: there is no such axis, or it has no value. */
static uint32_t build_number(const struct plan *plan, const char *name)
{
    const struct axis_text *axis = scenario_axis(plan->scenario, name);
    struct values values;
    const char *ignored;
    int64_t value;

    begin_values(plan, &values);
    if (axis == NULL ||
        evaluate(axis, plan->at[axis - plan->scenario->axes], &values, INT64_MAX, &value, &ignored, NULL) != 0)
        return 0;
    return (uint32_t)value;
}

void plan_build(const struct plan *plan, struct plan_build *build)
{
    const struct scenario *scenario = plan->scenario;
    struct entry_choice choice;

    *build = (struct plan_build){
        .dialect = dialect_of(plan),
        .poll = word_of(plan, scenario_axis(scenario, "poll")),
        .local_size = build_number(plan, "local-size"),
        .registers = build_number(plan, "registers"),
    };
    if (entry_has_range(&scenario->entry)) {
        choose_range(plan, &choice);
        build->local_size = (uint32_t)nd_range_local_size(&choice.range);
    }
    for (size_t i = 0; i < scenario->axis_count; ++i) {
        const struct axis_text *axis = &scenario->axes[i];
        if (axis->option >= 0)
            build->values[axis->option] =
                (size_t)entry_value_find(&scenario->entry.options[axis->option], word_of(plan, axis));
    }
}

/* --- trials --- */

/* The kernel's own axes that were given, and rounds, for people: fault=none,items=4096. */
static void print_point(const struct plan *plan, const struct values *values, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < plan->scenario->axis_count; ++i) {
        const struct axis_text *axis = &plan->scenario->axes[i];
        const struct variable *variable = find_variable(values, axis->name);
        /* What has one value says nothing, and what the trial's name says already need not be said. */
        if (axis->kind == AXIS_GROUPS || axis->kind == AXIS_DIALECT || axis->kind == AXIS_SHAPE ||
            strcmp(axis->name, "local-size") == 0 || strcmp(axis->name, "iterations") == 0 ||
            (axis->count < 2 && axis->line == 0))
            continue;
        if (axis->kind == AXIS_WORD)
            text_list(text, size, ",", "%s=%s", axis->name, word_of(plan, axis));
        else if (variable != NULL)
            text_list(text, size, ",", "%s=%" PRId64, axis->name, variable->value);
    }
}

static int resolve(const struct plan *plan, const struct plan_build *build, const struct values *values,
                   struct trial *trial, struct error *error)
{
    const struct scenario *scenario = plan->scenario;
    const struct scope scope = {values->variables, values->variable_count};
    struct entry_choice choice = {.ragged = false};
    struct workload *work = &trial->work;

    memcpy(choice.values, build->values, sizeof choice.values);
    for (size_t i = 0; i < scenario->axis_count; ++i)
        if (scenario->axes[i].parameter >= 0)
            choice.parameters[scenario->axes[i].parameter] = number(values, scenario->axes[i].name);
    if (entry_has_range(&scenario->entry))
        choose_range(plan, &choice);
    if (entry_resolve(&scenario->entry, &choice, &scope, work, error) != 0)
        return -1;
    snprintf(work->scenario, sizeof work->scenario, "%s", scenario->name);
    work->publication = scenario->publication;
    snprintf(work->folder, sizeof work->folder, "%s", scenario->folder);
    text_list(work->options, sizeof work->options, " ", "-DPOLL_");
    size_t at = strlen(work->options);
    for (const char *poll = build->poll; *poll != '\0' && at + 1 < sizeof work->options; ++poll)
        work->options[at++] = (char)toupper((unsigned char)*poll);
    work->options[at] = '\0';
    if (build->registers != 0)
        text_append(work->options, sizeof work->options, " -DGL_REGISTERS -cl-nv-maxrregcount=%" PRIu32,
                    build->registers);
    return 0;
}

static uint32_t limit_of(const struct plan *plan)
{
    return plan->recounted != 0 ? plan->recounted : plan->resident;
}

static void fill(const struct plan *plan, const struct plan_build *build, const struct values *values,
                 struct trial *trial)
{
    *trial = (struct trial){
        .footprint = {.local_size = build->local_size},
        .kind = TRIAL_WORK,
        .groups = number(values, "groups"),
        .rounds = number(values, "rounds"),
        .repeats = plan->settings.iterations_given ? plan->settings.iterations : number(values, "iterations"),
        .dialect = build->dialect,
        .live = plan->settings.live,
        .samples = plan->settings.samples,
        .shorten = plan->settings.shorten,
    };
    for (size_t i = 0; i < scenario_key_count; ++i) {
        uint32_t *const member = key_number(&scenario_keys[i], &trial->work.numbers);
        if (member != NULL)
            *member = number(values, scenario_keys[i].name);
    }
    if (plan->settings.seed_given)
        trial->work.numbers.seed = plan->settings.seed;
    const uint32_t held = trial->work.numbers.held, limit = limit_of(plan);
    const uint32_t places = limit > held ? limit - held : 0;
    trial->proven_groups = places < trial->groups ? places : trial->groups;
}

int plan_trial(const struct plan *plan, struct trial *trial, struct expected *expected, const char **reason,
               struct error *error)
{
    struct values values;
    struct plan_build build;
    const char *fault;

    *reason = NULL;
    *expected = (struct expected){0};
    const int outcome = take_values(plan, &values, reason, error);
    if (outcome < 0)
        return error_context(error, "%s", plan->scenario->file);
    if (outcome > 0)
        return 1;
    if (plan->resident != 0 && number(&values, "held") >= plan->resident) {
        *reason = "the groups of the second queue would occupy all places";
        return 1;
    }
    plan_build(plan, &build);
    fill(plan, &build, &values, trial);
    if (resolve(plan, &build, &values, trial, error) != 0)
        return -1;
    values.variables[0].value = limit_of(plan); /* "resident" */
    if (plan->resident_is_least)
        values.variables[0].known = false;
    print_point(plan, &values, trial->work.point, sizeof trial->work.point);
    const struct circumstances circumstances = {
        {values.variables, values.variable_count}, values.words, values.word_count, plan->settings.kept};
    return scenario_expect(plan->scenario, &circumstances, expected, &trial->work.anti_pattern, &fault, error);
}

/* The parameters have their smallest values: a group that is only counted does not use them. */
int plan_census(const struct plan *plan, uint32_t groups, struct trial *trial, struct error *error)
{
    struct values values;
    struct plan_build build;

    plan_build(plan, &build);
    begin_values(plan, &values);
    add_value(&values, "groups", groups, true);
    add_value(&values, "local-size", build.local_size, true);
    add_value(&values, "rounds", 1, true);
    for (size_t i = 0; i < plan->scenario->entry.parameter_count; ++i)
        add_value(&values, plan->scenario->entry.parameters[i].name, plan->scenario->entry.parameters[i].least, true);
    fill(plan, &build, &values, trial);
    trial->kind = TRIAL_CENSUS;
    return resolve(plan, &build, &values, trial, error);
}

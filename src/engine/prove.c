#include "engine/prove.h"

#include "base/alloc.h"
#include "engine/catalog.h"
#include "engine/subjects.h"
#include "proof/graph.h"
#include "proof/verdict.h"
#include "scenario/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct planning {
    const struct prove_asked *asked;
    struct trial *trials;
    size_t count;
};

static void add(struct planning *planning, const struct trial *trial)
{
    GROW(planning->trials, planning->count);
    planning->trials[planning->count++] = *trial;
}

/* --- the plan: kernels of the user's --- */

static void add_launch(struct planning *planning, const struct footprint *footprint, const struct nd_range *groups)
{
    struct trial trial = {.kind = TRIAL_PROOF,
                          .groups = (uint32_t)nd_range_local_size(groups),
                          .rounds = 1,
                          .repeats = 1,
                          .footprint = *footprint};

    if (!nd_range_groups_in_row(groups))
        trial.work.range = nd_range_of_groups(groups, &footprint->subject.shape);
    add(planning, &trial);
}

static int plan_subjects(struct planning *planning, const struct executor *executor, const struct device_info *device,
                         struct error *error)
{
    const struct prove_asked *asked = planning->asked;
    struct footprint *footprints = NULL;
    size_t count = 0;

    if (asked->subjects->file_count == 0)
        return 0;
    const int outcome = subjects_plan(asked->subjects, executor, device, &footprints, &count, error);
    for (size_t i = 0; outcome == 0 && i < count; ++i)
        for (size_t j = 0; j < asked->group_count; ++j)
            add_launch(planning, &footprints[i], &asked->groups[j]);
    free(footprints);
    return outcome;
}

/* --- the plan: scenarios --- */

static struct axis_text *axis_of(struct scenario *scenario, const char *name)
{
    for (size_t i = 0; i < scenario->axis_count; ++i)
        if (strcmp(scenario->axes[i].name, name) == 0)
            return &scenario->axes[i];
    return NULL;
}

static void set_numbers(struct scenario *scenario, const char *name, const uint64_t *numbers, size_t count)
{
    struct axis_text *axis = axis_of(scenario, name);

    if (axis == NULL)
        return;
    for (axis->count = 0; axis->count < count && axis->count < AXIS_ITEMS; ++axis->count)
        snprintf(axis->items[axis->count], AXIS_ITEM_BYTES, "%" PRIu64, numbers[axis->count]);
}

/* No value, which is an expression, is above the bound. */
static void set_most(struct scenario *scenario, const char *name, uint64_t bound)
{
    struct axis_text *axis = axis_of(scenario, name);
    char own[AXIS_ITEM_BYTES];

    for (size_t i = 0; axis != NULL && i < axis->count; ++i) {
        snprintf(own, sizeof own, "%s", axis->items[i]);
        if (snprintf(axis->items[i], AXIS_ITEM_BYTES, "min(%s, %" PRIu64 ")", own, bound) >= AXIS_ITEM_BYTES)
            snprintf(axis->items[i], AXIS_ITEM_BYTES, "%" PRIu64, bound);
    }
}

static uint64_t greatest(const uint64_t *numbers, size_t count)
{
    uint64_t most = 0;

    for (size_t i = 0; i < count; ++i)
        most = numbers[i] > most ? numbers[i] : most;
    return most;
}

/* All launches of a run have the same options, but for groups: what differs between them is due to that. */
static void set_small(const struct prove_asked *asked, struct scenario *scenario)
{
    static const char *const needless[] = {"jitter", "uneven", "burners", "held", "traffic", "fuse"};
    const uint64_t zero = 0, one = 1, rounds = asked->rounds;
    uint64_t sizes[FOOTPRINTS_LIST], numbers[FOOTPRINTS_LIST];

    for (size_t i = 0; i < asked->subjects->size_count; ++i)
        sizes[i] = nd_range_local_size(&asked->subjects->sizes[i]);
    for (size_t i = 0; i < asked->group_count; ++i)
        numbers[i] = nd_range_local_size(&asked->groups[i]);
    const uint64_t groups = greatest(numbers, asked->group_count);
    set_numbers(scenario, "groups", numbers, asked->group_count);
    set_numbers(scenario, "local-size", sizes, asked->subjects->size_count);
    set_numbers(scenario, "iterations", &one, 1);
    if (rounds != 0)
        set_numbers(scenario, "rounds", &rounds, 1);
    else
        set_most(scenario, "rounds", groups > 2 ? 2 : 3);
    set_most(scenario, "slots", 1); /* a ring that is never full would make nobody wait */
    set_most(scenario, "items", 2 * groups * greatest(sizes, asked->subjects->size_count) + 1);
    for (size_t i = 0; i < sizeof needless / sizeof *needless; ++i)
        set_numbers(scenario, needless[i], &zero, 1);
}

/* Whether the point is one that differs from those before in what is proved. */
static bool is_new(const struct planning *planning, size_t from, const struct trial *trial)
{
    char id[256], other[256];

    trial_point_id(trial, id, sizeof id);
    for (size_t i = from; i < planning->count; ++i) {
        trial_point_id(&planning->trials[i], other, sizeof other);
        if (strcmp(id, other) == 0)
            return false;
    }
    return true;
}

/* What is launched over a range has as many groups as that makes, and the model device lacks dialects. */
static bool is_small(const struct trial *trial, const struct device_probe *probe)
{
    return trial->work.range.dimensions == 0 && probe->dialect_works[trial->dialect];
}

static int plan_scenario(struct planning *planning, const struct scenario *asked, const struct device_info *device,
                         const struct device_probe *probe, struct error *error)
{
    struct scenario *scenario = xmalloc(sizeof *scenario);
    const size_t from = planning->count;
    struct plan plan;
    int outcome = 0;

    *scenario = *asked;
    set_small(planning->asked, scenario);
    plan_init(&plan, scenario, device->compute_units, UINT32_MAX, probe);
    while (outcome >= 0 && plan_next(&plan)) {
        struct trial trial;
        struct expected expected;
        const char *reason;
        plan.resident = PROOF_GROUPS;
        outcome = plan_trial(&plan, &trial, &expected, &reason, error);
        trial.kind = TRIAL_PROOF;
        if (outcome == 0 && is_small(&trial, probe) && is_new(planning, from, &trial))
            add(planning, &trial);
    }
    free(scenario);
    return outcome < 0 ? -1 : 0;
}

/*
 * Writes a new array of trials, which the caller frees. A scenario has each of its points once, with little to do for
 * each group, and without what does not matter where all schedules are explored: delays, and other launches. What it
 * launches over a range is left out. -1: as subjects_plan, or STATUS_USAGE if a scenario cannot be read.
 */
static int plan_all(const struct prove_asked *asked, const struct executor *executor, const struct device_info *device,
                    const struct device_probe *probe, struct trial **trials, size_t *count, struct error *error)
{
    struct planning planning = {.asked = asked};
    int outcome = plan_subjects(&planning, executor, device, error);

    for (size_t i = 0; outcome == 0 && i < asked->catalog->count; ++i)
        outcome = plan_scenario(&planning, asked->catalog->scenarios[i], device, probe, error);
    if (outcome == 0 && planning.count == 0)
        outcome =
            error_set(error, STATUS_UNSUPPORTED,
                      "%s: no launch that can be explored; it takes a dialect that model devices lack, or says how "
                      "large its range is instead of how many groups there are",
                      asked->catalog->count == 1 ? asked->catalog->scenarios[0]->name : "these scenarios");
    *trials = planning.trials;
    *count = planning.count;
    return outcome;
}

/* --- launches --- */

struct proving {
    struct prove *prove;
    struct proof_request request; /* of the present launch */
};

static void ask(void *context, size_t index, struct asked *asked)
{
    struct proving *proving = context;

    (void)index;
    proving->request = *proving->prove->request;
    proving->request.trial = asked->trial;
    asked->proof = &proving->request;
}

static bool has_failed(void *context, const struct asked *asked, const struct remote_result *result)
{
    struct proof_result proved;
    struct error ignored;

    (void)context;
    (void)asked;
    proof_result_unpack(&proved, result->proof, result->proof_words, &ignored);
    const enum proof_verdict verdict = proof_judge(&proved);
    proof_result_fini(&proved);
    return verdict != PROOF_PROVED && verdict != PROOF_NOT_REFUTED;
}

int prove_device(struct prove *prove, const struct device_info *device, struct error *error)
{
    const struct search_options none = {.repeats = 1};
    struct proving proving = {.prove = prove};
    struct runner runner = {.settings = prove->settings, .executor = prove->executor};
    struct trial_list list = {
        .ask = ask, .is_bad = has_failed, .context = &proving, .ended = prove->launch_ended, .watcher = prove->context};
    int outcome = runner_begin(&runner, device, PROBE_FIRST_DIALECT, &none, error);

    if (outcome == 0)
        outcome =
            plan_all(&prove->asked, &prove->executor, device, &runner.stored.probe, &list.trials, &list.count, error);
    if (outcome == 0)
        outcome = runner_drive_list(&runner, &list, error);
    runner_end(&runner);
    free(list.trials);
    return outcome;
}

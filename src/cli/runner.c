#include "cli/runner.h"

#include "host/device_lock.h"
#include "host/signals.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- a device --- */

/* Looks for the device in a run that goes on. */
struct lookup {
    const struct device_info *device;
    struct store_device found;
    bool is_found;
};

static int look_up(void *context, const struct store_device *stored)
{
    struct lookup *lookup = context;
    if (!device_info_same(&stored->info, lookup->device))
        return 0;
    lookup->found = *stored;
    lookup->is_found = true;
    return 1;
}

/* The run that goes on has begun this device: what was probed then holds. 1: it has not. */
static int go_on(struct runner *runner, const struct device_info *device, struct error *error)
{
    struct lookup lookup = {.device = device};

    if (!runner->continued)
        return 1;
    if (store_each_device(runner->store, look_up, &lookup, error) < 0)
        return -1;
    if (!lookup.is_found)
        return 1;
    if (strcmp(lookup.found.info.driver_version, device->driver_version) != 0 && !runner->force)
        return error_set(error, STATUS_USAGE,
                         "%s has driver %.60s, and this run was begun with %.60s; --force goes on all the same",
                         device->name, device->driver_version, lookup.found.info.driver_version);
    if (lookup.found.info.compute_units != device->compute_units && !runner->force)
        return error_set(error, STATUS_USAGE,
                         "%s has %" PRIu32 " compute units, and had %" PRIu32 " when this run was begun; --force goes "
                         "on all the same",
                         device->name, device->compute_units, lookup.found.info.compute_units);
    runner->stored = lookup.found;
    remote_continue(runner->remote, device, &runner->stored.probe);
    return runner->stored.wedged ? store_mark_wedged(runner->store, runner->stored.id, false, error) : 0;
}

int runner_begin(struct runner *runner, const struct device_info *device, enum probe_depth depth,
                 const struct search_options *options, struct error *error)
{
    runner->lock = device_lock(device, runner->wait_ns, runner->quiet, error);
    if (runner->lock < 0)
        return -1;
    const int found = go_on(runner, device, error);
    if (found <= 0)
        return found;
    if (remote_choose(runner->remote, device, depth, runner->channel, error) != 0)
        return -1;
    runner->stored = (struct store_device){.info = *device, .probe = runner->remote->probe, .options = *options};
    search_device_init(&runner->stored.settings, device, &runner->remote->probe);
    if (runner->stall_budget_ns != 0)
        runner->stored.settings.confirm_ns = runner->stall_budget_ns;
    return store_add_device(runner->store, &runner->stored, error);
}

void runner_end(struct runner *runner)
{
    device_unlock(runner->lock);
    runner->lock = -1;
    tally_fini(&runner->names);
}

/* --- trials --- */

static int store_result(struct runner *runner, int64_t row, const struct trial *trial,
                        const struct remote_result *result, struct error *error)
{
    struct store_launch *launches = calloc((size_t)result->count + 1, sizeof *launches);
    int outcome;

    if (launches == NULL)
        return error_set(error, STATUS_HARNESS, "no memory for the launches of a trial");
    for (uint32_t i = 0; i < result->count; ++i)
        launches[i] = (struct store_launch){
            .observation = result->observations[i],
            .verdict = verdict_judge(trial, &result->observations[i]),
            .cause = cause_judge(trial, &result->observations[i]),
        };
    const struct store_end end = {
        .launches = launches,
        .count = result->count,
        .evidence = result->evidence,
        .board = result->board,
        .board_words = result->board_words,
        .duration_ns = result->duration_ns,
        .build_ns = result->build_ns,
        .most_items = result->most_items,
        .multiple_items = result->multiple_items,
        .rungs = result->end.rungs,
        .stderr_tail = result->end.stderr_tail,
        .note = result->text,
    };
    outcome = store_end_trial(runner->store, row, &end, error);
    free(launches);
    return outcome;
}

static int wedge(struct runner *runner, struct error *error)
{
    runner->wedged = true;
    return store_mark_wedged(runner->store, runner->stored.id, true, error);
}

/* After a failure: does the device still work? */
static int check_device(struct runner *runner, const struct remote_result *result, struct error *error)
{
    struct supervisor_end end;
    struct error failure = {0};

    if (result->unkillable)
        return wedge(runner, error);
    if (result->clean || signals_received() != 0)
        return 0;
    if (remote_canary(runner->remote, &end, &failure) == 0)
        return 0;
    if (failure.status != STATUS_WEDGED) {
        *error = failure;
        return -1;
    }
    fprintf(stderr, "gridlock: %s\n", failure.text);
    return wedge(runner, error);
}

struct recalled {
    struct remote_result *result;
    bool interrupted;
    struct error *error;
};

/* Copies what a stored trial showed; of one that the user ended, that it has to be run again. */
static int take_stored(void *context, const struct store_trial *stored)
{
    struct recalled *recalled = context;
    struct remote_result *result = recalled->result;

    recalled->interrupted =
        stored->count > 0 && stored->launches[stored->count - 1].observation.outcome == OUTCOME_INTERRUPTED;
    if (recalled->interrupted)
        return 1;
    result->clean = true;
    result->recalled = true;
    result->incomplete = !stored->ended;
    result->duration_ns = stored->duration_ns;
    snprintf(result->text, sizeof result->text, "%s", stored->note);
    if (stored->count == 0)
        return 1;
    result->observations = calloc(stored->count, sizeof *result->observations);
    if (result->observations == NULL)
        return error_set(recalled->error, STATUS_HARNESS, "no memory for what trial %s showed", stored->name);
    for (uint32_t i = 0; i < stored->count; ++i)
        result->observations[i] = stored->launches[i].observation;
    result->count = result->capacity = stored->count;
    return 1;
}

/* Finds the trial in a run that goes on: 1, and its *row if it is to be run all the same; 0: it is not there. */
static int recall(struct runner *runner, const struct trial *trial, const char *name, int64_t *row,
                  struct remote_result *result, struct error *error)
{
    struct recalled recalled = {.result = result, .error = error};
    int64_t id = 0;

    *row = 0;
    if (!runner->continued)
        return 0;
    if (store_find_trial(runner->store, runner->stored.id, name, &id, error) != 0)
        return -1;
    if (id == 0)
        return 0;
    const int taken = store_each_trial(runner->store, runner->stored.id, id - 1, take_stored, &recalled, error);
    if (taken != 1)
        return taken;
    if (recalled.interrupted && store_reopen_trial(runner->store, id, error) != 0)
        return -1;
    /* What a limit hangs on is needed in any case; a point or a block that took the machine down would do so again. */
    const bool is_needed = runner->retry_incomplete || (int)trial->estimator < ESTIMATOR_COUNT;
    if (recalled.interrupted || (result->incomplete && is_needed)) {
        *row = id;
        *result = (struct remote_result){0};
    }
    return 1;
}

int runner_run(struct runner *runner, const struct trial *trial, const struct store_prediction *prediction,
               struct remote_result *result, struct error *error)
{
    char name[256];
    uint32_t sequence;
    int64_t row;

    *result = (struct remote_result){0};
    trial_point_id(trial, name, sizeof name);
    if (tally_count(&runner->names, name, &sequence) != 0)
        return error_set(error, STATUS_HARNESS, "no memory for the name of a trial");
    trial_id(trial, sequence, name, sizeof name);
    const int known = recall(runner, trial, name, &row, result, error);
    if (known < 0 || (known > 0 && row == 0))
        return known < 0 ? -1 : 0;
    if (row == 0 && store_begin_trial(runner->store, runner->stored.id, sequence, trial, prediction, &row, error) != 0)
        return -1;
    if (remote_trial(runner->remote, trial, result, error) != 0)
        return -1;
    if (store_result(runner, row, trial, result, error) != 0)
        return -1;
    return check_device(runner, result, error);
}

#include "engine/runner.h"

#include "base/alloc.h"
#include "host/signals.h"
#include "litmus/emulate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- a device --- */

/* The run that goes on has begun this device: what was probed then holds. 1: it has not. */
static int go_on(struct runner *runner, const struct device_info *device, struct error *error)
{
    const struct run_settings *settings = runner->settings;
    struct store_device stored = {.id = 0};
    int found;

    if (!settings->continued)
        return 1;
    while ((found = store_next_device(settings->store, &stored, error)) == 1)
        if (device_info_same(&stored.info, device))
            break;
    if (found != 1)
        return found == 0 ? 1 : -1;
    if (strcmp(stored.info.driver_version, device->driver_version) != 0 && !settings->force)
        return error_set(error, STATUS_USAGE,
                         "%s has driver %.60s, but this run was begun with %.60s; use --force to continue anyway",
                         DEVICE_LABEL_OF(device), device->driver_version, stored.info.driver_version);
    if (stored.info.compute_units != device->compute_units && !settings->force)
        return error_set(error, STATUS_USAGE,
                         "%s has %" PRIu32 " compute units, but had %" PRIu32
                         " when this run was begun; use --force to continue anyway",
                         DEVICE_LABEL_OF(device), device->compute_units, stored.info.compute_units);
    runner->stored = stored;
    if (runner->executor.operations->go_on != NULL)
        runner->executor.operations->go_on(runner->executor.self, device, &runner->stored.probe);
    return runner->stored.wedged ? store_mark_wedged(settings->store, runner->stored.id, false, error) : 0;
}

int runner_begin(struct runner *runner, const struct device_info *device, enum probe_depth depth,
                 const struct search_options *options, struct error *error)
{
    const struct executor *executor = &runner->executor;
    const struct run_settings *settings = runner->settings;
    struct device_probe probe = {0};

    if (executor->operations->take != NULL && executor->operations->take(executor->self, device, error) != 0)
        return -1;
    runner->taken = true;
    const int found = go_on(runner, device, error);
    if (found <= 0)
        return found;
    if (executor->operations->probe != NULL &&
        executor->operations->probe(executor->self, device, depth, &probe, error) != 0)
        return -1;
    runner->stored =
        (struct store_device){.id = settings->device_row, .info = *device, .probe = probe, .options = *options};
    search_device_init(&runner->stored.settings, device, &probe);
    runner->stored.settings.max_groups = model_device_tried(device->name, runner->stored.settings.max_groups);
    if (settings->stall_budget_ns != 0)
        runner->stored.settings.confirm_ns = settings->stall_budget_ns;
    return store_add_device(settings->store, &runner->stored, error);
}

void runner_end(struct runner *runner)
{
    const struct executor *executor = &runner->executor;
    if (runner->taken && executor->operations->leave != NULL)
        executor->operations->leave(executor->self);
    runner->taken = false;
    tally_fini(&runner->names);
}

bool runner_is_over(const struct runner *runner)
{
    return runner->wedged || signals_received() != 0;
}

bool runner_has_trial(const struct runner *runner, const struct trial *trial)
{
    char id[256];

    trial_point_id(trial, id, sizeof id);
    return shard_has(&runner->settings->shard, id);
}

int runner_note_share(struct runner *runner, uint64_t planned, uint64_t own, bool ended, struct error *error)
{
    const struct store_share share = {
        .device = runner->stored.id, .planned = planned, .own = own, .ended = ended && !runner_is_over(runner)};
    return store_write_share(runner->settings->store, &share, error);
}

/* --- trials --- */

verdict_set runner_note_known(struct known *known, const struct trial *trial, struct store_prediction *prediction)
{
    char id[256];
    trial_point_id(trial, id, sizeof id);
    known_note(known, id);
    const verdict_set failure = known_failure(known, id);
    if (failure != 0) {
        prediction->known = KNOWN_AS_FAILURE;
        naming_print_set(known->of_promises ? &keeping_naming : &verdict_naming, failure, " or ",
                         prediction->known_verdicts, sizeof prediction->known_verdicts);
    } else if (known_patterns_match(&known->flakes, id)) {
        prediction->known = KNOWN_AS_FLAKE;
    }
    return failure;
}

static int store_result(struct runner *runner, int64_t row, const struct asked *asked,
                        const struct remote_result *result, struct error *error)
{
    const struct trial *trial = &asked->trial;
    struct store_launch *launches = xcalloc((size_t)result->count + 1, sizeof *launches);
    struct store_test *tests = xcalloc((size_t)result->test_count + 1, sizeof *tests);

    for (uint32_t i = 0; i < result->count; ++i)
        launches[i] = (struct store_launch){
            .observation = result->observations[i],
            .verdict = verdict_judge(trial, &result->observations[i]),
            .cause = trial_has_board(trial) ? cause_judge(trial, &result->observations[i]) : CAUSE_NONE,
        };
    for (uint32_t i = 0; i < result->test_count; ++i)
        tests[i] = (struct store_test){.program = asked->programs[result->tests[i].test], .outcome = result->tests[i]};
    const struct store_end end = {
        .launches = launches,
        .count = result->count,
        .evidence = result->evidence,
        .board = result->board,
        .board_words = result->board_words,
        .packed_board = &result->packed_board,
        .shares_board = (int)trial->kind < ESTIMATOR_COUNT && trial->work.kernel[0] == '\0',
        .samples = result->samples,
        .samples_words = result->samples_words,
        .schedule = result->schedule,
        .tests = tests,
        .test_count = result->test_count,
        .duration_ns = result->duration_ns,
        .proof = result->proof,
        .proof_words = result->proof_words,
        .finding = asked->promise != NULL ? &result->finding : NULL,
        .facts = result->facts,
        .subject = result->subject.way != ENTRY_NONE ? &result->subject : NULL,
        .tried = result->tried,
        .left_out = result->left_out,
        .made_up = result->made_up,
        .strain = load_meter_end(&runner->meter),
        .rungs = result->end.rungs,
        .stderr_tail = result->end.stderr_tail,
        .note = result->text,
    };
    const int outcome = store_end_trial(runner->settings->store, row, &end, error);
    free(launches);
    free(tests);
    return outcome;
}

/* What the driver died of is remembered with the device, for the reports and for a run that goes on. */
static int note_left_out(struct runner *runner, struct error *error)
{
    const struct executor *executor = &runner->executor;
    char *stored = runner->stored.probe.left_out;
    const char *now = executor->operations->left_out != NULL ? executor->operations->left_out(executor->self) : stored;

    if (strcmp(stored, now) == 0)
        return 0;
    snprintf(stored, OPTIONAL_NOTES, "%s", now);
    return store_note_left_out(runner->settings->store, runner->stored.id, stored, error);
}

static int wedge(struct runner *runner, struct error *error)
{
    runner->wedged = true;
    return store_mark_wedged(runner->settings->store, runner->stored.id, true, error);
}

/* After a failure: does the device still work? */
static int check_device(struct runner *runner, bool clean, bool unkillable, struct error *error)
{
    const struct executor *executor = &runner->executor;
    struct supervisor_end end;
    struct error failure = {0};

    if (unkillable)
        return wedge(runner, error);
    if (clean || signals_received() != 0 || executor->operations->canary == NULL)
        return 0;
    if (executor->operations->canary(executor->self, &end, &failure) == 0)
        return 0;
    if (failure.status != STATUS_WEDGED) {
        *error = failure;
        return -1;
    }
    fprintf(stderr, "gridlock: %s\n", failure.text);
    return wedge(runner, error);
}

/* A trial that the store may have. */
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
    *result = (struct remote_result){
        .clean = true, .recalled = true, .incomplete = !stored->ended, .duration_ns = stored->duration_ns};
    result->finding = stored->finding;
    result->subject = stored->subject;
    snprintf(result->text, sizeof result->text, "%s", stored->note);
    result->observations = xcalloc((size_t)stored->count + 1, sizeof *result->observations);
    result->tests = xcalloc((size_t)stored->test_count + 1, sizeof *result->tests);
    for (; result->count < stored->count; ++result->count)
        result->observations[result->count] = stored->launches[result->count].observation;
    for (; result->test_count < stored->test_count; ++result->test_count)
        result->tests[result->test_count] = stored->tests[result->test_count].outcome;
    return 1;
}

/* Finds the trial in a run that goes on: 1, and its *row if it is to be run all the same; 0: it is not there. */
static int recall(struct runner *runner, const struct trial *trial, const char *name, int64_t *row,
                  struct recalled *recalled)
{
    int64_t id = 0;

    *row = 0;
    if (!runner->settings->continued)
        return 0;
    if (store_find_trial(runner->settings->store, runner->stored.id, name, &id, recalled->error) != 0)
        return -1;
    if (id == 0)
        return 0;
    const struct store_walk walk = {runner->stored.id, id - 1, .take = take_stored, .context = recalled};
    const int taken = store_each_trial(runner->settings->store, &walk, recalled->error);
    if (taken != 1)
        return taken;
    if (recalled->interrupted && store_reopen_trial(runner->settings->store, id, recalled->error) != 0)
        return -1;
    if (trial->kind == TRIAL_PROOF && !recalled->interrupted &&
        store_read_proof(runner->settings->store, id, &recalled->result->proof, &recalled->result->proof_words,
                         recalled->error) != 0)
        return -1;
    /* What a limit hangs on is needed in any case; a point or a block that took the machine down would do so again. */
    const bool is_needed = runner->settings->retry_incomplete || (int)trial->kind < ESTIMATOR_COUNT;
    if (recalled->interrupted || (recalled->result->incomplete && is_needed))
        *row = id;
    return 1;
}

/* Begins the trial in the store: 1, and its *row; or 0 if the store has it, and *result what it showed. */
static int begin(struct runner *runner, const struct asked *asked, struct remote_result *result, int64_t *row,
                 struct error *error)
{
    struct recalled recalled = {.result = result, .error = error};
    const struct trial *trial = &asked->trial;
    char name[256];

    trial_point_id(trial, name, sizeof name);
    const uint32_t sequence = tally_count(&runner->names, name);
    trial_id(trial, sequence, name, sizeof name);
    const int known = recall(runner, trial, name, row, &recalled);
    if (known < 0 || (known > 0 && *row == 0))
        return known < 0 ? -1 : 0;
    if (*row == 0 && store_begin_trial(runner->settings->store, runner->stored.id, sequence, trial, &asked->prediction,
                                       row, error) != 0)
        return -1;
    return 1;
}

int runner_run(struct runner *runner, const struct asked *asked, struct remote_result *result, struct error *error)
{
    const struct executor *executor = &runner->executor;
    struct store *store = runner->settings->store;
    int64_t row = 0;

    *result = (struct remote_result){0};
    const int begun = begin(runner, asked, result, &row, error);
    if (begun <= 0)
        return begun;
    remote_result_fini(result); /* of an earlier attempt */
    load_meter_begin(&runner->meter);
    if (store_settle(store, error) != 0 || executor->operations->run(executor->self, asked, result, error) != 0 ||
        store_hold(store, error) != 0 || store_result(runner, row, asked, result, error) != 0 ||
        note_left_out(runner, error) != 0 || (!result->clean && store_settle(store, error) != 0))
        return -1;
    return check_device(runner, result->clean, result->unkillable, error);
}

static int drive(struct runner *runner, const struct trial_source *source, struct error *error)
{
    struct remote_result result;
    int more;

    for (;;) {
        struct asked asked = {.block = NULL};
        more = source->next(source->context, &asked, error);
        if (more <= 0)
            return more;
        const int outcome = runner_run(runner, &asked, &result, error);
        if (outcome == 0)
            source->take(source->context, &asked, &result);
        remote_result_fini(&result);
        if (outcome != 0)
            return -1;
    }
}

int runner_drive(struct runner *runner, const struct trial_source *source, struct error *error)
{
    const int outcome = drive(runner, source, error);
    struct error second;
    const int settled = store_settle(runner->settings->store, outcome == 0 ? error : &second);
    return outcome == 0 ? settled : outcome;
}

/* --- lists --- */

struct listing {
    const struct trial_list *list;
    struct runner *runner;
    size_t at; /* the next trial */
    uint64_t own, done, bad;
};

static int next_listed(void *context, struct asked *asked, struct error *error)
{
    struct listing *listing = context;
    const struct trial_list *list = listing->list;

    (void)error;
    while (listing->at < list->count && !runner_has_trial(listing->runner, &list->trials[listing->at]))
        listing->at += 1;
    if (listing->at == list->count || runner_is_over(listing->runner))
        return 0;
    asked->trial = list->trials[listing->at];
    asked->prediction.position = (uint32_t)listing->at;
    list->ask(list->context, listing->at++, asked);
    return 1;
}

static void take_listed(void *context, const struct asked *asked, const struct remote_result *result)
{
    struct listing *listing = context;
    const struct trial_list *list = listing->list;

    listing->done += 1;
    listing->bad += list->is_bad(list->context, asked, result);
    if (list->ended != NULL)
        list->ended(list->watcher, listing->done, listing->own, listing->bad);
}

int runner_drive_list(struct runner *runner, const struct trial_list *list, struct error *error)
{
    struct listing listing = {.list = list, .runner = runner};
    const struct trial_source source = {next_listed, take_listed, &listing};

    for (size_t i = 0; i < list->count; ++i)
        listing.own += runner_has_trial(runner, &list->trials[i]);
    return runner_note_share(runner, list->count, listing.own, false, error) != 0 ||
                   runner_drive(runner, &source, error) != 0
               ? -1
               : runner_note_share(runner, list->count, listing.own, true, error);
}

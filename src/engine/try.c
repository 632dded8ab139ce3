#include "engine/try.h"

#include "base/alloc.h"
#include "core/text.h"
#include "engine/try_look.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DOUBLED_TO = 1 << 16 };

struct trying {
    struct tries *tries;
    struct runner runner;
    struct trial *trials; /* owned */
    size_t count, at;     /* and the next one of them */
    uint64_t done, own, failed;
    struct proof_request request; /* of the present launch */
    struct try_look look;
};

/* --- the plan --- */

static void add_one(struct trying *trying, const struct footprint *footprint, uint32_t groups)
{
    GROW(trying->trials, trying->count);
    struct trial *trial = &trying->trials[trying->count++];
    const char *slash = strrchr(footprint->subject.file, '/');

    *trial = (struct trial){.kind = TRIAL_TRY, .groups = groups, .rounds = 1, .repeats = 1, .footprint = *footprint};
    trial->work.range = trying->tries->request->trial.work.range;
    snprintf(trial->work.scenario, sizeof trial->work.scenario, "%.30s:%.30s",
             slash != NULL ? slash + 1 : footprint->subject.file, footprint->subject.kernel);
}

static void add(struct trying *trying, const struct footprint *footprint, uint32_t groups)
{
    for (uint32_t i = 0; i < trying->tries->iterations; ++i)
        add_one(trying, footprint, groups);
}

/* 1, 2, 4 ... below the number of compute units, which is the last but one. */
static void add_usual(struct trying *trying, const struct footprint *footprint, uint32_t units)
{
    const uint32_t most = units < 1 ? 1 : units > DOUBLED_TO ? DOUBLED_TO : units;

    for (uint32_t groups = 1; groups < most; groups *= 2)
        add(trying, footprint, groups);
    add(trying, footprint, most);
    add(trying, footprint, most + 1);
}

static int plan(struct trying *trying, const struct device_info *device, struct error *error)
{
    const struct tries *tries = trying->tries;
    struct footprint *footprints = NULL;
    size_t count = 0;

    if (subjects_plan(tries->subjects, &trying->runner.executor, device, &footprints, &count, error) != 0)
        return -1;
    for (size_t i = 0; i < count; ++i) {
        for (size_t j = 0; j < tries->group_count; ++j)
            add(trying, &footprints[i], (uint32_t)tries->groups[j]);
        if (tries->group_count == 0)
            add_usual(trying, &footprints[i], device->compute_units);
    }
    free(footprints);
    return 0;
}

/* --- launches --- */

static int next_launch(void *context, struct asked *asked, struct error *error)
{
    struct trying *trying = context;

    (void)error;
    while (trying->at < trying->count && !runner_has_trial(&trying->runner, &trying->trials[trying->at]))
        trying->at += 1;
    if (trying->at == trying->count || runner_is_over(&trying->runner))
        return 0;
    asked->trial = trying->trials[trying->at];
    trying->request = *trying->tries->request;
    trying->request.trial = asked->trial;
    asked->proof = &trying->request;
    asked->prediction.expected.verdicts = UINT32_C(1) << VERDICT_PASS;
    asked->prediction.position = (uint32_t)trying->at++;
    return 1;
}

static void take_launch(void *context, const struct asked *asked, const struct remote_result *result)
{
    struct trying *trying = context;
    const struct tries *tries = trying->tries;

    (void)asked;
    try_look_end(&trying->look);
    trying->done += 1;
    trying->failed += result->count == 0 || result->observations[0].outcome != OUTCOME_ENDED;
    if (tries->launch_ended != NULL)
        tries->launch_ended(tries->context, trying->done, trying->own, trying->failed);
}

int try_device(struct tries *tries, const struct device_info *device, struct error *error)
{
    const struct search_options none = {.repeats = 1};
    struct trying *trying = xcalloc(1, sizeof *trying);
    const struct trial_source source = {next_launch, take_launch, trying};
    const struct remote_looker looker = {try_look, &trying->look};
    struct runner *runner = &trying->runner;

    trying->tries = tries;
    trying->look.deadline_ns = tries->deadline_ns;
    tries->worker->looker = &looker;
    *runner = (struct runner){.settings = tries->settings, .executor = executor_of_worker(tries->worker)};
    int outcome = runner_begin(runner, device, PROBE_FIRST_DIALECT, &none, error);
    if (outcome == 0)
        outcome = plan(trying, device, error);
    for (size_t i = 0; outcome == 0 && i < trying->count; ++i)
        trying->own += runner_has_trial(runner, &trying->trials[i]);
    if (outcome == 0)
        outcome = runner_note_share(runner, trying->count, trying->own, false, error);
    if (outcome == 0)
        outcome = runner_drive(runner, &source, error);
    if (outcome == 0)
        outcome = runner_note_share(runner, trying->count, trying->own, true, error);
    try_look_end(&trying->look);
    runner_end(runner);
    tries->worker->looker = NULL;
    free(trying->trials);
    free(trying);
    return outcome;
}

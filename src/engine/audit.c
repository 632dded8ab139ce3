#include "engine/audit.h"

#include <stdio.h>

struct auditing {
    struct audit *audit;
    struct runner runner;
    size_t at;    /* the next promise */
    uint64_t own; /* of this shard */
    uint64_t done, broken;
};

static void make_trial(const struct audit *audit, const struct promise *promise, struct trial *trial)
{
    const uint32_t repeats = audit->iterations > 1 ? audit->iterations : 1;

    *trial = (struct trial){.kind = TRIAL_PROMISE, .groups = 1, .repeats = repeats, .footprint = {.local_size = 1}};
    snprintf(trial->work.scenario, sizeof trial->work.scenario, "%s", promise->name);
}

static bool is_of_shard(const struct auditing *auditing, const struct promise *promise)
{
    struct trial trial;

    make_trial(auditing->audit, promise, &trial);
    return runner_has_trial(&auditing->runner, &trial);
}

static int next_promise(void *context, struct asked *asked, struct error *error)
{
    struct auditing *auditing = context;
    const struct audit *audit = auditing->audit;

    (void)error;
    while (auditing->at < audit->count && !is_of_shard(auditing, audit->promises[auditing->at]))
        auditing->at += 1;
    if (auditing->at == audit->count || runner_is_over(&auditing->runner))
        return 0;
    asked->promise = audit->promises[auditing->at];
    asked->prediction.position = (uint32_t)auditing->at++;
    make_trial(audit, asked->promise, &asked->trial);
    runner_note_known(audit->known, &asked->trial, &asked->prediction);
    if (asked->promise->of_progress)
        snprintf(asked->prediction.quoted, sizeof asked->prediction.quoted, "%s", audit->quoted);
    return 1;
}

static void take_promise(void *context, const struct asked *asked, const struct remote_result *result)
{
    struct auditing *auditing = context;
    const struct audit *audit = auditing->audit;

    auditing->done += 1;
    auditing->broken += finding_judge(asked->promise, &result->finding) == KEEPING_BROKEN;
    if (audit->promise_ended != NULL)
        audit->promise_ended(audit->context, auditing->done, auditing->own, auditing->broken);
}

int audit_device(struct audit *audit, const struct device_info *device, struct error *error)
{
    const struct search_options none = {.repeats = 1};
    struct auditing auditing = {.audit = audit, .runner = {.settings = audit->settings, .executor = audit->executor}};
    const struct trial_source source = {next_promise, take_promise, &auditing};
    struct runner *runner = &auditing.runner;
    int outcome = runner_begin(runner, device, PROBE_FIRST_DIALECT, &none, error);

    for (size_t i = 0; outcome == 0 && i < audit->count; ++i)
        auditing.own += is_of_shard(&auditing, audit->promises[i]);
    if (outcome == 0)
        outcome = runner_note_share(runner, audit->count, auditing.own, false, error);
    if (outcome == 0)
        outcome = runner_drive(runner, &source, error);
    if (outcome == 0)
        outcome = runner_note_share(runner, audit->count, auditing.own, true, error);
    runner_end(runner);
    return outcome;
}

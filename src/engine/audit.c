#include "engine/audit.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>

static struct trial trial_of(const struct audit *audit, const struct promise *promise)
{
    const uint32_t repeats = audit->iterations > 1 ? audit->iterations : 1;
    struct trial trial = {.kind = TRIAL_PROMISE, .groups = 1, .repeats = repeats, .footprint = {.local_size = 1}};

    snprintf(trial.work.scenario, sizeof trial.work.scenario, "%s", promise->name);
    return trial;
}

static void ask(void *context, size_t index, struct asked *asked)
{
    const struct audit *audit = context;

    asked->promise = audit->promises[index];
    runner_note_known(audit->known, &asked->trial, &asked->prediction);
    if (asked->promise->of_progress)
        snprintf(asked->prediction.quoted, sizeof asked->prediction.quoted, "%s", audit->quoted);
}

static bool is_broken(void *context, const struct asked *asked, const struct remote_result *result)
{
    (void)context;
    return finding_judge(asked->promise, &result->finding) == KEEPING_BROKEN;
}

int audit_device(struct audit *audit, const struct device_info *device, struct error *error)
{
    const struct search_options none = {.repeats = 1};
    const struct trial_list list = {.trials = xcalloc(audit->count + 1, sizeof *list.trials),
                                    .count = audit->count,
                                    .ask = ask,
                                    .is_bad = is_broken,
                                    .context = audit,
                                    .ended = audit->promise_ended,
                                    .watcher = audit->context};
    struct runner runner = {.settings = audit->settings, .executor = audit->executor};
    int outcome = runner_begin(&runner, device, PROBE_FIRST_DIALECT, &none, error);

    for (size_t i = 0; i < audit->count; ++i)
        list.trials[i] = trial_of(audit, audit->promises[i]);
    if (outcome == 0)
        outcome = runner_drive_list(&runner, &list, error);
    runner_end(&runner);
    free(list.trials);
    return outcome;
}

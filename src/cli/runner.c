#include "cli/runner.h"

#include "host/signals.h"

#include <stdio.h>
#include <stdlib.h>

static int store_result(struct runner *runner, int64_t row, const struct trial *trial,
                        const struct remote_result *result, struct error *error)
{
    struct store_launch *launches = calloc((size_t)result->count + 1, sizeof *launches);
    int outcome;

    if (launches == NULL)
        return error_set(error, STATUS_HARNESS, "no memory for the launches of a trial");
    for (uint32_t i = 0; i < result->count; ++i)
        launches[i] = (struct store_launch){result->observations[i], verdict_judge(trial, &result->observations[i])};
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
    return store_mark_wedged(runner->store, runner->stored.id, error);
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

int runner_run(struct runner *runner, const struct trial *trial, const struct store_prediction *prediction,
               struct remote_result *result, struct error *error)
{
    int64_t row;

    *result = (struct remote_result){0};
    if (store_begin_trial(runner->store, runner->stored.id, runner->sequence, trial, prediction, &row, error) != 0)
        return -1;
    runner->sequence += 1;
    if (remote_trial(runner->remote, trial, result, error) != 0)
        return -1;
    if (store_result(runner, row, trial, result, error) != 0)
        return -1;
    return check_device(runner, result, error);
}

#include "cli/campaign.h"

#include "host/signals.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A device that is being measured. */
struct progress {
    struct campaign *campaign;
    struct store_device stored;
    bool wedged;
};

static int store_result(struct progress *progress, int64_t row, const struct trial *trial,
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
        .rungs = result->end.rungs,
        .stderr_tail = result->end.stderr_tail,
        .note = result->text,
    };
    outcome = store_end_trial(progress->campaign->store, row, &end, error);
    free(launches);
    return outcome;
}

static int wedge(struct progress *progress, struct error *error)
{
    progress->wedged = true;
    return store_mark_wedged(progress->campaign->store, progress->stored.id, error);
}

/* After a failure: does the device still work? */
static int check_device(struct progress *progress, const struct remote_result *result, struct error *error)
{
    struct supervisor_end end;
    struct error failure = {0};

    if (result->unkillable)
        return wedge(progress, error);
    if (result->clean || signals_received() != 0)
        return 0;
    if (remote_canary(progress->campaign->remote, &end, &failure) == 0)
        return 0;
    if (failure.status != STATUS_WEDGED) {
        *error = failure;
        return -1;
    }
    fprintf(stderr, "gridlock: %s\n", failure.text);
    return wedge(progress, error);
}

static int run_trial(struct progress *progress, struct search *search, const struct trial *trial, struct error *error)
{
    struct campaign *campaign = progress->campaign;
    struct remote_result result = {0};
    int64_t row;
    int outcome = -1;

    if (store_begin_trial(campaign->store, progress->stored.id, search->sequence, trial, &row, error) != 0)
        return -1;
    if (remote_trial(campaign->remote, trial, &result, error) != 0)
        goto out;
    if (store_result(progress, row, trial, &result, error) != 0)
        goto out;
    search_take(search, trial, result.observations, result.count, result.duration_ns);
    outcome = check_device(progress, &result, error);
out:
    remote_result_fini(&result);
    return outcome;
}

static int save_binary(struct progress *progress, const struct footprint *footprint, struct error *error)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/limits-l%" PRIu32 "-m%" PRIu64 "-p%" PRIu32 ".bin",
             progress->campaign->binary_folder, footprint->local_size, footprint->local_memory_bytes,
             footprint->private_bytes);
    if (remote_save_binary(progress->campaign->remote, footprint, path, error) == 0)
        return 0;
    return error_context(error, "--save-binaries");
}

static int measure(struct progress *progress, const struct footprint *footprint, struct error *error)
{
    struct campaign *campaign = progress->campaign;
    struct search search;
    struct trial trial;

    search_init(&search, &progress->stored.options, &progress->stored.settings, footprint);
    while (!progress->wedged && signals_received() == 0 && search_next(&search, &trial))
        if (run_trial(progress, &search, &trial, error) != 0)
            return -1;
    if (campaign->binary_folder != NULL && !search.refused && !progress->wedged && signals_received() == 0 &&
        save_binary(progress, footprint, error) != 0)
        return -1;
    return campaign->footprint_ended != NULL ? campaign->footprint_ended(campaign->context, error) : 0;
}

/* Group counts that were given must be possible with every footprint. */
static int check_given(const struct campaign *campaign, const struct footprint *footprints, size_t count,
                       struct error *error)
{
    for (uint32_t i = 0; i < campaign->options.given_count; ++i)
        for (size_t f = 0; f < count; ++f)
            if ((uint64_t)campaign->options.given[i] * footprints[f].local_size > UINT32_MAX)
                return error_set(error, STATUS_USAGE,
                                 "--groups %" PRIu32 ": with %" PRIu32 " work-items in a group at most %" PRIu32
                                 " groups are allowed",
                                 campaign->options.given[i], footprints[f].local_size,
                                 UINT32_MAX / footprints[f].local_size);
    return 0;
}

static int plan(const struct campaign *campaign, const struct device_info *device, struct footprint **footprints,
                size_t *count, struct error *error)
{
    *footprints = NULL;
    if (footprints_plan(&campaign->axes, device, footprints, count, error) != 0)
        return -1;
    return check_given(campaign, *footprints, *count, error);
}

int campaign_check(const struct campaign *campaign, const struct device_info *device, struct error *error)
{
    struct footprint *footprints;
    size_t count;
    int outcome = plan(campaign, device, &footprints, &count, error);
    free(footprints);
    return outcome;
}

int campaign_device(struct campaign *campaign, const struct device_info *device, struct error *error)
{
    struct progress progress = {.campaign = campaign};
    struct footprint *footprints = NULL;
    size_t count = 0;
    int outcome = -1;

    if (plan(campaign, device, &footprints, &count, error) != 0)
        goto out;
    if (remote_choose(campaign->remote, device, PROBE_FIRST_DIALECT, campaign->channel, error) != 0)
        goto out;
    progress.stored =
        (struct store_device){.info = *device, .probe = campaign->remote->probe, .options = campaign->options};
    search_device_init(&progress.stored.settings, device, &campaign->remote->probe);
    if (campaign->stall_budget_ns != 0)
        progress.stored.settings.confirm_ns = campaign->stall_budget_ns;
    if (store_add_device(campaign->store, &progress.stored, error) != 0)
        goto out;
    if (campaign->device_begun != NULL && campaign->device_begun(campaign->context, error) != 0)
        goto out;
    for (size_t i = 0; i < count && !progress.wedged && signals_received() == 0; ++i)
        if (measure(&progress, &footprints[i], error) != 0)
            goto out;
    outcome = campaign->device_ended != NULL ? campaign->device_ended(campaign->context, error) : 0;
out:
    free(footprints);
    return outcome;
}

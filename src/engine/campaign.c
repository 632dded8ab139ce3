#include "engine/campaign.h"

#include "base/alloc.h"
#include "search/ceiling.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A footprint that was measured. */
struct measured {
    struct footprint footprint;
    struct subject_facts facts;
    struct limit limit;
};

struct measuring {
    struct campaign *campaign;
    struct runner runner;
    struct campaign_state state;
    struct footprint *footprints; /* owned */
    size_t count;
    size_t at;                  /* the present footprint, or the one that ours bounds, */
    struct search search;       /* what the present one is measured by, */
    struct subject_facts facts; /* and what was found of it, if it is a kernel of the user's or of ours */
    struct measured bounded;    /* the one at `at`, while ours are measured */
    struct measured *ours;      /* owned: kernels of ours that bound others (search/ceiling.h) */
    size_t our_count;
};

static int save_binary(struct campaign *campaign, const struct footprint *footprint, struct error *error)
{
    char occupied[192], path[4096];

    footprint_print(footprint, occupied, sizeof occupied);
    for (char *slash = occupied; (slash = strchr(slash, '/')) != NULL;)
        *slash = '-';
    if (store_settle(campaign->settings->store, error) != 0)
        return -1; /* a worker that has to start takes its time */
    snprintf(path, sizeof path, "%s/limits-%s.bin", campaign->binary_folder, occupied);
    if (campaign->executor.operations->save_binary(campaign->executor.self, footprint, path, error) == 0)
        return 0;
    return error_context(error, "--save-binaries");
}

/* A footprint is measured whole, in one shard: each of its trials depends on those before. */
static bool is_of_shard(const struct runner *runner, const struct footprint *footprint)
{
    char occupied[192], id[224];

    footprint_print(footprint, occupied, sizeof occupied);
    snprintf(id, sizeof id, "limits/%s", occupied);
    return shard_has(&runner->settings->shard, id);
}

/* Goes on to the first footprint from `at` on that is this shard's. False: there is none, or the runner is over. */
static bool begin_footprint(struct measuring *measuring, size_t at)
{
    const struct store_device *stored = &measuring->runner.stored;

    while (at < measuring->count && !is_of_shard(&measuring->runner, &measuring->footprints[at]))
        at += 1;
    if (at == measuring->count || runner_is_over(&measuring->runner))
        return false;
    measuring->at = at;
    measuring->state.footprint += 1;
    measuring->facts = (struct subject_facts){0};
    search_init(&measuring->search, &stored->options, &stored->settings, &measuring->footprints[at]);
    return true;
}

/* --- what bounds kernels of the user's --- */

static struct ceiling_row row_of(const struct measured *measured)
{
    return (struct ceiling_row){&measured->footprint, &measured->facts, &measured->limit};
}

/* 1: a footprint of ours comes next, for its limit bounds the last one's; 0: none does. */
static int begin_ours(struct measuring *measuring)
{
    const struct store_device *stored = &measuring->runner.stored;
    const struct ceiling_row bounded = row_of(&measuring->bounded);
    struct ceiling ceiling = {.subgroup_width = stored->info.subgroup_width, .units = stored->info.compute_units};
    struct ceiling_row *rows = xcalloc(measuring->our_count + 1, sizeof *rows);
    struct footprint next;

    for (; ceiling.count < measuring->our_count; ++ceiling.count)
        rows[ceiling.count] = row_of(&measuring->ours[ceiling.count]);
    ceiling.rows = rows;
    const bool wanted = !runner_is_over(&measuring->runner) && ceiling_next(&ceiling, &bounded, &next);
    free(rows);
    if (!wanted)
        return 0;
    measuring->facts = (struct subject_facts){0};
    search_init(&measuring->search, &stored->options, &stored->settings, &next);
    return 1;
}

/* Ours is kept, and what is not ours is to be bounded. */
static void keep(struct measuring *measuring)
{
    struct measured *place = &measuring->bounded;

    if (ceiling_is_ours(&measuring->search.footprint)) {
        GROW(measuring->ours, measuring->our_count);
        place = &measuring->ours[measuring->our_count++];
    }
    *place = (struct measured){.footprint = measuring->search.footprint, .facts = measuring->facts};
    search_limit(&measuring->search, &place->limit);
    measuring->state.surprises += limit_is_surprise(&place->limit, measuring->runner.stored.probe.loops_cut_at != 0);
}

/* 1: one of ours comes next before it has ended; 0: it has ended. */
static int end_footprint(struct measuring *measuring, struct error *error)
{
    struct campaign *campaign = measuring->campaign;
    const struct search *search = &measuring->search;

    keep(measuring);
    if (campaign->binary_folder != NULL && !search->refused && !runner_is_over(&measuring->runner) &&
        save_binary(campaign, &search->footprint, error) != 0)
        return -1;
    const int more = begin_ours(measuring);
    if (more != 0 || campaign->footprint_ended == NULL)
        return more;
    return campaign->footprint_ended(campaign->context, error);
}

/*
 * Kernels of the user's are built ahead in the worker that measures: NVIDIA's driver does not cache builds with a log.
 */
static void build_ahead(const struct measuring *measuring)
{
    const struct campaign *campaign = measuring->campaign;
    const struct executor *executor = &campaign->executor;
    const size_t next = measuring->at + 1;

    if (executor->operations->ahead != NULL && campaign->subjects == NULL && !campaign->options.live &&
        campaign->settings->shard.count <= 1)
        executor->operations->ahead(executor->self, measuring->footprints + next, measuring->count - next);
}

static int next_trial(void *context, struct asked *asked, struct error *error)
{
    struct measuring *measuring = context;

    while (runner_is_over(&measuring->runner) || !search_next(&measuring->search, &asked->trial)) {
        const int more = end_footprint(measuring, error);
        if (more < 0)
            return -1;
        if (more == 0 && !begin_footprint(measuring, measuring->at + 1))
            return 0;
    }
    /* Ours come last: what the others are must not depend on them. */
    asked->prediction.position =
        (uint32_t)(ceiling_is_ours(&asked->trial.footprint) ? measuring->count + measuring->our_count : measuring->at);
    return 1;
}

static void take_trial(void *context, const struct asked *asked, const struct remote_result *result)
{
    struct measuring *measuring = context;
    const struct campaign *campaign = measuring->campaign;

    if (result->subject.way != ENTRY_NONE)
        measuring->facts = result->subject;
    search_take(&measuring->search, &asked->trial, result->observations, result->count, result->duration_ns);
    measuring->state.trials += 1;
    if (!result->recalled && !runner_is_over(&measuring->runner))
        build_ahead(measuring);
    if (campaign->trial_ended != NULL)
        campaign->trial_ended(campaign->context, &measuring->state);
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
    if (campaign->subjects != NULL) {
        if (subjects_plan(campaign->subjects, &campaign->executor, device, footprints, count, error) != 0)
            return -1;
    } else if (footprints_plan(&campaign->axes, device, footprints, count, error) != 0 ||
               check_given(campaign, *footprints, *count, error) != 0) {
        return -1;
    }
    return campaign->planned != NULL ? campaign->planned(campaign->context, device, *footprints, *count, error) : 0;
}

int campaign_check(const struct campaign *campaign, const struct device_info *device, struct error *error)
{
    struct footprint *footprints;
    size_t count;

    if (campaign->subjects != NULL)
        return 0; /* only a device that is open tells which kernels there are */
    int outcome = plan(campaign, device, &footprints, &count, error);
    free(footprints);
    return outcome;
}

int campaign_device(struct campaign *campaign, const struct device_info *device, struct error *error)
{
    struct measuring measuring = {.campaign = campaign,
                                  .runner = {.settings = campaign->settings, .executor = campaign->executor}};
    const struct trial_source source = {next_trial, take_trial, &measuring};
    struct runner *runner = &measuring.runner;
    int outcome = -1;

    /* What is built with a kernel of the user's must not need another version of OpenCL C. */
    const enum probe_depth depth = campaign->subjects != NULL ? PROBE_ALL : PROBE_FIRST_DIALECT;

    if (runner_begin(runner, device, depth, &campaign->options, error) != 0 ||
        plan(campaign, device, &measuring.footprints, &measuring.count, error) != 0 ||
        (campaign->device_begun != NULL &&
         campaign->device_begun(campaign->context, measuring.footprints, measuring.count, error) != 0))
        goto out;
    for (size_t i = 0; i < measuring.count; ++i)
        measuring.state.footprints += is_of_shard(runner, &measuring.footprints[i]);
    if (runner_note_share(runner, measuring.count, measuring.state.footprints, false, error) != 0)
        goto out;
    outcome = begin_footprint(&measuring, 0) ? runner_drive(runner, &source, error) : 0;
    if (outcome == 0)
        outcome = runner_note_share(runner, measuring.count, measuring.state.footprints, true, error);
out:
    runner_end(runner);
    free(measuring.footprints);
    free(measuring.ours);
    return outcome;
}

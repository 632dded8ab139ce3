#include "engine/prove.h"

#include "base/alloc.h"

#include <stdlib.h>

struct proving {
    struct prove *prove;
    struct runner runner;
    struct footprint *footprints;
    size_t footprint_count;
    size_t at; /* the next launch: of the footprints one after the other, with each number of groups */
    uint64_t done, own;
    struct proof_request request; /* of the present launch */
};

static size_t launch_count(const struct proving *proving)
{
    return proving->footprint_count * proving->prove->group_count;
}

static void make_trial(const struct proving *proving, size_t at, struct trial *trial)
{
    const size_t groups = proving->prove->group_count;

    *trial = (struct trial){.act = ACT_PROOF,
                            .groups = (uint32_t)proving->prove->groups[at % groups],
                            .rounds = 1,
                            .repeats = 1,
                            .footprint = proving->footprints[at / groups]};
}

static bool is_of_shard(const struct proving *proving, size_t at)
{
    struct trial trial;

    make_trial(proving, at, &trial);
    return runner_has_trial(&proving->runner, &trial);
}

static int next_launch(void *context, struct asked *asked, struct error *error)
{
    struct proving *proving = context;

    (void)error;
    while (proving->at < launch_count(proving) && !is_of_shard(proving, proving->at))
        proving->at += 1;
    if (proving->at == launch_count(proving) || runner_is_over(&proving->runner))
        return 0;
    make_trial(proving, proving->at, &asked->trial);
    proving->request = *proving->prove->request;
    proving->request.subject = asked->trial.footprint.subject;
    proving->request.groups = asked->trial.groups;
    asked->proof = &proving->request;
    asked->prediction.position = (uint32_t)proving->at++;
    return 1;
}

static void take_launch(void *context, const struct asked *asked, const struct remote_result *result)
{
    struct proving *proving = context;
    const struct prove *prove = proving->prove;

    (void)asked;
    (void)result;
    proving->done += 1;
    if (prove->launch_ended != NULL)
        prove->launch_ended(prove->context, proving->done, proving->own);
}

int prove_device(struct prove *prove, const struct device_info *device, struct error *error)
{
    const struct search_options none = {.repeats = 1};
    struct proving proving = {.prove = prove, .runner = {.settings = prove->settings, .executor = prove->executor}};
    const struct trial_source source = {next_launch, take_launch, &proving};
    struct runner *runner = &proving.runner;
    int outcome = runner_begin(runner, device, PROBE_FIRST_DIALECT, &none, error);

    if (outcome == 0)
        outcome = subjects_plan(prove->subjects, &prove->executor, device, &proving.footprints,
                                &proving.footprint_count, error);
    for (size_t i = 0; outcome == 0 && i < launch_count(&proving); ++i)
        proving.own += is_of_shard(&proving, i);
    if (outcome == 0)
        outcome = runner_note_share(runner, launch_count(&proving), proving.own, false, error);
    if (outcome == 0)
        outcome = runner_drive(runner, &source, error);
    if (outcome == 0)
        outcome = runner_note_share(runner, launch_count(&proving), proving.own, true, error);
    runner_end(runner);
    free(proving.footprints);
    return outcome;
}

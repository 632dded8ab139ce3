#include "engine/prove.h"

#include "proof/verdict.h"

#include <stdlib.h>

struct proving {
    struct prove *prove;
    struct runner runner;
    struct trial *trials; /* owned */
    size_t count, at;     /* and the next one of them */
    uint64_t done, own, failed;
    struct proof_request request; /* of the present launch */
};

static int next_launch(void *context, struct asked *asked, struct error *error)
{
    struct proving *proving = context;

    (void)error;
    while (proving->at < proving->count && !runner_has_trial(&proving->runner, &proving->trials[proving->at]))
        proving->at += 1;
    if (proving->at == proving->count || runner_is_over(&proving->runner))
        return 0;
    asked->trial = proving->trials[proving->at];
    proving->request = *proving->prove->request;
    proving->request.trial = asked->trial;
    asked->proof = &proving->request;
    asked->prediction.position = (uint32_t)proving->at++;
    return 1;
}

static bool has_failed(const struct remote_result *result)
{
    struct proof_result proved;
    struct error ignored;

    proof_result_unpack(&proved, result->proof, result->proof_words, &ignored);
    const enum proof_verdict verdict = proof_judge(&proved);
    proof_result_fini(&proved);
    return verdict != PROOF_PROVED && verdict != PROOF_NOT_REFUTED;
}

static void take_launch(void *context, const struct asked *asked, const struct remote_result *result)
{
    struct proving *proving = context;
    const struct prove *prove = proving->prove;

    (void)asked;
    proving->done += 1;
    proving->failed += has_failed(result);
    if (prove->launch_ended != NULL)
        prove->launch_ended(prove->context, proving->done, proving->own, proving->failed);
}

int prove_device(struct prove *prove, const struct device_info *device, struct error *error)
{
    const struct search_options none = {.repeats = 1};
    struct proving proving = {.prove = prove, .runner = {.settings = prove->settings, .executor = prove->executor}};
    const struct trial_source source = {next_launch, take_launch, &proving};
    struct runner *runner = &proving.runner;
    int outcome = runner_begin(runner, device, PROBE_FIRST_DIALECT, &none, error);

    if (outcome == 0)
        outcome = prove_plan(&prove->asked, &prove->executor, device, &runner->stored.probe, &proving.trials,
                             &proving.count, error);
    for (size_t i = 0; outcome == 0 && i < proving.count; ++i)
        proving.own += runner_has_trial(runner, &proving.trials[i]);
    if (outcome == 0)
        outcome = runner_note_share(runner, proving.count, proving.own, false, error);
    if (outcome == 0)
        outcome = runner_drive(runner, &source, error);
    if (outcome == 0)
        outcome = runner_note_share(runner, proving.count, proving.own, true, error);
    runner_end(runner);
    free(proving.trials);
    return outcome;
}

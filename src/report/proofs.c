#include "report/proofs.h"

#include "base/alloc.h"
#include "proof/needs.h"
#include "report/here.h"

#include <stdio.h>
#include <stdlib.h>

struct reading {
    const struct proofs_allowed *allowed;
    struct proofs_device *device;
    struct store *store;
    struct error *error;
};

static int read_result(struct reading *reading, int64_t trial, struct proof_result *result)
{
    uint32_t *words;
    size_t count;
    int outcome = store_read_proof(reading->store, trial, &words, &count, reading->error);

    if (outcome == 0 && words != NULL)
        outcome = proof_result_unpack(result, words, count, reading->error);
    free(words);
    return outcome;
}

static int take_trial(void *context, const struct store_trial *stored)
{
    struct reading *reading = context;
    struct proofs_device *device = reading->device;

    if (stored->trial.kind != TRIAL_PROOF)
        return 0;
    GROW(device->rows, device->count);
    struct proof_row *row = &device->rows[device->count++];
    *row = (struct proof_row){.run = stored->run,
                              .trial = stored->trial,
                              .incomplete = !stored->ended,
                              .verdict = stored->count > 0 ? stored->launches[0].verdict : VERDICT_INCOMPLETE,
                              .duration_ns = stored->duration_ns};
    snprintf(row->note, sizeof row->note, "%.255s", stored->note);
    if (read_result(reading, stored->id, &row->result) != 0)
        return -1;
    row->proved = proof_judge(&row->result);
    row->batches.seen = UINT32_C(1) << row->proved;
    row->exceeds = reading->allowed->given && row->proved != PROOF_NOTHING && row->proved != PROOF_FAULT &&
                   !proof_needs_no_more(&row->result.progress, reading->allowed->model);
    row->batches.surprise = row->exceeds || (row->proved != PROOF_PROVED && row->proved != PROOF_NOT_REFUTED);
    device->of[row->proved] += 1;
    device->exceeding += row->exceeds;
    return 0;
}

static int read_device(struct proofs_report *report, const struct store_device *stored, struct store *store,
                       struct error *error)
{
    GROW(report->devices, report->count);
    struct proofs_device *device = &report->devices[report->count++];
    *device = (struct proofs_device){.stored = *stored};
    struct reading reading = {&report->allowed, device, store, error};
    const struct store_walk walk = {stored->id, .take = take_trial, .context = &reading};
    return store_each_trial(store, &walk, error);
}

int proofs_report_read(struct proofs_report *report, struct store *store, struct error *error)
{
    struct store_device stored = {.id = 0};
    int found;

    while ((found = store_next_device(store, &stored, error)) == 1)
        if (read_device(report, &stored, store, error) != 0)
            return -1;
    return found;
}

void proofs_report_fini(struct proofs_report *report)
{
    for (size_t i = 0; i < report->count; ++i) {
        for (size_t j = 0; j < report->devices[i].count; ++j)
            proof_result_fini(&report->devices[i].rows[j].result);
        for (size_t j = 0; j < report->devices[i].here_count; ++j)
            free(report->devices[i].here[j].fits);
        free(report->devices[i].here);
        free(report->devices[i].rows);
    }
    free(report->devices);
    *report = (struct proofs_report){.count = 0};
}

enum status proofs_report_status(const struct proofs_report *report, uint32_t *verdicts)
{
    size_t of[PROOF_VERDICTS] = {0}, exceeding = 0;
    bool wedged = false;

    *verdicts = 0;
    for (size_t i = 0; i < report->count; ++i) {
        wedged = wedged || report->devices[i].stored.wedged;
        exceeding += report->devices[i].exceeding;
        for (int j = 0; j < PROOF_VERDICTS; ++j) {
            of[j] += report->devices[i].of[j];
            *verdicts |= report->devices[i].of[j] > 0 ? UINT32_C(1) << j : 0;
        }
    }
    return wedged                                                                                  ? STATUS_WEDGED
           : of[PROOF_RACE] + of[PROOF_RESULT] + of[PROOF_WRONG] + of[PROOF_FAULT] + exceeding > 0 ? STATUS_SURPRISE
           : of[PROOF_NOT_REFUTED] > 0                                                             ? STATUS_STOPPED
           : of[PROOF_PROVED] > 0 && of[PROOF_NOTHING] == 0                                        ? STATUS_OK
                                                                                                   : STATUS_UNSUPPORTED;
}

#include "report/certified.h"

#include <stdio.h>
#include <stdlib.h>

NAMING_DEFINE(certified_run, enum certified_run, CERTIFIED_RUNS, "limits.gridlock", "progress.gridlock",
              "publication.gridlock", "proof.gridlock", "launches.gridlock", "one-more.gridlock");

enum dialect certified_dialect(const char *limits, struct error *error)
{
    struct store_device device = {.id = 0};
    struct store *store = NULL;
    enum dialect dialect = DIALECT_NONE;

    if (store_open(limits, &store, error) == 0 && store_next_device(store, &device, error) == 1)
        dialect = device.probe.dialect;
    store_close(store);
    return dialect;
}

int certified_read(struct certified *certified, enum dialect dialect, struct error *error)
{
    struct proofs_report *proofs = &certified->report.proofs;

    certified->runs.dialect = dialect;
    for (int i = 0; i < CERTIFIED_PROOF; ++i)
        if (here_add(&certified->runs, certified->paths[i], error) != 0)
            return -1;
    if (store_open(certified->paths[CERTIFIED_PROOF], &certified->proofs, error) != 0 ||
        report_read(&certified->report, certified->proofs, error) != 0 ||
        here_find(&certified->runs, certified->proofs, proofs, error) != 0)
        return -1;
    if (proofs->count == 1 && proofs->devices[0].here_count == 1)
        certified->here = &proofs->devices[0].here[0];
    return 0;
}

const struct here_fit *certified_fit(const struct certified *certified)
{
    const struct here *here = certified->here;

    return here != NULL && here->counted == HERE_KERNEL && here->fit_count == 1 ? &here->fits[0] : NULL;
}

uint32_t certified_resident(const struct certified *certified)
{
    const struct here_fit *fit = certified_fit(certified);

    return fit != NULL ? fit->resident : 0;
}

uint32_t certified_groups(const struct certified *certified)
{
    return certified->here == NULL ? 0
                                   : certificate_groups(&certified->here->certificate, certified_resident(certified));
}

/* --- launches --- */

static int take_trial(void *context, const struct store_trial *stored)
{
    struct certified *certified = context;

    for (int i = 0; i < 2; ++i) {
        struct certified_launches *launches = i == 0 ? &certified->full : &certified->over;
        if (launches->groups != stored->trial.groups)
            continue;
        launches->launched += 1;
        if (stored->count == 1 && stored->launches[0].verdict == VERDICT_PASS)
            launches->passed += 1;
        else {
            launches->other = stored->count == 1 ? stored->launches[0].verdict : VERDICT_INCONCLUSIVE;
            snprintf(launches->note, sizeof launches->note, "%s", stored->note);
        }
    }
    return 0;
}

static int read_launches(struct certified *certified, const char *path, struct error *error)
{
    struct store_device device = {.id = 0};
    struct store *store = NULL;
    int outcome = store_open(path, &store, error);

    if (outcome == 0 && store_next_device(store, &device, error) == 1) {
        const struct store_walk walk = {.device = device.id, .quick = true, .take = take_trial, .context = certified};
        outcome = store_each_trial(store, &walk, error);
    }
    store_close(store);
    return outcome;
}

/* --- whether there is a certificate --- */

static enum certified_doubt doubt_launches(const struct certified *certified)
{
    const struct certified_launches *full = &certified->full, *over = &certified->over;

    if (full->launched == 0)
        return CERTIFIED_NOT_LAUNCHED;
    if (full->passed < full->launched)
        return CERTIFIED_FAILED;
    if (certified_groups(certified) == UINT32_MAX && over->passed < over->launched)
        return CERTIFIED_MORE_FAILED;
    return CERTIFIED;
}

static enum certified_doubt doubt_of(const struct certified *certified)
{
    const struct here *here = certified->here;

    if (here == NULL)
        return CERTIFIED_NOT_KNOWN;
    if (here->certificate.answer != CERTIFICATE_ANY && here->certificate.answer != CERTIFICATE_RESIDENT)
        return CERTIFIED_REFUSED;
    if (certified_resident(certified) == 0)
        return CERTIFIED_NOT_COUNTED;
    if (here->found.published == 0 && certified_groups(certified) > 1)
        return CERTIFIED_UNPUBLISHED;
    if (certified->asked > certified_groups(certified))
        return CERTIFIED_TOO_MANY;
    return doubt_launches(certified);
}

int certified_judge(struct certified *certified, struct error *error)
{
    for (int i = CERTIFIED_LAUNCHES; i < CERTIFIED_RUNS; ++i)
        if (certified->paths[i] != NULL && read_launches(certified, certified->paths[i], error) != 0)
            return -1;
    certified->doubt = doubt_of(certified);
    return 0;
}

void certified_fini(struct certified *certified)
{
    report_fini(&certified->report);
    here_close(&certified->runs);
    store_close(certified->proofs);
    for (int i = 0; i < CERTIFIED_RUNS; ++i)
        free(certified->paths[i]);
    *certified = (struct certified){.asked = 0};
}

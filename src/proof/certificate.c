#include "proof/certificate.h"

#include "proof/needs.h"

#include <stddef.h>

NAMING_DEFINE(certificate_answer, enum certificate_answer, CERTIFICATE_ANSWERS, "any", "resident", "never", "broken",
              "stale", "unproved", "unmeasured");

/* --- what the device keeps --- */

void certificate_add_tests(struct certificate_device *device, const struct litmus_classification *classification)
{
    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model)
        for (enum litmus_fairness fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness) {
            const struct litmus_standing *standing = &classification->standings[model][fairness];
            struct certificate_tests *tests = &device->tests[model][fairness];
            tests->guaranteed += standing->guaranteed;
            tests->ended += standing->ended;
            tests->stalled += standing->refuting;
            tests->undecided += litmus_open(standing);
            tests->states += standing->states;
            tests->told = tests->told || (!classification->blind && !classification->partial &&
                                          litmus_is_told_apart(classification, model, fairness));
        }
}

static enum certificate_keeping keeping(const struct certificate_tests *tests)
{
    return tests->stalled + tests->states > 0     ? CERTIFICATE_BROKEN
           : !tests->told || tests->undecided > 0 ? CERTIFICATE_UNTOLD
                                                  : CERTIFICATE_KEPT;
}

/* --- which promise is enough --- */

struct proving {
    const struct certificate_launch *launches;
    size_t count;
};

/* The least number of places with which the launch ends under the promise, and with each greater one; 0: none. */
static unsigned least_places(const struct certificate_launch *launch, const struct proof_promise *promise)
{
    struct proof_promise tried = *promise;
    unsigned least = 0;

    for (tried.places = launch->groups; tried.places > 0 && proof_ends(launch->progress, &tried); --tried.places)
        least = tried.places;
    return least;
}

static bool suffices(const struct proving *proving, const struct proof_promise *promise)
{
    for (size_t i = 0; i < proving->count; ++i)
        if (least_places(&proving->launches[i], promise) == 0)
            return false;
    return true;
}

/* Of each launch min(n, c) places are enough. */
static bool fits(const struct proving *proving, const struct proof_promise *promise, unsigned c)
{
    for (size_t i = 0; i < proving->count; ++i) {
        const unsigned groups = proving->launches[i].groups;
        if (least_places(&proving->launches[i], promise) != (groups < c ? groups : c))
            return false;
    }
    return true;
}

/* At least SHOWN different numbers of groups above c were tried. */
static bool shows(const struct proving *proving, unsigned c)
{
    enum { SHOWN = 3 };
    uint32_t tried = 0;
    int count = 0;

    for (size_t i = 0; i < proving->count; ++i)
        if (proving->launches[i].groups > c)
            tried |= UINT32_C(1) << (proving->launches[i].groups - 1);
    for (; tried != 0; tried &= tried - 1)
        ++count;
    return count >= SHOWN;
}

/* So many places as are enough for any number of groups; 0: as many as there are groups may be needed. */
static unsigned constant_places(const struct proving *proving, const struct proof_promise *promise)
{
    unsigned most = 0;

    for (size_t i = 0; i < proving->count; ++i) {
        const unsigned least = least_places(&proving->launches[i], promise);
        most = least > most ? least : most;
    }
    return fits(proving, promise, most) && shows(proving, most) ? most : 0;
}

/* --- the answer --- */

static enum certificate_keeping keeping_of(const struct certificate_device *device, unsigned model,
                                           enum litmus_fairness fairness)
{
    return model == PROOF_UNFAIR ? CERTIFICATE_KEPT : keeping(&device->tests[model][fairness]);
}

/* Any number of groups, any number if so many fit, or as many as fit. */
static int reach(const struct certificate *certificate)
{
    return certificate->promise.places == 1 ? 2 : certificate->answer == CERTIFICATE_ANY ? 1 : 0;
}

/* How good an answer is: of a promise that is kept, that is not known to be, and that is broken. */
static bool is_better(const struct certificate *a, const struct certificate *b)
{
    static const int worth[] = {[CERTIFICATE_KEPT] = 2, [CERTIFICATE_UNTOLD] = 1, [CERTIFICATE_BROKEN] = 0};

    if (!b->has_promise || worth[a->kept] != worth[b->kept])
        return !b->has_promise || worth[a->kept] > worth[b->kept];
    return reach(a) > reach(b);
}

/* The promise with so many places, 0: as many as there are groups. */
static void offer(const struct certificate_device *device, const struct proof_promise *promise, bool uniform,
                  struct certificate *best)
{
    const bool all = promise->places == 0;
    struct certificate offered = {.answer = all ? CERTIFICATE_RESIDENT : CERTIFICATE_ANY,
                                  .promise = *promise,
                                  .model = all && promise->model == LITMUS_FAIR ? LITMUS_OBE : promise->model,
                                  .has_promise = true,
                                  .uniform = uniform};

    offered.kept = keeping_of(device, offered.model, promise->fairness);
    if (is_better(&offered, best))
        *best = offered;
}

/* With any number of groups, if that follows; and with as many as fit, where less is asked of the device. */
static void try_promise(const struct proving *proving, const struct certificate_device *device,
                        struct proof_promise promise, struct certificate *best)
{
    if (!suffices(proving, &promise))
        return;
    promise.places = constant_places(proving, &promise);
    const bool uniform = promise.places > 0 || fits(proving, &promise, PROOF_GROUPS);
    offer(device, &promise, uniform, best);
    promise.places = 0;
    offer(device, &promise, uniform, best);
}

static bool is_bad(enum proof_verdict proved)
{
    return proved != PROOF_PROVED && proved != PROOF_NOT_REFUTED && proved != PROOF_NOTHING;
}

/* The first launch that decides alone; a bad one before others. */
static bool find_decisive(const struct proving *proving, struct certificate *certificate)
{
    for (int bad = 1; bad >= 0; --bad)
        for (size_t i = 0; i < proving->count; ++i)
            if (bad ? is_bad(proving->launches[i].proved) : proving->launches[i].proved != PROOF_PROVED) {
                certificate->answer = bad ? CERTIFICATE_NEVER : CERTIFICATE_UNPROVED;
                certificate->launch = i;
                return true;
            }
    return false;
}

void certificate_find(const struct certificate_launch *launches, size_t count, const struct certificate_device *device,
                      struct certificate *certificate)
{
    const struct proving proving = {launches, count};

    *certificate = (struct certificate){.answer = CERTIFICATE_UNMEASURED};
    if (find_decisive(&proving, certificate))
        return;
    for (unsigned i = 0; i < PROOF_PROMISES; ++i)
        for (enum litmus_fairness fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness)
            try_promise(&proving, device, (struct proof_promise){.model = proof_ranking[i], .fairness = fairness},
                        certificate);
    if (certificate->kept == CERTIFICATE_BROKEN)
        certificate->answer = CERTIFICATE_REFUSED;
    else if (certificate->kept == CERTIFICATE_UNTOLD)
        certificate->answer = CERTIFICATE_UNMEASURED;
    else if (device->stale > 0)
        certificate->answer = CERTIFICATE_UNPUBLISHED;
}

uint32_t certificate_groups(const struct certificate *certificate, uint32_t resident)
{
    if (certificate->answer == CERTIFICATE_ANY &&
        (certificate->promise.places == 1 || resident >= certificate->promise.places))
        return UINT32_MAX;
    return certificate->answer == CERTIFICATE_ANY || certificate->answer == CERTIFICATE_RESIDENT ? resident : 0;
}

/*
 * With how many groups a kernel is safe on a device: what was proved of some small launches of it, beside what the
 * device was found to keep and to hold. Pure. The rule:
 *
 * - A launch that is wrong, races, ends with a wrong result or does what no kernel may makes the kernel unsafe with any
 *   number of groups; one that was not explored to its end leaves it open.
 * - A promise is a model of progress and a fairness. It suffices if each launch ends under it, with as many places as
 *   groups. How many places are enough is assumed of more groups as it was found: if the numbers are min(n, c) for the
 *   tried numbers n of groups, at least three of which are above c, then c places are enough for any number of groups;
 *   else as many as there are groups are taken to be needed, which is always enough.
 * - That a device keeps a promise is what its litmus tests say: tests that only this promise guarantees, and not a
 *   weaker one, were run, all of them ended, and none stalled in a state that the promise does not allow. That a step
 *   is taken while there is one (PROOF_UNFAIR) is not asked of a device.
 * - Where n groups fit, each of them starts: a census and a barrier showed that when they were counted. So OBE is there
 *   all that FAIR promises, although a device that keeps OBE breaks FAIR wherever one group more has no place.
 * - The weakest of the promises that were kept decides, and one with which any number of groups is safe before others.
 * - A device that lets groups read old data although the kernel released and acquired it is not safe.
 */
#pragma once

#include "litmus/classify.h"
#include "proof/verdict.h"

struct certificate_launch {
    unsigned groups;
    enum proof_verdict proved;
    const struct proof_progress *progress; /* unless it was not explored, or has a fault */
};

/* What litmus tests said of a promise, of several runs together. */
struct certificate_tests {
    uint32_t guaranteed, ended, stalled, undecided;
    uint32_t states; /* tests that stood in a state that it does not allow */
    bool told;       /* of some run it is known whether it is kept: tests were made for it, and none were left out */
};

enum certificate_keeping { CERTIFICATE_UNTOLD, CERTIFICATE_KEPT, CERTIFICATE_BROKEN };

struct certificate_device {
    struct certificate_tests tests[LITMUS_MODELS][LITMUS_FAIRNESSES];
    /* Launches that should have published what they wrote, as kernels of OpenCL C 3.0 do; and those that did not. */
    uint64_t published, stale;
};

enum certificate_answer {
    CERTIFICATE_ANY,         /* safe with any number of groups, if `places` of them fit */
    CERTIFICATE_RESIDENT,    /* safe with as many groups as fit */
    CERTIFICATE_NEVER,       /* the kernel is not safe on any device: `launch` */
    CERTIFICATE_REFUSED,     /* the device broke each promise that would be enough */
    CERTIFICATE_UNPUBLISHED, /* groups read old data */
    CERTIFICATE_UNPROVED,    /* `launch` was not explored to its end */
    CERTIFICATE_UNMEASURED,  /* no promise is known to be kept that would be enough */
    CERTIFICATE_ANSWERS,
};

/* "any", "resident", "never", "broken", "stale", "unproved", "unmeasured" */
NAMING_DECLARE(certificate_answer, enum certificate_answer);

struct certificate {
    enum certificate_answer answer;
    size_t launch;                 /* that decides */
    struct proof_promise promise;  /* that is relied on; or, if none is, the weakest that would be enough: places: */
    bool uniform;                  /* so many were found to be enough as is assumed of more groups */
    unsigned model;                /* whose tests say whether it is kept: OBE where FAIR is asked of what fits */
    bool has_promise;              /* one is enough; it is not known of CERTIFICATE_NEVER and CERTIFICATE_UNPROVED */
    enum certificate_keeping kept; /* the promise */
};

void certificate_add_tests(struct certificate_device *device, const struct litmus_classification *classification);

/* There is at least one launch. */
void certificate_find(const struct certificate_launch *launches, size_t count, const struct certificate_device *device,
                      struct certificate *certificate);

/* Up to so many groups are safe where `resident` fit, 0 if that is not known; UINT32_MAX: any number. */
uint32_t certificate_groups(const struct certificate *certificate, uint32_t resident);

/* The kernel is known not to be safe there with any number of groups. */
static inline bool certificate_is_refusal(const struct certificate *certificate)
{
    return certificate->answer == CERTIFICATE_NEVER || certificate->answer == CERTIFICATE_REFUSED ||
           certificate->answer == CERTIFICATE_UNPUBLISHED;
}

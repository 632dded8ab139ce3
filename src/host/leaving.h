/*
 * Which optional parts of kernels (core/optional.h) a request goes without: what the driver died of before, and one
 * part after the other as long as it dies again. What was tried in groups of one size says nothing of another. Internal
 * to the files remote*.c.
 */
#pragma once

#include "host/remote_request.h"

struct leaving {
    struct remote *remote;
    const struct trial *trial; /* or NULL: it is something else */
    uint64_t items;            /* work-items of its groups */
    uint64_t hash;             /* of what is built; 0: what was built before says nothing of it */
    uint64_t kernel;           /* hash of the kernel and the size; 0 as for `hash` */
    uint32_t may;              /* parts that can be left out, */
    uint32_t noted;            /* those that are, because the driver died of them before, */
    uint32_t left_out;         /* and those that are from now on */
    bool waits;                /* it may take its time on purpose */
    bool once;                 /* it failed, and did not fail so again: the failure is the answer */
    char failure[256];         /* how the first request failed, or "" */
};

/* Of kernels of one dialect, the best, in groups of so many work-items. */
void leaving_begin(struct leaving *leaving, struct remote *remote, uint64_t items);

void leaving_begin_trial(struct leaving *leaving, struct remote *remote, const struct trial *trial);
void leaving_begin_source(struct leaving *leaving, struct remote *remote); /* of files of the user's */
void leaving_begin_promise(struct leaving *leaving, struct remote *remote, const struct promise *promise);

/*
 * What to do with an answer. True: the driver may have died of a part that is left out now, so ask again. False: the
 * answer stands. If others failed before it, what was left out is noted, and told; if it failed as well, all is as
 * before.
 */
bool leaving_goes_on(struct leaving *leaving, enum answer answer, const struct wire_done *done,
                     struct remote_result *result);

/* The same of a request that is no trial, whose answer is an error or none (0). */
bool leaving_tries(struct leaving *leaving, int outcome, const struct error *error);

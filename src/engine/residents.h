/*
 * The resident limits of the kernels of a sweep: each build is counted once, by its own census, before its first point.
 * What a launch of it shows to be wrong is counted again, with more patience.
 */
#pragma once

#include "engine/runner.h"
#include "scenario/plan.h"

/* The limit of one build, measured in the kernel itself. */
struct known_limit {
    char kernel[48];
    char folder[SUBJECT_PATH];
    char options[sizeof((struct workload *)0)->options];
    enum dialect dialect;
    uint32_t local_size;
    uint32_t resident;  /* 0: it could not be measured */
    uint32_t recounted; /* times */
    uint64_t gap_ns;    /* the longest time without a change seen with it */
};

struct residents {
    const struct runner *runner;
    struct known_limit *limits; /* owned; free with residents_fini */
    size_t count;
    uint64_t gap_ns; /* the longest time without a change seen with any */
    bool hasty;      /* a count has turned out to be too low: later ones take longer */
    /* The count that goes on. */
    struct known_limit *counting; /* whose kernel is being counted, or NULL */
    uint32_t shown;               /* by a launch, for which it is counted again; 0: it is the first time */
    uint32_t left;                /* searches that may follow the present one */
    uint64_t close_ns;            /* the time that the next one begins with */
    struct search search;
};

/*
 * The limit of the plan's present build; if it is not known yet, begins to count it. NULL with STATUS_HARNESS if the
 * tool failed. It is valid until the next call.
 */
struct known_limit *residents_need(struct residents *residents, const struct plan *plan, struct error *error);

/*
 * A launch has shown that at least `shown` groups are resident together, which are more than were counted: begins to
 * count again, each time with more patience, until as many are counted or the patience is at its end.
 */
void residents_recount(struct residents *residents, struct known_limit *limit, uint32_t shown);

/* The next trial of the count that goes on, of the plan's present build. 0: it has ended. -1: the tool failed. */
int residents_next(struct residents *residents, const struct plan *plan, struct trial *trial, struct error *error);

/* Takes what it showed. False: no count goes on. */
bool residents_take(struct residents *residents, const struct trial *trial, const struct remote_result *result);

/* Takes the gaps that launches of a build have shown. */
void residents_note_gaps(struct residents *residents, struct known_limit *limit, const struct remote_result *result);

void residents_fini(struct residents *residents);

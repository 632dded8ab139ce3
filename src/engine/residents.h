/*
 * The resident limits of the kernels of a sweep: each build is counted once, by its own census, before its first point.
 * What a launch of it shows to be wrong is counted again, with more patience.
 */
#ifndef GRIDLOCK_ENGINE_RESIDENTS_H
#define GRIDLOCK_ENGINE_RESIDENTS_H

#include "engine/runner.h"
#include "scenario/plan.h"

/* The limit of one build, measured in the kernel itself. */
struct known_limit {
    char kernel[48];
    char folder[256];
    char options[sizeof((struct workload *)0)->options];
    enum dialect dialect;
    uint32_t local_size;
    uint32_t resident;  /* 0: it could not be measured */
    uint32_t recounted; /* times */
    uint64_t gap_ns;    /* the longest time without a change seen with it */
};

struct residents {
    struct runner *runner;
    struct known_limit *limits; /* owned; free with residents_fini */
    size_t count;
    uint64_t gap_ns; /* the longest time without a change seen with any */
    bool hasty;      /* a count has turned out to be too low: later ones take longer */
};

/*
 * The limit of the plan's present build, counted if it is not known yet; `position` is stored with the trials. NULL with
 * STATUS_HARNESS if the tool failed. It is valid until the next call.
 */
struct known_limit *residents_need(struct residents *residents, const struct plan *plan, uint32_t position,
                                   struct error *error);

/*
 * A launch has shown that at least `shown` groups are resident together, which are more than were counted: counts the
 * plan's present build again, each time with more patience, until it counts as many or the patience is at its end.
 */
int residents_recount(struct residents *residents, const struct plan *plan, uint32_t position,
                      struct known_limit *limit, uint32_t shown, struct error *error);

/* Takes the gaps that launches of a build have shown. */
void residents_note_gaps(struct residents *residents, struct known_limit *limit, const struct remote_result *result);

void residents_fini(struct residents *residents);

#endif

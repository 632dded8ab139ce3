/*
 * The points of a scenario on a device, in order: those that share a build follow each other, and among
 * them those that differ only in the number of groups. The resident limit belongs to the build, and is
 * told to the plan when it is known.
 */
#pragma once

#include "core/device_info.h"
#include "core/trial.h"
#include "scenario/scenario.h"

/* What decides on a device how many groups a kernel may have, and what it is built with. */
struct plan_build {
    enum dialect dialect;
    uint32_t local_size;
    size_t values[ENTRY_OPTIONS]; /* of the kernel's options */
    const char *poll;
    uint32_t registers; /* of a work-item, at most; 0: no matter */
};

/* What the command line sets for all scenarios. */
struct plan_settings {
    bool seed_given, iterations_given;
    uint32_t seed, iterations;
    bool live, samples, shorten;
    bool once;               /* each point is one batch, whatever it comes to */
    struct models_kept kept; /* as struct circumstances has it */
};

struct plan {
    const struct scenario *scenario;
    uint32_t compute_units;
    uint32_t max_groups;
    const struct device_probe *probe;
    uint32_t resident;      /* of the present build; 0: not known */
    uint32_t recounted;     /* more, as has turned out at the present point: what is predicted goes by it; or 0 */
    bool resident_is_least; /* there may be more: predictions must not rely on it */
    struct plan_settings settings;
    bool begun;
    size_t order[SCENARIO_AXES]; /* of the scenario's axes: the last one changes fastest */
    size_t at[SCENARIO_AXES];    /* item of each axis, in the scenario's own order */
    bool build_changed;          /* plan_next came to another build: its limit is to be set */
};

void plan_init(struct plan *plan, const struct scenario *scenario, uint32_t compute_units, uint32_t max_groups,
               const struct device_probe *probe);

/* Goes back to the first point of the present build, whose limit is to be set again. */
void plan_again(struct plan *plan);

/* How many points the plan goes through, those that come twice or are out of range included. */
uint64_t plan_length(const struct plan *plan);

/* Goes on to the next point, and returns false after the last. */
bool plan_next(struct plan *plan);

void plan_build(const struct plan *plan, struct plan_build *build);

/*
 * Fills in the trial at the present point, and its expectation. Returns 0; 1 if the point has no trial, because a
 * value is out of range, or came before, or depends on a limit that is not known (then *reason says so, else it is
 * NULL); -1 on error. The trial's times and live are left to the caller; its repeats are the scenario's iterations.
 */
int plan_trial(const struct plan *plan, struct trial *trial, struct expected *expected, const char **reason,
               struct error *error);

/* A census of the present build, with as many groups as the search asks for. */
int plan_census(const struct plan *plan, uint32_t groups, struct trial *trial, struct error *error);

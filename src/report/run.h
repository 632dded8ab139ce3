/* The report of a run of scenarios, read back from its run file. */
#ifndef GRIDLOCK_REPORT_RUN_H
#define GRIDLOCK_REPORT_RUN_H

#include "core/error.h"
#include "core/verdict.h"
#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* One point: its last batch of launches counts, earlier ones were undecided; or the last one that surprised. */
struct run_point {
    char id[256];   /* trial_id() without its sequence */
    char line[256]; /* the same without groups: points that differ only in the number of groups */
    uint32_t groups;
    uint32_t local_size;
    uint32_t resident; /* 0: not known */
    verdict_set expected;
    uint32_t launches;
    uint32_t counts[VERDICT_COUNT];
    enum verdict verdict; /* the worst: the first that was no pass, one that was not expected before others */
    bool surprise;
    verdict_set tolerated; /* verdicts of a known failure */
    bool known_failure, known_flake;
    bool as_known; /* a launch failed as is known */
    uint32_t batches, surprising_batches;
    struct observation observation; /* of a launch with that verdict */
    uint64_t checks;                /* that a complete launch makes */
    uint64_t fastest_ns;            /* of its passes, by the device's clock where that can be believed; 0: none */
    uint64_t fastest_host_ns;       /* by the host's clock, from launch to end */
    struct nd_range range;          /* that it was launched over; dimensions 0: over groups */
    uint64_t most_items;            /* in a group, as the driver says of this kernel; 0: it does not */
    uint64_t multiple_items;        /* that their number should be a multiple of, likewise */
    char note[512];                 /* what failed, in words, or "" */
};

struct run_scenario {
    char name[64];
    struct run_point *points;
    size_t count;
    uint64_t duration_ns; /* of all its trials, census included */
};

struct run_device {
    struct store_device stored;
    struct run_scenario *scenarios;
    size_t count;
    int64_t last_trial; /* the last one that was read */
    uint32_t trials;
    uint64_t launches;
};

struct run_report {
    struct run_device *devices;
    size_t count;
};

/* Reads what was stored since the last call; the first call takes a zeroed report. Returns 0, or -1. */
int run_report_update(struct run_report *report, struct store *store, struct error *error);
void run_report_fini(struct run_report *report);

/* How safe a scenario was: of all its lines (points that differ in groups only) the worst one. */
struct run_safety {
    const struct run_point *safe;   /* the most groups up to which all launches passed, or NULL */
    const struct run_point *unsafe; /* the fewest groups at which one did not, or NULL */
    uint32_t points, surprises, unpredicted, unsupported, undecided;
    uint32_t known; /* failed as the lists say that the run was given */
    uint32_t fixed; /* should have failed by them, and did not */
};
void run_scenario_safety(const struct run_scenario *scenario, struct run_safety *safety);

/* How the shapes of work-groups compare that a line was tried with. Each is a point of it, or NULL. */
struct run_shapes {
    const struct run_point *fastest, *slowest;
    const struct run_point *chosen;    /* the fastest of those left to the driver */
    const struct run_point *preferred; /* the fastest with a multiple of the work-items that the driver prefers */
    const struct run_point *largest;   /* the fastest with as many work-items as the driver allows */
};
void run_line_shapes(const struct run_scenario *scenario, const char *line, struct run_shapes *shapes);

/* Its points were launched over a range of work-items: it is about shapes, not about how many groups are safe. */
bool run_scenario_has_range(const struct run_scenario *scenario);

/* Scenarios named mutant_* have a seeded fault. */
bool run_scenario_is_mutant(const struct run_scenario *scenario);

/* It was caught: with no more groups than are resident, a launch stalled, or its data or its result were bad. */
bool run_scenario_is_caught(const struct run_scenario *scenario);

/* The exit status that the report stands for: surprise, unsupported, wedged or OK. */
enum status run_report_status(const struct run_report *report);

/* --- text --- */

void run_text_heading(FILE *out, const struct run_device *device);
void run_text_scenario(FILE *out, const struct run_device *device, const struct run_scenario *scenario);
void run_text_points(FILE *out, const struct run_scenario *scenario);

/* Surprises, each with what was seen, and the totals. */
void run_text_summary(FILE *out, const struct run_device *device);

/* --- JSON --- */

int run_json(FILE *out, const struct run_report *report, struct error *error);

#endif

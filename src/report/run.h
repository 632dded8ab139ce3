/*
 * The report of a run of scenarios, read back from its run file. It is kept small, because a run file may
 * have a million points: what many points have in common is in a pool, and they point to it.
 */
#pragma once

#include "base/error.h"
#include "base/intern.h"
#include "judge/batches.h"
#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { RUN_ID_BYTES = 256 };

/* How it was launched, and what the driver says of that. */
struct run_form {
    struct nd_range range; /* dimensions 0: over groups */
    uint32_t took[3];      /* of a range: work-items of the first group, as the driver divided it */
    uint32_t launched;     /* and groups */
    struct trial_facts facts;
};

/* What was seen in the launch that gave a point its verdict. */
struct run_seen {
    struct store_launch launch; /* what facts_keep keeps of it; the rest is zero */
    cause_set expected_causes;  /* 0: any */
    uint64_t checks;            /* that a complete launch makes */
};

/* One point. What is said of launches is said of the batch that counts, unless it says otherwise. */
struct run_point {
    const char *line; /* id without the number of groups: the points of a line differ in that alone */
    const char *rest; /* what follows in the id behind a slash, or "" */
    const struct verdict_tally *tally;
    const struct run_form *form;
    const struct run_seen *seen;
    const struct whole *whole;            /* what was expected of all batches together ... */
    const struct verdict_tally *all;      /* ... and what they came to */
    const char *note;                     /* what failed, in words, or "" */
    const char *made_up;                  /* as in struct store_trial */
    const struct schedule_view *schedule; /* of one of its launches that failed; NULL: none was kept */
    uint32_t left_out;                    /* optional parts that its kernels were built without, as bits */
    int64_t run;                          /* of its first batch, as in struct store_trial */
    uint64_t fastest_ns;      /* its fastest pass, by the device's clock where that can be believed; 0: no pass */
    uint64_t fastest_host_ns; /* by the host's clock, from launch to end */
    uint64_t handover_ps;     /* the shortest median of a hand-over in its passes; 0: not measured */
    uint64_t duration_ns;     /* of all its batches */
    uint32_t position;        /* in the device's plan */
    uint32_t line_index;      /* of the scenario's lines */
    uint32_t groups;
    uint32_t local_size;
    struct batches batches;
    enum known_as known : 8;
    bool anti_pattern; /* as its scenario says */
};

/* Points that differ in the number of groups, or in the shape of work-groups, alone. Points by index, or RUN_NONE. */
struct run_line {
    const char *name;
    uint32_t safe, unsafe;
    uint32_t largest; /* the one with the most groups */
};
#define RUN_NONE UINT32_MAX

/* The same of a line's shapes; as in struct run_shapes. */
struct run_line_best {
    uint32_t fastest, slowest, chosen, preferred, largest;
};

struct run_scenario {
    char name[64];
    struct run_point *points; /* by position */
    size_t count;
    uint32_t *slots; /* points by their ids: index plus 1, or 0 */
    size_t slot_count;
    struct run_line *lines; /* in the order of their first points */
    size_t line_count;
    struct run_line_best *best; /* of each line, if points were launched over a range; otherwise NULL */
    uint32_t position;          /* of its first trial */
    uint64_t duration_ns;       /* of all its trials, census included */
    bool changed;               /* since its lines were judged */
    bool publication;           /* it asks whether groups see what others wrote */
};

struct run_device {
    struct store_device stored;
    struct run_scenario *scenarios; /* by position */
    size_t count;
    struct intern pool;
    int64_t last_trial; /* the last one that was read */
    uint32_t trials;
    uint64_t launches;
};

struct run_report {
    struct run_device *devices;
    size_t count;
};

/*
 * Reads what was stored since the last call; the first call takes a zeroed report. Returns 0, or -1: what could be read
 * is in the report all the same.
 */
int run_report_update(struct run_report *report, struct store *store, struct error *error);
void run_report_fini(struct run_report *report);

/* Writes the point's id: its trials' names without their sequence. */
void run_point_id(const struct run_point *point, char id[RUN_ID_BYTES]);

/* The id behind the scenario's name. */
void run_point_rest(const struct run_scenario *scenario, const struct run_point *point, char rest[RUN_ID_BYTES]);

/* All launches passed. */
bool run_point_passed(const struct run_point *point);

/* Something was expected of its launches, or of the point as a whole. */
bool run_point_is_predicted(const struct run_point *point);

/* It failed, or surprised, as the lists say that the run was given. */
bool run_point_is_known(const struct run_point *point);

/* It counts as a surprise; a point known to surprise now and then does not. */
bool run_point_is_surprise(const struct run_point *point);

/* It should have failed by the lists that the run was given, and did not. */
bool run_point_is_fixed(const struct run_point *point);

/* Neither safe nor unsafe: nothing was found out. */
bool run_point_is_void(const struct run_point *point);

/* How safe a scenario was: of its lines the worst one. */
struct run_safety {
    const struct run_point *safe;   /* the most groups up to which all launches passed, or NULL */
    const struct run_point *unsafe; /* the fewest groups at which one did not, or NULL */
    bool all_safe;                  /* the most groups that were tried are safe: how many are not is not known */
    bool anti_pattern;              /* all points show what is not to be done, as the scenario says */
    uint32_t points;                /* each is one of the following seven */
    uint32_t right;                 /* as predicted */
    uint32_t surprises;
    uint32_t known; /* failed as the lists say that the run was given */
    uint32_t undecided;
    uint32_t unpredicted;
    uint32_t unsupported;
    uint32_t incomplete;
    uint32_t fixed; /* should have failed by the lists, and did not */
};
void run_scenario_safety(const struct run_scenario *scenario, struct run_safety *safety);

/* The same of those of its lines that are wanted, by index; NULL: of all. */
void run_lines_safety(const struct run_scenario *scenario, const bool wanted[], struct run_safety *safety);

/*
 * The part of a scenario that gives one answer: the lines with the values that the label names, or all of them. Values
 * are told apart only if they change the answer: if, all else being the same, one passed with as many groups as another
 * failed with, as multiples of their limits.
 */
struct run_row {
    char label[RUN_ID_BYTES]; /* "order=reverse", "dialect=cl12 access=plain"; "": all lines */
    struct run_safety safety;
};
typedef void run_row_taker(void *context, const struct run_row *row);
void run_scenario_each_row(const struct run_scenario *scenario, run_row_taker *take, void *context);

/* How the shapes of work-groups compare that a line was tried with. Each is a point of it, or NULL. */
struct run_shapes {
    const struct run_point *fastest, *slowest;
    const struct run_point *chosen;    /* the fastest of those left to the driver */
    const struct run_point *preferred; /* the fastest with a multiple of the work-items that the driver prefers */
    const struct run_point *largest;   /* the fastest with as many work-items as the driver allows */
};
void run_line_shapes(const struct run_scenario *scenario, const struct run_line *line, struct run_shapes *shapes);

/* Its points were launched over a range of work-items: it is about shapes, not about how many groups are safe. */
bool run_scenario_has_range(const struct run_scenario *scenario);

/*
 * It was caught: with no more groups than are resident, a launch stalled, or its data or its result were bad. It was
 * missed if it was not, although that was to be expected of a point: one with so few groups, which the device offers.
 */
enum run_mutant { MUTANT_NONE, MUTANT_CAUGHT, MUTANT_MISSED, MUTANT_NOT_TO_BE_SEEN };
enum run_mutant run_scenario_mutant(const struct run_scenario *scenario);

/*
 * The exit status that the report stands for: surprise, unsupported, wedged or OK. *verdicts: those that launches had,
 * of each point in the batch that counts.
 */
enum status run_report_status(const struct run_report *report, verdict_set *verdicts);

/* "none of the 9 launches came to stale, and at least one should"; nothing if it does not fall short. */
void run_print_shortfall(FILE *out, const struct run_point *point, const char *before);

/*
 * The search for the limits of one footprint: which trial to run next, given the observations so
 * far. It keeps no clock and runs nothing, so a stored run fed into it again gives the same row.
 *
 * Census, then discovery; then a barrier at what the census proved and at one group more, each
 * repeated. Where the two do not bracket the limit at once, it gallops away from the census and
 * bisects. Then one group below the limit and twice the limit, to see whether it is monotone. If a
 * barrier proves that more groups were resident than the census counted, or it counted fewer than there are
 * compute units, the census is repeated with a longer time. A trial with a launch that failed is repeated, too, and
 * what failed belongs to the row.
 */
#pragma once

#include "core/device_info.h"
#include "core/trial.h"
#include "judge/verdict.h"
#include "search/census.h"

#include <stddef.h>

enum { SEARCH_POINTS = 64, SEARCH_GIVEN = 32 };

/* What the search is asked for. */
struct search_options {
    bool estimators[ESTIMATOR_COUNT];
    uint32_t repeats;             /* launches at the limit and one above */
    uint32_t given[SEARCH_GIVEN]; /* group counts to try instead of searching */
    uint32_t given_count;         /* 0: search */
    bool live;
};

/* What the search must know of the device. */
struct search_device {
    uint32_t compute_units;
    uint32_t max_groups;   /* that a launch may have */
    uint32_t loops_cut_at; /* 0: not cut. Where loops are cut nothing can be seen to stall */
    uint64_t suspect_ns;   /* least times for the stall judge and the census */
    uint64_t confirm_ns;
    uint64_t close_ns;
};

/*
 * Launches of an estimator, at one group count, that failed: they gave neither a pass nor a stall, and the device is
 * not known to be like that. The trial in which one failed is repeated.
 */
struct failures {
    enum trial_kind kind;
    uint32_t groups; /* launched, in the last trial */
    uint32_t launches;
    uint32_t failed;      /* of these */
    uint32_t in_a_row;    /* trials with such a launch up to the last one; not 0: they did not go away */
    bool pending;         /* the trial is to be repeated */
    enum verdict verdict; /* of the last that failed */
};

/* What is known of the barrier at one group count. */
struct point {
    uint32_t groups;
    uint32_t launches; /* that gave a pass or a stall, or neither */
    uint32_t passes;
    uint32_t stalls;
    uint32_t attempts;      /* trials, but for those that were repeated because a launch failed */
    uint32_t wanted;        /* launches of the last of these, */
    uint32_t enough_stalls; /* and its trial's */
    enum verdict worst;     /* the last verdict that was no pass, if any */
    struct failures failures;
};

struct search {
    struct search_options options;
    struct search_device device;
    struct footprint footprint;
    /* Census and discovery. */
    uint32_t census_groups; /* launched by the next census */
    uint32_t census_trials;
    bool census_done;
    bool census_exact; /* its last estimates agreed */
    uint32_t counted;  /* resident, by census: proven */
    uint32_t proven;   /* resident, by the launches of the barrier: proven */
    uint64_t gap_ns;   /* the longest gap seen in any launch */
    bool discovery_done;
    uint32_t discovery_runs;
    uint32_t discovery_max;
    uint64_t discovery_sum;
    struct failures census_failures, discovery_failures;
    uint32_t repeated; /* trials that were, or are to be, because a launch failed */
    /* Barrier. */
    struct point points[SEARCH_POINTS];
    uint32_t point_count;
    uint32_t given_next;
    uint64_t duration_ns; /* of all its trials */
    /* A verdict that ends the search: the footprint cannot be measured. */
    bool refused;
    enum verdict refusal;
};

/* The row that a finished (or broken-off) search proves. Absent numbers are 0. */
struct limit {
    struct footprint footprint;
    uint32_t resident; /* the most groups that any estimator proved to be resident together */
    uint32_t counted;  /* by census */
    bool census_exact;
    uint32_t passes_at, passes, pass_launches;
    uint32_t stalls_at, stalls, stall_launches;
    const char *no_stall; /* why stalls_at is unknown, or NULL */
    uint32_t discovery_max, discovery_runs;
    double discovery_mean;
    bool measured;
    enum verdict refusal; /* if not measured */
    bool monotone;
    bool agree;           /* the estimators do not contradict each other */
    uint32_t failed;      /* launches, as in struct failures */
    bool fails;           /* one of them when its trial was repeated, too, or it was not repeated; */
    enum verdict failure; /* then, the last such verdict */
    uint64_t gap_ns;
    uint64_t duration_ns;
};

/* What the search must know, from what is known of a device; times have floors by its kind. */
void search_device_init(struct search_device *settings, const struct device_info *info,
                        const struct device_probe *probe);

void search_init(struct search *search, const struct search_options *options, const struct search_device *device,
                 const struct footprint *footprint);

/* Writes the next trial and returns true, or returns false when nothing is left to do. */
bool search_next(struct search *search, struct trial *trial);

/* Takes the observations of the trial that search_next gave last; `duration_ns` is the trial's. */
void search_take(struct search *search, const struct trial *trial, const struct observation *observations,
                 uint32_t count, uint64_t duration_ns);

void search_limit(const struct search *search, struct limit *limit);

/*
 * The next failures behind *at, which begins as 0: those of the census, of discovery, of points; NULL behind the last.
 */
const struct failures *search_failures(const struct search *search, size_t *at);

/*
 * What a trial whose stall must stand `confirm_ns` is told of the longest gap that others have shown. It makes the
 * judge more patient, but not so much that a fuse or a deadline ends the launch before it can decide.
 */
uint64_t search_gap_told_ns(uint64_t gap_ns, uint64_t confirm_ns);

/*
 * Groups that the launch proves to have been resident together, or 0: all those over which a barrier passed, or those
 * that waited when it had stalled, for none of these could leave before. A device that cuts loops lets them leave.
 */
uint32_t search_proven(const struct trial *trial, const struct observation *observation);

/*
 * The estimators contradict each other, the limit is not monotone, or the footprint failed: a launch did, and again
 * when it was repeated. A device cannot be blamed for what it does not support, nor one that cuts loops (`loops_cut`)
 * for cutting them. An unknown limit is no surprise.
 */
bool limit_is_surprise(const struct limit *limit, bool loops_cut);

/*
 * Exact one-sided upper bound, at 95 %, of the rate of an event that was seen in none of `launches`
 * launches: 1 - 0.05^(1/launches). 1 for no launches.
 */
double bound_none_seen(uint32_t launches);

/* --- what the points of a search say: for the search itself, and for the row that it proves --- */

/* The smallest group count that did not pass, or NULL. */
const struct point *search_smallest_failure(const struct search *search);

/* The largest group count that passed below `failure` (NULL: at all), or NULL. */
const struct point *search_largest_pass(const struct search *search, const struct point *failure);

/* The most groups that any launch proved to be resident together. */
uint32_t search_most_proven(const struct search *search);

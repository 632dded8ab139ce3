/*
 * What the batches of a point come to together, be they launched just now or read back. A batch is a trial: some
 * launches of the point, each with a verdict. Where nothing was decided, or a launch was a surprise, the point is run
 * again; what failed is not undone by what passes, and what was undecided says nothing beside what was not.
 */
#pragma once

#include "judge/cause.h"

/* How often each verdict was given. */
struct verdict_tally {
    uint32_t launches; /* one that was begun and never ended is incomplete */
    uint32_t counts[VERDICT_COUNT];
};

/*
 * One batch, or those of a point together; a zeroed struct has no batch. The last of several counts, unless another one
 * has more weight. If a batch was predicted by a resident limit that turned out too low, only what that does not
 * explain is a surprise. Tallies are apart from it: a report has a million points, and few different tallies.
 */
struct batches {
    verdict_set expected, allowed, tolerated; /* of a launch, as in struct expected */
    uint32_t resident;        /* limit by which that was predicted, the largest of all batches; 0: not known */
    uint32_t sequence;        /* of the batch that counts */
    uint32_t count;           /* batches */
    uint32_t surprising;      /* of these, with a launch that was a surprise */
    verdict_set verdicts;     /* that launches of the batch that counts had */
    verdict_set seen;         /* that launches of all batches had, but for those that were undecided beside others */
    verdict_set surprises;    /* that were a surprise and not undecided, in any batch */
    enum verdict verdict : 8; /* the worst: the first that was no pass, one that was a surprise before others */
    bool launch_surprise;     /* a launch of the batch that counts was one */
    bool superseded;          /* that batch was predicted by a limit that turned out too low */
    bool as_known;            /* a launch of it failed as is known */
    bool surprise;            /* the point is one: a launch was, or it falls short as a whole */
    uint8_t shortfall;        /* of what was expected of it as a whole: WHOLE_* */
};

/* A batch without launches. */
struct batches batches_begin(const struct expected *expected, uint32_t resident, uint32_t sequence);

/* Adds a launch to a batch and to its tally. Returns whether the batch has its verdict from this launch now. */
bool batches_take_launch(struct batches *batch, struct verdict_tally *tally, enum verdict verdict, bool surprise);

/* The batch was begun and never ended. */
void batches_abandon(struct batches *batch, struct verdict_tally *tally);

/* Adds a batch to those of its point, in any order. Returns whether it is the one that counts now. */
bool batches_add(struct batches *point, const struct batches *batch);

void tally_add(struct verdict_tally *sum, const struct verdict_tally *tally);

/* Judges the point as a whole, by the tally of all its batches, and with that whether it is a surprise. */
void batches_judge(struct batches *point, const struct whole *whole, const struct verdict_tally *all);

/* A launch of the batch that counts was undecided, and that was not expected of it. */
bool batches_undecided(const struct batches *point);

/*
 * Its point is a surprise, and this batch has a part in that. One in which nothing was decided has none where another
 * one decided it.
 */
bool batches_blames(const struct batches *point, const struct batches *batch);

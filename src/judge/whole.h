/* What is expected of a point as a whole, of all its launches together, beside what each of them may come to. */
#pragma once

#include "base/error.h"
#include "judge/verdict.h"

/* A zeroed one expects nothing. */
struct whole {
    verdict_set some;    /* at least one launch comes to one of these; the empty set: no such expectation */
    verdict_set limited; /* at most `most` of `of` launches come to one of these; the empty set: no such expectation */
    uint32_t most, of;
};

/* How a point falls short of that: bits. */
enum { WHOLE_NONE_CAME = 1, WHOLE_TOO_MANY = 2 };

/* counts[v] below: how often verdict v was given, in all batches of a point. */

/*
 * Launches that count for a set of verdicts: those with a verdict in it, and all others that came to a decision. What
 * was undecided, not finished, not offered by the device, or cut by its driver says nothing of the others.
 */
uint64_t whole_launches(const uint32_t counts[VERDICT_COUNT], verdict_set set);

/* Those of them with a verdict in it. */
uint64_t whole_hits(const uint32_t counts[VERDICT_COUNT], verdict_set set);

/*
 * WHOLE_* bits; 0: as expected, or no launch counts. A point that fails as is known (`tolerated`) does not fall short,
 * and one that did not come to its end may still see what is expected of some launch.
 */
unsigned whole_judge(const struct whole *whole, const uint32_t counts[VERDICT_COUNT], verdict_set tolerated);

/* "stale or wrong <= 1/200"; "" if nothing is limited. */
void whole_print_rate(const struct whole *whole, char *text, size_t size);

/* Reads such a text into `limited`, `most` and `of`. 0, or -1 with STATUS_USAGE. */
int whole_parse_rate(const char *text, struct whole *whole, struct error *error);

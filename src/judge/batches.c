#include "judge/batches.h"

static verdict_set set_of(enum verdict verdict)
{
    return UINT32_C(1) << verdict;
}

/* --- one batch --- */

struct batches batches_begin(const struct expected *expected, uint32_t resident, uint32_t sequence)
{
    return (struct batches){
        .expected = expected->verdicts,
        .allowed = expected->allowed,
        .tolerated = expected->tolerated,
        .resident = resident,
        .sequence = sequence,
        .count = 1,
        .verdict = VERDICT_NOT_RUN,
    };
}

bool batches_take_launch(struct batches *batch, struct verdict_tally *tally, enum verdict verdict, bool surprise)
{
    const bool worst = batch->verdicts == 0 || (batch->verdict == VERDICT_PASS && verdict != VERDICT_PASS) ||
                       (surprise && !batch->launch_surprise);

    if (worst)
        batch->verdict = verdict;
    batch->verdicts |= set_of(verdict);
    batch->seen |= set_of(verdict);
    if (surprise && verdict != VERDICT_INCONCLUSIVE)
        batch->surprises |= set_of(verdict);
    batch->launch_surprise = batch->launch_surprise || surprise;
    batch->surprising = batch->launch_surprise;
    batch->as_known = batch->as_known || verdict_is_in(verdict, batch->tolerated);
    tally->launches += 1;
    tally->counts[verdict] += 1;
    return worst;
}

void batches_abandon(struct batches *batch, struct verdict_tally *tally)
{
    batch->verdict = VERDICT_INCOMPLETE;
    batch->verdicts |= set_of(VERDICT_INCOMPLETE);
    tally->launches = tally->counts[VERDICT_INCOMPLETE] = 1;
}

/* --- several --- */

/* What was expected rested on a limit that was counted too low; `by` knows better. */
static void supersede(struct batches *batch, const struct batches *by)
{
    if (batch->resident >= by->resident)
        return;
    batch->seen = limit_unexplained(batch->seen);
    batch->surprises = limit_unexplained(batch->surprises) & ~(by->expected | by->allowed);
    batch->launch_surprise = batch->surprises != 0;
    batch->surprising = batch->launch_surprise ? batch->surprising : 0;
    batch->resident = by->resident;
    batch->expected = by->expected;
    batch->allowed = by->allowed;
    batch->superseded = true;
}

/* It is a surprise because launches of it were undecided, and for nothing else. */
static bool is_unsettled(const struct batches *batch)
{
    return batch->launch_surprise && batch->surprises == 0;
}

/*
 * A surprise that was decided goes before a failure that was expected, that before passes, and these before what is
 * undecided, or rested on a limit that was wrong.
 */
static int weight(const struct batches *batch)
{
    const verdict_set no_failure =
        set_of(VERDICT_PASS) | set_of(VERDICT_INCONCLUSIVE) | set_of(VERDICT_UNSUPPORTED) | set_of(VERDICT_INCOMPLETE);

    if (batch->surprises != 0)
        return 3;
    if (batch->superseded || is_unsettled(batch))
        return 0;
    return (batch->verdicts & ~no_failure) != 0 ? 2 : 1;
}

/* In a merged file the last batch need not be the last that is read. */
static bool counts_more(const struct batches *batch, const struct batches *than)
{
    if (weight(batch) != weight(than))
        return weight(batch) > weight(than);
    if (batch->superseded != than->superseded)
        return than->superseded;
    return batch->sequence >= than->sequence;
}

static verdict_set undecided_of(const struct batches *batch, verdict_set verdicts)
{
    return verdicts & set_of(VERDICT_INCONCLUSIVE) & ~batch->expected;
}

/* That of two batches one was undecided says nothing. */
static verdict_set seen_in_both(const struct batches *one, const struct batches *other)
{
    const bool undecided = undecided_of(one, one->seen) != 0;

    if (one->seen == 0 || other->seen == 0 || undecided == (undecided_of(other, other->seen) != 0))
        return one->seen | other->seen;
    return undecided ? other->seen : one->seen;
}

static uint32_t surprising_in_both(const struct batches *one, const struct batches *other)
{
    if (is_unsettled(one) == is_unsettled(other))
        return one->surprising + other->surprising;
    return is_unsettled(one) ? other->surprising : one->surprising;
}

bool batches_add(struct batches *point, const struct batches *batch)
{
    struct batches old = *point, new = *batch;

    if (point->count == 0) {
        *point = *batch;
        return true;
    }
    supersede(&old, &new);
    supersede(&new, &old);
    const bool counts = counts_more(&new, &old);
    *point = counts ? new : old;
    point->surprises = old.surprises | new.surprises;
    point->seen = seen_in_both(&old, &new);
    point->surprising = surprising_in_both(&old, &new);
    point->count = old.count + new.count;
    return counts;
}

void tally_add(struct verdict_tally *sum, const struct verdict_tally *tally)
{
    sum->launches += tally->launches;
    for (int verdict = 0; verdict < VERDICT_COUNT; ++verdict)
        sum->counts[verdict] += tally->counts[verdict];
}

void batches_judge(struct batches *point, const struct whole *whole, const struct verdict_tally *all)
{
    point->shortfall = (uint8_t)whole_judge(whole, all->counts, point->tolerated);
    point->surprise = point->launch_surprise || point->shortfall != 0;
}

bool batches_undecided(const struct batches *point)
{
    return undecided_of(point, point->verdicts) != 0;
}

bool batches_blames(const struct batches *point, const struct batches *batch)
{
    struct batches known = *batch;

    supersede(&known, point);
    return point->surprise &&
           (point->shortfall != 0 || known.surprises != 0 || (known.launch_surprise && point->surprises == 0));
}

/* Whether what is made up can be why something is wrong. */
#include "base/alloc.h"
#include "base/clock.h"
#include "proof/verdict.h"
#include "worker/proof_attempt.h"

#include <stdlib.h>
#include <string.h>

enum { DOUBT_PART = 60 }; /* of the budget, that launches get that are tried only to be doubted or believed */

/* --- a race with any number --- */

/*
 * A few elements, and as many as a buffer has, so that what is divided by a size, or is some of their bits, is not 0
 * with all of them; and equal ones, or not.
 */
static const struct {
    const char *number;
    int32_t apart;
} other_numbers[] = {{"3", 1}, {"5", 1}, {"8191", 0}, {"8191", 1}};

static bool is_same_line(const struct proof_result *a, const struct proof_told *in_a, const struct proof_result *b,
                         const struct proof_told *in_b)
{
    return strcmp(a->texts[in_a->line], b->texts[in_b->line]) == 0;
}

static bool races_alike(const struct proof_result *a, const struct proof_result *b)
{
    return proof_judge_as_made_up(a) == PROOF_RACE && proof_judge_as_made_up(b) == PROOF_RACE && a->raced_count > 0 &&
           b->raced_count > 0 && is_same_line(a, &a->raced[0].first, b, &b->raced[0].first) &&
           is_same_line(a, &a->raced[0].second, b, &b->raced[0].second);
}

void proof_try_other_numbers(struct proof_launch *launch, uint32_t column, uint64_t until_ns)
{
    struct proof_making making = launch->making;
    struct proof_result *result = launch->result;
    uint32_t alike = 0, count = sizeof other_numbers / sizeof *other_numbers, left = count;

    if (launch->numbers == 0 || result->numbers_made_up != launch->numbers)
        return;
    making.column = column;
    for (uint32_t i = 0; i < count && left == count - i; ++i) {
        struct proof_attempt other;
        making.number = other_numbers[i].number;
        making.apart = other_numbers[i].apart;
        const uint64_t tries_ns = clock_ns() + launch->request->budget_ns / DOUBT_PART;
        const bool is_explored =
            proof_attempt_begin(&other, launch, &making, until_ns < tries_ns ? until_ns : tries_ns);
        const bool is_alike = is_explored && races_alike(&other.result, result);
        alike += is_alike;
        left -= is_alike || (is_explored && other.found.fault_kind == FAULT_OUTSIDE);
        proof_attempt_end(&other, false, launch, NULL);
    }
    if (left == 0 && alike > 0)
        result->numbers_made_up = 0;
}

/* --- a launch that never ends --- */

static const uint32_t more_groups[] = {4, 8};

/* Not in any schedule. */
static bool never_ends(const struct proof_result *result)
{
    return result->extent == PROOF_ALL && result->finals == 0 && proof_judge_as_made_up(result) == PROOF_WRONG &&
           result->stall_count > 0;
}

/* Nobody asks how many groups there are. */
static bool may_be_for_more(const struct proof_launch *launch, const struct explored *explored)
{
    return launch->request->groups_made_up && (explored->asked_any & ASKED_GROUPS) == 0;
}

static bool ends(const struct proof_result *result)
{
    return result->finals > 0 || (result->walked > 0 && result->walk_found == PROOF_WALKS_FOUND_NOTHING);
}

/* Groups that change the word of this step before the way's circle; a bit each. */
static uint64_t changers(const struct proof_result *result, const struct proof_way *way, const struct proof_told *step)
{
    const struct proof_told *told = &result->told[way->first];
    uint64_t groups = 0;

    for (uint32_t i = 0; i < way->count - way->circle; ++i)
        if (step->bytes > 0 && told[i].object == step->object && told[i].offset == step->offset &&
            told[i].before != told[i].after)
            groups |= UINT64_C(1) << told[i].item / result->items;
    return groups;
}

/*
 * What all wait for, if it may be there in the launch that the kernel is for: nobody has ended, and it is not a lock
 * that one of them has taken. *changed: somebody changes it. NULL: there is none.
 */
static const char *awaited(const struct proof_result *result, bool *changed)
{
    const struct proof_way *way = &result->ways[result->stalls[0].way]; /* although all is promised */
    const char *name = NULL;

    for (uint32_t i = way->count - way->circle; i < way->count && result->stalls[0].ended == 0; ++i) {
        const struct proof_told *step = &result->told[way->first + i];
        const uint64_t groups = changers(result, way, step);
        if (groups != 0 && (groups & (groups - 1)) == 0)
            continue;
        if (name == NULL || groups == 0) {
            name = step->bytes > 0 ? result->texts[step->object] : "what they read";
            *changed = groups != 0;
        }
    }
    return name;
}

/* It may be for more groups than can be tried, or for a word that is not zero in the beginning. */
static void note_doubt(struct proof_result *result)
{
    bool changed = false;
    const char *name = awaited(result, &changed);

    if (name == NULL)
        return;
    char *text = changed ? xasprintf("%s, %u groups, though none asks how many there are",
                                     result->texts[result->made_up], result->groups)
                         : xasprintf("%s, %u groups, of which none changes %s", result->texts[result->made_up],
                                     result->groups, name);
    result->made_up = proof_result_text(result, text);
    result->numbers_made_up += 1;
    free(text);
}

void proof_try_more_groups(struct proof_launch *launch, struct explored *explored, uint64_t until_ns)
{
    const uint64_t tries_ns = clock_ns() + launch->request->budget_ns / DOUBT_PART;
    struct proof_making making = launch->making;
    bool is_taken = false;

    if (!never_ends(launch->result) || !may_be_for_more(launch, explored))
        return;
    until_ns = until_ns < tries_ns ? until_ns : tries_ns;
    for (size_t i = 0; i < sizeof more_groups / sizeof *more_groups && !is_taken; ++i) {
        struct proof_attempt other;
        making.groups = more_groups[i];
        making.why = "it never ends with fewer";
        is_taken = proof_attempt_begin(&other, launch, &making, until_ns) && ends(&other.result);
        if (is_taken) {
            proof_make_up(&other.launch, &other.found, until_ns);
            proof_note_launch(&making, &other.result);
        }
        proof_attempt_end(&other, is_taken, launch, explored);
    }
    if (!is_taken)
        note_doubt(launch->result);
}

/* --- what it would need --- */

enum { LARGE = 1 << 22, OFFSET = 64 };

static void doubt(struct proof_result *result, const char *what)
{
    const char *made_up = result->texts[result->made_up];
    char *text = xasprintf("%s%s%s", made_up, made_up[0] != '\0' ? ", " : "", what);

    result->made_up = proof_result_text(result, text);
    result->numbers_made_up += 1;
    free(text);
}

static bool tries(const struct proof_launch *launch, const struct proof_making *making, uint64_t until_ns,
                  bool (*is_right)(const struct proof_attempt *attempt))
{
    const uint64_t tries_ns = clock_ns() + launch->request->budget_ns / DOUBT_PART;
    struct proof_attempt other;
    const bool is =
        proof_attempt_begin(&other, launch, making, until_ns < tries_ns ? until_ns : tries_ns) && is_right(&other);

    proof_attempt_end(&other, false, NULL, NULL);
    return is;
}

/* As far as that is known. */
static bool stays_inside(const struct proof_attempt *attempt)
{
    return attempt->found.extent == PROOF_ALL ||
           (attempt->found.extent == PROOF_TO_FAULT && attempt->found.fault_kind != FAULT_OUTSIDE);
}

static bool is_proved(const struct proof_attempt *attempt)
{
    return proof_judge(&attempt->result) == PROOF_PROVED;
}

/* Buffers may be larger, or have what is looked for; and ids may begin further on. */
static void doubt_outside(const struct proof_launch *launch, uint64_t until_ns)
{
    struct proof_result *result = launch->result;
    const bool has_buffers = result->texts[result->made_up][0] != '\0';
    struct proof_making making = launch->making;

    making.bytes = LARGE;
    if (has_buffers && tries(launch, &making, until_ns, stays_inside)) {
        doubt(result, "which may be larger");
        return;
    }
    making.offset = OFFSET;
    if (launch->request->groups_made_up && launch->request->trial.work.range.dimensions == 0 &&
        tries(launch, &making, until_ns, stays_inside)) {
        doubt(result, "without an offset of global ids");
        return;
    }
    making = launch->making;
    making.fill = PROOF_FILL_ONES;
    if (has_buffers && tries(launch, &making, until_ns, stays_inside))
        doubt(result, "which may be -1");
}

/* Groups have ended, and the others only look at what nobody has changed: with -1 in buffers they may end, too. */
static void doubt_words(const struct proof_launch *launch, uint64_t until_ns)
{
    struct proof_result *result = launch->result;
    struct proof_making making = launch->making;

    if (!launch->request->groups_made_up || result->stall_count == 0 || result->stalls[0].ended == 0)
        return;
    const struct proof_way *way = &result->ways[result->stalls[0].way];
    for (uint32_t i = way->count - way->circle; i < way->count; ++i)
        if (changers(result, way, &result->told[way->first + i]) != 0)
            return;
    making.fill = PROOF_FILL_ONES;
    if (tries(launch, &making, until_ns, is_proved))
        doubt(result, "which may be -1");
}

/* Of a kernel with atomics: its buffers may have indices. */
static void doubt_indices(const struct proof_launch *launch, uint64_t until_ns)
{
    struct proof_making making = launch->making;

    making.fill = PROOF_FILL_SEQUENCE;
    if (tries(launch, &making, until_ns, is_proved))
        doubt(launch->result, "which may be indices");
}

/* All only write there, each in one line. */
static bool only_overwrites(const struct proof_result *result)
{
    for (uint32_t i = 0; i < result->raced_count; ++i) {
        const struct proof_race_told *race = &result->raced[i];
        if (race->first.kind != PROOF_STORE || race->second.kind != PROOF_STORE || race->first.atomic ||
            race->second.atomic || race->first.line != race->second.line)
            return false;
    }
    return result->raced_count > 0;
}

/*
 * Nobody asks for its group, or how many there are: one would be right; or one work-item, if all access the same, and
 * differ in what they write.
 */
static void doubt_groups(const struct proof_launch *launch, const struct explored *explored, uint64_t until_ns)
{
    const struct proof_request *request = launch->request;
    const struct nd_range *shape = &request->trial.footprint.subject.shape;
    struct proof_making making = launch->making;

    if (!request->groups_made_up || request->trial.work.range.dimensions != 0 ||
        ((explored->asked[1] | explored->asked[2]) & ASKED_AMONG_ALL) != 0 || explored_has_atomics(explored) ||
        (explored->asked_any & (1u << GL_ID_GROUP | 1u << GL_ID_GROUPS)) != 0)
        return;
    making.one = true;
    making.more = proof_is_shape_made_up(launch) && nd_range_local_size(shape) == 1;
    if ((making.more || nd_range_local_size(shape) > 1) && tries(launch, &making, until_ns, is_proved))
        doubt(launch->result, "more than one group");
    else if (proof_is_shape_made_up(launch) && only_overwrites(launch->result) && explored_is_alike(explored) &&
             (explored->asked_any & (ASKED_IN_GROUP | ASKED_GROUP_SIZE)) == 0)
        doubt(launch->result, "more than one work-item");
}

void proof_doubt(struct proof_launch *launch, const struct explored *explored, uint64_t until_ns)
{
    const enum proof_verdict verdict = proof_judge_as_made_up(launch->result);

    if (launch->result->numbers_made_up > 0)
        return;
    if (explored->fault_kind == FAULT_OUTSIDE)
        doubt_outside(launch, until_ns);
    else if (verdict == PROOF_WRONG)
        doubt_words(launch, until_ns);
    else if (verdict == PROOF_RACE && explored_has_atomics(explored))
        doubt_indices(launch, until_ns);
    else if (verdict == PROOF_RACE)
        doubt_groups(launch, explored, until_ns);
}

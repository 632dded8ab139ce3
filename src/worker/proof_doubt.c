/* Whether what is made up can be why something is wrong. */
#include "base/alloc.h"
#include "base/clock.h"
#include "proof/verdict.h"
#include "worker/proof_attempt.h"

#include <stdlib.h>
#include <string.h>

enum { GROUPS_PART = 60 }; /* of the budget, that launches of more groups get */

/* --- a race with any number --- */

/* A few elements, and more than any buffer has: a part of it, or some of its bits, are not 0 with both. */
static const char *const other_numbers[] = {"3", "1048575"};

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

void proof_try_other_numbers(struct proof_launch *launch, bool column, uint64_t until_ns)
{
    struct proof_making making = launch->making;
    struct proof_result *result = launch->result;
    uint32_t alike = 0, count = sizeof other_numbers / sizeof *other_numbers, left = count;

    if (launch->numbers == 0 || result->numbers_made_up != launch->numbers)
        return;
    making.column = column;
    making.apart = 1;
    for (uint32_t i = 0; i < count && left == count - i; ++i) {
        struct proof_attempt other;
        making.number = other_numbers[i];
        const bool is_explored = proof_attempt_begin(&other, launch, &making, until_ns);
        const bool is_alike = is_explored && races_alike(&other.result, result);
        alike += is_alike;
        left -= is_alike || (is_explored && other.found.fault_kind == FAULT_OUTSIDE);
        proof_attempt_end(&other, false, launch, NULL);
    }
    if (left == 0 && alike > 0)
        result->numbers_made_up = 0;
}

/* --- a kernel for a number of groups that is its own --- */

static const uint32_t more_groups[] = {4, 8};

/* Not in any schedule; and it never asks how many groups there are. */
static bool never_ends(const struct proof_launch *launch, const struct explored *explored)
{
    const struct proof_result *result = launch->result;
    return launch->request->groups_made_up && (explored->asked & ASKED_GROUPS) == 0 && result->extent == PROOF_ALL &&
           result->finals == 0 && proof_judge_as_made_up(result) == PROOF_WRONG;
}

static bool ends(const struct proof_result *result)
{
    return result->finals > 0 || (result->walked > 0 && result->walk_found == PROOF_WALKS_FOUND_NOTHING);
}

/* What is waited for on the way's circle is where several groups have changed something: they wait for each other. */
static bool is_counted(const struct proof_result *result, const struct proof_way *way)
{
    const struct proof_told *told = &result->told[way->first];
    const uint32_t before = way->count - way->circle;

    for (uint32_t i = before; i < way->count; ++i) {
        uint64_t groups = 0;
        for (uint32_t k = 0; k < before; ++k)
            if (told[k].object == told[i].object && told[k].before != told[k].after)
                groups |= UINT64_C(1) << told[k].item / result->items;
        if ((groups & (groups - 1)) != 0)
            return true;
    }
    return false;
}

/* It may be for more groups than can be tried. */
static void note_count(struct proof_result *result)
{
    for (uint32_t i = 0; i < result->stall_count; ++i) {
        if (!is_counted(result, &result->ways[result->stalls[i].way]))
            continue;
        char *text = xasprintf("%s, %u groups, though none asks how many there are", result->texts[result->made_up],
                               result->groups);
        result->made_up = proof_result_text(result, text);
        result->numbers_made_up += 1;
        free(text);
        return;
    }
}

void proof_try_more_groups(struct proof_launch *launch, struct explored *explored, uint64_t until_ns)
{
    const uint64_t tries_ns = clock_ns() + launch->request->budget_ns / GROUPS_PART;
    struct proof_making making = launch->making;
    bool is_taken = false;

    if (!never_ends(launch, explored))
        return;
    until_ns = until_ns < tries_ns ? until_ns : tries_ns;
    for (size_t i = 0; i < sizeof more_groups / sizeof *more_groups && !is_taken; ++i) {
        struct proof_attempt other;
        making.groups = more_groups[i];
        is_taken = proof_attempt_begin(&other, launch, &making, until_ns) && ends(&other.result);
        if (is_taken) {
            proof_make_up(&other.launch, &other.found, until_ns);
            proof_note_launch(&making, &other.result);
        }
        proof_attempt_end(&other, is_taken, launch, explored);
    }
    if (!is_taken)
        note_count(launch->result);
}

#include "base/alloc.h"
#include "base/clock.h"
#include "proof/verdict.h"
#include "worker/proof_attempt.h"

#include <stdlib.h>
#include <string.h>

/*
 * A number that is a size or a distance has work-items do all to one place if it is 0, and one that is an offset leads
 * nowhere if it is large. Distances in two directions lead to one place if they are equal. Local memory is for a tile
 * with its border. Buffers of indices have the first ones, and those of where something begins have some apart.
 */
enum { ROOM = 1 << 14, MAKINGS = 7, MAKINGS_ZERO = 4, MAKINGS_EQUAL = 3 };

/* Variables in local memory of more than one number, but of fewer bytes, may be for a number of work-items. */
enum { ARRAY_BYTES = 128 };

/* Of the budget, that other launches get: one with more to do may be far larger. */
enum { TRIES_PART = 4, MORE_PART = 20 };

static const struct proof_making makings[MAKINGS] = {
    {.number = "16", .fill = PROOF_FILL_ZERO, .local_bytes = ROOM},
    {.number = "1", .fill = PROOF_FILL_ZERO, .local_bytes = ROOM},
    {.number = "0", .fill = PROOF_FILL_ZERO, .local_bytes = ROOM},
    {.number = "16", .apart = 1, .fill = PROOF_FILL_ZERO, .local_bytes = ROOM},
    {.number = "16", .fill = PROOF_FILL_SEQUENCE, .local_bytes = ROOM},
    {.number = "1", .fill = PROOF_FILL_SEQUENCE, .local_bytes = ROOM},
    {.number = "16", .fill = PROOF_FILL_SPREAD, .local_bytes = ROOM},
};

static bool is_bad(const struct proof_result *result)
{
    return proof_is_bad(proof_judge_as_made_up(result));
}

/* The first dimension behind that of 0 in which one of these numbers is asked for; or 0. */
static uint32_t dimension_behind(const struct explored *explored, uint32_t asked)
{
    for (uint32_t i = 1; i < 3; ++i)
        if ((explored->asked[i] & asked) != 0)
            return i;
    return 0;
}

/* In which groups may be as well, or 0. */
static uint32_t other_for_groups(const struct proof_request *request, const struct explored *explored)
{
    const bool may_be = request->groups_made_up && request->trial.work.range.dimensions == 0;
    return may_be ? dimension_behind(explored, ASKED_AMONG_ALL) : 0;
}

/* In which work-items of a group may be as well, or 0. */
static uint32_t other_for_items(const struct proof_request *request, const struct explored *explored)
{
    const struct nd_range *shape = &request->trial.footprint.subject.shape;
    const bool may_be = request->shape_made_up && shape->dimensions == 1 && shape->local[0] > 1;
    return may_be ? dimension_behind(explored, ASKED_ITEM | ASKED_IN_GROUP) : 0;
}

/*
 * All groups, or all work-items of one, do the same: whoever wrote that launches one. Or they do so in the first
 * dimension, and not in another one: whoever wrote that has groups there.
 */
static void choose_launch(const struct proof_request *request, const struct explored *explored,
                          struct proof_making *making)
{
    const bool is_told_apart = (explored->asked_any & ASKED_AMONG_ALL) != 0 || explored_has_atomics(explored);

    making->one = request->groups_made_up && !is_told_apart;
    making->item = request->shape_made_up && !is_told_apart && (explored->asked_any & ASKED_IN_GROUP) == 0 &&
                   nd_range_local_size(&request->trial.footprint.subject.shape) > 1;
    if (making->column == 0 && (explored->asked[0] & ASKED_AMONG_ALL) == 0)
        making->column = other_for_groups(request, explored);
}

/* With what was made up, no work-item got to an access: nothing is known of the kernel. */
static bool does_nothing(const struct explored *explored)
{
    return !explored->accessed && explored->fault[0] == '\0';
}

/* What is wrong with another launch than that of the result. */
static void note_wrong(const struct proof_result *other, const char *with, struct proof_result *result)
{
    const struct proof_race_told *race = other->raced_count > 0 ? &other->raced[0] : NULL;
    char *text = other->fault[0] != '\0' ? xasprintf("%s%s: %s", with, other->texts[other->fault_line], other->fault)
                 : race != NULL          ? xasprintf("%s%s: data race with %s", with, other->texts[race->first.line],
                                                     other->texts[race->second.line])
                                         : xasprintf("%sit need not end", with);
    if (result->unwritten == 0)
        result->unwritten = proof_result_text(result, text);
    free(text);
}

static void note_with(const struct proof_result *other, const char *number, struct proof_result *result)
{
    char *with = xasprintf("with %s for numbers, ", number);
    note_wrong(other, with, result);
    free(with);
}

/* What was wrong first, and what was made up of the launch itself. */
static void note(const struct proof_result *first, const struct proof_making *making, struct proof_result *result)
{
    if (proof_judge_as_made_up(first) != PROOF_NOTHING)
        note_wrong(first, "", result);
    proof_note_launch(making, result);
}

void proof_note_row(const struct proof_request *request, const struct explored *explored, struct proof_result *result)
{
    if (request->trial.work.range.dimensions != 0 || dimension_behind(explored, ASKED_AMONG_ALL) == 0 ||
        result->column != 0 || result->texts[result->made_up][0] == '\0')
        return;
    char *text = xasprintf("%s, groups in the first dimension alone (--groups 2x2 has two in each)",
                           result->texts[result->made_up]);
    result->made_up = proof_result_text(result, text);
    free(text);
}

/*
 * What another launch is tried for: nothing is wrong with it; or it does anything; or nothing is wrong with it, and it
 * comes to more places in the program; or only to be told what is wrong with it.
 */
enum wanted { WANTED_RIGHT, WANTED_ANY, WANTED_MORE, WANTED_WRONG };

static bool is_wanted(enum wanted wanted, const struct proof_result *result, const struct explored *found,
                      const struct explored *explored)
{
    if (does_nothing(found) || wanted == WANTED_WRONG ||
        (wanted == WANTED_MORE && found->site_count <= explored->site_count))
        return false;
    return wanted == WANTED_ANY || proof_judge(result) == PROOF_PROVED;
}

/* As wrong as before, with more local memory than it uses, which makes no work-items race, wait or part. */
static bool is_of_any_size(const struct proof_launch *launch, const struct explored *found,
                           const struct proof_result *before, const struct explored *explored)
{
    return !proof_is_for_one_size(launch, found) && launch->numbers == 0 && launch->making.local_bytes >= ROOM &&
           launch->making.fill == PROOF_FILL_ZERO && is_bad(launch->result) && found->fault_kind == FAULT_ANY &&
           explored->fault_kind == FAULT_ANY &&
           proof_judge_as_made_up(launch->result) == proof_judge_as_made_up(before);
}

/* True: it is what is wanted, and the result is of it, unless it has what buffers should have. */
static bool try_making(struct proof_launch *launch, const struct proof_making *making, enum wanted wanted,
                       struct explored *explored, uint64_t until_ns)
{
    struct proof_attempt other;
    bool is_right = proof_attempt_begin(&other, launch, making, until_ns);

    if (is_right && is_bad(&other.result) &&
        (wanted == WANTED_WRONG || (wanted == WANTED_MORE && other.found.site_count > explored->site_count)))
        note_with(&other.result, making->number, launch->result);
    if (is_right && wanted == WANTED_RIGHT && is_of_any_size(&other.launch, &other.found, launch->result, explored))
        launch->result->numbers_made_up = 0;
    is_right = is_right && is_wanted(wanted, &other.result, &other.found, explored);
    const bool is_taken = is_right && making->fill == PROOF_FILL_ZERO;
    if (is_taken && wanted == WANTED_RIGHT)
        note(launch->result, making, &other.result);
    if (!is_taken)
        launch->result->numbers_made_up += is_right; /* what buffers have may be why: who knows what that should be? */
    proof_attempt_end(&other, is_taken, launch, explored);
    return is_right;
}

/* Else it is the launch that there was. */
static bool is_another(const struct proof_launch *launch, const struct proof_making *making)
{
    return launch->result->numbers_made_up > 0 || making->second > 0 || making->column > 0 ||
           making->fill != PROOF_FILL_ZERO;
}

/*
 * Where a kernel needs a number to do anything, as one of elements, nothing is shown with fewer of them. One that takes
 * none is tried with the first.
 */
static bool may_be_number(const struct proof_launch *launch, const char *number)
{
    const char *wanted = launch->numbers == 0 ? makings[0].number : launch->making.number;
    return wanted == NULL || strcmp(wanted, number) == 0;
}

bool proof_try_numbers(struct proof_launch *launch, struct explored *explored, uint64_t until_ns)
{
    const uint64_t tries_ns = clock_ns() + launch->request->budget_ns / TRIES_PART;
    bool is_right = false;

    for (int i = 0; i < MAKINGS_ZERO && !is_right; ++i)
        is_right = strcmp(makings[i].number, "0") != 0 && /* which it had */
                   try_making(launch, &makings[i], WANTED_RIGHT, explored, until_ns < tries_ns ? until_ns : tries_ns);
    return is_right;
}

void proof_make_up(struct proof_launch *launch, struct explored *explored, uint64_t until_ns)
{
    struct proof_making making = launch->making;
    const bool is_made_up = launch->result->texts[launch->result->made_up][0] != '\0';

    for (int i = 0; i < MAKINGS_EQUAL && is_made_up && does_nothing(explored); ++i) {
        making.number = makings[i].number;
        if (try_making(launch, &making, WANTED_ANY, explored, until_ns))
            launch->making = making;
    }
    const uint32_t other = other_for_items(launch->request, explored);
    /* Words that others wait for, or that are locks, are zero in the beginning. */
    const bool syncs = explored_has_atomics(explored) || proof_judge_as_made_up(launch->result) == PROOF_WRONG;
    bool is_right = !is_made_up || !is_bad(launch->result);
    const uint64_t tries_ns = clock_ns() + launch->request->budget_ns / (is_right ? MORE_PART : TRIES_PART);

    until_ns = until_ns < tries_ns ? until_ns : tries_ns;
    /* A loop over as many elements as a number says is not seen with 0. */
    if (is_right && making.number == NULL && launch->result->numbers_made_up > 0) {
        making.number = makings[0].number;
        making.local_bytes = makings[0].local_bytes;
        try_making(launch, &making, WANTED_MORE, explored, until_ns);
    }
    /* Nor is one from one number to another, if they are equal. */
    if (is_right && launch->numbers > 1) {
        making.number = makings[0].number;
        making.apart = 1;
        try_making(launch, &making, WANTED_MORE, explored, until_ns);
        making.apart = 0;
    }
    /* So many elements leave some work-items of a group without one. */
    if (is_right && launch->numbers > 0) {
        making.number = "3";
        try_making(launch, &making, WANTED_WRONG, explored, until_ns);
    }
    choose_launch(launch->request, explored, &making);
    if (!is_right && (making.one || making.item || making.column > 0))
        is_right = try_making(launch, &making, WANTED_RIGHT, explored, until_ns);
    for (int i = 0; i < (syncs ? MAKINGS_ZERO : MAKINGS) && !is_right; ++i)
        for (uint32_t second = 0; second <= (other > 0) && !is_right; ++second) {
            making.number = makings[i].number;
            making.apart = makings[i].apart;
            making.fill = makings[i].fill;
            making.local_bytes = makings[i].local_bytes;
            making.second = second > 0 ? other : 0;
            is_right = may_be_number(launch, making.number) && is_another(launch, &making) &&
                       try_making(launch, &making, WANTED_RIGHT, explored, until_ns);
        }
    if (!is_right && !syncs)
        proof_try_other_numbers(launch, making.column, until_ns);
    if (!is_right)
        proof_try_more_groups(launch, explored, until_ns);
}

/* --- larger launches --- */

/* Of the smallest launch whose work-items meet. */
static bool may_be_more(const struct proof_launch *launch, const struct explored *explored)
{
    const struct nd_range *shape = &launch->request->trial.footprint.subject.shape;
    const uint64_t bytes = launch->kernel->original.local_bytes;

    return launch->request->shape_made_up && (explored->asked_any & ASKED_IN_GROUP) != 0 &&
           launch->request->trial.groups <= 2 && launch->request->trial.work.range.dimensions == 0 &&
           shape->dimensions == 1 && shape->local[0] == 2 && (bytes <= PROOF_VARIABLE_BYTES || bytes >= ARRAY_BYTES);
}

/* If that is wrong, whatever is made up, it is the answer. */
static void try_larger(struct proof_launch *launch, const struct proof_making *making, struct explored *explored,
                       uint64_t until_ns)
{
    struct proof_attempt other;
    const bool is_explored = proof_attempt_begin(&other, launch, making, until_ns);

    if (is_explored)
        proof_make_up(&other.launch, &other.found, until_ns);
    const bool is_taken = is_explored && is_bad(&other.result);
    if (is_taken)
        proof_note_launch(making, &other.result);
    proof_attempt_end(&other, is_taken, launch, explored);
}

void proof_make_up_again(struct proof_launch *launch, struct explored *explored, uint64_t until_ns)
{
    const bool was_bad = is_bad(launch->result);

    proof_make_up(launch, explored, until_ns);
    if (was_bad)
        return;
    const uint32_t column = other_for_groups(launch->request, explored);
    const bool may_be[] = {column > 0, may_be_more(launch, explored)};
    const uint64_t tries_ns = clock_ns() + launch->request->budget_ns / MORE_PART;
    for (int i = 0; i < 2 && !is_bad(launch->result); ++i) {
        struct proof_making making = launch->making;
        making.column = i == 0 ? column : 0;
        making.more = i == 1;
        if (may_be[i])
            try_larger(launch, &making, explored, until_ns < tries_ns ? until_ns : tries_ns);
    }
}

#include "base/alloc.h"
#include "base/clock.h"
#include "proof/verdict.h"
#include "worker/proof_attempt.h"

#include <stdlib.h>
#include <string.h>

/*
 * A number that is a size or a distance has work-items do all to one place if it is 0, and one that is an offset leads
 * nowhere if it is large. Distances in two directions lead to one place if they are equal. Behind sizes there may be a
 * radius, of which a large one takes long. Local memory is for a tile with its border. Buffers of indices have the
 * first ones, and those of where something begins have some apart.
 */
enum { MAKINGS = 8, MAKINGS_ZERO = 5 };

/* Of the budget, that other launches get. */
enum { TRIES_PART = 4 };

static const struct proof_making makings[MAKINGS] = {
    {.number = "16", .fill = PROOF_FILL_ZERO, .local_bytes = PROOF_ROOM},
    {.number = "1", .fill = PROOF_FILL_ZERO, .local_bytes = PROOF_ROOM},
    {.number = "0", .fill = PROOF_FILL_ZERO, .local_bytes = PROOF_ROOM},
    {.number = "16", .apart = 1, .fill = PROOF_FILL_ZERO, .local_bytes = PROOF_ROOM},
    {.number = "16", .apart = -8, .fill = PROOF_FILL_ZERO, .local_bytes = PROOF_ROOM},
    {.number = "16", .fill = PROOF_FILL_SEQUENCE, .local_bytes = PROOF_ROOM},
    {.number = "1", .fill = PROOF_FILL_SEQUENCE, .local_bytes = PROOF_ROOM},
    {.number = "16", .fill = PROOF_FILL_SPREAD, .local_bytes = PROOF_ROOM},
};

/* With which the kernel may do something, and so that further numbers are greater, or smaller. */
static const struct {
    const char *number;
    int32_t apart;
} doing[] = {{"16", 0}, {"1", 0}, {"0", 0}, {"16", 4}, {"16", -8}};

bool proof_is_wrong(const struct proof_result *result)
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
static uint32_t other_for_items(const struct proof_launch *launch, const struct explored *explored)
{
    const struct nd_range *shape = &launch->request->trial.footprint.subject.shape;
    const bool may_be = proof_is_shape_made_up(launch) && shape->dimensions == 1 && shape->local[0] > 1;
    return may_be ? dimension_behind(explored, ASKED_ITEM | ASKED_IN_GROUP) : 0;
}

/*
 * All groups, or all work-items of one, do the same: whoever wrote that launches one. Or they do so in the first
 * dimension, and not in another one: whoever wrote that has groups there.
 */
static void choose_launch(const struct proof_launch *launch, const struct explored *explored,
                          struct proof_making *making)
{
    const struct proof_request *request = launch->request;
    const bool is_told_apart = (explored->asked_any & ASKED_AMONG_ALL) != 0 || explored_has_atomics(explored);

    making->one = request->groups_made_up && !is_told_apart;
    making->item = proof_is_shape_made_up(launch) && !is_told_apart && (explored->asked_any & ASKED_IN_GROUP) == 0 &&
                   nd_range_local_size(&request->trial.footprint.subject.shape) > 1;
    if (making->column == 0 && (explored->asked[0] & ASKED_AMONG_ALL) == 0)
        making->column = other_for_groups(request, explored);
}

bool proof_does_nothing(const struct explored *explored)
{
    return !explored->accessed && explored->fault[0] == '\0';
}

/* What is wrong with another launch than that of the result. */
static void note_wrong(const struct proof_result *other, struct proof_result *result)
{
    const struct proof_race_told *race = other->raced_count > 0 ? &other->raced[0] : NULL;
    char *text = other->fault[0] != '\0' ? xasprintf("%s: %s", other->texts[other->fault_line], other->fault)
                 : race != NULL          ? xasprintf("%s: data race with %s", other->texts[race->first.line],
                                                     other->texts[race->second.line])
                                         : xasprintf("it need not end");
    if (result->unwritten == 0)
        result->unwritten = proof_result_text(result, text);
    free(text);
}

/* What was wrong first, and what was made up of the launch itself. */
static void note(const struct proof_result *first, const struct proof_making *making, struct proof_result *result)
{
    if (proof_judge_as_made_up(first) != PROOF_NOTHING)
        note_wrong(first, result);
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

/* As wrong as before, with more local memory than it uses, which makes no work-items race, wait or part. */
static bool is_of_any_size(const struct proof_launch *launch, const struct explored *found,
                           const struct proof_result *before, const struct explored *explored)
{
    return !proof_is_for_one_size(launch, found) && launch->numbers == 0 && launch->making.local_bytes >= PROOF_ROOM &&
           launch->making.fill == PROOF_FILL_ZERO && proof_is_wrong(launch->result) && found->fault_kind == FAULT_ANY &&
           explored->fault_kind == FAULT_ANY &&
           proof_judge_as_made_up(launch->result) == proof_judge_as_made_up(before) &&
           (before->fault[0] == '\0' || explored->unwritten[0] == '\0');
}

/* True: nothing is wrong with it, and the result is of it, unless it has what buffers should have. */
static bool try_right(struct proof_launch *launch, const struct proof_making *making, struct explored *explored,
                      uint64_t until_ns)
{
    struct proof_attempt other;
    bool is_right = proof_attempt_begin(&other, launch, making, until_ns);

    if (is_right && is_of_any_size(&other.launch, &other.found, launch->result, explored))
        launch->result->numbers_made_up = 0;
    is_right = is_right && !proof_does_nothing(&other.found) && proof_judge(&other.result) == PROOF_PROVED;
    const bool is_taken = is_right && making->fill == PROOF_FILL_ZERO;
    if (is_taken)
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
                   try_right(launch, &makings[i], explored, until_ns < tries_ns ? until_ns : tries_ns);
    return is_right;
}

bool proof_has_buffers(const struct proof_launch *launch)
{
    for (uint32_t i = 0; i < launch->kernel->argument_count; ++i)
        if (launch->kernel->arguments[i].kind == ARGUMENT_BUFFER)
            return true;
    return false;
}

void proof_do_something(struct proof_launch *launch, struct explored *explored, uint64_t until_ns)
{
    for (size_t i = 0; i < sizeof doing / sizeof *doing && proof_does_nothing(explored) && launch->numbers > 0; ++i) {
        struct proof_making making = launch->making;
        struct proof_attempt other;
        making.number = doing[i].number;
        making.apart = doing[i].apart;
        const bool is_taken =
            proof_attempt_begin(&other, launch, &making, until_ns) && !proof_does_nothing(&other.found);
        proof_attempt_end(&other, is_taken, launch, explored);
        if (is_taken)
            launch->making = making;
    }
    if (proof_does_nothing(explored) && launch->numbers > 0 && proof_has_buffers(launch) &&
        launch->result->extent == PROOF_ALL)
        launch->result->extent = PROOF_OF_LESS;
}

void proof_make_right(struct proof_launch *launch, struct explored *explored, uint64_t until_ns)
{
    struct proof_making making = launch->making;
    const uint32_t other = other_for_items(launch, explored);
    /* Words that others wait for, or that are locks, are zero in the beginning. */
    const bool syncs = explored_has_atomics(explored) || proof_judge_as_made_up(launch->result) == PROOF_WRONG;
    const uint64_t tries_ns = clock_ns() + launch->request->budget_ns / TRIES_PART;
    bool is_right = false;

    until_ns = until_ns < tries_ns ? until_ns : tries_ns;
    choose_launch(launch, explored, &making);
    if (making.one || making.item || making.column != launch->making.column)
        is_right = try_right(launch, &making, explored, until_ns);
    for (int i = 0; i < (syncs ? MAKINGS_ZERO : MAKINGS) && !is_right; ++i)
        for (uint32_t second = 0; second <= (other > 0) && !is_right; ++second) {
            making.number = makings[i].number;
            making.apart = makings[i].apart;
            making.fill = makings[i].fill;
            making.local_bytes = makings[i].local_bytes;
            making.second = second > 0 ? other : 0;
            is_right = may_be_number(launch, making.number) && is_another(launch, &making) &&
                       try_right(launch, &making, explored, until_ns);
        }
    if (is_right)
        return;
    if (!syncs)
        proof_try_other_numbers(launch, making.column, until_ns);
    proof_try_more_groups(launch, explored, until_ns);
    proof_doubt(launch, explored, until_ns);
}

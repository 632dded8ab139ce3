/* Where nothing is wrong with a launch: other arguments and launches, that may show more. */
#include "base/alloc.h"
#include "base/clock.h"
#include "proof/verdict.h"
#include "worker/proof_attempt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the budget, that these get: one with more to do may be far larger. */
enum { MORE_PART = 20, SIZES_PART = 8 };

/* Of a group, in one dimension, or in each of two. */
enum { SIZE_MOST = 1024, SIDE_MOST = 32, TILE_LEAST = 9 /* of less 16 is two */ };

/*
 * Numbers with which it may do more, or what is wrong: loops over elements, from one number to another, over as many
 * as two numbers are together; and so few that some work-items of a group have none.
 */
static const struct proof_making showing[] = {{.number = "16", .local_bytes = PROOF_ROOM},
                                              {.number = "16", .apart = 1, .local_bytes = PROOF_ROOM},
                                              {.number = "1", .apart = 2, .local_bytes = PROOF_ROOM},
                                              {.number = "16", .apart = -16, .local_bytes = PROOF_ROOM},
                                              {.number = "0", .apart = 16, .local_bytes = PROOF_ROOM},
                                              {.number = "3", .local_bytes = PROOF_ROOM}};

/* Variables in local memory of more than one number, but of fewer bytes, may be for a number of work-items. */
enum { ARRAY_BYTES = 128 };

/* Numbers of groups in a text of which fewer are not tried anyway. */
enum { NUMBER_LEAST = 4 };
#define NAME_CHARACTERS "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* --- numbers --- */

/* It waits for others. */
static bool waits(const struct proof_result *result)
{
    return !proof_ends(&result->progress, &(struct proof_promise){PROOF_UNFAIR, LITMUS_STRONG, result->groups});
}

static bool is_more(const struct proof_attempt *attempt, const struct explored *explored)
{
    return proof_judge(&attempt->result) == PROOF_PROVED && attempt->found.site_count > explored->site_count;
}

/* If it is right, and comes to more places, or is the first to wait, that is the answer. */
static bool try_right_and_more(struct proof_launch *launch, const struct proof_making *making,
                               struct explored *explored, uint64_t until_ns)
{
    struct proof_attempt other;
    const bool is_taken = proof_attempt_begin(&other, launch, making, until_ns) &&
                          (is_more(&other, explored) || (proof_judge(&other.result) == PROOF_PROVED &&
                                                         waits(&other.result) && !waits(launch->result)));

    if (is_taken)
        proof_note_launch(making, &other.result);
    proof_attempt_end(&other, is_taken, launch, explored);
    return is_taken;
}

/* That something is too large for its buffer shows nothing. */
static bool is_wrong(const struct proof_attempt *attempt)
{
    return proof_is_wrong(&attempt->result) && attempt->found.fault_kind != FAULT_OUTSIDE;
}

static bool is_wrong_with(struct proof_launch *launch, const struct proof_making *making, uint64_t until_ns)
{
    struct proof_attempt other;
    const bool is = proof_attempt_begin(&other, launch, making, until_ns) && is_wrong(&other);

    proof_attempt_end(&other, false, NULL, NULL);
    return is;
}

/* The kernel may wait for as many groups as a number says. */
static bool try_as_many(struct proof_launch *launch, struct explored *explored, uint64_t until_ns)
{
    struct proof_making making = launch->making;
    char groups[12];

    snprintf(groups, sizeof groups, "%u", launch->request->trial.groups);
    making.number = groups;
    making.apart = 0;
    return try_right_and_more(launch, &making, explored, until_ns);
}

/*
 * If it comes to more places, or is wrong, it is the answer; unless it is right if distances in two directions differ,
 * as `apart` has them, or nobody comes because the kernel waits for as many as the number says, which *as_many notes.
 */
static void try_number(struct proof_launch *launch, const struct proof_making *making, const struct proof_making *apart,
                       bool *as_many, struct explored *explored, uint64_t until_ns)
{
    struct proof_attempt other;
    bool is_taken = proof_attempt_begin(&other, launch, making, until_ns);

    if (is_taken && proof_judge_as_made_up(&other.result) == PROOF_WRONG && explored_has_atomics(&other.found)) {
        *as_many = *as_many || try_as_many(launch, explored, until_ns);
        is_taken = !*as_many;
    } else if (proof_is_wrong(&other.result)) {
        is_taken = is_taken && is_wrong(&other) &&
                   (launch->numbers == 1 || making->apart != 0 || is_wrong_with(launch, apart, until_ns));
    } else {
        is_taken = is_taken && is_more(&other, explored);
    }
    proof_attempt_end(&other, is_taken, launch, explored);
}

/* What is wrong with any numbers in buffers that are not zero may be due to these; words that are waited for are. */
static void try_contents(struct proof_launch *launch, struct explored *explored, uint64_t until_ns)
{
    struct proof_making making = showing[0];
    struct proof_attempt other;

    making.fill = PROOF_FILL_SPREAD;
    if (!is_wrong_with(launch, &making, until_ns))
        return;
    making.fill = PROOF_FILL_SEQUENCE;
    const bool is_taken = proof_attempt_begin(&other, launch, &making, until_ns) && is_wrong(&other);
    other.result.numbers_made_up += 1;
    proof_attempt_end(&other, is_taken, launch, explored);
}

/* Loops over tiles of a group's size come to a second one. */
static void try_tiles(struct proof_launch *launch, bool *as_many, struct explored *explored, uint64_t until_ns)
{
    const uint64_t items = nd_range_local_size(&launch->request->trial.footprint.subject.shape);
    struct proof_making making = showing[0], apart = showing[1];
    char number[12];

    if (launch->numbers == 0 || items < TILE_LEAST || items > SIZE_MOST || proof_is_wrong(launch->result))
        return;
    snprintf(number, sizeof number, "%u", 2 * (unsigned)items);
    making.number = apart.number = number;
    try_number(launch, &making, &apart, as_many, explored, until_ns);
}

static void show_more(struct proof_launch *launch, struct explored *explored, uint64_t until_ns)
{
    const uint64_t tries_ns = clock_ns() + launch->request->budget_ns / MORE_PART;
    const uint32_t numbers = launch->numbers;
    bool as_many = false;

    until_ns = until_ns < tries_ns ? until_ns : tries_ns;
    for (size_t i = 0; i < sizeof showing / sizeof *showing && !proof_is_wrong(launch->result); ++i)
        if (numbers > (showing[i].apart != 0))
            try_number(launch, &showing[i], &showing[1], &as_many, explored, until_ns);
    try_tiles(launch, &as_many, explored, until_ns);
    if (!explored_has_atomics(explored) && !proof_is_wrong(launch->result) && proof_has_buffers(launch))
        try_contents(launch, explored, until_ns);
}

void proof_make_up(struct proof_launch *launch, struct explored *explored, uint64_t until_ns)
{
    proof_do_something(launch, explored, until_ns);
    if (proof_is_wrong(launch->result))
        proof_make_right(launch, explored, until_ns);
    else
        show_more(launch, explored, until_ns);
}

/* --- launches --- */

/* If that is wrong, whatever is made up, or if it is the first to do anything, it is the answer. */
static bool try_larger(struct proof_launch *launch, const struct proof_making *making, struct explored *explored,
                       uint64_t until_ns)
{
    struct proof_attempt other;
    const bool is_explored = proof_attempt_begin(&other, launch, making, until_ns);

    if (is_explored && proof_is_wrong(&other.result))
        proof_make_right(&other.launch, &other.found, until_ns);
    /* What is made up may be too small for more groups, which shows nothing. */
    const bool is_small = other.found.fault_kind == FAULT_OUTSIDE && other.result.numbers_made_up > 0;
    const bool is_taken = is_explored && ((proof_is_wrong(&other.result) && !is_small) ||
                                          (proof_does_nothing(explored) && !proof_does_nothing(&other.found)));
    if (is_taken)
        proof_note_launch(making, &other.result);
    proof_attempt_end(&other, is_taken, launch, explored);
    return is_taken;
}

/* Of the smallest launch whose work-items meet. */
static bool may_be_more(const struct proof_launch *launch, const struct explored *explored)
{
    const struct nd_range *shape = &launch->request->trial.footprint.subject.shape;
    const uint64_t bytes = launch->kernel->original.local_bytes;

    return proof_is_shape_made_up(launch) && (explored->asked_any & ASKED_IN_GROUP) != 0 &&
           launch->request->trial.groups <= 2 && launch->request->trial.work.range.dimensions == 0 &&
           shape->dimensions == 1 && shape->local[0] == 2 && (bytes <= PROOF_VARIABLE_BYTES || bytes >= ARRAY_BYTES);
}

/* Groups in other dimensions, if ids in them are asked for, and larger ones. */
static void try_shapes(struct proof_launch *launch, struct explored *explored, uint64_t until_ns)
{
    const bool rows = launch->request->groups_made_up && launch->request->trial.work.range.dimensions == 0;
    bool asked[3];

    for (int i = 0; i < 3; ++i)
        asked[i] = rows && (explored->asked[i] & ASKED_AMONG_ALL) != 0;
    const struct {
        bool may_be;
        struct proof_making making;
    } shapes[] = {{asked[1], {.column = 1}},
                  {asked[2], {.column = 2}},
                  {asked[0] && asked[1], {.column = PROOF_SQUARE}},
                  {asked[0] && asked[1] && asked[2], {.column = PROOF_CUBE}},
                  {may_be_more(launch, explored), {.more = true}}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes && !proof_is_wrong(launch->result); ++i) {
        struct proof_making making = launch->making;
        making.column = shapes[i].making.column;
        making.more = shapes[i].making.more;
        making.number = proof_does_nothing(explored) ? showing[0].number : making.number;
        if (shapes[i].may_be)
            try_larger(launch, &making, explored, until_ns);
    }
}

/* The next number of the text that is not less, and not more; 0: there is none. */
static uint32_t next_number(const char **text, uint32_t least, uint32_t most)
{
    const char *at = *text;

    while (*at != '\0') {
        const size_t name = strspn(at, NAME_CHARACTERS), digits = strspn(at, "0123456789");
        const unsigned long number = digits > 0 ? strtoul(at, NULL, 10) : 0;
        const bool is_whole = digits > 0 && digits + strspn(at + digits, "uU") == name && at[name] != '.';
        at += name > 0 ? name : 1;
        if (is_whole && number >= least && number <= most) {
            *text = at;
            return (uint32_t)number;
        }
    }
    *text = at;
    return 0;
}

/* As many groups as a number of its text says, or one more: there may be one that has it for an id. */
static void try_numbers_of_text(struct proof_launch *launch, struct explored *explored, uint64_t until_ns)
{
    const char *text = launch->kernel->file->text;
    uint32_t tried = 0; /* a bit each */

    for (uint32_t number; (number = next_number(&text, NUMBER_LEAST, PROOF_GROUPS - 1)) > 0;)
        for (uint32_t more = 0; more < 2; ++more) {
            struct proof_making making = launch->making;
            making.groups = number + more;
            making.why = "a number in its text";
            if ((tried >> (making.groups - 1) & 1) != 0)
                continue;
            tried |= UINT32_C(1) << (making.groups - 1);
            if (try_right_and_more(launch, &making, explored, until_ns))
                return;
            if (try_larger(launch, &making, explored, until_ns)) {
                launch->result->numbers_made_up += 1;
                return;
            }
        }
}

/* --- sizes of groups --- */

/* The greatest number of the text, or of the options, up to this one, of which local memory has a multiple; or 0. */
static uint32_t find_size(const struct proof_launch *launch, uint32_t most)
{
    const char *const texts[] = {launch->kernel->file->text, launch->request->trial.footprint.subject.options};
    uint32_t size = 0;

    for (int i = 0; i < 2; ++i) {
        const char *text = texts[i];
        for (uint32_t number; (number = next_number(&text, NUMBER_LEAST, most)) > 0;)
            if (number > size && launch->kernel->original.local_bytes % number == 0)
                size = number;
    }
    return size;
}

/* In which its work-items ask who they are: one, or two for PROOF_SQUARE. */
static uint32_t dimensions_of_items(const struct explored *explored)
{
    const uint32_t wanted = (explored->asked_any & ASKED_IN_GROUP) != 0 ? ASKED_IN_GROUP : ASKED_ITEM;

    if ((explored->asked[1] & wanted) != 0)
        return (explored->asked[0] & wanted) != 0 ? PROOF_SQUARE : 1;
    return (explored->asked[2] & wanted) != 0 ? 2 : 0;
}

/* Right with all that is made up for it, or for smaller groups, whose local memory it leaves. */
enum size_is { SIZE_IS_RIGHT, SIZE_IS_WRONG, SIZE_IS_TOO_LARGE };

static enum size_is try_size(struct proof_launch *launch, const struct proof_making *making, struct explored *explored,
                             uint64_t until_ns)
{
    struct proof_attempt other;
    enum size_is is = proof_attempt_begin(&other, launch, making, until_ns) ? SIZE_IS_WRONG : SIZE_IS_TOO_LARGE;

    if (is == SIZE_IS_WRONG)
        proof_make_up(&other.launch, &other.found, until_ns);
    if (is == SIZE_IS_WRONG && proof_judge(&other.result) == PROOF_PROVED && !proof_does_nothing(&other.found))
        is = SIZE_IS_RIGHT;
    else if (other.found.fault_kind == FAULT_OUTSIDE)
        is = SIZE_IS_TOO_LARGE;
    if (is == SIZE_IS_RIGHT)
        proof_note_launch(making, &other.result);
    proof_attempt_end(&other, is == SIZE_IS_RIGHT, launch, explored);
    return is;
}

/*
 * What is wrong may be so for the size of groups, which the kernel never asks for: its text may say which one it is
 * for. If it is right with that one, that is the answer.
 */
static void try_sizes_of_text(struct proof_launch *launch, struct explored *explored, uint64_t until_ns)
{
    const uint64_t tries_ns = clock_ns() + launch->request->budget_ns / SIZES_PART;
    struct proof_making making = {.number = launch->making.number, .second = dimensions_of_items(explored)};
    enum size_is is = SIZE_IS_TOO_LARGE;

    until_ns = until_ns < tries_ns ? until_ns : tries_ns;
    for (uint32_t most = making.second == PROOF_SQUARE ? SIDE_MOST : SIZE_MOST; is == SIZE_IS_TOO_LARGE;) {
        making.size = find_size(launch, most);
        if (making.size == 0)
            return;
        is = try_size(launch, &making, explored, until_ns);
        most = making.size - 1;
    }
}

void proof_make_up_again(struct proof_launch *launch, struct explored *explored, uint64_t until_ns)
{
    const bool was_wrong = proof_is_wrong(launch->result);
    const struct proof_request *request = launch->request;
    const struct nd_range *shape = &request->trial.footprint.subject.shape;

    proof_make_up(launch, explored, until_ns);
    if (proof_is_wrong(launch->result) && proof_judge(launch->result) == PROOF_NOT_REFUTED &&
        request->trial.work.range.dimensions == 0 && launch->kernel->original.local_bytes > 0 &&
        proof_is_for_one_size(launch, explored))
        try_sizes_of_text(launch, explored, until_ns);
    if (was_wrong || proof_is_wrong(launch->result))
        return;
    const uint64_t tries_ns = clock_ns() + request->budget_ns / MORE_PART;
    until_ns = until_ns < tries_ns ? until_ns : tries_ns;
    try_shapes(launch, explored, until_ns);
    if (!proof_is_wrong(launch->result) && request->groups_made_up && request->trial.work.range.dimensions == 0 &&
        request->trial.groups == 2 && nd_range_local_size(shape) == 1 && (explored->asked_any & ASKED_AMONG_ALL) != 0 &&
        launch->result->groups == 2)
        try_numbers_of_text(launch, explored, until_ns);
}

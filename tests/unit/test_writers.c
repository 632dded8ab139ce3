/* Who could end a wait: the first on each way that changes the word. */
#include "harness.h"
#include "proof/writers.h"

/*
 * Two items, A and B, that share a word at 64. State 0: A looks at it and stays; B's next step is state 1 (a store of
 * something else, at 72), and then 2 (a store to the word); A sees it, and ends in state 3.
 */
enum { LOOK, OTHER, WRITE, STATES = 4 };
static struct proof_access accesses[] = {
    {.at = 64, .bytes = 4, .kind = PROOF_LOAD},
    {.at = 72, .bytes = 4, .kind = PROOF_STORE},
    {.at = 66, .bytes = 2, .kind = PROOF_STORE},
};
static uint32_t steps[STATES][2] = {{0, 1}, {1, 2}, {3, PROOF_NOWHERE}, {PROOF_NOWHERE, PROOF_NOWHERE}};
static uint32_t selves[STATES][2] = {{LOOK, OTHER}, {LOOK, WRITE}, {LOOK, PROOF_ENDED}, {PROOF_ENDED, PROOF_ENDED}};
static uint32_t memories[STATES];
static struct proof_graph graph = {.groups = 2,
                                   .items = 1,
                                   .count = STATES,
                                   .steps = steps[0],
                                   .selves = selves[0],
                                   .memories = memories,
                                   .accesses = accesses,
                                   .access_count = 3};

static struct proof_writers find(uint32_t state, uint64_t at)
{
    struct proof_writers writers;

    proof_writers_find(&graph, state, at, 4, &writers);
    ck_assert(writers.all);
    return writers;
}

static void set_memories(uint32_t one, uint32_t two)
{
    memories[1] = one;
    memories[2] = memories[3] = two;
}

START_TEST(the_group_that_writes_is_found)
{
    set_memories(1, 2);
    ck_assert_uint_eq(find(0, 64).groups, 2);
    ck_assert_uint_eq(find(0, 64).access, WRITE);
    ck_assert_uint_eq(find(0, 72).groups, 2);
    ck_assert_uint_eq(find(0, 72).access, OTHER);
}
END_TEST

START_TEST(a_store_of_the_same_value_changes_nothing)
{
    set_memories(1, 1);
    ck_assert_uint_eq(find(0, 64).groups, 0);
    ck_assert_uint_eq(find(0, 64).access, PROOF_NOWHERE);
}
END_TEST

START_TEST(what_was_written_before_does_not_count)
{
    set_memories(1, 2);
    ck_assert_uint_eq(find(1, 72).groups, 0);
    ck_assert_uint_eq(find(2, 64).groups, 0);
}
END_TEST

START_TEST(other_bytes_are_not_meant)
{
    set_memories(1, 2);
    ck_assert_uint_eq(find(0, 60).groups, 0);
    ck_assert_uint_eq(find(0, 68).groups, 0);
}
END_TEST

HARNESS_MAIN("writers", the_group_that_writes_is_found, a_store_of_the_same_value_changes_nothing,
             what_was_written_before_does_not_count, other_bytes_are_not_meant)

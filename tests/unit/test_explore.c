/* What exploring keeps states in, and which steps come to the same whenever they are taken. */
#include "explore/futures.h"
#include "explore/interned.h"
#include "harness.h"

#include <string.h>

/* --- strings --- */

START_TEST(a_string_has_one_number)
{
    struct interned interned = {0};

    for (uint32_t round = 0; round < 2; ++round)
        for (uint32_t i = 0; i < 5000; ++i) {
            const uint32_t string[] = {i, i * i, 7};
            ck_assert_uint_eq(interned_add(&interned, string, (i % 3 + 1) * sizeof *string), i);
            ck_assert_uint_eq(interned_find(&interned, string, (i % 3 + 1) * sizeof *string), i);
        }
    const uint32_t other = 5000;
    ck_assert_uint_eq(interned_find(&interned, &other, sizeof other), INTERNED_NONE);
    uint32_t bytes;
    const unsigned char *kept = interned_at(&interned, 4, &bytes);
    ck_assert_uint_eq(bytes, 2 * sizeof other);
    ck_assert_mem_eq(kept, ((uint32_t[]){4, 16}), bytes);
    interned_clear(&interned);
    ck_assert_uint_eq(interned_add(&interned, &other, sizeof other), 0);
    interned_fini(&interned);
}
END_TEST

START_TEST(strings_that_differ_by_length_alone_are_two)
{
    struct interned interned = {0};
    const unsigned char zeros[16] = {0};

    for (uint32_t bytes = 0; bytes <= sizeof zeros; ++bytes)
        ck_assert_uint_eq(interned_add(&interned, zeros, bytes), bytes);
    ck_assert_uint_eq(interned_add(&interned, "", 0), 0);
    ck_assert_uint_eq(interned_add(&interned, NULL, 0), 0);
    interned_fini(&interned);
}
END_TEST

/* --- futures --- */

enum { A = 0x1000, B = 0x1004, FAR = 0x2000 };

/* Own states of three work-items: 0 and 1 of the first, 2 and 3 of the second, and 4 of the third, in this order. */
static struct proof_access accesses[] = {
    {.at = A, .bytes = 4, .kind = PROOF_LOAD},
    {.at = B, .bytes = 4, .kind = PROOF_STORE},
    {.at = FAR, .bytes = 4, .kind = PROOF_LOAD},
    {.at = A, .bytes = 4, .kind = PROOF_STORE},
    {.kind = PROOF_MEETING},
};
static const struct proof_graph graph = {.groups = 3, .items = 1, .accesses = accesses, .access_count = 5};

static struct futures learn(void)
{
    struct futures futures = {.owns = 0};

    futures_note(&futures, 0, 1);
    futures_note(&futures, 1, 0);
    futures_note(&futures, 2, 3);
    ck_assert(futures_learn(&futures, &graph));
    ck_assert(!futures_learn(&futures, &graph));
    return futures;
}

START_TEST(what_another_one_may_write_later_is_not_confluent)
{
    struct futures futures = learn();

    ck_assert(!futures_allow(&futures, &graph, (uint32_t[]){0, 2, 4}, 0)); /* 2 leads to 3, which writes A */
    ck_assert(futures_allow(&futures, &graph, (uint32_t[]){0, PROOF_ENDED, 4}, 0));
    ck_assert(futures_allow(&futures, &graph, (uint32_t[]){1, 2, 4}, 0)); /* nobody else accesses B */
    ck_assert(futures_allow(&futures, &graph, (uint32_t[]){0, 2, 4}, 1));
    ck_assert(!futures_allow(&futures, &graph, (uint32_t[]){1, 3, 4}, 1)); /* 1 leads to 0, which reads A */
    ck_assert(!futures_allow(&futures, &graph, (uint32_t[]){0, 2, 4}, 2)); /* it has no access */
    futures_fini(&futures);
}
END_TEST

START_TEST(reads_of_what_is_read_alone_are_confluent)
{
    struct proof_access reads[] = {{.at = A, .bytes = 4, .kind = PROOF_LOAD},
                                   {.at = A, .bytes = 4, .kind = PROOF_LOAD}};
    const struct proof_graph readers = {.groups = 2, .items = 1, .accesses = reads, .access_count = 2};
    struct futures futures = {.owns = 0};

    futures_learn(&futures, &readers);
    ck_assert(futures_allow(&futures, &readers, (uint32_t[]){0, 1}, 0));
    futures_fini(&futures);
}
END_TEST

START_TEST(accesses_that_overlap_in_part_conflict)
{
    struct proof_access parts[] = {{.at = A + 2, .bytes = 4, .kind = PROOF_STORE},
                                   {.at = B, .bytes = 1, .kind = PROOF_LOAD}};
    const struct proof_graph both = {.groups = 2, .items = 1, .accesses = parts, .access_count = 2};
    struct futures futures = {.owns = 0};

    ck_assert(!futures_allow(&futures, &both, (uint32_t[]){0, 1}, 0)); /* nothing was learned yet */
    futures_learn(&futures, &both);
    ck_assert(!futures_allow(&futures, &both, (uint32_t[]){0, 1}, 0));
    ck_assert(!futures_allow(&futures, &both, (uint32_t[]){0, 1}, 1));
    futures_fini(&futures);
}
END_TEST

START_TEST(a_step_that_is_seen_later_changes_what_is_known)
{
    struct futures futures = learn();

    ck_assert(futures_allow(&futures, &graph, (uint32_t[]){1, 2, 4}, 0));
    futures_note(&futures, 3, 1);
    ck_assert(futures_learn(&futures, &graph));
    ck_assert(
        !futures_allow(&futures, &graph, (uint32_t[]){1, 2, 4}, 0)); /* 2 leads to 3, and that to 1: it writes B */
    futures_fini(&futures);
}
END_TEST

/* Two work-items that add to A; the other may then do something else. */
static bool sums_are_confluent(struct proof_access own, struct proof_access other, struct proof_access then)
{
    struct proof_access sums[] = {own, other, then};
    const struct proof_graph both = {.groups = 2, .items = 1, .accesses = sums, .access_count = 3};
    struct futures futures = {.owns = 0};

    futures_note(&futures, 1, 2);
    futures_learn(&futures, &both);
    const bool allowed = futures_allow(&futures, &both, (uint32_t[]){0, 1}, 0);
    futures_fini(&futures);
    return allowed;
}

START_TEST(sums_of_one_word_that_nobody_looks_at_are_confluent)
{
    const struct proof_access sum = {.at = A, .bytes = 4, .kind = PROOF_UPDATE, .atomic = true, .is_sum = true};
    const struct proof_access elsewhere = {.at = FAR, .bytes = 4, .kind = PROOF_STORE};
    struct proof_access other = sum;

    ck_assert(sums_are_confluent(sum, sum, elsewhere));
    other.is_sum = false; /* it uses what was there */
    ck_assert(!sums_are_confluent(sum, other, elsewhere));
    ck_assert(!sums_are_confluent(other, sum, elsewhere));
    other = (struct proof_access){.at = A, .bytes = 8, .kind = PROOF_UPDATE, .atomic = true};
    ck_assert(!sums_are_confluent(sum, other, elsewhere));
    ck_assert(!sums_are_confluent(sum, sum, (struct proof_access){.at = A, .bytes = 4, .kind = PROOF_LOAD}));
    ck_assert(!sums_are_confluent(sum, sum, (struct proof_access){.at = A, .bytes = 4, .kind = PROOF_STORE}));
    ck_assert(!sums_are_confluent((struct proof_access){.at = A, .bytes = 4, .kind = PROOF_LOAD}, sum, elsewhere));
}
END_TEST

START_TEST(sums_are_as_other_updates_where_there_is_a_release_fence)
{
    const struct proof_access sum = {.at = A, .bytes = 4, .kind = PROOF_UPDATE, .atomic = true, .is_sum = true};
    struct proof_access behind = {.at = FAR,
                                  .bytes = 4,
                                  .kind = PROOF_STORE,
                                  .fences = proof_fence(PROOF_ACQUIRE, PROOF_SCOPE_ALL, PROOF_GLOBAL)};

    ck_assert(sums_are_confluent(sum, sum, behind));
    behind.fences = proof_fence(PROOF_RELEASE, PROOF_SCOPE_ALL, PROOF_GLOBAL);
    ck_assert(!sums_are_confluent(sum, sum, behind));
}
END_TEST

START_TEST(of_one_that_is_new_it_is_known_whether_it_adds)
{
    struct proof_access sums[] = {{.at = A, .bytes = 4, .kind = PROOF_UPDATE, .atomic = true, .is_sum = true},
                                  {.at = A, .bytes = 4, .kind = PROOF_UPDATE, .atomic = true, .is_sum = true},
                                  {.at = A, .bytes = 4, .kind = PROOF_UPDATE, .atomic = true}};
    struct proof_graph both = {.groups = 3, .items = 1, .accesses = sums, .access_count = 1};
    struct futures futures = {.owns = 0};

    futures_learn(&futures, &both);
    both.access_count = 3;
    ck_assert(futures_allow(&futures, &both, (uint32_t[]){0, 1, PROOF_ENDED}, 0));
    ck_assert(!futures_allow(&futures, &both, (uint32_t[]){0, 1, 2}, 0));
    ck_assert(futures_learn(&futures, &both));
    futures_fini(&futures);
}
END_TEST

HARNESS_MAIN("exploring", a_string_has_one_number, strings_that_differ_by_length_alone_are_two,
             what_another_one_may_write_later_is_not_confluent, reads_of_what_is_read_alone_are_confluent,
             accesses_that_overlap_in_part_conflict, a_step_that_is_seen_later_changes_what_is_known,
             sums_of_one_word_that_nobody_looks_at_are_confluent,
             sums_are_as_other_updates_where_there_is_a_release_fence, of_one_that_is_new_it_is_known_whether_it_adds)

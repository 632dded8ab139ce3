/* Mappings: each group is one thread of one instance, and ids stand as each mapping promises. */
#include "core/mapping.h"

#include "harness.h"

#include <string.h>

enum { GROUPS = 256 };

static uint32_t slots[GROUPS];

/* Where a thread of an instance is among the groups. */
static uint32_t group_of(uint32_t groups, uint32_t slot)
{
    for (uint32_t group = 0; group < groups; ++group)
        if (slots[group] == slot)
            return group;
    ck_abort_msg("slot %u is not there", slot);
}

static void check_bijection(const struct mapping *mapping, unsigned threads, uint32_t groups)
{
    bool seen[GROUPS] = {false};

    mapping_fill(mapping, threads, groups, slots);
    for (uint32_t group = 0; group < groups; ++group) {
        ck_assert_msg(slots[group] < groups && !seen[slots[group]], "%s, %u threads, %u groups: group %u is %u",
                      mapping_name(mapping->kind), threads, groups, group, slots[group]);
        seen[slots[group]] = true;
    }
}

START_TEST(each_mapping_is_a_bijection)
{
    static const unsigned threads[] = {1, 2, 3, 4, 5, 16};

    for (int kind = 0; kind < MAPPING_KINDS; ++kind)
        for (size_t i = 0; i < sizeof threads / sizeof *threads; ++i)
            for (uint32_t instances = 1; instances * threads[i] <= GROUPS; instances += 1 + instances / 8)
                for (uint32_t seed = 0; seed < 5; ++seed)
                    check_bijection(&(struct mapping){(enum mapping_kind)kind, seed}, threads[i],
                                    instances * threads[i]);
}
END_TEST

START_TEST(launches_are_whole_instances)
{
    static const struct {
        enum mapping_kind kind;
        unsigned threads;
        uint32_t most, groups;
    } cases[] = {
        {MAPPING_PLAIN, 3, 100, 3},   {MAPPING_CHUNKED, 3, 100, 99}, {MAPPING_RANDOM, 3, 3, 3},
        {MAPPING_SHUFFLED, 3, 2, 3},  {MAPPING_HYBRID, 5, 0, 5},     {MAPPING_ROUND_ROBIN, 1, 7, 7},
        {MAPPING_RANDOM, 16, 31, 16}, {MAPPING_PLAIN, 1, 0, 1},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        ck_assert_msg(mapping_groups(&(struct mapping){cases[i].kind, 0}, cases[i].threads, cases[i].most) ==
                          cases[i].groups,
                      "case %zu", i);
}
END_TEST

static void check_slots(enum mapping_kind kind, const uint32_t *expected)
{
    mapping_fill(&(struct mapping){kind, 0}, 3, 12, slots);
    ck_assert_mem_eq(slots, expected, 12 * sizeof *slots);
}

START_TEST(ids_without_lots)
{
    static const uint32_t adjacent[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    static const uint32_t chunked[] = {0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11};
    static const uint32_t reversed[] = {2, 1, 0, 5, 4, 3, 8, 7, 6, 11, 10, 9};
    static const uint32_t hybrid[] = {0, 1, 3, 4, 6, 7, 9, 10, 2, 5, 8, 11};

    check_slots(MAPPING_PLAIN, adjacent);
    check_slots(MAPPING_ROUND_ROBIN, adjacent);
    check_slots(MAPPING_CHUNKED, chunked);
    check_slots(MAPPING_HYBRID, hybrid);
    check_slots(MAPPING_REVERSED, reversed);
    check_slots(MAPPING_GAPS, adjacent);
}
END_TEST

/* In each instance the groups stand in the order that is told. */
static void check_order(const struct mapping *mapping, unsigned threads, uint32_t groups)
{
    uint8_t order[MAPPING_THREADS];
    const bool kept = mapping_order(mapping, threads, order);
    bool identity = true;

    for (unsigned i = 0; i < threads; ++i)
        identity = identity && order[i] == i;
    ck_assert(kept == identity);
    ck_assert(identity == ((mapping->kind != MAPPING_SHUFFLED && mapping->kind != MAPPING_REVERSED) || threads == 1));
    mapping_fill(mapping, threads, groups, slots);
    for (uint32_t instance = 0; instance < groups / threads; ++instance)
        for (unsigned i = 1; i < threads; ++i)
            ck_assert_msg(group_of(groups, instance * threads + order[i - 1]) <
                              group_of(groups, instance * threads + order[i]),
                          "%s, seed %u: instance %u of %u threads", mapping_name(mapping->kind), mapping->seed,
                          instance, threads);
}

START_TEST(each_instance_has_the_order_that_is_told)
{
    for (int kind = 0; kind < MAPPING_KINDS; ++kind)
        for (unsigned threads = 1; threads <= 5; ++threads)
            for (uint32_t seed = 0; seed < 40; ++seed)
                for (uint32_t instances = 1; instances <= 16; instances *= 4)
                    check_order(&(struct mapping){(enum mapping_kind)kind, seed}, threads, instances * threads);
}
END_TEST

/* Of three threads there are six orders; only their own does not come. */
START_TEST(all_other_orders_come_up)
{
    unsigned count[27] = {0};
    uint8_t order[MAPPING_THREADS];

    for (uint32_t seed = 0; seed < 1000; ++seed) {
        mapping_order(&(struct mapping){MAPPING_SHUFFLED, seed}, 3, order);
        ++count[order[0] * 9 + order[1] * 3 + order[2]];
    }
    ck_assert_uint_eq(count[0 * 9 + 1 * 3 + 2], 0);
    static const unsigned others[] = {0 * 9 + 2 * 3 + 1, 1 * 9 + 0 * 3 + 2, 1 * 9 + 2 * 3 + 0, 2 * 9 + 0 * 3 + 1,
                                      2 * 9 + 1 * 3 + 0};
    for (size_t i = 0; i < 5; ++i)
        ck_assert_uint_ge(count[others[i]], 100);
}
END_TEST

START_TEST(lots_follow_from_the_seed)
{
    uint32_t first[48];
    unsigned different = 0;

    mapping_fill(&(struct mapping){MAPPING_RANDOM, 1}, 3, 48, slots);
    memcpy(first, slots, sizeof first);
    mapping_fill(&(struct mapping){MAPPING_RANDOM, 1}, 3, 48, slots);
    ck_assert_mem_eq(first, slots, sizeof first);
    for (uint32_t seed = 2; seed < 12; ++seed) {
        mapping_fill(&(struct mapping){MAPPING_RANDOM, seed}, 3, 48, slots);
        different += memcmp(first, slots, sizeof first) != 0;
    }
    ck_assert_uint_eq(different, 10);
}
END_TEST

START_TEST(names)
{
    for (int kind = 0; kind < MAPPING_KINDS; ++kind)
        ck_assert_int_eq(naming_find(&mapping_naming, mapping_name((enum mapping_kind)kind)), kind);
    ck_assert_int_eq(naming_find(&mapping_naming, "roundrobin"), -1);
    ck_assert_int_eq(naming_find(&mapping_naming, ""), -1);
}
END_TEST

HARNESS_MAIN("mapping", each_mapping_is_a_bijection, launches_are_whole_instances, ids_without_lots,
             each_instance_has_the_order_that_is_told, all_other_orders_come_up, lots_follow_from_the_seed, names)

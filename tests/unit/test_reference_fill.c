/* What regions hold before a kernel runs. */
#include "core/reference.h"

#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 22 };

static unsigned char bytes[MOST_BYTES + 8]; /* the last 8 are never filled */
static unsigned char other[MOST_BYTES + 8];
static struct workload work = {.numbers.seed = 1, .region_count = 2};

static void fill_into(unsigned char *to, uint32_t index, enum element element, enum fill fill, uint64_t count)
{
    work.regions[index] = (struct region){.element = element, .fill = fill, .count = count};
    ck_assert_uint_le(count * element_bytes(element), MOST_BYTES);
    reference_fill(&work, index, to);
}

static void fill(enum element element, enum fill how, uint64_t count)
{
    fill_into(bytes, 0, element, how, count);
}

static const float *floats(void)
{
    return (const float *)(const void *)bytes;
}

static const int32_t *ints(void)
{
    return (const int32_t *)(const void *)bytes;
}

static const enum element all_elements[] = {ELEMENT_UINT, ELEMENT_INT, ELEMENT_LONG, ELEMENT_ULONG, ELEMENT_FLOAT};

/* --- plain fills --- */

START_TEST(zero_and_ones_set_all_bits_alike_and_none_behind)
{
    for (size_t i = 0; i < ELEMENT_COUNT; ++i)
        for (int ones = 0; ones <= 1; ++ones) {
            const size_t size = 10 * element_bytes(all_elements[i]);
            memset(bytes, 0x5a, size + 8);
            fill(all_elements[i], ones ? FILL_ONES : FILL_ZERO, 10);
            for (size_t at = 0; at < size + 8; ++at)
                ck_assert_uint_eq(bytes[at], at >= size ? 0x5a : ones ? 0xff : 0);
        }
}
END_TEST

START_TEST(index_is_the_number_of_the_element_in_its_type)
{
    static const uint32_t words[] = {0, 1, 2};
    static const uint64_t wide[] = {0, 1, 2};
    static const float real[] = {0, 1, 2};
    for (size_t i = 0; i < ELEMENT_COUNT; ++i) {
        fill(all_elements[i], FILL_INDEX, 3);
        const void *wanted = all_elements[i] == ELEMENT_FLOAT      ? (const void *)real
                             : element_bytes(all_elements[i]) == 8 ? (const void *)wide
                                                                   : (const void *)words;
        ck_assert_mem_eq(bytes, wanted, 3 * element_bytes(all_elements[i]));
    }
}
END_TEST

START_TEST(seeded_and_index_write_nothing_behind_the_region)
{
    for (size_t i = 0; i < ELEMENT_COUNT; ++i) {
        const size_t size = 5 * element_bytes(all_elements[i]);
        memset(bytes, 0x5a, size + 8);
        fill(all_elements[i], FILL_SEEDED, 5);
        fill(all_elements[i], FILL_INDEX, 5);
        for (size_t at = size; at < size + 8; ++at)
            ck_assert_uint_eq(bytes[at], 0x5a);
    }
}
END_TEST

START_TEST(empty_region_is_left_alone)
{
    for (int how = 0; how < FILL_COUNT; ++how) {
        bytes[0] = 0x5a;
        fill(ELEMENT_INT, (enum fill)how, 0);
        ck_assert_uint_eq(bytes[0], 0x5a);
    }
}
END_TEST

/* --- seeds --- */

START_TEST(same_seed_gives_the_same_values)
{
    for (size_t i = 0; i < ELEMENT_COUNT; ++i) {
        fill(all_elements[i], FILL_SEEDED, 1000);
        memset(other, 0, sizeof other);
        fill_into(other, 0, all_elements[i], FILL_SEEDED, 1000);
        ck_assert_mem_eq(bytes, other, 1000 * element_bytes(all_elements[i]));
    }
}
END_TEST

START_TEST(another_seed_gives_other_values)
{
    for (size_t i = 0; i < ELEMENT_COUNT; ++i) {
        work.numbers.seed = 1;
        fill(all_elements[i], FILL_SEEDED, 1000);
        work.numbers.seed = 2;
        fill_into(other, 0, all_elements[i], FILL_SEEDED, 1000);
        ck_assert_mem_ne(bytes, other, 1000 * element_bytes(all_elements[i]));
    }
}
END_TEST

START_TEST(another_region_has_other_values)
{
    for (size_t i = 0; i < ELEMENT_COUNT; ++i) {
        fill(all_elements[i], FILL_SEEDED, 1000);
        fill_into(other, 1, all_elements[i], FILL_SEEDED, 1000);
        ck_assert_mem_ne(bytes, other, 1000 * element_bytes(all_elements[i]));
    }
}
END_TEST

START_TEST(region_of_one_seed_is_not_another_region_of_another_seed)
{
    for (uint32_t seed = 2; seed < 600; ++seed) {
        work.numbers.seed = 1;
        fill_into(bytes, 1, ELEMENT_UINT, FILL_SEEDED, 100);
        work.numbers.seed = seed;
        fill_into(other, 0, ELEMENT_UINT, FILL_SEEDED, 100);
        ck_assert_mem_ne(bytes, other, 400);
    }
}
END_TEST

START_TEST(longer_region_begins_like_a_shorter_one)
{
    fill(ELEMENT_INT, FILL_SEEDED, 100);
    fill_into(other, 0, ELEMENT_INT, FILL_SEEDED, 1000);
    ck_assert_mem_eq(bytes, other, 400);
}
END_TEST

START_TEST(seeds_0_and_the_largest_give_values)
{
    static const uint32_t seeds[] = {0, UINT32_MAX};
    for (size_t i = 0; i < 2; ++i) {
        size_t different = 0;
        work.numbers.seed = seeds[i];
        fill(ELEMENT_INT, FILL_SEEDED, 1000);
        for (size_t at = 1; at < 1000; ++at)
            different += ints()[at] != ints()[0];
        ck_assert_uint_gt(different, 500);
    }
}
END_TEST

/* --- sums --- */

enum { MANY = 1 << 20 };

/* Adds in single precision, with a stride: as so many work-items would, each on its own, and then all. */
static float sum_by(uint32_t stride, bool backward)
{
    float total = 0;
    for (uint32_t item = 0; item < stride; ++item) {
        float sum = 0;
        for (uint32_t i = item; i < MANY; i += stride)
            sum += floats()[backward ? MANY - 1 - i : i];
        total += sum;
    }
    return total;
}

START_TEST(sum_of_seeded_floats_is_the_same_in_any_order)
{
    double exact = 0;
    fill(ELEMENT_FLOAT, FILL_SEEDED, MANY);
    for (uint32_t i = 0; i < MANY; ++i)
        exact += (double)floats()[i];
    for (uint32_t stride = 1; stride <= MANY; stride *= 16)
        for (int backward = 0; backward <= 1; ++backward)
            ck_assert_double_eq((double)sum_by(stride, backward), exact);
}
END_TEST

static int by_value(const void *left, const void *right)
{
    const float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

START_TEST(sum_of_seeded_floats_is_exact_in_the_worst_order)
{
    double exact = 0;
    fill(ELEMENT_FLOAT, FILL_SEEDED, MANY);
    for (uint32_t i = 0; i < MANY; ++i)
        exact += (double)floats()[i];
    qsort(bytes, MANY, sizeof(float), by_value); /* all negative ones first */
    ck_assert_double_eq((double)sum_by(1, false), exact);
    ck_assert_double_eq((double)sum_by(1, true), exact);
}
END_TEST

START_TEST(seeded_floats_have_both_signs_and_differ)
{
    int signs[3] = {0, 0, 0};
    fill(ELEMENT_FLOAT, FILL_SEEDED, 1000);
    for (size_t i = 0; i < 1000; ++i)
        signs[floats()[i] < 0 ? 0 : floats()[i] > 0 ? 2 : 1] += 1;
    ck_assert_int_gt(signs[0], 100);
    ck_assert_int_gt(signs[2], 100);
}
END_TEST

START_TEST(dot_product_of_seeded_floats_is_the_same_in_any_order)
{
    enum { ITEMS = 262144 };
    double exact = 0;
    float forward = 0, backward = 0;
    const float *b = (const float *)(const void *)other;
    fill(ELEMENT_FLOAT, FILL_SEEDED, ITEMS);
    fill_into(other, 1, ELEMENT_FLOAT, FILL_SEEDED, ITEMS);
    for (size_t i = 0; i < ITEMS; ++i) {
        exact += (double)floats()[i] * (double)b[i];
        forward += floats()[i] * b[i];
        backward += floats()[ITEMS - 1 - i] * b[ITEMS - 1 - i];
    }
    ck_assert_double_eq((double)forward, exact);
    ck_assert_double_eq((double)backward, exact);
}
END_TEST

/* --- products, least and greatest --- */

START_TEST(product_of_seeded_floats_stays_in_range_in_any_order)
{
    static const uint64_t counts[] = {1, 2, 63, 64, 65, 100, 127, 128, 129, 191, 1000, 4096, 4097, 65535, 262144};
    work.operation = OPERATION_PRODUCT;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        float large = 1, small = 1;
        int factors = 0;
        fill(ELEMENT_FLOAT, FILL_SEEDED, counts[i]);
        for (uint64_t at = 0; at < counts[i]; ++at) {
            const float factor = floats()[at];
            int exponent;
            ck_assert(frexpf(factor, &exponent) == 0.5f); /* a power of two */
            factors += factor != 1;
            large *= factor > 1 ? factor : 1;
            small *= factor < 1 ? factor : 1;
        }
        /* Whatever the order, the product is never beyond these two. */
        ck_assert(large <= 0x1p64f && small >= 0x1p-64f);
        ck_assert_int_gt(factors, 0);
    }
}
END_TEST

START_TEST(product_of_seeded_floats_has_factors_of_both_kinds)
{
    int larger = 0, smaller = 0;
    work.operation = OPERATION_PRODUCT;
    fill(ELEMENT_FLOAT, FILL_SEEDED, 10000);
    for (size_t at = 0; at < 10000; ++at) {
        larger += floats()[at] > 1;
        smaller += floats()[at] < 1;
    }
    ck_assert_int_gt(larger, 5);
    ck_assert_int_gt(smaller, 5);
}
END_TEST

START_TEST(product_of_seeded_integers_never_becomes_zero)
{
    work.operation = OPERATION_PRODUCT;
    for (size_t i = 0; i < ELEMENT_COUNT; ++i) {
        const size_t size = element_bytes(all_elements[i]);
        if (all_elements[i] == ELEMENT_FLOAT)
            continue;
        fill(all_elements[i], FILL_SEEDED, 10000);
        for (size_t at = 0; at < 10000; ++at)
            ck_assert_uint_eq(bytes[at * size] & 1, 1); /* odd: the lowest byte comes first */
    }
}
END_TEST

START_TEST(seeded_integers_use_the_range_of_unsigned_types_and_both_signs_of_others)
{
    bool high = false, negative = false, positive = false;
    fill(ELEMENT_UINT, FILL_SEEDED, 1000);
    for (size_t at = 0; at < 1000; ++at)
        high = high || ints()[at] < 0;
    ck_assert(high);
    high = false;
    fill(ELEMENT_ULONG, FILL_SEEDED, 1000);
    for (size_t at = 0; at < 1000; ++at)
        high = high || ints()[2 * at + 1] < 0; /* the upper half comes second */
    ck_assert(high);
    fill(ELEMENT_INT, FILL_SEEDED, 1000);
    for (size_t at = 0; at < 1000; ++at) {
        negative = negative || ints()[at] < 0;
        positive = positive || ints()[at] > 0;
    }
    ck_assert(negative && positive);
}
END_TEST

START_TEST(seeded_values_verify_against_themselves)
{
    const void *regions[] = {bytes, bytes};
    struct difference difference;
    struct error error;
    for (size_t i = 0; i < ELEMENT_COUNT; ++i) {
        fill(all_elements[i], FILL_SEEDED, 1000);
        work.regions[1] = work.regions[0];
        work.result_count = 1;
        work.results[0] = (struct result){{.kind = TERM_REGION, .a = 0}, {.kind = TERM_REGION, .a = 1}};
        ck_assert_int_eq(reference_compare(&work, 1, regions, NULL, &difference, &error), 0);
        ck_assert_uint_eq(difference.count, 0);
    }
}
END_TEST

HARNESS_MAIN("reference fill", zero_and_ones_set_all_bits_alike_and_none_behind,
             index_is_the_number_of_the_element_in_its_type, seeded_and_index_write_nothing_behind_the_region,
             empty_region_is_left_alone, same_seed_gives_the_same_values, another_seed_gives_other_values,
             another_region_has_other_values, region_of_one_seed_is_not_another_region_of_another_seed,
             longer_region_begins_like_a_shorter_one, seeds_0_and_the_largest_give_values,
             sum_of_seeded_floats_is_the_same_in_any_order, sum_of_seeded_floats_is_exact_in_the_worst_order,
             seeded_floats_have_both_signs_and_differ, dot_product_of_seeded_floats_is_the_same_in_any_order,
             product_of_seeded_floats_stays_in_range_in_any_order, product_of_seeded_floats_has_factors_of_both_kinds,
             product_of_seeded_integers_never_becomes_zero,
             seeded_integers_use_the_range_of_unsigned_types_and_both_signs_of_others,
             seeded_values_verify_against_themselves)

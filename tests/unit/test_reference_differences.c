/* What a comparison says of results that differ or make no sense. */
#include "reference_fixture.h"

/* --- results that make no sense --- */

START_TEST(whole_region_is_not_compared_with_a_number)
{
    const uint32_t a = INTS(1, 2);
    assert_senseless(of(TERM_REGION, a), value(1));
    assert_senseless(value(1), of(TERM_REGION, a));
    assert_senseless(of(TERM_EACH, a), of(TERM_SCAN, a));
    assert_senseless(of(TERM_REGION, a), of(TERM_REDUCE, a));
    assert_senseless(of(TERM_PERMUTATION, a), of(TERM_REGION, a));
}
END_TEST

START_TEST(region_is_not_compared_with_a_longer_one)
{
    const uint32_t two = INTS(1, 2), three = INTS(1, 2, 3);
    assert_senseless(of(TERM_REGION, two), of(TERM_REGION, three));
}
END_TEST

START_TEST(each_element_and_permutation_stand_on_the_left_only)
{
    const uint32_t a = INTS(0, 0), b = INTS(5, 5);
    assert_senseless(value(0), of(TERM_EACH, b));
    assert_senseless(of(TERM_EACH, a), of(TERM_EACH, b));
    assert_senseless(value(0), of(TERM_PERMUTATION, b));
    assert_senseless(of(TERM_EACH, a), of(TERM_PERMUTATION, b));
}
END_TEST

/* --- floats --- */

START_TEST(both_zeros_of_a_float_are_the_same)
{
    const uint32_t negative = FLOATS(-0.0f), positive = FLOATS(0.0f), tiny = FLOATS(-1e-45f);
    assert_right(element(negative, 0), value(0));
    assert_right(element(negative, 0), element(positive, 0));
    assert_right(of(TERM_REGION, negative), of(TERM_REGION, positive));
    assert_right(of(TERM_REGION, positive), of(TERM_REGION, negative));
    assert_wrong(element(tiny, 0), value(0), 1, 0);
}
END_TEST

START_TEST(zero_of_a_float_and_the_smallest_integer_are_not_the_same)
{
    const uint32_t smallest = INTS(INT32_MIN), zero = INTS(0);
    assert_wrong(element(smallest, 0), value(0), 1, 0);
    assert_wrong(element(smallest, 0), element(zero, 0), 1, 0);
}
END_TEST

START_TEST(float_that_is_no_number_or_infinite_differs_from_numbers)
{
    const uint32_t odd = FLOATS(NAN, INFINITY, -INFINITY), zero = FLOATS(0, 0, 0),
                   same = FLOATS(1, INFINITY, -INFINITY);
    assert_wrong(of(TERM_REGION, odd), of(TERM_REGION, zero), 3, 0);
    assert_wrong(of(TERM_REGION, odd), of(TERM_REGION, same), 1, 0);
}
END_TEST

START_TEST(floats_are_compared_to_the_last_bit)
{
    const uint32_t a = FLOATS(1.0f), b = FLOATS(1.00000012f);
    assert_wrong(element(a, 0), element(b, 0), 1, 0);
}
END_TEST

/* --- what is said of differences --- */

START_TEST(first_difference_is_told_as_bits)
{
    const uint32_t got = INTS(1, -2, 4), wanted = INTS(1, 2, 3), f = FLOATS(2.0f), w = ULONGS(UINT64_MAX);
    add_result(of(TERM_REGION, got), of(TERM_REGION, wanted));
    struct difference difference = compare();
    ck_assert_uint_eq(difference.at, 1);
    ck_assert_uint_eq(difference.wanted, 2);
    ck_assert_uint_eq(difference.got, 0xfffffffe);
    forget_results();
    add_result(element(f, 0), value(1));
    difference = compare();
    ck_assert_uint_eq(difference.wanted, 0x3f800000);
    ck_assert_uint_eq(difference.got, 0x40000000);
    forget_results();
    add_result(element(w, 0), value(1));
    difference = compare();
    ck_assert_uint_eq(difference.wanted, 1);
    ck_assert_uint_eq(difference.got, UINT64_MAX);
}
END_TEST

START_TEST(differences_of_all_results_are_counted_and_the_first_result_is_named)
{
    const uint32_t a = INTS(1, 1, 1), b = INTS(1, 7, 7);
    add_result(of(TERM_EACH, a), value(1));
    add_result(of(TERM_EACH, b), value(1));
    add_result(of(TERM_EACH, a), value(2));
    const struct difference difference = compare();
    ck_assert_uint_eq(difference.count, 5);
    ck_assert_uint_eq(difference.result, 2);
    ck_assert_uint_eq(difference.at, 1);
}
END_TEST

START_TEST(kernel_without_results_has_no_differences)
{
    const struct difference difference = compare();
    ck_assert_uint_eq(difference.count, 0);
    ck_assert_uint_eq(difference.result, 0);
}
END_TEST

START_TEST(compared_regions_are_left_as_they_are)
{
    int32_t numbers[] = {1, 2, 3};
    const int32_t before[] = {1, 2, 3};
    const uint32_t a = add_region(ELEMENT_INT, numbers, 3);
    assert_wrong(of(TERM_SCAN, a), of(TERM_EXCLUSIVE_SCAN, a), 3, 0);
    ck_assert_mem_eq(numbers, before, sizeof numbers);
}
END_TEST

/* --- what is kept from one comparison to the next --- */

static struct difference compare_with(struct reference_memory *memory)
{
    struct error error;
    struct difference difference;
    ck_assert_int_eq(reference_compare(&work, LOCAL_SIZE, regions, memory, &difference, &error), 0);
    return difference;
}

START_TEST(with_a_memory_each_comparison_finds_the_same_as_without)
{
    struct reference_memory memory = {0};
    const uint32_t input = INTS(1, 2, 3), vector = FLOATS(0.5f, 4), got = INTS(6, 14), real = FLOATS(16.25f, 0.25f);
    work.regions[input].fill = work.regions[vector].fill = FILL_SEEDED;
    add_result(element(got, 0), of(TERM_REDUCE, input));
    add_result(dot(input, input), element(got, 1));
    add_result(element(real, 0), dot(vector, vector));
    add_result(element(real, 1), of(TERM_REDUCE, vector)); /* 4.5 */
    add_result(of(TERM_EACH, got), of(TERM_REDUCE, input));
    const struct difference without = compare();
    ck_assert_uint_eq(without.count, 2);
    for (int launch = 0; launch < 3; ++launch) {
        const struct difference difference = compare_with(&memory);
        ck_assert_uint_eq(difference.count, without.count);
        ck_assert_uint_eq(difference.result, 4);
        ck_assert_uint_eq(difference.at, 1);
        ck_assert_uint_eq(difference.wanted, 0x40900000);
        ck_assert_uint_eq(difference.got, 0x3e800000);
    }
}
END_TEST

START_TEST(reduction_of_an_input_is_computed_once)
{
    struct reference_memory memory = {0};
    int32_t numbers[] = {1, 2, 3};
    const uint32_t input = add_region(ELEMENT_INT, numbers, 3), got = INTS(6);
    work.regions[input].fill = FILL_SEEDED;
    add_result(element(got, 0), of(TERM_REDUCE, input));
    ck_assert_uint_eq(compare_with(&memory).count, 0);
    numbers[0] = 100; /* which no launch does: it shows that nothing is computed again */
    ck_assert_uint_eq(compare_with(&memory).count, 0);
    ck_assert_uint_eq(compare().count, 1);
}
END_TEST

START_TEST(reduction_of_what_a_launch_leaves_is_computed_each_time)
{
    struct reference_memory memory = {0};
    int32_t numbers[] = {1, 2, 3};
    const uint32_t input = INTS(4, 2), output = add_region(ELEMENT_INT, numbers, 3);
    work.regions[input].fill = FILL_SEEDED;
    work.regions[output].fill = FILL_ZERO;
    add_result(of(TERM_REDUCE, output), of(TERM_REDUCE, input));
    add_result(of(TERM_REDUCE, output), value(6));
    ck_assert_uint_eq(compare_with(&memory).count, 0);
    numbers[2] = 4;
    ck_assert_uint_eq(compare_with(&memory).count, 2);
    numbers[2] = 3;
    ck_assert_uint_eq(compare_with(&memory).count, 0);
}
END_TEST

START_TEST(dot_product_with_something_a_launch_leaves_is_computed_each_time)
{
    struct reference_memory memory = {0};
    int32_t numbers[] = {1, 2};
    const uint32_t input = INTS(3, 4), output = add_region(ELEMENT_INT, numbers, 2);
    work.regions[input].fill = FILL_SEEDED;
    work.regions[output].fill = FILL_ZERO;
    add_result(dot(input, output), value(11));
    add_result(dot(output, input), value(11));
    ck_assert_uint_eq(compare_with(&memory).count, 0);
    numbers[0] = 2;
    ck_assert_uint_eq(compare_with(&memory).count, 2);
}
END_TEST

START_TEST(element_of_an_input_is_no_reduction_of_it)
{
    struct reference_memory memory = {0};
    const uint32_t input = INTS(3, 4);
    work.regions[input].fill = FILL_SEEDED;
    add_result(of(TERM_REDUCE, input), value(7));
    add_result(element(input, 1), value(4));
    add_result(value(7), of(TERM_REDUCE, input));
    for (int launch = 0; launch < 2; ++launch)
        ck_assert_uint_eq(compare_with(&memory).count, 0);
}
END_TEST

HARNESS_MAIN("reference: differences", whole_region_is_not_compared_with_a_number,
             region_is_not_compared_with_a_longer_one, each_element_and_permutation_stand_on_the_left_only,
             both_zeros_of_a_float_are_the_same, zero_of_a_float_and_the_smallest_integer_are_not_the_same,
             float_that_is_no_number_or_infinite_differs_from_numbers, floats_are_compared_to_the_last_bit,
             first_difference_is_told_as_bits, differences_of_all_results_are_counted_and_the_first_result_is_named,
             kernel_without_results_has_no_differences, compared_regions_are_left_as_they_are,
             with_a_memory_each_comparison_finds_the_same_as_without, reduction_of_an_input_is_computed_once,
             reduction_of_what_a_launch_leaves_is_computed_each_time,
             dot_product_with_something_a_launch_leaves_is_computed_each_time,
             element_of_an_input_is_no_reduction_of_it)

/* Comparisons of results. Fills are in test_reference_fill.c. */
#include "reference_fixture.h"

/* --- numbers --- */

START_TEST(values_are_compared)
{
    assert_right(value(7), value(7));
    assert_wrong(value(7), value(8), 1, 0);
    assert_wrong(value(INT64_C(1) << 32), value(0), 1, 0);
}
END_TEST

START_TEST(element_is_compared_with_a_value)
{
    const uint32_t a = INTS(5, 6, -7);
    assert_right(element(a, 1), value(6));
    assert_right(value(5), element(a, 0));
    assert_wrong(element(a, 1), value(5), 1, 1);
    assert_wrong(element(a, 2), value(7), 1, 2);
    assert_wrong(value(6), element(a, 0), 1, 0);
}
END_TEST

START_TEST(element_of_each_type_is_compared)
{
    const uint32_t u = UINTS(4000000000u), l = LONGS(-5000000000), w = ULONGS(UINT64_MAX), f = FLOATS(2.0f);
    const uint32_t same_l = LONGS(-5000000000), other_l = LONGS(-5000000001);
    const uint32_t same_w = ULONGS(UINT64_MAX), other_w = ULONGS(UINT64_MAX - 1);
    assert_right(element(u, 0), value(4000000000));
    assert_wrong(element(u, 0), value(3999999999), 1, 0);
    assert_right(element(l, 0), element(same_l, 0));
    assert_wrong(element(l, 0), element(other_l, 0), 1, 0);
    assert_right(element(w, 0), element(same_w, 0));
    assert_wrong(element(w, 0), element(other_w, 0), 1, 0);
    assert_right(element(f, 0), value(2));
    assert_wrong(element(f, 0), value(3), 1, 0);
}
END_TEST

START_TEST(value_is_compared_with_a_float)
{
    const uint32_t f = FLOATS(5.0f, 0.5f, 0.0f);
    assert_right(value(5), element(f, 0));
    assert_wrong(value(0), element(f, 0), 1, 0);
    assert_wrong(value(0), element(f, 1), 1, 0);
    assert_right(value(0), element(f, 2));
}
END_TEST

START_TEST(integer_is_compared_with_a_float)
{
    const uint32_t i = INTS(0, 3), f = FLOATS(3.0f, 0.5f);
    assert_right(element(i, 1), element(f, 0));
    assert_wrong(element(i, 0), element(f, 0), 1, 0);
    assert_wrong(element(i, 0), element(f, 1), 1, 0);
}
END_TEST

START_TEST(each_element_is_compared)
{
    const uint32_t a = INTS(3, 3, 3, 3), b = INTS(3, 4, 3, 5), none = add_region(ELEMENT_INT, "", 0);
    assert_right(of(TERM_EACH, a), value(3));
    assert_wrong(of(TERM_EACH, a), value(4), 4, 0);
    assert_wrong(of(TERM_EACH, b), value(3), 2, 1);
    assert_right(of(TERM_EACH, none), value(3));
}
END_TEST

START_TEST(each_element_is_compared_with_an_element_or_a_reduction)
{
    const uint32_t a = INTS(6, 6), b = INTS(1, 2, 3);
    assert_right(of(TERM_EACH, a), of(TERM_REDUCE, b));
    assert_wrong(of(TERM_EACH, a), element(b, 2), 2, 0);
}
END_TEST

/* --- reductions --- */

START_TEST(sum_is_compared)
{
    const uint32_t i = INTS(1, 2, -5), u = UINTS(4000000000u, 1), l = LONGS(5000000000, -1), f = FLOATS(1.5f, 2.25f);
    const uint32_t sums_l = LONGS(4999999999), sums_f = FLOATS(3.75f, 3.7499998f);
    work.operation = OPERATION_SUM;
    const uint32_t sum_i = INTS(-2);
    assert_right(element(sum_i, 0), of(TERM_REDUCE, i));
    assert_wrong(of(TERM_REDUCE, i), value(8), 1, 0);
    assert_right(of(TERM_REDUCE, u), value(4000000001));
    assert_right(of(TERM_REDUCE, l), element(sums_l, 0));
    assert_wrong(of(TERM_REDUCE, l), value(4999999998), 1, 0);
    assert_right(element(sums_f, 0), of(TERM_REDUCE, f));
    assert_wrong(element(sums_f, 1), of(TERM_REDUCE, f), 1, 1);
}
END_TEST

START_TEST(sums_wrap_like_those_of_their_type)
{
    const uint32_t u = UINTS(UINT32_MAX, 3), i = INTS(INT32_MAX, 1), w = ULONGS(UINT64_MAX, 3);
    const uint32_t smallest = INTS(INT32_MIN);
    work.operation = OPERATION_SUM;
    assert_right(of(TERM_REDUCE, u), value(2));
    assert_right(element(smallest, 0), of(TERM_REDUCE, i));
    assert_right(of(TERM_REDUCE, w), value(2));
}
END_TEST

START_TEST(product_is_compared)
{
    const uint32_t i = INTS(-3, 5, 7), u = UINTS(65536, 65537), f = FLOATS(0.5f, 8.0f, 0.5f);
    const uint32_t products = INTS(-105, 105);
    work.operation = OPERATION_PRODUCT;
    assert_right(element(products, 0), of(TERM_REDUCE, i));
    assert_wrong(element(products, 1), of(TERM_REDUCE, i), 1, 1);
    assert_right(of(TERM_REDUCE, u), value(65536)); /* 2^32 + 2^16, modulo 2^32 */
    assert_right(of(TERM_REDUCE, f), value(2));
    assert_wrong(of(TERM_REDUCE, f), value(8), 1, 0);
}
END_TEST

START_TEST(least_and_greatest_of_signed_numbers)
{
    const uint32_t i = INTS(3, INT32_MIN, 5, -1), l = LONGS(3, -5000000000, INT64_MAX), f = FLOATS(-0.5f, 2, -8);
    const uint32_t least_i = INTS(INT32_MIN), least_l = LONGS(-5000000000), least_f = FLOATS(-8);
    work.operation = OPERATION_MIN;
    assert_right(element(least_i, 0), of(TERM_REDUCE, i));
    assert_wrong(of(TERM_REDUCE, i), value(3), 1, 0);
    assert_right(element(least_l, 0), of(TERM_REDUCE, l));
    assert_right(element(least_f, 0), of(TERM_REDUCE, f));
    work.operation = OPERATION_MAX;
    assert_right(of(TERM_REDUCE, i), value(5));
    assert_wrong(of(TERM_REDUCE, i), value(3), 1, 0);
    assert_right(of(TERM_REDUCE, l), value(INT64_MAX));
    assert_right(of(TERM_REDUCE, f), value(2));
    assert_wrong(of(TERM_REDUCE, f), value(8), 1, 0);
}
END_TEST

START_TEST(least_and_greatest_of_unsigned_numbers)
{
    const uint32_t u = UINTS(7, 0x80000000u, 1, UINT32_MAX), w = ULONGS(7, UINT64_C(1) << 63, 1);
    const uint32_t greatest = ULONGS(UINT64_C(1) << 63);
    work.operation = OPERATION_MIN;
    assert_right(of(TERM_REDUCE, u), value(1));
    assert_right(of(TERM_REDUCE, w), value(1));
    assert_wrong(of(TERM_REDUCE, u), value(0x80000000), 1, 0);
    work.operation = OPERATION_MAX;
    assert_right(of(TERM_REDUCE, u), value(UINT32_MAX));
    assert_right(element(greatest, 0), of(TERM_REDUCE, w));
    assert_wrong(of(TERM_REDUCE, w), value(7), 1, 0);
}
END_TEST

START_TEST(reduction_of_one_element_is_it_and_of_none_is_zero)
{
    const uint32_t one = INTS(-9), none = add_region(ELEMENT_INT, "", 0), same = INTS(-9);
    for (int operation = 0; operation < OPERATION_COUNT; ++operation) {
        work.operation = (enum operation)operation;
        assert_right(element(same, 0), of(TERM_REDUCE, one));
        assert_wrong(of(TERM_REDUCE, one), value(0), 1, 0);
        assert_right(of(TERM_REDUCE, none), value(0));
        assert_wrong(of(TERM_REDUCE, none), value(1), 1, 0);
    }
}
END_TEST

START_TEST(dot_product_is_compared)
{
    const uint32_t a = INTS(1, 2, 3), b = INTS(4, -5, 6), f = FLOATS(0.5f, 2, 4), g = FLOATS(4, 0.25f, -1);
    const uint32_t result = FLOATS(-1.5f);
    assert_right(dot(a, b), value(12));
    assert_wrong(dot(a, b), value(32), 1, 0);
    assert_right(dot(a, a), value(14));
    assert_right(element(result, 0), dot(f, g));
    assert_wrong(dot(f, g), value(2), 1, 0);
}
END_TEST

START_TEST(dot_product_does_not_depend_on_the_operation)
{
    const uint32_t a = INTS(1, 2, 3), b = INTS(4, -5, 6);
    for (int operation = 0; operation < OPERATION_COUNT; ++operation) {
        work.operation = (enum operation)operation;
        assert_right(dot(a, b), value(12));
    }
}
END_TEST

/* --- permutations --- */

START_TEST(permutation_holds_each_number_once)
{
    const uint32_t right = UINTS(2, 0, 3, 1), doubled = UINTS(2, 0, 2, 1), beyond = UINTS(2, 0, 4, 1);
    const uint32_t negative = INTS(0, -1, 1), none = add_region(ELEMENT_UINT, "", 0);
    assert_right(of(TERM_PERMUTATION, right), value(4));
    assert_wrong(of(TERM_PERMUTATION, doubled), value(4), 1, 2);
    assert_wrong(of(TERM_PERMUTATION, beyond), value(4), 1, 2);
    assert_wrong(of(TERM_PERMUTATION, negative), value(3), 1, 1);
    assert_right(of(TERM_PERMUTATION, none), value(0));
}
END_TEST

START_TEST(permutation_of_each_integer_type_is_one)
{
    const uint32_t i = INTS(1, 0, 2), l = LONGS(2, 1, 0), w = ULONGS(0, 2, 1);
    const uint32_t high = ULONGS(0, 1, UINT64_C(2) << 32);
    assert_right(of(TERM_PERMUTATION, i), value(3));
    assert_right(of(TERM_PERMUTATION, l), value(3));
    assert_right(of(TERM_PERMUTATION, w), value(3));
    assert_wrong(of(TERM_PERMUTATION, high), value(3), 1, 2);
}
END_TEST

START_TEST(permutation_of_another_length_is_wrong)
{
    const uint32_t a = UINTS(2, 0, 1);
    struct difference difference;
    add_result(of(TERM_PERMUTATION, a), value(4));
    difference = compare();
    ck_assert_uint_ge(difference.count, 1);
    ck_assert_uint_eq(difference.result, 1);
    forget_results();
    add_result(of(TERM_PERMUTATION, a), value(2));
    difference = compare();
    ck_assert_uint_ge(difference.count, 1);
}
END_TEST

/* What a device left may be anything. */
START_TEST(permutation_of_an_absurd_length_is_wrong_and_does_no_harm)
{
    const uint32_t a = UINTS(2, 0, 1), lengths = ULONGS(UINT64_MAX, UINT64_MAX - 1, UINT64_C(1) << 62, 3);
    const uint32_t negative = INTS(-1);
    for (uint64_t i = 0; i < 3; ++i) {
        forget_results();
        add_result(of(TERM_PERMUTATION, a), element(lengths, i));
        ck_assert_uint_ge(compare().count, 1);
    }
    forget_results();
    add_result(of(TERM_PERMUTATION, a), element(negative, 0));
    ck_assert_uint_ge(compare().count, 1);
    assert_right(of(TERM_PERMUTATION, a), element(lengths, 3));
}
END_TEST

/* --- whole regions --- */

START_TEST(region_is_compared_as_it_is)
{
    const uint32_t a = INTS(1, 2, 3), same = INTS(1, 2, 3), other = INTS(1, 5, 4);
    assert_right(of(TERM_REGION, a), of(TERM_REGION, same));
    assert_wrong(of(TERM_REGION, a), of(TERM_REGION, other), 2, 1);
}
END_TEST

START_TEST(longer_region_may_have_anything_behind_what_is_wanted)
{
    const uint32_t longer = INTS(1, 2, 99), wanted = INTS(1, 2), other = INTS(1, 3);
    assert_right(of(TERM_REGION, longer), of(TERM_REGION, wanted));
    assert_wrong(of(TERM_REGION, longer), of(TERM_REGION, other), 1, 1);
}
END_TEST

START_TEST(scan_has_the_sum_up_to_each_element)
{
    const uint32_t a = INTS(1, 2, -4, 8, 16), sums = INTS(1, 3, -1, 7, 23), wrong = INTS(1, 3, -1, 8, 23);
    assert_right(of(TERM_REGION, sums), of(TERM_SCAN, a));
    assert_wrong(of(TERM_REGION, wrong), of(TERM_SCAN, a), 1, 3);
}
END_TEST

START_TEST(exclusive_scan_has_the_sum_before_each_element)
{
    const uint32_t a = INTS(1, 2, -4, 8, 16), sums = INTS(0, 1, 3, -1, 7), inclusive = INTS(1, 3, -1, 7, 23);
    assert_right(of(TERM_REGION, sums), of(TERM_EXCLUSIVE_SCAN, a));
    assert_wrong(of(TERM_REGION, inclusive), of(TERM_EXCLUSIVE_SCAN, a), 5, 0);
}
END_TEST

START_TEST(group_scan_begins_anew_in_each_group_the_last_of_which_is_incomplete)
{
    const uint32_t a = INTS(1, 2, 4, 8, 16), sums = INTS(1, 3, 4, 12, 16), through = INTS(1, 3, 7, 15, 31);
    assert_right(of(TERM_REGION, sums), of(TERM_GROUP_SCAN, a));
    assert_wrong(of(TERM_REGION, through), of(TERM_GROUP_SCAN, a), 3, 2);
}
END_TEST

START_TEST(exclusive_group_scan_begins_anew_in_each_group_the_last_of_which_is_incomplete)
{
    const uint32_t a = INTS(1, 2, 4, 8, 16), sums = INTS(0, 1, 0, 4, 0), through = INTS(0, 1, 3, 7, 15);
    assert_right(of(TERM_REGION, sums), of(TERM_EXCLUSIVE_GROUP_SCAN, a));
    assert_wrong(of(TERM_REGION, through), of(TERM_EXCLUSIVE_GROUP_SCAN, a), 3, 2);
}
END_TEST

START_TEST(group_reduction_has_one_element_for_each_group_the_last_of_which_is_incomplete)
{
    const uint32_t a = INTS(3, 2, 4, 8, 16), sums = INTS(5, 12, 16), most = INTS(3, 8, 16), short_ = INTS(5, 12);
    work.operation = OPERATION_SUM;
    assert_right(of(TERM_REGION, sums), of(TERM_GROUP_REDUCE, a));
    assert_wrong(of(TERM_REGION, most), of(TERM_GROUP_REDUCE, a), 2, 0);
    assert_senseless(of(TERM_REGION, short_), of(TERM_GROUP_REDUCE, a));
    work.operation = OPERATION_MAX;
    assert_right(of(TERM_REGION, most), of(TERM_GROUP_REDUCE, a));
    assert_wrong(of(TERM_REGION, sums), of(TERM_GROUP_REDUCE, a), 2, 0);
}
END_TEST

START_TEST(scans_are_sums_whatever_the_operation)
{
    const uint32_t a = INTS(1, 2, 3), sums = INTS(1, 3, 6);
    work.operation = OPERATION_MAX;
    assert_right(of(TERM_REGION, sums), of(TERM_SCAN, a));
}
END_TEST

START_TEST(scans_of_floats_and_of_wrapping_numbers)
{
    const uint32_t f = FLOATS(0.5f, 0.25f, -8), sums_f = FLOATS(0.5f, 0.75f, -7.25f), wrong_f = FLOATS(0.5f, 0.75f, 7);
    const uint32_t u = UINTS(UINT32_MAX, 2, 3), sums_u = UINTS(UINT32_MAX, 1, 4);
    assert_right(of(TERM_REGION, sums_f), of(TERM_SCAN, f));
    assert_wrong(of(TERM_REGION, wrong_f), of(TERM_SCAN, f), 1, 2);
    assert_right(of(TERM_REGION, sums_u), of(TERM_SCAN, u));
}
END_TEST

START_TEST(empty_regions_are_equal)
{
    const uint32_t a = add_region(ELEMENT_INT, "", 0), b = add_region(ELEMENT_INT, "", 0);
    assert_right(of(TERM_REGION, a), of(TERM_SCAN, b));
    assert_right(of(TERM_REGION, a), of(TERM_GROUP_REDUCE, b));
}
END_TEST

HARNESS_MAIN("reference", values_are_compared, element_is_compared_with_a_value, element_of_each_type_is_compared,
             value_is_compared_with_a_float, integer_is_compared_with_a_float, each_element_is_compared,
             each_element_is_compared_with_an_element_or_a_reduction, sum_is_compared,
             sums_wrap_like_those_of_their_type, product_is_compared, least_and_greatest_of_signed_numbers,
             least_and_greatest_of_unsigned_numbers, reduction_of_one_element_is_it_and_of_none_is_zero,
             dot_product_is_compared, dot_product_does_not_depend_on_the_operation, permutation_holds_each_number_once,
             permutation_of_each_integer_type_is_one, permutation_of_another_length_is_wrong,
             permutation_of_an_absurd_length_is_wrong_and_does_no_harm, region_is_compared_as_it_is,
             longer_region_may_have_anything_behind_what_is_wanted, scan_has_the_sum_up_to_each_element,
             exclusive_scan_has_the_sum_before_each_element,
             group_scan_begins_anew_in_each_group_the_last_of_which_is_incomplete,
             exclusive_group_scan_begins_anew_in_each_group_the_last_of_which_is_incomplete,
             group_reduction_has_one_element_for_each_group_the_last_of_which_is_incomplete,
             scans_are_sums_whatever_the_operation, scans_of_floats_and_of_wrapping_numbers, empty_regions_are_equal)

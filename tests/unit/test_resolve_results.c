/* An entry resolved: regions and results. */
#include "resolve_fixture.h"

/* --- regions --- */

START_TEST(regions_have_element_fill_and_count)
{
    choice.parameters[0] = 10;
    assert_resolved(
        " * param:   items = 1 in 0..99\n * data:    a uint items zero\n * data:    b float 2*groups+1 seeded\n"
        " * data:    c ulong 0 ones\n * data:    d int 1 index\n * data:    e long 1 zero\n");
    ck_assert_uint_eq(work.region_count, 5);
    ck_assert_int_eq(work.regions[0].element, ELEMENT_UINT);
    ck_assert_int_eq(work.regions[0].fill, FILL_ZERO);
    ck_assert_uint_eq(work.regions[0].count, 10);
    ck_assert_int_eq(work.regions[1].element, ELEMENT_FLOAT);
    ck_assert_int_eq(work.regions[1].fill, FILL_SEEDED);
    ck_assert_uint_eq(work.regions[1].count, 13);
    ck_assert_int_eq(work.regions[2].element, ELEMENT_ULONG);
    ck_assert_int_eq(work.regions[2].fill, FILL_ONES);
    ck_assert_uint_eq(work.regions[2].count, 0);
    ck_assert_int_eq(work.regions[3].element, ELEMENT_INT);
    ck_assert_int_eq(work.regions[3].fill, FILL_INDEX);
    ck_assert_int_eq(work.regions[4].element, ELEMENT_LONG);
}
END_TEST

START_TEST(item_is_what_option_type_says)
{
    static const char lines[] = " * option:  type = int | long | float\n * data:    a item 1 zero\n";
    static const enum element expected[] = {ELEMENT_INT, ELEMENT_LONG, ELEMENT_FLOAT};
    for (size_t i = 0; i < 3; ++i) {
        choice.values[0] = i;
        assert_resolved(lines);
        ck_assert_int_eq(work.regions[0].element, expected[i]);
    }
    choice.values[0] = 0;
    assert_resolved(
        " * option:  fault = none\n * option:  op = max\n * option:  type = long\n * data:    a item 1 zero\n");
    ck_assert_int_eq(work.regions[0].element, ELEMENT_LONG);
    ck_assert_int_eq(work.operation, OPERATION_MAX);
}
END_TEST

START_TEST(item_without_a_type_is_refused)
{
    assert_refused(" * data:    a item 1 zero\n", "option type");
    assert_refused(" * option:  type = half\n * data:    a item 1 zero\n", "option type");
}
END_TEST

START_TEST(operation_is_what_option_op_says)
{
    static const char lines[] = " * option:  op = sum | product | min | max | xor\n";
    static const enum operation expected[] = {OPERATION_SUM, OPERATION_PRODUCT, OPERATION_MIN, OPERATION_MAX,
                                              OPERATION_SUM};
    for (size_t i = 0; i < 5; ++i) {
        choice.values[0] = i;
        assert_resolved(lines);
        ck_assert_int_eq(work.operation, expected[i]);
    }
    choice.values[0] = 0;
    assert_resolved("");
    ck_assert_int_eq(work.operation, OPERATION_SUM);
}
END_TEST

/* --- results --- */

#define REGIONS " * data:    a int 6 seeded\n * data:    ab int 6 zero\n * data:    short int 5 zero\n"

/* Each and permutation are allowed at the left only. */
static void assert_term(const char *text, struct term expected)
{
    const bool left_only = expected.kind == TERM_EACH || expected.kind == TERM_PERMUTATION;
    char lines[512];
    snprintf(lines, sizeof lines, REGIONS " * result:  %s = %s\n", text, left_only ? "0" : text);
    assert_resolved(lines);
    ck_assert_uint_eq(work.result_count, 1);
    const struct term *terms[] = {&work.results[0].left, &work.results[0].right};
    for (int i = 0; i < (left_only ? 1 : 2); ++i) {
        ck_assert_msg(terms[i]->kind == expected.kind, "%s", text);
        ck_assert_uint_eq(terms[i]->a, expected.a);
        ck_assert_uint_eq(terms[i]->index, expected.index);
        ck_assert_int_eq(terms[i]->value, expected.value);
        if (expected.kind == TERM_DOT)
            ck_assert_uint_eq(terms[i]->b, expected.b);
    }
}

START_TEST(term_without_a_region_is_a_value)
{
    assert_term("5", (struct term){.kind = TERM_VALUE, .value = 5});
    assert_term("2*groups + 1", (struct term){.kind = TERM_VALUE, .value = 13});
    assert_term("groups", (struct term){.kind = TERM_VALUE, .value = 6});
}
END_TEST

START_TEST(name_of_a_region_is_all_of_it)
{
    assert_term("a", (struct term){.kind = TERM_REGION, .a = 0});
    assert_term("ab", (struct term){.kind = TERM_REGION, .a = 1});
}
END_TEST

START_TEST(region_with_an_index_is_an_element)
{
    assert_term("a[0]", (struct term){.kind = TERM_ELEMENT, .a = 0});
    assert_term("ab[groups-1]", (struct term){.kind = TERM_ELEMENT, .a = 1, .index = 5});
    assert_term("short[(1+1)*2]", (struct term){.kind = TERM_ELEMENT, .a = 2, .index = 4});
}
END_TEST

START_TEST(functions_of_a_region_have_their_kinds)
{
    assert_term("each(ab)", (struct term){.kind = TERM_EACH, .a = 1});
    assert_term("reduce(ab)", (struct term){.kind = TERM_REDUCE, .a = 1});
    assert_term("permutation(a)", (struct term){.kind = TERM_PERMUTATION, .a = 0});
    assert_term("scan(ab)", (struct term){.kind = TERM_SCAN, .a = 1});
    assert_term("exclusive-scan(ab)", (struct term){.kind = TERM_EXCLUSIVE_SCAN, .a = 1});
    assert_term("group-scan(ab)", (struct term){.kind = TERM_GROUP_SCAN, .a = 1});
    assert_term("exclusive-group-scan(ab)", (struct term){.kind = TERM_EXCLUSIVE_GROUP_SCAN, .a = 1});
    assert_term("group-reduce(short)", (struct term){.kind = TERM_GROUP_REDUCE, .a = 2});
}
END_TEST

START_TEST(dot_is_of_two_regions)
{
    assert_term("dot(a,ab)", (struct term){.kind = TERM_DOT, .a = 0, .b = 1});
    assert_term("dot(ab, a)", (struct term){.kind = TERM_DOT, .a = 1, .b = 0});
    assert_term("dot(a,a)", (struct term){.kind = TERM_DOT, .a = 0, .b = 0});
}
END_TEST

START_TEST(both_sides_and_all_results_are_resolved)
{
    assert_resolved(REGIONS " * result:  ab[0]   =   reduce(a)\n * result:  each(short)=0\n");
    ck_assert_uint_eq(work.result_count, 2);
    ck_assert_int_eq(work.results[0].left.kind, TERM_ELEMENT);
    ck_assert_int_eq(work.results[0].right.kind, TERM_REDUCE);
    ck_assert_int_eq(work.results[1].left.kind, TERM_EACH);
    ck_assert_int_eq(work.results[1].right.kind, TERM_VALUE);
}
END_TEST

START_TEST(term_that_is_none_is_refused_with_those_that_are)
{
    static const char *const terms[] = {
        "each(nothing)",
        "each()",
        "each(a,ab)",
        "reduce(a,ab)",
        "dot(a)",
        "dot(a,nothing)",
        "dot(nothing,a)",
        "dot(a,ab,a)",
        "reduce(a",
        "each(a)x)",
        "a b",
        "a[",
        "a[]",
        "a[0",
        "a[0]x",
        "group-scan(1)",
        "a [0]",
        "dot(a,ab)c)",
        "scan(a]",
        "each(a) + 1",
    };
    for (size_t i = 0; i < sizeof terms / sizeof *terms; ++i) {
        char lines[512];
        snprintf(lines, sizeof lines, REGIONS " * result:  %s = 0\n", terms[i]);
        assert_refused(lines, "cannot parse the term");
        snprintf(lines, sizeof lines, REGIONS " * result:  0 = %s\n", terms[i]);
        assert_refused(lines, "cannot parse the term");
    }
}
END_TEST

START_TEST(region_is_compared_with_a_region_and_a_number_with_a_number)
{
    assert_refused(REGIONS " * result:  a = 0\n", "compares a region with a number");
    assert_refused(REGIONS " * result:  0 = a\n", "compares a region with a number");
    assert_refused(REGIONS " * result:  each(a) = scan(ab)\n", "compares a region with a number");
    assert_refused(REGIONS " * result:  scan(a) = reduce(ab)\n", "compares a region with a number");
    assert_refused(REGIONS " * result:  0 = each(a)\n", "each or permutation on the right");
    assert_refused(REGIONS " * result:  each(a) = each(ab)\n", "each or permutation on the right");
    assert_refused(REGIONS " * result:  6 = permutation(a)\n", "each or permutation on the right");
    assert_resolved(REGIONS " * result:  each(a) = reduce(ab)\n * result:  permutation(a) = ab[0]\n"
                            " * result:  a = group-scan(ab)\n * result:  a = ab\n * result:  a[0] = dot(a,ab)\n");
}
END_TEST

START_TEST(term_that_is_no_expression_is_refused)
{
    assert_refused(REGIONS " * result:  a = \n", "");
    assert_refused(REGIONS " * result:  = a\n", "");
    assert_refused(REGIONS " * result:  a = b = c\n", "");
    assert_refused(REGIONS " * result:  sum(a) = 0\n", "sum");
    assert_refused(REGIONS " * result:  nothing[0] = 0\n", "nothing");
    assert_refused(REGIONS " * result:  each(a) = 0 - 1\n", "0 to");
}
END_TEST

START_TEST(index_beyond_its_region_is_refused)
{
    assert_refused(REGIONS " * result:  short[5] = 0\n", "expected 0 to 4");
    assert_refused(REGIONS " * result:  a[0-1] = 0\n", "expected 0 to 5");
    assert_refused(" * data:    none uint 0 zero\n * result:  none[0] = 0\n", "expected 0 to");
}
END_TEST

START_TEST(dot_of_different_lengths_is_refused)
{
    assert_refused(REGIONS " * result:  dot(a,short) = 0\n", "different lengths");
}
END_TEST

HARNESS_MAIN("resolve: results", regions_have_element_fill_and_count, item_is_what_option_type_says,
             item_without_a_type_is_refused, operation_is_what_option_op_says, term_without_a_region_is_a_value,
             name_of_a_region_is_all_of_it, region_with_an_index_is_an_element, functions_of_a_region_have_their_kinds,
             dot_is_of_two_regions, both_sides_and_all_results_are_resolved,
             term_that_is_none_is_refused_with_those_that_are, term_that_is_no_expression_is_refused,
             index_beyond_its_region_is_refused, dot_of_different_lengths_is_refused,
             region_is_compared_with_a_region_and_a_number_with_a_number)

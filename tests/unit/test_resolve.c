/* An entry resolved to numbers: build options, sync words, regions, results. */
#include "scenario/entry.h"

#include "harness.h"

#include <stdio.h>
#include <string.h>

#define REQUIRED " * kernel:  toy\n * purpose: a toy\n * needs:   nothing\n * fails:   never\n * source:  nobody\n"

static const struct variable variables[] = {
    {"groups", 6, true},        {"local-size", 4, true}, {"rounds", 3, true},
    {"compute-units", 2, true}, {"line", 32, true},      {"resident", 0, false},
};
static const struct scope scope = {variables, sizeof variables / sizeof *variables};

static struct kernel_entry entry;
static struct entry_choice choice; /* the first value of each option, and 0 for each parameter */
static struct workload work;

static int resolve(const char *lines, struct error *error)
{
    char text[4096];
    *error = (struct error){0};
    snprintf(text, sizeof text, "/*\n" REQUIRED "%s */\n", lines);
    ck_assert_msg(entry_parse(text, "toy.cl", &entry, error) == 0, "%s", error->text);
    memset(&work, 0, sizeof work);
    return entry_resolve(&entry, &choice, &scope, &work, error);
}

static void assert_resolved(const char *lines)
{
    struct error error;
    ck_assert_msg(resolve(lines, &error) == 0, "%s", error.text);
}

static void assert_refused(const char *lines, const char *part)
{
    struct error error;
    ck_assert_msg(resolve(lines, &error) == -1, "%s", lines);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_msg(strstr(error.text, "kernel toy") != NULL, "%s", error.text);
    ck_assert_msg(strstr(error.text, part) != NULL, "%s", error.text);
}

/* --- the build, and numbers --- */

START_TEST(first_values_of_options_become_build_options)
{
    assert_resolved(" * option:  access = plain | volatile\n * option:  fault = none | lost\n");
    ck_assert_str_eq(work.kernel, "toy");
    ck_assert_str_eq(work.options, "-DACCESS_PLAIN -DFAULT_NONE");
}
END_TEST

START_TEST(chosen_values_of_options_become_build_options)
{
    choice.values[0] = 1;
    choice.values[1] = 2;
    assert_resolved(" * option:  access = plain | volatile\n * option:  fault = none | lost | doubled\n");
    ck_assert_str_eq(work.options, "-DACCESS_VOLATILE -DFAULT_DOUBLED");
}
END_TEST

START_TEST(hyphens_in_build_options_become_underscores)
{
    assert_resolved(" * option:  lock-kind = first-come | any\n");
    ck_assert_str_eq(work.options, "-DLOCK_KIND_FIRST_COME");
}
END_TEST

START_TEST(parameters_become_build_options_that_say_where_they_are)
{
    assert_resolved(" * option:  fault = none\n * param:   items = 1 in 0..9\n * param:   fan-out = 1 in 0..9\n");
    ck_assert_str_eq(work.options, "-DFAULT_NONE -DPARAM_ITEMS=0 -DPARAM_FAN_OUT=1");
}
END_TEST

START_TEST(kernel_without_options_has_no_build_options)
{
    assert_resolved("");
    ck_assert_str_eq(work.options, "");
}
END_TEST

START_TEST(build_options_that_do_not_fit_are_refused_and_not_cut)
{
    char lines[1024] = "";
    for (int i = 0; i < 8; ++i)
        sprintf(lines + strlen(lines), " * option:  an_option_with_a_name_%d = with_a_value_as_long\n", i);
    assert_refused(lines, "options");
}
END_TEST

START_TEST(values_of_parameters_are_given_to_the_kernel_in_their_order)
{
    choice.parameters[0] = 7;
    choice.parameters[1] = 4294967295;
    assert_resolved(" * param:   a = 1 in 0..9\n * param:   b = 1 in 0..4294967295\n");
    ck_assert_uint_eq(work.own[0], 7);
    ck_assert_uint_eq(work.own[1], 4294967295);
}
END_TEST

START_TEST(words_are_a_number)
{
    choice.parameters[0] = 5;
    assert_resolved(" * param:   locks = 1 in 0..9\n * words:   locks*line + groups\n");
    ck_assert_uint_eq(work.sync_words, 5 * 32 + 6);
    assert_resolved("");
    ck_assert_uint_eq(work.sync_words, 0);
}
END_TEST

START_TEST(checks_are_a_number_of_all_launches)
{
    assert_resolved(" * checks:  rounds*groups*local-size\n");
    ck_assert_uint_eq(work.checks, 3 * 6 * 4);
    ck_assert_uint_eq(work.launches, 1);
    assert_resolved(" * checks:  rounds*groups*local-size\n * launches: 5\n");
    ck_assert_uint_eq(work.checks, 5 * 3 * 6 * 4);
    ck_assert_uint_eq(work.launches, 5);
}
END_TEST

START_TEST(checks_are_counted_only_if_the_entry_says_how_many_there_are)
{
    assert_resolved(" * checks:  0\n");
    ck_assert(work.checks_counted);
    assert_resolved("");
    ck_assert(!work.checks_counted);
    ck_assert_uint_eq(work.checks, 0);
}
END_TEST

START_TEST(number_out_of_range_is_refused_with_what_is_allowed)
{
    assert_refused(" * words:   groups - 7\n", "0 to 67108864 is allowed");
    assert_refused(" * words:   67108865\n", "0 to 67108864 is allowed");
    assert_refused(" * checks:  0 - 1\n", "0 to");
    assert_refused(" * data:    a uint groups-7 zero\n", "0 to");
    assert_refused(" * checks:  9223372036854775807\n * launches: 3\n", "checks");
    assert_resolved(" * words:   67108864\n");
}
END_TEST

START_TEST(expression_that_cannot_be_read_is_refused)
{
    assert_refused(" * words:   nonsense\n", "nonsense");
    assert_refused(" * checks:  1/(groups-6)\n", "no result");
    assert_refused(" * data:    a uint 2*(groups zero\n", "is missing");
}
END_TEST

START_TEST(expression_of_something_unknown_is_refused_for_that)
{
    assert_refused(" * words:   resident\n", "not known");
    assert_refused(" * data:    a uint resident zero\n", "not known");
}
END_TEST

/* --- ranges --- */

#define RANGE " * param:   width = 1 in 0..4294967295\n * range:   width 2*local-size 3\n"

static void choose(const char *shape, int64_t width)
{
    ck_assert_msg(nd_range_parse_shape(shape, &choice.range), "%s", shape);
    choice.parameters[0] = width;
}

static void assert_global(uint64_t x, uint64_t y, uint64_t z)
{
    ck_assert_uint_eq(work.range.global[0], x);
    ck_assert_uint_eq(work.range.global[1], y);
    ck_assert_uint_eq(work.range.global[2], z);
}

START_TEST(range_is_covered_by_the_shape_that_was_chosen)
{
    choose("8x4x2", 10);
    assert_resolved(RANGE);
    ck_assert_uint_eq(work.range.dimensions, 3);
    ck_assert_mem_eq(work.range.local, choice.range.local, sizeof work.range.local);
    assert_global(16, 8, 4);
    choose("16x16", 10);
    assert_resolved(RANGE);
    ck_assert_uint_eq(work.range.dimensions, 2);
    assert_global(16, 32, 1);
    choose("100", 10);
    assert_resolved(RANGE);
    ck_assert_uint_eq(work.range.dimensions, 1);
    assert_global(300, 1, 1); /* 240 */
}
END_TEST

START_TEST(range_is_rounded_up_unless_its_edges_are_ragged)
{
    choice.ragged = true;
    choose("16x16", 10);
    assert_resolved(RANGE);
    ck_assert_uint_eq(work.range.local[0], 16);
    assert_global(10, 24, 1);
}
END_TEST

START_TEST(range_that_the_driver_divides_is_as_large_as_the_kernel_says)
{
    choose("driver-2d", 10);
    assert_resolved(RANGE);
    ck_assert_uint_eq(work.range.dimensions, 2);
    ck_assert_uint_eq(work.range.local[0], 0);
    assert_global(10, 24, 1);
}
END_TEST

START_TEST(shape_becomes_build_options)
{
    choose("8x4x2", 10);
    assert_resolved(" * range:   1 1 1\n");
    ck_assert_str_eq(work.options, "-DGL_DIMENSIONS=3 -DGL_LOCAL_X=8 -DGL_LOCAL_Y=4 -DGL_LOCAL_Z=2");
    choose("64", 10);
    assert_resolved(" * option:  fault = none\n" RANGE);
    ck_assert_str_eq(work.options, "-DFAULT_NONE -DPARAM_WIDTH=0 -DGL_DIMENSIONS=1 -DGL_LOCAL_X=64 -DGL_LOCAL_Y=1 "
                                   "-DGL_LOCAL_Z=1");
    choose("driver-2d", 10);
    assert_resolved(" * range:   1 1 1\n");
    ck_assert_str_eq(work.options, "-DGL_DIMENSIONS=2 -DGL_LOCAL_X=0 -DGL_LOCAL_Y=0 -DGL_LOCAL_Z=0");
}
END_TEST

START_TEST(kernel_without_a_range_has_no_shape)
{
    choose("16x16", 10);
    assert_resolved(" * checks:  1\n");
    ck_assert_uint_eq(work.range.dimensions, 0);
    ck_assert_str_eq(work.options, "");
}
END_TEST

START_TEST(build_options_that_do_not_fit_with_a_shape_are_refused_and_not_cut)
{
    static const char shape[] = " -DGL_DIMENSIONS=3 -DGL_LOCAL_X=8 -DGL_LOCAL_Y=4 -DGL_LOCAL_Z=2";
    char lines[1024] = "";
    choose("8x4x2", 10);
    for (int i = 0; i < 3; ++i)
        sprintf(lines + strlen(lines), " * option:  an_option_with_a_name_%d = with_a_value_as_long\n", i);
    strcat(lines, " * range:   1 1 1\n");
    assert_resolved(lines);
    ck_assert_str_eq(work.options + strlen(work.options) - strlen(shape), shape);
    for (int i = 3; i < 6; ++i)
        sprintf(lines + strlen(lines), " * option:  an_option_with_a_name_%d = with_a_value_as_long\n", i);
    assert_refused(lines, "build options are");
}
END_TEST

START_TEST(extent_out_of_range_is_refused_with_what_is_allowed)
{
    choose("64", 10);
    assert_refused(" * range:   4294967296 1 1\n", "'4294967296' is 4294967296: 0 to 4294967295 is allowed");
    assert_refused(" * range:   1 groups-7 1\n", "'groups-7' is -1: 0 to 4294967295 is allowed");
    assert_refused(" * range:   1 1 nonsense\n", "nonsense");
    assert_refused(" * range:   1 1 resident\n", "not known");
}
END_TEST

START_TEST(range_with_too_many_work_items_or_none_is_refused)
{
    choose("64", 0);
    assert_refused(RANGE, "its range has no work-items, or more than 2^32 - 1");
    choose("64", 4294967295);
    assert_refused(RANGE, "its range has no work-items, or more than 2^32 - 1");
    assert_refused(" * range:   4294967295 1 1\n", "more than 2^32 - 1"); /* once it is padded */
    choice.ragged = true;
    assert_resolved(" * range:   4294967295 1 1\n");
}
END_TEST

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
        assert_refused(lines, "is no term");
        snprintf(lines, sizeof lines, REGIONS " * result:  0 = %s\n", terms[i]);
        assert_refused(lines, "is no term");
    }
}
END_TEST

START_TEST(region_is_compared_with_a_region_and_a_number_with_a_number)
{
    assert_refused(REGIONS " * result:  a = 0\n", "compares a region with a number");
    assert_refused(REGIONS " * result:  0 = a\n", "compares a region with a number");
    assert_refused(REGIONS " * result:  each(a) = scan(ab)\n", "compares a region with a number");
    assert_refused(REGIONS " * result:  scan(a) = reduce(ab)\n", "compares a region with a number");
    assert_refused(REGIONS " * result:  0 = each(a)\n", "each or permutation at the right");
    assert_refused(REGIONS " * result:  each(a) = each(ab)\n", "each or permutation at the right");
    assert_refused(REGIONS " * result:  6 = permutation(a)\n", "each or permutation at the right");
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
    assert_refused(REGIONS " * result:  short[5] = 0\n", "0 to 4 is allowed");
    assert_refused(REGIONS " * result:  a[0-1] = 0\n", "0 to 5 is allowed");
    assert_refused(" * data:    none uint 0 zero\n * result:  none[0] = 0\n", "is allowed");
}
END_TEST

START_TEST(dot_of_different_lengths_is_refused)
{
    assert_refused(REGIONS " * result:  dot(a,short) = 0\n", "different lengths");
}
END_TEST

HARNESS_MAIN("resolve", first_values_of_options_become_build_options, chosen_values_of_options_become_build_options,
             hyphens_in_build_options_become_underscores, parameters_become_build_options_that_say_where_they_are,
             kernel_without_options_has_no_build_options, build_options_that_do_not_fit_are_refused_and_not_cut,
             values_of_parameters_are_given_to_the_kernel_in_their_order, words_are_a_number,
             checks_are_a_number_of_all_launches, checks_are_counted_only_if_the_entry_says_how_many_there_are,
             number_out_of_range_is_refused_with_what_is_allowed, expression_that_cannot_be_read_is_refused,
             expression_of_something_unknown_is_refused_for_that, regions_have_element_fill_and_count,
             item_is_what_option_type_says, item_without_a_type_is_refused, operation_is_what_option_op_says,
             term_without_a_region_is_a_value, name_of_a_region_is_all_of_it, region_with_an_index_is_an_element,
             functions_of_a_region_have_their_kinds, dot_is_of_two_regions, both_sides_and_all_results_are_resolved,
             term_that_is_none_is_refused_with_those_that_are, term_that_is_no_expression_is_refused,
             index_beyond_its_region_is_refused, dot_of_different_lengths_is_refused,
             region_is_compared_with_a_region_and_a_number_with_a_number, range_is_covered_by_the_shape_that_was_chosen,
             range_is_rounded_up_unless_its_edges_are_ragged,
             range_that_the_driver_divides_is_as_large_as_the_kernel_says, shape_becomes_build_options,
             kernel_without_a_range_has_no_shape, build_options_that_do_not_fit_with_a_shape_are_refused_and_not_cut,
             extent_out_of_range_is_refused_with_what_is_allowed, range_with_too_many_work_items_or_none_is_refused)

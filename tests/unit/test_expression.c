#include "scenario/expression.h"

#include "harness.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct variable variables[] = {
    {"groups", 8, true},       {"group", 5, true},    {"local-size", 64, true}, {"compute-units", 3, true},
    {"resident", 1000, false}, {"minimum", 11, true}, {"x", 7, true},           {"below", -3, true},
};
static const struct scope scope = {variables, sizeof variables / sizeof *variables};

static void assert_value(const char *text, int64_t expected)
{
    struct error error = {0};
    int64_t value = -77;
    ck_assert_msg(expression_evaluate(text, &scope, &value, &error) == 0, "'%s': %s", text, error.text);
    ck_assert_msg(value == expected, "'%s' is %" PRId64, text, value);
}

static void assert_unknown(const char *text)
{
    struct error error = {0};
    int64_t value;
    ck_assert_msg(expression_evaluate(text, &scope, &value, &error) == 1, "'%s': %s", text, error.text);
}

static void assert_refused(const char *text)
{
    struct error error = {0};
    int64_t value;
    ck_assert_msg(expression_evaluate(text, &scope, &value, &error) == -1, "'%s'", text);
    ck_assert_int_eq(error.status, STATUS_USAGE);
}

static void assert_refused_with(const char *text, const char *part)
{
    struct error error = {0};
    int64_t value;
    ck_assert_int_eq(expression_evaluate(text, &scope, &value, &error), -1);
    ck_assert_msg(strstr(error.text, part) != NULL, "'%s': %s", text, error.text);
}

/* --- values --- */

START_TEST(integer_is_its_value)
{
    assert_value("0", 0);
    assert_value("42", 42);
    assert_value("007", 7);
    assert_value("9223372036854775807", INT64_MAX);
}
END_TEST

START_TEST(variable_has_its_value)
{
    assert_value("groups", 8);
    assert_value("x", 7);
    assert_value("below", -3);
}
END_TEST

START_TEST(name_is_read_as_far_as_it_goes)
{
    assert_value("group", 5);
    assert_value("minimum", 11);
    assert_refused("groupss");
    assert_refused("grou");
    assert_refused("Groups");
}
END_TEST

START_TEST(hyphen_before_a_letter_belongs_to_the_name)
{
    assert_value("local-size", 64);
    assert_value("2*local-size", 128);
    assert_refused_with("local-sizes", "local-sizes");
    assert_refused("groups-x");
}
END_TEST

START_TEST(hyphen_before_anything_else_is_a_difference)
{
    assert_value("groups-1", 7);
    assert_value("groups - 1", 7);
    assert_value("local-size-1", 63);
    assert_value("local-size - x", 57);
    assert_value("groups -(x)", 1);
}
END_TEST

START_TEST(blanks_do_not_matter)
{
    assert_value(" \t1\t+  2 ", 3);
    assert_value("max( 1 ,\t2 )", 2);
    assert_value(" ( 5 ) ", 5);
}
END_TEST

/* --- operators --- */

START_TEST(products_bind_before_sums)
{
    assert_value("2+3*4", 14);
    assert_value("2*3+4", 10);
    assert_value("20-6/3", 18);
    assert_value("1+7%4", 4);
}
END_TEST

START_TEST(brackets_bind_first)
{
    assert_value("(2+3)*4", 20);
    assert_value("2*(3+(4-1))", 12);
    assert_value("((((7))))", 7);
}
END_TEST

START_TEST(operators_of_one_rank_apply_from_the_left)
{
    assert_value("10-3-2", 5);
    assert_value("100/10/5", 2);
    assert_value("7*6%4", 2);
    assert_value("7%4*6", 18);
}
END_TEST

START_TEST(minus_before_a_factor_negates_it)
{
    assert_value("-5", -5);
    assert_value("--5", 5);
    assert_value("3--2", 5);
    assert_value("-(2+3)", -5);
    assert_value("2*-3", -6);
}
END_TEST

START_TEST(quotient_is_cut_towards_zero_and_the_rest_has_the_sign_of_the_dividend)
{
    assert_value("7/2", 3);
    assert_value("-7/2", -3);
    assert_value("7/-2", -3);
    assert_value("7%2", 1);
    assert_value("-7%2", -1);
    assert_value("7%-2", 1);
}
END_TEST

/* --- multiples --- */

START_TEST(number_and_x_before_a_variable_is_a_multiple)
{
    assert_value("2x groups", 16);
    assert_value("0x groups", 0);
    assert_value("1x groups - 1", 7);
    assert_value("2 * 3x groups", 48);
    assert_value("2x x", 14);
}
END_TEST

START_TEST(multiple_is_rounded_up)
{
    assert_value("1.5x compute-units", 5); /* 4.5 */
    assert_value("0.5x groups", 4);
    assert_value("0.001x groups", 1); /* 0.008 */
    assert_value("1.125x groups", 9);
    assert_value("1.126x groups", 10); /* 9.008 */
    assert_value("0.25x compute-units", 1);
}
END_TEST

START_TEST(multiple_of_a_negative_variable_is_rounded_up_too)
{
    assert_value("2x below", -6);
    assert_value("1.5x below", -4); /* -4.5 */
}
END_TEST

START_TEST(decimal_number_that_is_no_multiple_is_refused)
{
    assert_refused("1.5");
    assert_refused("1.5*groups");
    assert_refused("1.5 groups");
    assert_refused_with("groups + 0.5", "1.5x resident");
}
END_TEST

START_TEST(decimal_number_has_one_to_three_digits_behind_its_point)
{
    assert_refused("1.x groups");
    assert_refused("1.2345x groups");
    assert_refused(".5x groups");
    assert_refused("1.2.3x groups");
}
END_TEST

START_TEST(multiple_of_a_number_or_a_bracket_is_refused)
{
    assert_refused("2x 3");
    assert_refused("2x (groups)");
    assert_refused("2x");
    assert_refused("2x -groups");
    assert_refused("0x10");
}
END_TEST

/* --- functions --- */

START_TEST(min_and_max_choose)
{
    assert_value("min(3,5)", 3);
    assert_value("min(5,3)", 3);
    assert_value("max(3,5)", 5);
    assert_value("max(5,3)", 5);
    assert_value("min(4,4)", 4);
    assert_value("max(4,4)", 4);
    assert_value("min(-1,1)", -1);
    assert_value("max(-1,1)", 1);
}
END_TEST

START_TEST(ceil_divides_and_rounds_up)
{
    assert_value("ceil(7,2)", 4);
    assert_value("ceil(8,2)", 4);
    assert_value("ceil(0,5)", 0);
    assert_value("ceil(1,1000)", 1);
    assert_value("ceil(groups+1,groups)", 2);
}
END_TEST

START_TEST(ceil_rounds_up_whatever_the_signs)
{
    assert_value("ceil(-4,2)", -2);
    assert_value("ceil(-3,2)", -1);
    assert_value("ceil(4,-2)", -2);
    assert_value("ceil(3,-2)", -1);
    assert_value("ceil(-3,-2)", 2);
}
END_TEST

START_TEST(ceil_of_the_largest_number_has_a_value)
{
    assert_value("ceil(9223372036854775807,1)", INT64_MAX);
    assert_value("ceil(9223372036854775807,2)", 4611686018427387904);
}
END_TEST

START_TEST(log2_is_rounded_up)
{
    assert_value("log2(1)", 0);
    assert_value("log2(2)", 1);
    assert_value("log2(3)", 2);
    assert_value("log2(4)", 2);
    assert_value("log2(5)", 3);
    assert_value("log2(1024)", 10);
    assert_value("log2(1025)", 11);
}
END_TEST

START_TEST(log2_of_the_largest_numbers_is_rounded_up)
{
    assert_value("log2(4611686018427387904)", 62);
    assert_value("log2(4611686018427387905)", 63);
    assert_value("log2(9223372036854775807)", 63);
}
END_TEST

START_TEST(functions_take_expressions)
{
    assert_value("min(max(1,2),3)", 2);
    assert_value("2*min(groups-1,100)+1", 15);
    assert_value("max(ceil(groups,3),log2(groups))", 3);
}
END_TEST

START_TEST(wrong_number_of_arguments_is_refused)
{
    static const char *const texts[] = {"min(1)",    "min(1,2,3)", "max()",   "ceil(4)", "ceil(4,2,1)",
                                        "log2(1,2)", "log2()",     "log2 8",  "min",     "min(1,",
                                        "min(1,2",   "min(,2)",    "min(1 2)"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        assert_refused(texts[i]);
}
END_TEST

START_TEST(other_functions_are_refused)
{
    assert_refused_with("sqrt(4)", "sqrt");
    assert_refused("groups(4)");
    assert_refused("MIN(1,2)");
}
END_TEST

/* --- what is not known --- */

START_TEST(what_is_made_of_an_unknown_variable_is_unknown)
{
    assert_unknown("resident");
    assert_unknown("resident + 1");
    assert_unknown("1.5x resident");
    assert_unknown("min(resident,2)");
    assert_unknown("0 * resident");
    assert_unknown("log2(resident)");
}
END_TEST

START_TEST(division_by_something_unknown_is_unknown)
{
    assert_unknown("64 / resident");
    assert_unknown("64 / (resident - 1)");
    assert_unknown("64 % (resident - 1)");
    assert_unknown("ceil(64,resident - 1)");
    assert_unknown("64 / (resident - 2 + 1) / 3");
}
END_TEST

START_TEST(unknown_variable_hides_no_fault)
{
    assert_refused("resident +");
    assert_refused("resident + nonsense");
    assert_refused("resident resident");
    assert_refused("(resident");
    assert_refused("resident + 1/0");
    assert_refused("1/0 + resident");
    assert_refused("ceil(resident,0)");
}
END_TEST

/* --- what has no value --- */

START_TEST(division_by_zero_is_refused)
{
    assert_refused("1/0");
    assert_refused("1%0");
    assert_refused("ceil(1,0)");
    assert_refused("groups/(groups-8)");
}
END_TEST

START_TEST(numbers_beyond_64_bits_are_refused)
{
    static const char *const texts[] = {
        "9223372036854775808",
        "99999999999999999999999999999999999999999999",
        "9223372036854775807 + 1",
        "-9223372036854775807 - 2",
        "9223372036854775807 * 2",
        "4611686018427387904 * -3",
        "-(-9223372036854775807 - 1)",
        "(-9223372036854775807 - 1) / -1",
        "(-9223372036854775807 - 1) % -1",
        "ceil(-9223372036854775807 - 1,-1)",
        "9223372036854775807x groups",
        "9223372036854775x x",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        assert_refused(texts[i]);
}
END_TEST

START_TEST(smallest_number_has_a_value)
{
    assert_value("-9223372036854775807 - 1", INT64_MIN);
}
END_TEST

START_TEST(what_is_no_expression_is_refused)
{
    static const char *const texts[] = {
        "",   " ",       "1 2",           "1 +", "+ 1",  "(1", "1)",  "()",   "*2",       "1 ** 2", "groups groups",
        "@",  "1,2",     "1e3",           "2^3", "1==2", "$x", "1;2", "0xff", "\xc3\xbc", "1\n2",   "-",
        "1/", "groups!", "compute units",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        assert_refused(texts[i]);
}
END_TEST

START_TEST(message_quotes_the_expression_and_what_comes_where_it_fails)
{
    assert_refused_with("1 + nonsense", "'1 + nonsense'");
    assert_refused_with("1 + nonsense", "at 'nonsense'");
    assert_refused_with("1 +", "the end");
}
END_TEST

START_TEST(deep_nesting_is_refused_and_does_no_harm)
{
    enum { DEEP = 100000 };
    static char brackets[DEEP + 1];
    static char signs[DEEP + 1];
    memset(brackets, '(', DEEP);
    memset(signs, '-', DEEP);
    assert_refused(brackets);
    assert_refused(signs);
}
END_TEST

START_TEST(many_brackets_beside_each_other_are_not_nested)
{
    char text[1024] = "(1)";
    for (int i = 0; i < 200; ++i)
        strcat(text, "+(1)");
    assert_value(text, 201);
}
END_TEST

START_TEST(empty_scope_has_numbers_only)
{
    const struct scope empty = {NULL, 0};
    struct error error;
    int64_t value;
    ck_assert_int_eq(expression_evaluate("1+1", &empty, &value, &error), 0);
    ck_assert_int_eq(value, 2);
    ck_assert_int_eq(expression_evaluate("groups", &empty, &value, &error), -1);
}
END_TEST

START_TEST(refusal_needs_no_error)
{
    int64_t value;
    ck_assert_int_eq(expression_evaluate("1/0", &scope, &value, NULL), -1);
    ck_assert_int_eq(expression_evaluate("", &scope, &value, NULL), -1);
}
END_TEST

HARNESS_MAIN("expression", integer_is_its_value, variable_has_its_value, name_is_read_as_far_as_it_goes,
             hyphen_before_a_letter_belongs_to_the_name, hyphen_before_anything_else_is_a_difference,
             blanks_do_not_matter, products_bind_before_sums, brackets_bind_first,
             operators_of_one_rank_apply_from_the_left, minus_before_a_factor_negates_it,
             quotient_is_cut_towards_zero_and_the_rest_has_the_sign_of_the_dividend,
             number_and_x_before_a_variable_is_a_multiple, multiple_is_rounded_up,
             multiple_of_a_negative_variable_is_rounded_up_too, decimal_number_that_is_no_multiple_is_refused,
             decimal_number_has_one_to_three_digits_behind_its_point, multiple_of_a_number_or_a_bracket_is_refused,
             min_and_max_choose, ceil_divides_and_rounds_up, ceil_rounds_up_whatever_the_signs,
             ceil_of_the_largest_number_has_a_value, log2_is_rounded_up, log2_of_the_largest_numbers_is_rounded_up,
             functions_take_expressions, wrong_number_of_arguments_is_refused, other_functions_are_refused,
             what_is_made_of_an_unknown_variable_is_unknown, division_by_something_unknown_is_unknown,
             unknown_variable_hides_no_fault, division_by_zero_is_refused, numbers_beyond_64_bits_are_refused,
             smallest_number_has_a_value, what_is_no_expression_is_refused,
             message_quotes_the_expression_and_what_comes_where_it_fails, deep_nesting_is_refused_and_does_no_harm,
             many_brackets_beside_each_other_are_not_nested, empty_scope_has_numbers_only, refusal_needs_no_error)

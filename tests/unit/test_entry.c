#include "scenario/entry.h"

#include "harness.h"

#include <stdio.h>
#include <string.h>

/* The fields that each kernel has: lines 2 to 6. */
#define REQUIRED " * kernel:  toy\n * purpose: a toy\n * needs:   nothing\n * fails:   never\n * source:  nobody\n"
#define WITH(lines) "/*\n" REQUIRED lines " */\n#include \"group.h\"\n"
enum { FIRST_EXTRA_LINE = 7 };

static struct kernel_entry entry;

static int parse_file(const char *text, const char *file, struct error *error)
{
    *error = (struct error){0};
    return entry_parse(text, file, &entry, error);
}

static void assert_parsed(const char *text)
{
    struct error error;
    ck_assert_msg(parse_file(text, "toy.cl", &error) == 0, "%s", error.text);
}

/* Refused, with a message that begins with file and line. */
static void assert_refused(const char *text, unsigned line, const char *part)
{
    struct error error;
    char place[32];
    snprintf(place, sizeof place, "toy.cl:%u: ", line);
    ck_assert_msg(parse_file(text, "toy.cl", &error) == -1, "%s", text);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_msg(strncmp(error.text, place, strlen(place)) == 0, "%s", error.text);
    ck_assert_msg(strstr(error.text, part) != NULL, "%s", error.text);
}

/* The required fields, and one that is refused. */
static void assert_field_refused(const char *field, const char *part)
{
    char text[2048];
    snprintf(text, sizeof text, "/*\n" REQUIRED " * %s\n */\n", field);
    assert_refused(text, FIRST_EXTRA_LINE, part);
}

/* --- the comment --- */

START_TEST(required_fields_are_read)
{
    assert_parsed(WITH(""));
    ck_assert_str_eq(entry.name, "toy");
    ck_assert_str_eq(entry.purpose, "a toy");
    ck_assert_str_eq(entry.needs, "nothing");
    ck_assert_str_eq(entry.fails, "never");
    ck_assert_str_eq(entry.source, "nobody");
}
END_TEST

START_TEST(entry_without_more_has_one_launch_and_nothing_else)
{
    assert_parsed(WITH(""));
    ck_assert_uint_eq(entry.launches, 1);
    ck_assert_uint_eq(entry.option_count + entry.parameter_count + entry.region_count + entry.result_count, 0);
    ck_assert_str_eq(entry.words, "");
    ck_assert_str_eq(entry.checks, "");
    ck_assert(!entry_has_range(&entry));
}
END_TEST

START_TEST(each_required_field_is_missed)
{
    static const char *const names[] = {"kernel", "purpose", "needs", "fails", "source"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        char text[] = WITH("");
        char wanted[32];
        char *line = strstr(text, names[i]) - strlen(" * ");
        memmove(line, strchr(line, '\n') + 1, strlen(strchr(line, '\n') + 1) + 1);
        snprintf(wanted, sizeof wanted, " * %s: ", names[i]);
        assert_refused(text, 1, wanted);
    }
}
END_TEST

START_TEST(fields_come_in_any_order)
{
    assert_parsed("/*\n * source:  nobody\n * option:  a = b\n * kernel:  toy\n * fails:   never\n * needs:   nothing\n"
                  " * purpose: a toy\n */\n");
    ck_assert_str_eq(entry.name, "toy");
    ck_assert_uint_eq(entry.option_count, 1);
}
END_TEST

START_TEST(field_goes_on_in_lines_that_begin_with_blanks)
{
    assert_parsed("/*\n * kernel:  toy\n * purpose: one\n *          two\n *   three  \n * needs:   nothing\n"
                  " * fails:   never\n * source:  nobody\n */\n");
    ck_assert_str_eq(entry.purpose, "one two three");
    ck_assert_str_eq(entry.needs, "nothing");
}
END_TEST

START_TEST(line_of_a_field_is_right_behind_one_that_goes_on)
{
    assert_refused("/*\n * kernel:  toy\n * purpose: one\n *    two\n *    three\n * nonsense: 4\n */\n", 6,
                   "nonsense");
}
END_TEST

START_TEST(free_text_behind_an_empty_line_is_not_read)
{
    assert_parsed("/*\n" REQUIRED " *\n * option: junk\n * nonsense: more\n */\n");
    ck_assert_uint_eq(entry.option_count, 0);
}
END_TEST

START_TEST(line_that_is_no_field_ends_the_entry)
{
    assert_parsed("/*\n" REQUIRED " * This toy is free: it has no option\n * option: junk\n */\n");
    ck_assert_uint_eq(entry.option_count, 0);
    assert_parsed("/*\n" REQUIRED " * : none\n * option: junk\n */\n");
    ck_assert_uint_eq(entry.option_count, 0);
}
END_TEST

START_TEST(second_comment_is_not_read)
{
    assert_parsed("/*\n" REQUIRED " */\n/*\n * nonsense: more\n */\n");
}
END_TEST

START_TEST(unknown_field_is_refused_with_those_that_are_known)
{
    assert_field_refused("color: red",
                         "kernel, purpose, needs, fails, source, option, param, range, words, data, checks, "
                         "result or launches");
    assert_field_refused("Option: a = b", "'Option'");
}
END_TEST

START_TEST(file_that_does_not_begin_with_a_comment_is_refused)
{
    assert_refused("", 1, "must begin with the comment");
    assert_refused("kernel void toy() {}\n", 1, "must begin with the comment");
    assert_refused("\n/*\n" REQUIRED " */\n", 1, "must begin with the comment");
    assert_refused("/* kernel: toy */\n", 1, "must begin with the comment");
    assert_refused("/*", 1, "must begin with the comment");
}
END_TEST

START_TEST(comment_without_an_end_is_read_to_the_end_of_the_file)
{
    assert_parsed("/*\n" REQUIRED);
    ck_assert_str_eq(entry.source, "nobody");
    assert_parsed("/*\n * kernel:  toy\n * purpose: a toy\n * needs:   nothing\n * fails:   never\n * source:  nobody");
    ck_assert_str_eq(entry.source, "nobody");
}
END_TEST

START_TEST(kernel_is_named_like_its_file)
{
    struct error error;
    ck_assert_int_eq(parse_file(WITH(""), "/some/folder/toy.cl", &error), 0);
    ck_assert_int_eq(parse_file(WITH(""), "toys.cl", &error), -1);
    ck_assert_ptr_nonnull(strstr(error.text, "toys.cl:2: the name of the file"));
    ck_assert_int_eq(parse_file(WITH(""), "to.cl", &error), -1);
    ck_assert_int_eq(parse_file(WITH(""), "yot.cl", &error), -1);
    ck_assert_int_eq(parse_file(WITH(""), "toy.cl/other.cl", &error), -1);
}
END_TEST

START_TEST(text_has_at_most_399_characters)
{
    char text[1024];
    char long_text[401];
    memset(long_text, 'n', 400);
    long_text[399] = '\0';
    snprintf(text, sizeof text, "/*\n * needs: %s\n", long_text);
    struct error error;
    parse_file(text, "toy.cl", &error); /* the other fields are missing */
    ck_assert_str_eq(entry.needs, long_text);
    long_text[399] = 'n';
    long_text[400] = '\0';
    snprintf(text, sizeof text, "/*\n * needs: %s\n", long_text);
    assert_refused(text, 2, "at most 399 characters");
}
END_TEST

START_TEST(line_that_is_far_too_long_is_refused_and_not_left_out)
{
    static char text[4096];
    char field[2001];
    memset(field, '1', 2000);
    field[2000] = '\0';
    snprintf(text, sizeof text, "/*\n" REQUIRED " * words: %s\n */\n", field);
    assert_refused(text, FIRST_EXTRA_LINE, "characters are allowed");
    snprintf(text, sizeof text, "/*\n" REQUIRED " * result: a = %s\n */\n", field);
    assert_refused(text, FIRST_EXTRA_LINE, "characters are allowed");
}
END_TEST

/* --- options --- */

START_TEST(option_has_a_name_and_values_of_which_the_first_is_the_default)
{
    assert_parsed(WITH(" * option:  access = plain | volatile | atomic-2\n * option:  one = only\n"));
    ck_assert_uint_eq(entry.option_count, 2);
    const struct entry_option *option = entry_option_find(&entry, "access");
    ck_assert_ptr_eq(option, &entry.options[0]);
    ck_assert_uint_eq(option->count, 3);
    ck_assert_str_eq(option->values[0], "plain");
    ck_assert_str_eq(option->values[1], "volatile");
    ck_assert_str_eq(option->values[2], "atomic-2");
    ck_assert_str_eq(entry_option_find(&entry, "one")->values[0], "only");
}
END_TEST

START_TEST(option_that_is_not_written_as_one_is_refused)
{
    static const char *const fields[] = {
        "option: access",
        "option: access =",
        "option: access = |",
        "option: access = a |",
        "option: access = a b",
        "option: = a",
        "option:",
        "option: access a",
        "option: access = a || b",
        "option: an_option_of_24_characte = a",
        "option: a = a_value_of__24_character",
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
        assert_field_refused(fields[i], "NAME = VALUE | VALUE");
}
END_TEST

START_TEST(names_and_values_are_of_letters_digits_underscores_and_hyphens)
{
    assert_field_refused("option: a = b|c", "NAME = VALUE | VALUE");
    assert_field_refused("option: a = b;c", "NAME = VALUE | VALUE");
    assert_field_refused("option: a = -DB=\"c\"", "NAME = VALUE | VALUE");
    assert_field_refused("option: a( = b", "NAME = VALUE | VALUE");
    assert_field_refused("param: a+b = 1 in 1..2", "NAME = DEFAULT in LOW..HIGH");
    assert_field_refused("data: a[0] uint 1 zero", "NAME TYPE COUNT FILL");
    assert_parsed(WITH(" * option:  a_1-b = C_2-d\n * param:   e_3-f = 1 in 1..2\n * data:    g_4-h uint 1 zero\n"));
}
END_TEST

START_TEST(option_has_at_most_8_values)
{
    assert_parsed(WITH(" * option:  a = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8\n"));
    ck_assert_uint_eq(entry.options[0].count, 8);
    ck_assert_str_eq(entry.options[0].values[7], "8");
    assert_field_refused("option:  a = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9", "8 values");
}
END_TEST

START_TEST(kernel_has_at_most_8_options)
{
    char text[1024] = "/*\n" REQUIRED;
    for (int i = 0; i < 8; ++i)
        sprintf(text + strlen(text), " * option:  o%d = a\n", i);
    assert_parsed(text);
    ck_assert_uint_eq(entry.option_count, 8);
    strcat(text, " * option:  o8 = a\n");
    assert_refused(text, FIRST_EXTRA_LINE + 8, "8 options");
}
END_TEST

START_TEST(words_of_23_characters_are_kept_whole)
{
    assert_parsed(WITH(" * option:  an_option_of_23_charact = a_value_of__23_characte\n"));
    ck_assert_str_eq(entry.options[0].name, "an_option_of_23_charact");
    ck_assert_str_eq(entry.options[0].values[0], "a_value_of__23_characte");
}
END_TEST

START_TEST(options_parameters_and_values_are_found_by_name)
{
    assert_parsed(WITH(" * option:  a = b | c\n * param:   d = 1 in 0..2\n"));
    ck_assert_int_eq(entry_value_find(&entry.options[0], "b"), 0);
    ck_assert_int_eq(entry_value_find(&entry.options[0], "c"), 1);
    ck_assert_int_eq(entry_value_find(&entry.options[0], "d"), -1);
    ck_assert_ptr_eq(entry_parameter_find(&entry, "d"), &entry.parameters[0]);
    ck_assert_ptr_null(entry_parameter_find(&entry, "a"));
    ck_assert_ptr_null(entry_option_find(&entry, "d"));
    ck_assert_ptr_null(entry_option_find(&entry, ""));
}
END_TEST

/* --- parameters --- */

START_TEST(parameter_has_default_limits_and_text)
{
    assert_parsed(WITH(" * param:   items = 1000*groups + 7 in 1..262144  how many, in all\n"));
    const struct entry_parameter *parameter = &entry.parameters[0];
    ck_assert_uint_eq(entry.parameter_count, 1);
    ck_assert_str_eq(parameter->name, "items");
    ck_assert_str_eq(parameter->standard, "1000*groups + 7");
    ck_assert_int_eq(parameter->least, 1);
    ck_assert_int_eq(parameter->most, 262144);
    ck_assert_str_eq(parameter->about, "how many, in all");
}
END_TEST

START_TEST(parameter_may_have_all_32_bit_numbers)
{
    assert_parsed(WITH(" * param:   n = 0 in 0..4294967295\n"));
    ck_assert_int_eq(entry.parameters[0].least, 0);
    ck_assert_int_eq(entry.parameters[0].most, 4294967295);
    ck_assert_str_eq(entry.parameters[0].about, "");
    assert_parsed(WITH(" * param:   n = 7 in 7..7  always\n"));
    ck_assert_int_eq(entry.parameters[0].least, 7);
    ck_assert_int_eq(entry.parameters[0].most, 7);
}
END_TEST

START_TEST(parameter_that_is_not_written_as_one_is_refused)
{
    static const char *const fields[] = {
        "param: n",
        "param: n = 5",
        "param: n in 1..2",
        "param: n = in 1..2",
        "param: = 5 in 1..2",
        "param: n = 5 in",
        "param: n = 5 in 1",
        "param: n = 5 in 1-2",
        "param: n = 5 in 1.2",
        "param: n = 5 in ..2",
        "param: n = 5 in 1..",
        "param: n 5 in 1..2",
        "param: n = 5 in a..b",
        "param: n = 5 in 1..b",
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
        assert_field_refused(fields[i], "NAME = DEFAULT in LOW..HIGH");
}
END_TEST

START_TEST(limit_that_goes_on_as_something_else_is_refused)
{
    assert_field_refused("param: n = 5 in 1..1e6  many", "NAME = DEFAULT in LOW..HIGH");
    assert_field_refused("param: n = 5 in 1..9.5", "NAME = DEFAULT in LOW..HIGH");
    assert_field_refused("param: n = 5 in 1..2*groups", "NAME = DEFAULT in LOW..HIGH");
}
END_TEST

START_TEST(limits_of_a_parameter_are_in_order_and_within_32_bits)
{
    static const char *const fields[] = {
        "param: n = 5 in 2..1",
        "param: n = 5 in -1..5",
        "param: n = 5 in 0..4294967296",
        "param: n = 5 in 0..99999999999999999999",
        "param: n = 5 in 99999999999999999999..99999999999999999999",
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
        assert_field_refused(fields[i], "0 to 4294967295");
}
END_TEST

START_TEST(default_of_a_parameter_is_not_cut)
{
    char field[512];
    char text[1024];
    char sum[201] = "1";
    while (strlen(sum) < 127)
        strcat(sum, "+1");
    snprintf(field, sizeof field, "param: n = %s in 1..100", sum);
    snprintf(text, sizeof text, "/*\n" REQUIRED " * %s\n", field);
    assert_parsed(text);
    ck_assert_str_eq(entry.parameters[0].standard, sum);
    strcat(sum, "+1");
    snprintf(field, sizeof field, "param: n = %s in 1..100", sum);
    assert_field_refused(field, "DEFAULT");
}
END_TEST

START_TEST(kernel_has_at_most_16_parameters)
{
    char text[2048] = "/*\n" REQUIRED;
    for (int i = 0; i < 16; ++i)
        sprintf(text + strlen(text), " * param:   p%d = 1 in 1..2\n", i);
    assert_parsed(text);
    ck_assert_uint_eq(entry.parameter_count, 16);
    strcat(text, " * param:   p16 = 1 in 1..2\n");
    assert_refused(text, FIRST_EXTRA_LINE + 16, "16 parameters");
}
END_TEST

/* --- data, results, launches --- */

START_TEST(region_has_name_type_count_and_fill)
{
    static const struct {
        const char *field;
        const char *element;
        enum fill fill;
    } cases[] = {
        {" * data: cells uint 2*groups zero\n", "uint", FILL_ZERO},
        {" * data: cells int 2*groups ones\n", "int", FILL_ONES},
        {" * data: cells long 2*groups index\n", "long", FILL_INDEX},
        {" * data: cells ulong 2*groups seeded\n", "ulong", FILL_SEEDED},
        {" * data: cells  float  2*groups  seeded  \n", "float", FILL_SEEDED},
        {" * data: cells item 2*groups zero\n", "item", FILL_ZERO},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[512];
        snprintf(text, sizeof text, "/*\n" REQUIRED "%s */\n", cases[i].field);
        assert_parsed(text);
        ck_assert_uint_eq(entry.region_count, 1);
        ck_assert_str_eq(entry.regions[0].name, "cells");
        ck_assert_str_eq(entry.regions[0].element, cases[i].element);
        ck_assert_str_eq(entry.regions[0].count, "2*groups");
        ck_assert_int_eq(entry.regions[0].fill, cases[i].fill);
    }
}
END_TEST

START_TEST(region_that_is_not_written_as_one_is_refused)
{
    static const char *const fields[] = {
        "data:",
        "data: cells",
        "data: cells uint",
        "data: cells uint 4",
        "data: cells uint 4 zero zero",
        "data: cells uint 2 * 4 zero",
        "data: cells double 4 zero",
        "data: cells uint 4 random",
        "data: cells 4 uint zero",
        "data: cells unsigned 4 zero",
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
        assert_field_refused(fields[i], "uint, int, long, ulong, float or item");
}
END_TEST

START_TEST(kernel_has_at_most_8_regions)
{
    char text[1024] = "/*\n" REQUIRED;
    for (int i = 0; i < 8; ++i)
        sprintf(text + strlen(text), " * data: r%d uint 1 zero\n", i);
    assert_parsed(text);
    ck_assert_uint_eq(entry.region_count, 8);
    strcat(text, " * data: r8 uint 1 zero\n");
    assert_refused(text, FIRST_EXTRA_LINE + 8, "8 regions");
}
END_TEST

START_TEST(results_words_and_checks_are_kept_as_text)
{
    assert_parsed(WITH(" * result:  a = b\n * result:  c[0] = 4\n * words:   2*groups\n * checks:  rounds - 1\n"));
    ck_assert_uint_eq(entry.result_count, 2);
    ck_assert_str_eq(entry.results[0], "a = b");
    ck_assert_str_eq(entry.results[1], "c[0] = 4");
    ck_assert_str_eq(entry.words, "2*groups");
    ck_assert_str_eq(entry.checks, "rounds - 1");
}
END_TEST

START_TEST(result_without_a_comparison_is_refused)
{
    assert_field_refused("result: reduce(a)", "TERM = TERM");
    assert_field_refused("result:", "TERM = TERM");
}
END_TEST

START_TEST(kernel_has_at_most_8_results)
{
    char text[1024] = "/*\n" REQUIRED;
    for (int i = 0; i < 8; ++i)
        strcat(text, " * result: 1 = 1\n");
    assert_parsed(text);
    ck_assert_uint_eq(entry.result_count, 8);
    strcat(text, " * result: 1 = 1\n");
    assert_refused(text, FIRST_EXTRA_LINE + 8, "8 times");
}
END_TEST

START_TEST(launches_are_a_number_from_1_to_64)
{
    assert_parsed(WITH(" * launches: 1\n"));
    ck_assert_uint_eq(entry.launches, 1);
    assert_parsed(WITH(" * launches: 64\n"));
    ck_assert_uint_eq(entry.launches, 64);
    assert_field_refused("launches: 0", "1 to 64");
    assert_field_refused("launches: 65", "1 to 64");
    assert_field_refused("launches: -1", "1 to 64");
    assert_field_refused("launches: 18446744073709551617", "1 to 64");
    assert_field_refused("launches: two", "1 to 64");
    assert_field_refused("launches: 2 3", "1 to 64");
    assert_field_refused("launches:", "1 to 64");
}
END_TEST

/* --- ranges --- */

static void assert_range(const char *field, const char *width, const char *height, const char *depth)
{
    char text[1024];
    snprintf(text, sizeof text, "/*\n" REQUIRED " * %s\n */\n", field);
    assert_parsed(text);
    ck_assert(entry_has_range(&entry));
    ck_assert_str_eq(entry.range[0], width);
    ck_assert_str_eq(entry.range[1], height);
    ck_assert_str_eq(entry.range[2], depth);
}

START_TEST(range_is_three_expressions_that_are_kept_as_text)
{
    assert_range("range:   width height depth", "width", "height", "depth");
    assert_range("range: 2*width ceil(height,4) 1", "2*width", "ceil(height,4)", "1");
    assert_range("range:   1    2   3   ", "1", "2", "3");
    assert_range("range: width\n *          height\n *          depth", "width", "height", "depth");
}
END_TEST

START_TEST(range_with_fewer_or_more_than_three_expressions_is_refused)
{
    static const char *const fields[] = {
        "range:",         "range: width",         "range: width height", "range: width height depth more",
        "range: 1 2 3 4", "range: 2 * width 1 1",
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
        assert_field_refused(fields[i], "WIDTH HEIGHT DEPTH, expressions without blanks, is wanted");
}
END_TEST

START_TEST(expression_of_a_range_is_not_cut)
{
    char sum[160] = "1";
    char field[512];
    while (strlen(sum) < 127)
        strcat(sum, "+1");
    snprintf(field, sizeof field, "range: %s %s %s", sum, sum, sum);
    assert_range(field, sum, sum, sum);
    for (int i = 0; i < 3; ++i) {
        snprintf(field, sizeof field, "range: %s%s %s%s %s%s", sum, i == 0 ? "1" : "", sum, i == 1 ? "1" : "", sum,
                 i == 2 ? "1" : "");
        assert_field_refused(field, "WIDTH HEIGHT DEPTH");
    }
}
END_TEST

/* --- what comes twice --- */

START_TEST(field_that_is_allowed_once_is_refused_when_it_comes_again)
{
    static const char *const fields[] = {"kernel: toy", "purpose: two", "needs: two",  "fails: two",  "source: two",
                                         "words: 2",    "checks: 2",    "launches: 2", "range: 1 2 3"};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i) {
        char text[512];
        const bool required = i < 5;
        snprintf(text, sizeof text, "/*\n" REQUIRED " * %s\n%s%s%s */\n", fields[i], required ? "" : " * ",
                 required ? "" : fields[i], required ? "" : "\n");
        assert_refused(text, FIRST_EXTRA_LINE + (required ? 0 : 1), "was not there before");
    }
}
END_TEST

/* Of two fields the second is refused. */
static void assert_second_refused(const char *fields, const char *part)
{
    char text[512];
    snprintf(text, sizeof text, "/*\n" REQUIRED " * %s\n */\n", fields);
    assert_refused(text, FIRST_EXTRA_LINE + 1, part);
}

START_TEST(name_that_comes_again_is_refused)
{
    assert_second_refused("option: a = b\n * option: a = c", "another name");
    assert_second_refused("option: a = b\n * param: a = 1 in 1..2", "another name");
    assert_second_refused("param: a = 1 in 1..2\n * param: a = 1 in 1..2", "another name");
    assert_second_refused("param: a = 1 in 1..2\n * option: a = b", "another name");
    assert_second_refused("data: a uint 1 zero\n * data: a uint 2 zero", "another name");
    assert_parsed(WITH(" * option:  a = b\n * option:  ab = b\n * data:    a uint 1 zero\n"));
}
END_TEST

START_TEST(words_and_checks_without_a_value_are_refused)
{
    assert_field_refused("words:", "an expression is wanted");
    assert_field_refused("checks:  ", "an expression is wanted");
}
END_TEST

/* --- any text --- */

static const char *const rich =
    WITH(" * option:  access = plain | volatile\n * param:   items = 4*groups in 1..100  how many\n * words:   groups\n"
         " * data:    cells uint items zero\n * checks:  rounds*groups\n * launches: 2\n * range:   items 2*items 1\n"
         " * result:  reduce(cells) = 0\n *\n * More.\n");

START_TEST(beginning_of_an_entry_is_read_or_refused_with_its_place)
{
    for (size_t length = 0; length < strlen(rich); ++length) {
        char text[1024];
        struct error error;
        snprintf(text, sizeof text, "%.*s", (int)length, rich);
        if (parse_file(text, "toy.cl", &error) == 0)
            continue;
        ck_assert_int_eq(error.status, STATUS_USAGE);
        ck_assert_msg(strncmp(error.text, "toy.cl:", 7) == 0, "%s", error.text);
    }
}
END_TEST

START_TEST(entry_with_changed_bytes_is_read_or_refused_with_its_place)
{
    uint32_t random = 1;
    for (int i = 0; i < 20000; ++i) {
        char text[1024];
        struct error error;
        strcpy(text, rich);
        for (int changes = 0; changes < 1 + i % 4; ++changes) {
            random = random * 1664525u + 1013904223u;
            text[(random >> 8) % strlen(rich)] = (char)(1 + (random >> 20) % 255);
        }
        if (parse_file(text, "toy.cl", &error) == 0)
            continue;
        ck_assert_int_eq(error.status, STATUS_USAGE);
        ck_assert_msg(strncmp(error.text, "toy.cl:", 7) == 0, "%s", error.text);
    }
}
END_TEST

HARNESS_MAIN("entry", required_fields_are_read, entry_without_more_has_one_launch_and_nothing_else,
             each_required_field_is_missed, fields_come_in_any_order, field_goes_on_in_lines_that_begin_with_blanks,
             line_of_a_field_is_right_behind_one_that_goes_on, free_text_behind_an_empty_line_is_not_read,
             second_comment_is_not_read, unknown_field_is_refused_with_those_that_are_known,
             file_that_does_not_begin_with_a_comment_is_refused, comment_without_an_end_is_read_to_the_end_of_the_file,
             kernel_is_named_like_its_file, text_has_at_most_399_characters,
             line_that_is_far_too_long_is_refused_and_not_left_out,
             option_has_a_name_and_values_of_which_the_first_is_the_default,
             option_that_is_not_written_as_one_is_refused,
             names_and_values_are_of_letters_digits_underscores_and_hyphens, option_has_at_most_8_values,
             kernel_has_at_most_8_options, words_of_23_characters_are_kept_whole,
             options_parameters_and_values_are_found_by_name, parameter_has_default_limits_and_text,
             parameter_may_have_all_32_bit_numbers, parameter_that_is_not_written_as_one_is_refused,
             limit_that_goes_on_as_something_else_is_refused, limits_of_a_parameter_are_in_order_and_within_32_bits,
             default_of_a_parameter_is_not_cut, kernel_has_at_most_16_parameters, region_has_name_type_count_and_fill,
             region_that_is_not_written_as_one_is_refused, kernel_has_at_most_8_regions,
             results_words_and_checks_are_kept_as_text, result_without_a_comparison_is_refused,
             kernel_has_at_most_8_results, launches_are_a_number_from_1_to_64,
             beginning_of_an_entry_is_read_or_refused_with_its_place,
             entry_with_changed_bytes_is_read_or_refused_with_its_place, line_that_is_no_field_ends_the_entry,
             field_that_is_allowed_once_is_refused_when_it_comes_again, name_that_comes_again_is_refused,
             words_and_checks_without_a_value_are_refused, range_is_three_expressions_that_are_kept_as_text,
             range_with_fewer_or_more_than_three_expressions_is_refused, expression_of_a_range_is_not_cut)

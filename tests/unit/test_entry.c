#include "entry_fixture.h"

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
                         "kernel, purpose, needs, fails, source, option, param, range, words, names, data, checks, "
                         "result, handover or launches");
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
    ck_assert_ptr_nonnull(strstr(error.text, "toys.cl:2: expected the name of the file"));
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
             default_of_a_parameter_is_not_cut, kernel_has_at_most_16_parameters, line_that_is_no_field_ends_the_entry)

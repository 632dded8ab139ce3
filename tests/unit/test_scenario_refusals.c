/* Scenario files that are refused: each with its place, and with what is allowed. */
#include "refusal_fixture.h"

/* --- keys and sections --- */

START_TEST(unknown_section_is_refused)
{
    assert_refused(HEAD "[sweep]\ngroups = 1\n" TAIL "[limits]\nwait = 3\n", 10,
                   "expected [scenario], [sweep] or [expect]");
    assert_refused(HEAD "[Sweep]\ngroups = 1\n" TAIL, 6, "expected [scenario], [sweep] or [expect]");
}
END_TEST

START_TEST(key_outside_of_a_section_is_refused)
{
    assert_refused("kernel = toy\n" HEAD "[sweep]\ngroups = 1\n" TAIL, 1, "expected [scenario], [sweep] or [expect]");
}
END_TEST

START_TEST(unknown_key_is_refused)
{
    assert_refused(HEAD "color = red\n[sweep]\ngroups = 1\n" TAIL, 5, "'color' in [scenario]");
    assert_refused(HEAD "[sweep]\ngroups = 1\n" TAIL "color = red\n", 9, "'color' in [expect]");
    assert_refused(HEAD "color = red\n[sweep]\ngroups = 1\n" TAIL, 5, "gridlock check --reference");
    assert_refused(HEAD "Purpose = red\n[sweep]\ngroups = 1\n" TAIL, 5, "'Purpose'");
}
END_TEST

START_TEST(key_of_another_section_is_refused)
{
    assert_refused(HEAD "groups = 1\n[sweep]\ngroups = 1\n" TAIL, 5, "'groups' in [scenario]");
    assert_sweep_refused("verdict = pass", "'verdict' in [sweep]");
}
END_TEST

START_TEST(unknown_axis_is_refused_with_those_of_the_kernel_and_of_all)
{
    assert_sweep_refused("color = red", "'color' in [sweep]");
    assert_sweep_refused("color = red", "kernel toy has access fault items");
    assert_sweep_refused(
        "color = red",
        "groups local-size dialect poll registers rounds iterations fuse seed jitter uneven burners held traffic");
    assert_sweep_refused("item = 4", "'item'");
}
END_TEST

START_TEST(kernel_without_options_and_parameters_has_none_of_its_own)
{
    assert_refused("[scenario]\nkernel = bare\npurpose = a\nteaches = b\n[sweep]\ngroups = 1\naccess = plain\n" TAIL, 7,
                   "kernel bare has none of its own");
}
END_TEST

START_TEST(key_of_more_than_23_characters_is_refused)
{
    assert_sweep_refused("a_key_of_24_characters__ = 1", "gridlock check --reference");
    assert_sweep_refused("a_key_of_many_more_characters_than_any_key_has_in_any_section = 1",
                         "gridlock check --reference");
}
END_TEST

START_TEST(section_that_comes_again_is_refused)
{
    assert_refused(HEAD "[sweep]\ngroups = 1\n" TAIL "[sweep]\nrounds = 1\n", 9, "twice");
}
END_TEST

START_TEST(key_that_comes_again_is_refused_with_its_first_line)
{
    assert_refused(HEAD "purpose = another\n[sweep]\ngroups = 1\n" TAIL, 5, "purpose is given twice, first in line 3");
    assert_refused(HEAD "kernel = toy\n[sweep]\ngroups = 1\n" TAIL, 5, "kernel is given twice, first in line 2");
    assert_refused(HEAD "[sweep]\ngroups = 1\nrounds = 1\n" TAIL "verdict = stale\n", 10,
                   "verdict is given twice, first in line 9");
    assert_sweep_refused("groups = 2", "groups is given twice, first in line 6");
    assert_refused(HEAD "[sweep]\nfault = none\ngroups = 1\nfault = lost\n" TAIL, 8,
                   "fault is given twice, first in line 6");
    assert_refused("[scenario]\nlive = only\nlive = only\n", 3, "live is given twice, first in line 2");
}
END_TEST

START_TEST(each_required_key_is_missed)
{
    static const struct {
        const char *text;
        const char *part;
    } cases[] = {
        {"[scenario]\npurpose = a\nteaches = b\n[sweep]\ngroups = 1\n" TAIL, "[scenario] lacks kernel"},
        {"[scenario]\nkernel = toy\nteaches = b\n[sweep]\ngroups = 1\n" TAIL, "[scenario] lacks purpose"},
        {"[scenario]\nkernel = toy\npurpose = a\n[sweep]\ngroups = 1\n" TAIL, "[scenario] lacks teaches"},
        {HEAD "[sweep]\nrounds = 1\n" TAIL, "[sweep] lacks groups"},
        {HEAD TAIL, "[sweep] lacks groups"},
        {HEAD "[sweep]\ngroups = 1\n", "[expect] lacks verdict"},
        {"", "lacks kernel"},
        {"# nothing\n", "lacks kernel"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        assert_refused(cases[i].text, 1, cases[i].part);
}
END_TEST

START_TEST(required_text_without_a_value_is_refused)
{
    assert_refused("[scenario]\nkernel = toy\npurpose =\nteaches = b\n[sweep]\ngroups = 1\n" TAIL, 3,
                   "purpose has no value");
    assert_refused("[scenario]\nkernel = toy\npurpose = a\nteaches = \n[sweep]\ngroups = 1\n" TAIL, 4,
                   "teaches has no value");
    assert_rule_refused("", "verdict has no value");
}
END_TEST

START_TEST(live_is_only_or_not_there)
{
    assert_refused(HEAD "live = yes\n[sweep]\ngroups = 1\n" TAIL, 5, "expected 'only'");
    assert_refused(HEAD "publishes = no\n[sweep]\ngroups = 1\n" TAIL, 5, "expected 'yes'");
    assert_refused(HEAD "live =\n[sweep]\ngroups = 1\n" TAIL, 5, "expected 'only'");
}
END_TEST

START_TEST(anti_pattern_is_a_condition)
{
    assert_refused(HEAD "anti-pattern = yes\n[sweep]\ngroups = 1\n" TAIL, 5, "cannot parse the condition 'yes'");
    assert_refused(HEAD "anti-pattern = flavour = sour\n[sweep]\ngroups = 1\n" TAIL, 5, "flavour");
}
END_TEST

START_TEST(text_that_is_too_long_is_refused)
{
    char text[4096] = "[scenario]\nkernel = toy\npurpose = p\n";
    for (int line = 0; line < 4; ++line) {
        strcat(text, "    ");
        memset(text + strlen(text), 'q', 150); /* the array was zero */
        strcat(text, "\n");
    }
    strcat(text, "teaches = b\n[sweep]\ngroups = 1\n" TAIL);
    assert_refused(text, 7, "longer than 511 bytes");
}
END_TEST

/* --- kernels --- */

START_TEST(kernel_name_that_is_a_path_is_refused)
{
    static const char *const names[] = {
        "../../etc/passwd", "/etc/passwd", "..",     ".",     "../toy", "./toy",   "a/b",   "toy/",       "toy.cl",
        "..\\toy",          "toy\\..",     "%2e%2e", "~/toy", "$HOME",  "toy toy", "toy-2", "t\xc3\xb6y", "toy,bare",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        assert_kernel_refused(names[i], "only letters, digits and _ are allowed");
}
END_TEST

START_TEST(kernel_name_has_1_to_47_characters)
{
    char name[64];
    memset(name, 'k', sizeof name);
    name[48] = '\0';
    assert_kernel_refused(name, "expected 1 to 47 characters");
    assert_kernel_refused("", "expected 1 to 47 characters");
}
END_TEST

START_TEST(kernel_name_does_not_go_on_in_another_line)
{
    assert_refused("[scenario]\nkernel = bare\n    toy\npurpose = a\nteaches = b\n[sweep]\ngroups = 1\n" TAIL, 3,
                   "one line");
}
END_TEST

START_TEST(kernel_that_does_not_exist_is_refused_with_its_file)
{
    assert_kernel_refused("missing", "missing.cl");
    assert_kernel_refused("Toy", "Toy.cl");
    assert_kernel_refused("toy_", "toy_.cl");
}
END_TEST

START_TEST(kernel_whose_entry_cannot_be_read_is_refused_with_both_places)
{
    assert_kernel_refused("unread", "unread.cl:7: ");
}
END_TEST

START_TEST(kernel_whose_expressions_have_no_value_is_refused)
{
    assert_kernel_refused("unsound", "groups - 5");
    assert_kernel_refused("blind", "neither checks nor a result");
    assert_kernel_refused("unset", "nonsense");
}
END_TEST

START_TEST(kernel_whose_own_names_have_a_meaning_already_is_refused)
{
    static const char *const kernels[][2] = {{"takes_poll", "poll"},         {"takes_rounds", "rounds"},
                                             {"takes_line", "line"},         {"takes_resident", "resident"},
                                             {"takes_progress", "progress"}, {"takes_units", "compute-units"},
                                             {"takes_shape", "shape"},       {"takes_edge", "edge"}};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; ++i) {
        char part[64];
        snprintf(part, sizeof part, "%s.cl: %s: this name has a meaning", kernels[i][0], kernels[i][1]);
        assert_kernel_refused(kernels[i][0], part);
    }
}
END_TEST

START_TEST(kernel_whose_default_is_out_of_range_is_refused)
{
    assert_kernel_refused("unlimited", "kernel unlimited: n = 0: expected 1 to 2");
}
END_TEST

/* --- lists --- */

START_TEST(empty_values_of_lists_are_refused)
{
    assert_sweep_refused("rounds =", "an empty value");
    assert_sweep_refused("rounds = ,", "an empty value");
    assert_sweep_refused("rounds = 1,,2", "an empty value");
    assert_sweep_refused("rounds = 1, ,2", "an empty value");
    assert_sweep_refused("rounds = ,1", "an empty value");
    assert_sweep_refused("rounds = 1,,", "an empty value");
    assert_sweep_refused("fault = none,,lost", "an empty value");
    assert_groups_refused("", "an empty value");
}
END_TEST

START_TEST(empty_value_in_a_further_line_is_refused_there)
{
    assert_refused(HEAD "[sweep]\ngroups = 1,\n    2,\n    ,3\n" TAIL, 8, "an empty value");
}
END_TEST

START_TEST(list_of_more_than_40_values_is_refused)
{
    char line[512] = "rounds = 1";
    for (int i = 2; i <= 40; ++i)
        sprintf(line + strlen(line), ",%d", i);
    strcat(line, ",41");
    assert_sweep_refused(line, "at most 40 values");
}
END_TEST

START_TEST(value_of_more_than_47_characters_is_refused)
{
    char line[128];
    snprintf(line, sizeof line, "rounds = %048d", 1);
    assert_sweep_refused(line, "47 characters");
}
END_TEST

/* --- numbers --- */

START_TEST(number_out_of_range_is_refused_with_its_range)
{
    static const struct {
        const char *line;
        const char *range;
    } cases[] = {
        {"local-size = 0", "expected 1 to 65536"},
        {"local-size = 65537", "expected 1 to 65536"},
        {"rounds = 0 - 1", "expected 0 to 1000000"},
        {"rounds = 1000001", "expected 0 to 1000000"},
        {"iterations = 0", "expected 1 to 1000000"},
        {"iterations = 1000001", "expected 1 to 1000000"},
        {"seed = -1", "expected 0 to 4294967295"},
        {"seed = 4294967296", "expected 0 to 4294967295"},
        {"jitter = 16777217", "expected 0 to 16777216"},
        {"uneven = -5", "expected 0 to 16777216"},
        {"burners = 65", "expected 0 to 64"},
        {"items = 1", "expected 2 to 1000"},
        {"items = 1001", "expected 2 to 1000"},
        {"rounds = 1, 2, 1000001", "rounds = 1000001"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        assert_sweep_refused(cases[i].line, cases[i].range);
    assert_groups_refused("0", "expected 1 to 1048576");
    assert_groups_refused("1048577", "expected 1 to 1048576");
    assert_groups_refused("1, 2, 3 - 3", "expected 1 to 1048576");
}
END_TEST

START_TEST(number_that_overflows_is_refused)
{
    assert_sweep_refused("rounds = 9223372036854775808", "rounds");
    assert_sweep_refused("rounds = 18446744073709551617", "2^63 - 1"); /* 1, modulo 2^64 */
    assert_sweep_refused("seed = 340282366920938463463374607431768211457", "2^63 - 1");
    assert_sweep_refused("rounds = 4611686018427387904 * 4", "2^63 - 1");
    assert_groups_refused("18446744073709551617", "2^63 - 1");
}
END_TEST

START_TEST(number_that_is_none_is_refused)
{
    static const char *const lines[] = {"rounds = many", "rounds = 3 3",  "rounds = 1.5", "rounds = 3x",
                                        "rounds = 1/0",  "rounds = 0x10", "rounds = 1e3", "rounds = (3",
                                        "rounds = 3)",   "rounds = all",  "rounds = ;3"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i)
        if (strchr(lines[i], ';') == NULL)
            assert_sweep_refused(lines[i], "rounds");
        else
            assert_sweep_refused(lines[i], ";");
}
END_TEST

START_TEST(fault_in_a_later_line_of_a_list_is_refused_where_the_list_begins)
{
    assert_refused(HEAD "[sweep]\ngroups = 1,\n    2,\n    many\n" TAIL, 6, "many");
}
END_TEST

START_TEST(groups_relative_to_groups_are_refused)
{
    assert_groups_refused("2x groups", "groups");
    assert_groups_refused("groups", "groups");
}
END_TEST

START_TEST(values_relative_to_other_axes_are_refused)
{
    assert_sweep_refused("rounds = local-size", "local-size");
    assert_sweep_refused("items = rounds", "rounds");
    assert_groups_refused("items", "items");
}
END_TEST

START_TEST(local_size_relative_to_what_depends_on_it_is_refused)
{
    assert_sweep_refused("local-size = groups", "groups");
    assert_sweep_refused("local-size = 1x resident", "resident");
}
END_TEST

/* --- words --- */

START_TEST(word_that_is_not_in_its_list_is_refused_with_the_list)
{
    assert_sweep_refused("access = loud", "expected one of plain volatile atomic");
    assert_sweep_refused("fault = none, gone", "expected one of none lost");
    assert_sweep_refused("fault = Lost", "expected one of none lost");
    assert_sweep_refused("fault = los", "expected one of none lost");
    assert_sweep_refused("fault = lostt", "expected one of none lost");
    assert_sweep_refused("poll = never", "expected one of load pause rmw volatile");
    assert_sweep_refused("dialect = cl20", "expected one of best all cl30 cl12 ptx");
    assert_sweep_refused("dialect = none", "expected one of best all cl30 cl12 ptx");
    assert_sweep_refused("access = 1", "expected one of plain volatile atomic");
}
END_TEST

START_TEST(words_without_a_comma_between_them_are_refused)
{
    assert_sweep_refused("access = plain volatile", "expected one of plain volatile atomic");
    assert_sweep_refused("access = plain volatile atomic", "expected one of plain volatile atomic");
    assert_sweep_refused("dialect = cl30 cl12", "expected one of best all cl30 cl12 ptx");
    assert_sweep_refused("fault = none\tlost", "expected one of none lost");
}
END_TEST

START_TEST(all_dialects_and_another_are_refused)
{
    assert_sweep_refused("dialect = cl12, all", "all");
    assert_sweep_refused("dialect = all, cl12", "all");
    assert_sweep_refused("dialect = all, all", "all");
}
END_TEST

HARNESS_MAIN("scenario refusals", unknown_section_is_refused, key_outside_of_a_section_is_refused,
             unknown_key_is_refused, key_of_another_section_is_refused,
             unknown_axis_is_refused_with_those_of_the_kernel_and_of_all,
             kernel_without_options_and_parameters_has_none_of_its_own, key_of_more_than_23_characters_is_refused,
             section_that_comes_again_is_refused, key_that_comes_again_is_refused_with_its_first_line,
             each_required_key_is_missed, live_is_only_or_not_there, anti_pattern_is_a_condition,
             text_that_is_too_long_is_refused, kernel_name_that_is_a_path_is_refused,
             kernel_name_has_1_to_47_characters, kernel_name_does_not_go_on_in_another_line,
             kernel_that_does_not_exist_is_refused_with_its_file,
             kernel_whose_entry_cannot_be_read_is_refused_with_both_places,
             kernel_whose_expressions_have_no_value_is_refused, empty_values_of_lists_are_refused,
             empty_value_in_a_further_line_is_refused_there, list_of_more_than_40_values_is_refused,
             value_of_more_than_47_characters_is_refused, number_out_of_range_is_refused_with_its_range,
             number_that_overflows_is_refused, number_that_is_none_is_refused,
             fault_in_a_later_line_of_a_list_is_refused_where_the_list_begins, groups_relative_to_groups_are_refused,
             values_relative_to_other_axes_are_refused, local_size_relative_to_what_depends_on_it_is_refused,
             word_that_is_not_in_its_list_is_refused_with_the_list, words_without_a_comma_between_them_are_refused,
             all_dialects_and_another_are_refused, required_text_without_a_value_is_refused,
             kernel_whose_own_names_have_a_meaning_already_is_refused, kernel_whose_default_is_out_of_range_is_refused)

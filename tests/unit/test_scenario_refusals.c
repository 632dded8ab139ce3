/* Scenario files that are refused: each with its place, and with what is allowed. */
#include "scenario/scenario.h"

#include "harness.h"
#include "toy_kernels.h"

#include <stdio.h>
#include <string.h>

#define HEAD "[scenario]\nkernel = toy\npurpose = a question\nteaches = an answer\n"
#define TAIL "[expect]\nverdict = pass\n"
enum { SWEEP_LINE = 7, VERDICT_LINE = 8 }; /* where the lines stand that the tests add */

static struct scenario scenario;

/* Refused as wrong usage, and the message begins with file and line. */
static void assert_bytes_refused(const char *text, size_t length, unsigned line, const char *part)
{
    struct error error = {0};
    char place[32];
    snprintf(place, sizeof place, "t.ini:%u: ", line);
    ck_assert_msg(scenario_parse(text, length, "t.ini", "", &scenario, &error) == -1, "%s", text);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_msg(strncmp(error.text, place, strlen(place)) == 0, "%s", error.text);
    ck_assert_msg(strstr(error.text, part) != NULL, "'%s' is missing: %s", part, error.text);
}

static void assert_refused(const char *text, unsigned line, const char *part)
{
    assert_bytes_refused(text, strlen(text), line, part);
}

/* One line in [sweep], beside groups. */
static void assert_sweep_refused(const char *line, const char *part)
{
    char text[16384];
    snprintf(text, sizeof text, HEAD "[sweep]\ngroups = 1\n%s\n" TAIL, line);
    assert_refused(text, SWEEP_LINE, part);
}

static void assert_groups_refused(const char *groups, const char *part)
{
    char text[1024];
    snprintf(text, sizeof text, HEAD "[sweep]\ngroups = %s\n" TAIL, groups);
    assert_refused(text, SWEEP_LINE - 1, part);
}

static void assert_rule_refused(const char *rule, const char *part)
{
    char text[2048];
    snprintf(text, sizeof text, HEAD "[sweep]\ngroups = 1\n[expect]\nverdict = %s\n", rule);
    assert_refused(text, VERDICT_LINE, part);
}

static void assert_kernel_refused(const char *kernel, const char *part)
{
    char text[1024];
    snprintf(text, sizeof text, "[scenario]\nkernel = %s\npurpose = a\nteaches = b\n[sweep]\ngroups = 1\n" TAIL,
             kernel);
    assert_refused(text, 2, part);
}

/* --- keys and sections --- */

START_TEST(unknown_section_is_refused)
{
    assert_refused(HEAD "[sweep]\ngroups = 1\n" TAIL "[limits]\nwait = 3\n", 10,
                   "[scenario], [sweep] and [expect] are allowed");
    assert_refused(HEAD "[Sweep]\ngroups = 1\n" TAIL, 6, "[scenario], [sweep] and [expect] are allowed");
}
END_TEST

START_TEST(key_outside_of_a_section_is_refused)
{
    assert_refused("kernel = toy\n" HEAD "[sweep]\ngroups = 1\n" TAIL, 1,
                   "[scenario], [sweep] and [expect] are allowed");
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
    assert_refused(HEAD "[sweep]\ngroups = 1\n" TAIL "[sweep]\nrounds = 1\n", 9, "once");
}
END_TEST

START_TEST(key_that_comes_again_is_refused_with_its_first_line)
{
    assert_refused(HEAD "purpose = another\n[sweep]\ngroups = 1\n" TAIL, 5, "purpose was there before, in line 3");
    assert_refused(HEAD "kernel = toy\n[sweep]\ngroups = 1\n" TAIL, 5, "kernel was there before, in line 2");
    assert_refused(HEAD "[sweep]\ngroups = 1\nrounds = 1\n" TAIL "verdict = stale\n", 10,
                   "verdict was there before, in line 9");
    assert_sweep_refused("groups = 2", "groups was there before, in line 6");
    assert_refused(HEAD "[sweep]\nfault = none\ngroups = 1\nfault = lost\n" TAIL, 8,
                   "fault was there before, in line 6");
    assert_refused("[scenario]\nlive = only\nlive = only\n", 3, "live was there before, in line 2");
}
END_TEST

START_TEST(each_required_key_is_missed)
{
    static const struct {
        const char *text;
        const char *part;
    } cases[] = {
        {"[scenario]\npurpose = a\nteaches = b\n[sweep]\ngroups = 1\n" TAIL, "[scenario] has no kernel"},
        {"[scenario]\nkernel = toy\nteaches = b\n[sweep]\ngroups = 1\n" TAIL, "[scenario] has no purpose"},
        {"[scenario]\nkernel = toy\npurpose = a\n[sweep]\ngroups = 1\n" TAIL, "[scenario] has no teaches"},
        {HEAD "[sweep]\nrounds = 1\n" TAIL, "[sweep] has no groups"},
        {HEAD TAIL, "[sweep] has no groups"},
        {HEAD "[sweep]\ngroups = 1\n", "[expect] has no verdict"},
        {"", "has no kernel"},
        {"# nothing\n", "has no kernel"},
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
    assert_refused(HEAD "live = yes\n[sweep]\ngroups = 1\n" TAIL, 5, "only 'only' is allowed");
    assert_refused(HEAD "live =\n[sweep]\ngroups = 1\n" TAIL, 5, "only 'only' is allowed");
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
        assert_kernel_refused(names[i], "letters, digits and _ are allowed");
}
END_TEST

START_TEST(kernel_name_has_1_to_47_characters)
{
    char name[64];
    memset(name, 'k', sizeof name);
    name[48] = '\0';
    assert_kernel_refused(name, "1 to 47 characters are allowed");
    assert_kernel_refused("", "1 to 47 characters are allowed");
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
        snprintf(part, sizeof part, "%s.cl: %s: another name", kernels[i][0], kernels[i][1]);
        assert_kernel_refused(kernels[i][0], part);
    }
}
END_TEST

START_TEST(kernel_whose_default_is_out_of_range_is_refused)
{
    assert_kernel_refused("unlimited", "kernel unlimited: n = 0: 1 to 2 is allowed");
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
        {"local-size = 0", "1 to 65536 is allowed"},
        {"local-size = 65537", "1 to 65536 is allowed"},
        {"rounds = 0 - 1", "0 to 1000000 is allowed"},
        {"rounds = 1000001", "0 to 1000000 is allowed"},
        {"iterations = 0", "1 to 1000000 is allowed"},
        {"iterations = 1000001", "1 to 1000000 is allowed"},
        {"seed = -1", "0 to 4294967295 is allowed"},
        {"seed = 4294967296", "0 to 4294967295 is allowed"},
        {"jitter = 16777217", "0 to 16777216 is allowed"},
        {"uneven = -5", "0 to 16777216 is allowed"},
        {"burners = 65", "0 to 64 is allowed"},
        {"items = 1", "2 to 1000 is allowed"},
        {"items = 1001", "2 to 1000 is allowed"},
        {"rounds = 1, 2, 1000001", "rounds = 1000001"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        assert_sweep_refused(cases[i].line, cases[i].range);
    assert_groups_refused("0", "1 to 1048576 is allowed");
    assert_groups_refused("1048577", "1 to 1048576 is allowed");
    assert_groups_refused("1, 2, 3 - 3", "1 to 1048576 is allowed");
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
    assert_sweep_refused("access = loud", "one of plain volatile atomic is allowed");
    assert_sweep_refused("fault = none, gone", "one of none lost is allowed");
    assert_sweep_refused("fault = Lost", "one of none lost is allowed");
    assert_sweep_refused("fault = los", "one of none lost is allowed");
    assert_sweep_refused("fault = lostt", "one of none lost is allowed");
    assert_sweep_refused("poll = never", "volatile is allowed");
    assert_sweep_refused("dialect = cl20", "one of best all cl30 cl12 ptx is allowed");
    assert_sweep_refused("dialect = none", "one of best all cl30 cl12 ptx is allowed");
    assert_sweep_refused("access = 1", "one of plain volatile atomic is allowed");
}
END_TEST

START_TEST(words_without_a_comma_between_them_are_refused)
{
    assert_sweep_refused("access = plain volatile", "one of plain volatile atomic is allowed");
    assert_sweep_refused("access = plain volatile atomic", "one of plain volatile atomic is allowed");
    assert_sweep_refused("dialect = cl30 cl12", "one of best all cl30 cl12 ptx is allowed");
    assert_sweep_refused("fault = none\tlost", "one of none lost is allowed");
}
END_TEST

START_TEST(all_dialects_and_another_are_refused)
{
    assert_sweep_refused("dialect = cl12, all", "all");
    assert_sweep_refused("dialect = all, cl12", "all");
    assert_sweep_refused("dialect = all, all", "all");
}
END_TEST

/* --- kernels that are launched over a range --- */

#define GRID_HEAD "[scenario]\nkernel = grid\npurpose = a question\nteaches = an answer\n"

/* One line in the [sweep] of a kernel with a range, beside its shape. */
static void assert_grid_refused(const char *line, const char *part)
{
    char text[4096];
    snprintf(text, sizeof text, GRID_HEAD "[sweep]\nshape = 64\n%s\n" TAIL, line);
    assert_refused(text, SWEEP_LINE, part);
}

START_TEST(kernel_with_a_range_needs_a_shape)
{
    assert_refused(GRID_HEAD "[sweep]\nwidth = 4\n" TAIL, 1, "[sweep] has no shape: work-items in a group");
    assert_refused(GRID_HEAD "[sweep]\ngroups = 4\n" TAIL, 1, "[sweep] has no shape");
    assert_refused(GRID_HEAD "[sweep]\nedge = ragged\n" TAIL, 1, "[sweep] has no shape");
}
END_TEST

START_TEST(groups_and_local_size_of_a_kernel_with_a_range_are_refused)
{
    assert_grid_refused("groups = 4", "groups: kernel grid is launched over a range of work-items: shape and edge are "
                                      "allowed");
    assert_grid_refused("local-size = 64", "local-size: kernel grid is launched over a range of work-items: shape and "
                                           "edge are allowed");
}
END_TEST

START_TEST(shape_and_edge_of_a_kernel_without_a_range_are_refused)
{
    assert_sweep_refused("shape = 64", "shape: kernel toy is launched over groups: groups and local-size are allowed");
    assert_sweep_refused("edge = padded",
                         "edge: kernel toy is launched over groups: groups and local-size are allowed");
}
END_TEST

START_TEST(shape_that_is_none_is_refused_with_what_is_allowed)
{
    static const char *const shapes[] = {"0",           "16x",    "16x16x16x16", "65537",     "300x300",
                                         "driver",      "+5",     "driver-4d",   "064",       "16 x 16",
                                         "1x resident", "64 128", "16x16x0",     "2x groups", "min(4,8)"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
        char text[1024], part[256];
        snprintf(part, sizeof part,
                 "shape = %s: 64, 16x16, 8x8x4 (1 to 65536 work-items), driver-1d, driver-2d or driver-3d is allowed",
                 shapes[i]);
        snprintf(text, sizeof text, GRID_HEAD "[sweep]\nwidth = 3\nshape = %s\n" TAIL, shapes[i]);
        assert_refused(text, SWEEP_LINE, part);
        snprintf(text, sizeof text, GRID_HEAD "[sweep]\nwidth = 3\nshape = 8x8,\n    %s\n" TAIL, shapes[i]);
        assert_refused(text, SWEEP_LINE, part);
    }
    assert_refused(GRID_HEAD "[sweep]\nshape =\n" TAIL, 6, "an empty value");
}
END_TEST

START_TEST(edge_that_is_none_is_refused_with_those_that_are)
{
    assert_grid_refused("edge = round", "edge = round: one of padded ragged is allowed");
    assert_grid_refused("edge = padded ragged", "one of padded ragged is allowed");
}
END_TEST

START_TEST(shape_that_comes_again_is_refused_with_its_first_line)
{
    assert_grid_refused("shape = 8x8", "shape was there before, in line 6");
}
END_TEST

START_TEST(unknown_axis_of_a_kernel_with_a_range_is_refused_with_those_that_it_has)
{
    assert_grid_refused("color = red", "kernel grid has mapping width; every kernel has shape edge dialect poll");
}
END_TEST

START_TEST(kernel_whose_range_is_too_large_is_refused)
{
    assert_refused("[scenario]\nkernel = endless\npurpose = a\nteaches = b\n[sweep]\nshape = 64\n" TAIL, 2,
                   "kernel endless: its range has no work-items, or more than 2^32 - 1");
}
END_TEST

START_TEST(rule_of_a_kernel_with_a_range_cannot_use_groups)
{
    assert_refused(GRID_HEAD "[sweep]\nshape = 64\n[expect]\nverdict = pass when groups <= 4\n", VERDICT_LINE,
                   "groups");
    assert_refused(GRID_HEAD "[sweep]\nshape = 64\n[expect]\nverdict = pass when shape < 64\n", VERDICT_LINE,
                   "only = and != are allowed");
}
END_TEST

/* --- rules --- */

START_TEST(rule_that_cannot_be_read_is_refused)
{
    static const struct {
        const char *rule;
        const char *part;
    } cases[] = {
        {"maybe", "is no verdict"},
        {"Pass", "is no verdict"},
        {"pass or", "is no verdict"},
        {"pass, stale", "is no verdict"},
        {"otherwise", "is no verdict"},
        {"pass when", "is no verdict"},
        {"pass if groups = 1", "is no verdict"},
        {"pass starved otherwise", "is no verdict"},
        {"pass when groups", "is no condition"},
        {"pass when groups <= 4 and", "and"},
        {"pass when groups ! 4", "is no condition"},
        {"pass when groups <", "the end"},
        {"pass when <= 4", "the end"},
        {"pass when groups <= nonsense", "nonsense"},
        {"pass when nonsense <= 4", "nonsense"},
        {"pass when groups <> 4", "> 4"},
        {"pass when groups <= 4 or groups = 7", "or"},
        {"pass when groups <= 4 otherwise", "otherwise"},
        {"pass when access < plain", "only = and != are allowed"},
        {"pass when access", "is no condition"},
        {"pass when groups = 1/0", "no result"},
        {"pass when groups <= 99999999999999999999", "2^63 - 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        assert_rule_refused(cases[i].rule, cases[i].part);
}
END_TEST

START_TEST(fault_in_any_clause_of_a_rule_is_found)
{
    assert_rule_refused("pass; maybe otherwise", "maybe");
    assert_rule_refused("pass when groups <= resident; starved when nonsense > 1; deadlock otherwise", "nonsense");
    assert_refused(HEAD "[sweep]\ngroups = 1\n[expect]\nverdict = pass when groups <= 4;\n    maybe otherwise\n",
                   VERDICT_LINE, "maybe");
}
END_TEST

/* --- bytes --- */

START_TEST(line_of_199_bytes_is_refused)
{
    char line[256] = "rounds = ";
    memset(line + strlen(line), ' ', 190);
    line[198] = '3';
    line[199] = '\0';
    assert_sweep_refused(line, "198 bytes");
}
END_TEST

START_TEST(line_of_1_mb_is_refused)
{
    static char text[1000000 + 1000];
    size_t length = (size_t)sprintf(text, "%s", HEAD "[sweep]\ngroups = 1\nrounds = 1");
    memset(text + length, '1', 1000000);
    length += 1000000;
    length += (size_t)sprintf(text + length, "\n" TAIL);
    assert_bytes_refused(text, length, SWEEP_LINE, "198 bytes");
}
END_TEST

START_TEST(file_of_more_than_1_mib_is_refused)
{
    static char text[(1 << 20) + 100];
    size_t length = (size_t)sprintf(text, "%s", HEAD "[sweep]\ngroups = 1\n" TAIL);
    memset(text + length, '\n', sizeof text - length);
    assert_bytes_refused(text, sizeof text, 1, "1 MiB");
}
END_TEST

START_TEST(control_and_zero_bytes_are_refused)
{
    static const char bytes[] = {'\0', '\1', '\b', '\v', '\f', '\x1b', '\x1f', '\x7f'};
    for (size_t i = 0; i < sizeof bytes; ++i) {
        char text[] = HEAD "[sweep]\ngroups = 1\nfault = lo_st\n" TAIL;
        *strstr(text, "_s") = bytes[i];
        assert_bytes_refused(text, sizeof text - 1, SWEEP_LINE, "no text");
    }
}
END_TEST

START_TEST(zero_byte_at_the_end_is_refused)
{
    const char text[] = HEAD "[sweep]\ngroups = 1\n" TAIL;
    assert_bytes_refused(text, sizeof text, 9, "no text");
}
END_TEST

START_TEST(byte_order_mark_is_refused)
{
    assert_refused("\xef\xbb\xbf" HEAD "[sweep]\ngroups = 1\n" TAIL, 1, "byte order mark");
}
END_TEST

START_TEST(comment_behind_a_value_is_refused)
{
    assert_sweep_refused("rounds = 3 ; turns", "directly behind the word");
    assert_rule_refused("pass when groups <= 4 ; starved otherwise", "directly behind the word");
}
END_TEST

START_TEST(line_that_is_nothing_is_refused)
{
    assert_sweep_refused("rounds 3", "key = value");
}
END_TEST

/* --- any text --- */

static const char *const rich =
    HEAD "live = only\n\n# How many?\n[sweep]\ngroups = 1, 1x resident - 1,\n    min(4,resident)\nrounds = 2x groups\n"
         "access = plain, atomic\nitems = 4\ndialect = best\n[expect]\nverdict = pass when groups <= resident;\n"
         "    starved or stalled otherwise\n";

static const char *const rich_grid =
    GRID_HEAD "[sweep]\nshape = 64, 16x16,\n    8x8x4, driver-2d\nedge = padded, ragged\nmapping = column\n"
              "width = 30, 500\n[expect]\nverdict = pass when local-size <= 64 and shape != 8x8x4;\n    wrong "
              "otherwise\n";

static void assert_read_or_refused(const char *text, size_t length)
{
    struct error error = {0};
    if (scenario_parse(text, length, "t.ini", "", &scenario, &error) == 0)
        return;
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_msg(strncmp(error.text, "t.ini:", 6) == 0 && error.text[6] >= '1' && error.text[6] <= '9', "%s",
                  error.text);
}

static void assert_beginnings_read_or_refused(const char *whole)
{
    for (size_t length = 0; length <= strlen(whole); ++length)
        assert_read_or_refused(whole, length);
    struct error error;
    ck_assert_int_eq(scenario_parse(whole, strlen(whole), "t.ini", "", &scenario, &error), 0);
}

START_TEST(beginning_of_a_scenario_is_read_or_refused_with_its_place)
{
    assert_beginnings_read_or_refused(rich);
    assert_beginnings_read_or_refused(rich_grid);
}
END_TEST

static void assert_changes_read_or_refused(const char *whole)
{
    uint32_t random = 1;
    for (int i = 0; i < 10000; ++i) {
        char text[1024];
        strcpy(text, whole);
        for (int changes = 0; changes < 1 + i % 4; ++changes) {
            random = random * 1664525u + 1013904223u;
            text[(random >> 8) % strlen(whole)] = (char)(random >> 24);
        }
        assert_read_or_refused(text, strlen(whole));
    }
}

START_TEST(scenario_with_changed_bytes_is_read_or_refused_with_its_place)
{
    assert_changes_read_or_refused(rich);
    assert_changes_read_or_refused(rich_grid);
}
END_TEST

START_TEST(scenario_without_or_with_doubled_pieces_is_read_or_refused_with_its_place)
{
    uint32_t random = 1;
    for (int i = 0; i < 10000; ++i) {
        char text[2048];
        random = random * 1664525u + 1013904223u;
        const size_t from = (random >> 8) % strlen(rich);
        random = random * 1664525u + 1013904223u;
        const size_t to = (random >> 8) % strlen(rich);
        /* From before `from`, then from `to` on: a piece is left out, or comes twice. */
        snprintf(text, sizeof text, "%.*s%s", (int)from, rich, rich + to);
        assert_read_or_refused(text, strlen(text));
    }
}
END_TEST

HARNESS_MAIN("scenario refusals", unknown_section_is_refused, key_outside_of_a_section_is_refused,
             unknown_key_is_refused, key_of_another_section_is_refused,
             unknown_axis_is_refused_with_those_of_the_kernel_and_of_all,
             kernel_without_options_and_parameters_has_none_of_its_own, key_of_more_than_23_characters_is_refused,
             section_that_comes_again_is_refused, key_that_comes_again_is_refused_with_its_first_line,
             each_required_key_is_missed, live_is_only_or_not_there, text_that_is_too_long_is_refused,
             kernel_name_that_is_a_path_is_refused, kernel_name_has_1_to_47_characters,
             kernel_name_does_not_go_on_in_another_line, kernel_that_does_not_exist_is_refused_with_its_file,
             kernel_whose_entry_cannot_be_read_is_refused_with_both_places,
             kernel_whose_expressions_have_no_value_is_refused, empty_values_of_lists_are_refused,
             empty_value_in_a_further_line_is_refused_there, list_of_more_than_40_values_is_refused,
             value_of_more_than_47_characters_is_refused, number_out_of_range_is_refused_with_its_range,
             number_that_overflows_is_refused, number_that_is_none_is_refused,
             fault_in_a_later_line_of_a_list_is_refused_where_the_list_begins, groups_relative_to_groups_are_refused,
             values_relative_to_other_axes_are_refused, local_size_relative_to_what_depends_on_it_is_refused,
             word_that_is_not_in_its_list_is_refused_with_the_list, words_without_a_comma_between_them_are_refused,
             all_dialects_and_another_are_refused, rule_that_cannot_be_read_is_refused,
             fault_in_any_clause_of_a_rule_is_found, line_of_199_bytes_is_refused, line_of_1_mb_is_refused,
             file_of_more_than_1_mib_is_refused, control_and_zero_bytes_are_refused, zero_byte_at_the_end_is_refused,
             byte_order_mark_is_refused, comment_behind_a_value_is_refused, line_that_is_nothing_is_refused,
             beginning_of_a_scenario_is_read_or_refused_with_its_place,
             scenario_with_changed_bytes_is_read_or_refused_with_its_place,
             scenario_without_or_with_doubled_pieces_is_read_or_refused_with_its_place,
             required_text_without_a_value_is_refused, kernel_whose_own_names_have_a_meaning_already_is_refused,
             kernel_whose_default_is_out_of_range_is_refused, kernel_with_a_range_needs_a_shape,
             groups_and_local_size_of_a_kernel_with_a_range_are_refused,
             shape_and_edge_of_a_kernel_without_a_range_are_refused, shape_that_is_none_is_refused_with_what_is_allowed,
             edge_that_is_none_is_refused_with_those_that_are, shape_that_comes_again_is_refused_with_its_first_line,
             unknown_axis_of_a_kernel_with_a_range_is_refused_with_those_that_it_has,
             kernel_whose_range_is_too_large_is_refused, rule_of_a_kernel_with_a_range_cannot_use_groups)

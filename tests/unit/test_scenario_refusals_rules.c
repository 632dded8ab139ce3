/* Scenario files that are refused for their shapes, rules or bytes. */
#include "refusal_fixture.h"

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
    assert_refused(GRID_HEAD "[sweep]\nwidth = 4\n" TAIL, 1, "[sweep] lacks shape: work-items in a group");
    assert_refused(GRID_HEAD "[sweep]\ngroups = 4\n" TAIL, 1, "[sweep] lacks shape");
    assert_refused(GRID_HEAD "[sweep]\nedge = ragged\n" TAIL, 1, "[sweep] lacks shape");
}
END_TEST

START_TEST(groups_and_local_size_of_a_kernel_with_a_range_are_refused)
{
    assert_grid_refused(
        "groups = 4", "groups does not apply: kernel grid is launched over a range of work-items (use shape and edge)");
    assert_grid_refused(
        "local-size = 64",
        "local-size does not apply: kernel grid is launched over a range of work-items (use shape and edge)");
}
END_TEST

START_TEST(shape_and_edge_of_a_kernel_without_a_range_are_refused)
{
    assert_sweep_refused("shape = 64",
                         "shape does not apply: kernel toy is launched over groups (use groups and local-size)");
    assert_sweep_refused("edge = padded",
                         "edge does not apply: kernel toy is launched over groups (use groups and local-size)");
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
                 "shape = %s: expected a shape such as 64, 16x16 or 8x8x4 (1 to 65536 work-items), driver-1d, "
                 "driver-2d or driver-3d",
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
    assert_grid_refused("edge = round", "edge = round: expected one of padded ragged");
    assert_grid_refused("edge = padded ragged", "expected one of padded ragged");
}
END_TEST

START_TEST(shape_that_comes_again_is_refused_with_its_first_line)
{
    assert_grid_refused("shape = 8x8", "shape is given twice, first in line 6");
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
                   "which only = and != can compare");
}
END_TEST

/* --- rules --- */

START_TEST(rule_that_cannot_be_read_is_refused)
{
    static const struct {
        const char *rule;
        const char *part;
    } cases[] = {
        {"maybe", "unknown verdict"},
        {"Pass", "unknown verdict"},
        {"pass or", "unknown verdict"},
        {"pass, stale", "unknown verdict"},
        {"otherwise", "unknown verdict"},
        {"pass when", "unknown verdict"},
        {"pass if groups = 1", "unknown verdict"},
        {"pass starved otherwise", "unknown verdict"},
        {"pass when groups", "cannot parse the condition"},
        {"pass when groups <= 4 and", "and"},
        {"pass when groups ! 4", "cannot parse the condition"},
        {"pass when groups <", "the end"},
        {"pass when <= 4", "the end"},
        {"pass when groups <= nonsense", "nonsense"},
        {"pass when nonsense <= 4", "nonsense"},
        {"pass when groups <> 4", "> 4"},
        {"pass when groups <= 4 or groups = 7", "or"},
        {"pass when groups <= 4 otherwise", "otherwise"},
        {"pass when access < plain", "which only = and != can compare"},
        {"pass when access", "cannot parse the condition"},
        {"pass when groups = 1/0", "an undefined division"},
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
        assert_bytes_refused(text, sizeof text - 1, SWEEP_LINE, "not text");
    }
}
END_TEST

START_TEST(zero_byte_at_the_end_is_refused)
{
    const char text[] = HEAD "[sweep]\ngroups = 1\n" TAIL;
    assert_bytes_refused(text, sizeof text, 9, "not text");
}
END_TEST

START_TEST(byte_order_mark_is_refused)
{
    assert_refused("\xef\xbb\xbf" HEAD "[sweep]\ngroups = 1\n" TAIL, 1, "byte order mark");
}
END_TEST

START_TEST(comment_behind_a_value_is_refused)
{
    assert_sweep_refused("rounds = 3 ; turns", "directly after the previous word");
    assert_rule_refused("pass when groups <= 4 ; starved otherwise", "directly after the previous word");
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

HARNESS_MAIN("scenario refusals: rules", rule_that_cannot_be_read_is_refused, fault_in_any_clause_of_a_rule_is_found,
             line_of_199_bytes_is_refused, line_of_1_mb_is_refused, file_of_more_than_1_mib_is_refused,
             control_and_zero_bytes_are_refused, zero_byte_at_the_end_is_refused, byte_order_mark_is_refused,
             comment_behind_a_value_is_refused, line_that_is_nothing_is_refused,
             beginning_of_a_scenario_is_read_or_refused_with_its_place,
             scenario_with_changed_bytes_is_read_or_refused_with_its_place,
             scenario_without_or_with_doubled_pieces_is_read_or_refused_with_its_place,
             kernel_with_a_range_needs_a_shape, groups_and_local_size_of_a_kernel_with_a_range_are_refused,
             shape_and_edge_of_a_kernel_without_a_range_are_refused, shape_that_is_none_is_refused_with_what_is_allowed,
             edge_that_is_none_is_refused_with_those_that_are, shape_that_comes_again_is_refused_with_its_first_line,
             unknown_axis_of_a_kernel_with_a_range_is_refused_with_those_that_it_has,
             kernel_whose_range_is_too_large_is_refused, rule_of_a_kernel_with_a_range_cannot_use_groups)

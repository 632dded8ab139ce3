/* What a scenario file is read as. What is refused is in test_scenario_refusals.c. */
#include "scenario_fixture.h"

/* --- texts --- */

START_TEST(texts_are_read)
{
    assert_text(HEAD("toy") "[sweep]\ngroups = 1\n" TAIL);
    ck_assert_str_eq(scenario.kernel, "toy");
    ck_assert_str_eq(scenario.purpose, "a question");
    ck_assert_str_eq(scenario.teaches, "an answer");
    ck_assert_str_eq(scenario.verdict, "pass");
}
END_TEST

START_TEST(scenario_is_named_like_its_file)
{
    assert_text(HEAD("toy") "[sweep]\ngroups = 1\n" TAIL);
    ck_assert_str_eq(scenario.name, "t");
    ck_assert_str_eq(scenario.file, "some/where/t.ini");
    ck_assert_str_eq(scenario.folder, "");
}
END_TEST

START_TEST(entry_of_its_kernel_is_read)
{
    assert_sweep("groups = 1\n");
    ck_assert_str_eq(scenario.entry.name, "toy");
    ck_assert_uint_eq(scenario.entry.option_count, 2);
}
END_TEST

START_TEST(kernel_that_only_waits_needs_no_checks)
{
    assert_text(HEAD("waits") "[sweep]\ngroups = 1\n" TAIL);
    ck_assert_str_eq(scenario.entry.checks, "");
    ck_assert_uint_eq(scenario.entry.result_count, 0);
}
END_TEST

START_TEST(texts_go_on_in_indented_lines)
{
    assert_text("[scenario]\nkernel = toy\npurpose = one\n    two\n\tthree\nteaches = four\n"
                "[sweep]\ngroups = 1\n[expect]\nverdict = pass when groups <= 4;\n    starved otherwise\n");
    ck_assert_str_eq(scenario.purpose, "one two three");
    ck_assert_str_eq(scenario.teaches, "four");
    ck_assert_str_eq(scenario.verdict, "pass when groups <= 4; starved otherwise");
}
END_TEST

START_TEST(sections_and_keys_come_in_any_order)
{
    assert_text(TAIL "[sweep]\nrounds = 5\ngroups = 1\n[scenario]\nteaches = a\npurpose = b\nkernel = toy\n");
    ck_assert_str_eq(scenario.kernel, "toy");
    ASSERT_ITEMS("rounds", "5");
}
END_TEST

START_TEST(only_a_scenario_that_says_so_is_live_only)
{
    assert_sweep("groups = 1\n");
    ck_assert(!scenario.live_only);
    assert_text("[scenario]\nkernel = toy\npurpose = a\nteaches = b\nlive = only\n[sweep]\ngroups = 1\n" TAIL);
    ck_assert(scenario.live_only);
}
END_TEST

START_TEST(lines_may_end_as_on_windows)
{
    assert_text("[scenario]\r\nkernel = toy\r\npurpose = a\r\nteaches = b\r\n[sweep]\r\ngroups = 1,\r\n    2\r\n"
                "[expect]\r\nverdict = pass\r\n");
    ck_assert_str_eq(scenario.kernel, "toy");
    ASSERT_ITEMS("groups", "1", "2");
}
END_TEST

/* --- axes --- */

START_TEST(axes_that_are_not_given_have_their_defaults)
{
    static const char *const defaults[][2] = {
        {"local-size", "64"}, {"dialect", "best"}, {"poll", "load"},  {"rounds", "3"},
        {"iterations", "3"},  {"seed", "1"},       {"jitter", "0"},   {"uneven", "0"},
        {"burners", "0"},     {"access", "plain"}, {"fault", "none"}, {"items", "2*groups"},
    };
    assert_sweep("groups = 1\n");
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; ++i) {
        ASSERT_ITEMS(defaults[i][0], defaults[i][1]);
        ck_assert_uint_eq(scenario_axis(&scenario, defaults[i][0])->line, 0);
    }
}
END_TEST

START_TEST(each_axis_has_a_value_and_a_name_of_its_own)
{
    assert_sweep("rounds = 2\ngroups = 1\nfault = lost\n");
    for (size_t i = 0; i < scenario.axis_count; ++i) {
        ck_assert_uint_ge(scenario.axes[i].count, 1);
        ck_assert_ptr_eq(scenario_axis(&scenario, scenario.axes[i].name), &scenario.axes[i]);
    }
}
END_TEST

START_TEST(each_option_and_parameter_has_its_default)
{
    assert_text(HEAD("two") "[sweep]\ngroups = 1\n" TAIL);
    ASSERT_ITEMS("one", "a");
    ASSERT_ITEMS("other", "c");
    ASSERT_ITEMS("first", "5");
    ASSERT_ITEMS("second", "6x compute-units");
}
END_TEST

START_TEST(axis_that_is_given_has_its_values_and_line)
{
    assert_sweep("groups = 1\nrounds = 7\naccess = atomic\n");
    ASSERT_ITEMS("rounds", "7");
    ASSERT_ITEMS("access", "atomic");
    ck_assert_uint_eq(scenario_axis(&scenario, "groups")->line, 6);
    ck_assert_uint_eq(scenario_axis(&scenario, "rounds")->line, 7);
    ck_assert_uint_eq(scenario_axis(&scenario, "access")->line, 8);
}
END_TEST

START_TEST(axis_knows_what_it_is_an_axis_of)
{
    assert_sweep("groups = 1\n");
    const struct axis_text *groups = scenario_axis(&scenario, "groups");
    const struct axis_text *fault = scenario_axis(&scenario, "fault");
    const struct axis_text *items = scenario_axis(&scenario, "items");
    ck_assert_int_eq(groups->kind, AXIS_GROUPS);
    ck_assert(groups->option < 0 && groups->parameter < 0);
    ck_assert_int_eq(scenario_axis(&scenario, "dialect")->kind, AXIS_DIALECT);
    ck_assert_int_eq(scenario_axis(&scenario, "poll")->kind, AXIS_WORD);
    ck_assert_int_eq(scenario_axis(&scenario, "rounds")->kind, AXIS_NUMBER);
    ck_assert_int_eq(fault->kind, AXIS_WORD);
    ck_assert(fault->option == 1 && fault->parameter < 0);
    ck_assert_int_eq(items->kind, AXIS_NUMBER);
    ck_assert(items->option < 0 && items->parameter == 0);
    ck_assert(items->least == 2 && items->most == 1000);
}
END_TEST

START_TEST(axis_that_does_not_exist_is_not_found)
{
    assert_sweep("groups = 1\n");
    ck_assert_ptr_null(scenario_axis(&scenario, "color"));
    ck_assert_ptr_null(scenario_axis(&scenario, ""));
}
END_TEST

START_TEST(values_are_separated_by_commas)
{
    assert_sweep("groups = 1,2 ,\t3 , 1x resident + 1\n");
    ASSERT_ITEMS("groups", "1", "2", "3", "1x resident + 1");
}
END_TEST

START_TEST(commas_within_brackets_belong_to_the_value)
{
    assert_sweep("groups = min(4,resident), max(1, ceil(resident,2)), 7\n");
    ASSERT_ITEMS("groups", "min(4,resident)", "max(1, ceil(resident,2))", "7");
}
END_TEST

START_TEST(list_goes_on_over_lines)
{
    assert_sweep("groups = 1, 2,\n    3,\n\t4, 5\nrounds = 1\n    2\n");
    ASSERT_ITEMS("groups", "1", "2", "3", "4", "5");
    ASSERT_ITEMS("rounds", "1", "2");
    ck_assert_uint_eq(scenario_axis(&scenario, "groups")->line, 6);
    ck_assert_uint_eq(scenario_axis(&scenario, "rounds")->line, 9);
}
END_TEST

START_TEST(list_may_have_comments_between_its_lines)
{
    assert_sweep("groups = 1,\n# more than fit\n    2,\n\n    3\n");
    ASSERT_ITEMS("groups", "1", "2", "3");
}
END_TEST

START_TEST(list_has_up_to_40_values_of_up_to_47_characters)
{
    char lines[8192] = "groups = 1";
    char last[48];
    for (int i = 2; i < 40; ++i)
        sprintf(lines + strlen(lines), ",\n    %d", i);
    snprintf(last, sizeof last, "%047d", 40);
    sprintf(lines + strlen(lines), ",\n    %s\n", last);
    assert_sweep(lines);
    const struct axis_text *groups = scenario_axis(&scenario, "groups");
    ck_assert_uint_eq(groups->count, 40);
    ck_assert_str_eq(groups->items[38], "39");
    ck_assert_str_eq(groups->items[39], last);
}
END_TEST

START_TEST(numbers_at_their_limits_are_allowed)
{
    assert_sweep("groups = 1, 1048576\nlocal-size = 1, 65536\nrounds = 0, 1000000\niterations = 1, 1000000\n"
                 "seed = 0, 4294967295\njitter = 0, 16777216\nuneven = 0, 16777216\nburners = 0, 64\n"
                 "items = 2, 1000\n");
    ASSERT_ITEMS("seed", "0", "4294967295");
}
END_TEST

START_TEST(values_that_need_a_device_are_allowed)
{
    assert_sweep("groups = resident - 100, 1.5x compute-units, 64 / (resident - 1)\nrounds = 2x groups, resident\n"
                 "items = groups - 1\nlocal-size = 32x compute-units\nseed = groups\n");
    ASSERT_ITEMS("local-size", "32x compute-units");
}
END_TEST

START_TEST(words_of_each_list_are_allowed)
{
    assert_sweep("groups = 1\naccess = plain, volatile, atomic\nfault = lost\npoll = load, rmw, volatile\n"
                 "dialect = best, cl30, cl12, ptx\n");
    ASSERT_ITEMS("poll", "load", "rmw", "volatile");
    assert_sweep("groups = 1\ndialect = all\n");
    ASSERT_ITEMS("dialect", "all");
}
END_TEST

START_TEST(rule_may_use_all_axes_and_what_the_device_has)
{
    static const char *const rules[] = {
        "pass",
        "pass or stale",
        "pass when groups <= resident; starved otherwise",
        "pass when groups <= 2x compute-units and rounds > 3 and items = 8",
        "pass when local-size >= 64 and iterations < 4 and seed != 1 and jitter = 0 and uneven = 0 and burners = 0",
        "stale when dialect = cl12 and access != plain and poll = load and fault = lost; pass otherwise",
        "pass when progress >= lobe",
        "pass when groups <= 64 / (resident - 1)",
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i) {
        char text[1024];
        snprintf(text, sizeof text, HEAD("toy") "[sweep]\ngroups = 1\n[expect]\nverdict = %s\n", rules[i]);
        assert_text(text);
        ck_assert_str_eq(scenario.verdict, rules[i]);
    }
}
END_TEST

/* --- kernels that are launched over a range --- */

static void assert_grid(const char *sweep, const char *verdict)
{
    char text[4096];
    snprintf(text, sizeof text, HEAD("grid") "[sweep]\n%s[expect]\nverdict = %s\n", sweep, verdict);
    assert_text(text);
}

START_TEST(kernel_with_a_range_has_shapes_and_edges_instead_of_groups)
{
    assert_grid("shape = 64, 16x16\n", "pass");
    ck_assert(entry_has_range(&scenario.entry));
    ASSERT_ITEMS("shape", "64", "16x16");
    ASSERT_ITEMS("edge", "padded");
    ASSERT_ITEMS("width", "20");
    ASSERT_ITEMS("rounds", "3");
    ck_assert_uint_eq(scenario_axis(&scenario, "shape")->line, 6);
    ck_assert_uint_eq(scenario_axis(&scenario, "edge")->line, 0);
    ck_assert_ptr_null(scenario_axis(&scenario, "groups"));
    ck_assert_ptr_null(scenario_axis(&scenario, "local-size"));
}
END_TEST

START_TEST(kernel_without_a_range_has_neither_shapes_nor_edges)
{
    assert_sweep("groups = 1\n");
    ck_assert(!entry_has_range(&scenario.entry));
    ck_assert_ptr_null(scenario_axis(&scenario, "shape"));
    ck_assert_ptr_null(scenario_axis(&scenario, "edge"));
}
END_TEST

START_TEST(shapes_and_edges_are_words)
{
    assert_grid("shape = 64\nedge = ragged\n", "pass");
    ck_assert_int_eq(scenario_axis(&scenario, "shape")->kind, AXIS_SHAPE);
    ck_assert_int_eq(scenario_axis(&scenario, "edge")->kind, AXIS_WORD);
    ck_assert(axis_is_word(scenario_axis(&scenario, "shape")));
    ck_assert(axis_is_word(scenario_axis(&scenario, "edge")));
    ck_assert(axis_is_word(scenario_axis(&scenario, "dialect")));
    ck_assert(axis_is_word(scenario_axis(&scenario, "mapping")));
    ck_assert(!axis_is_word(scenario_axis(&scenario, "width")));
    ck_assert(!axis_is_word(scenario_axis(&scenario, "rounds")));
}
END_TEST

START_TEST(all_shapes_and_edges_are_allowed)
{
    assert_grid("shape = 1, 65536, 33, 16x16, 256x256, 8x8x4,\n    1x1x64, driver-1d, driver-2d, driver-3d\n"
                "edge = padded, ragged\n",
                "pass");
    ASSERT_ITEMS("shape", "1", "65536", "33", "16x16", "256x256", "8x8x4", "1x1x64", "driver-1d", "driver-2d",
                 "driver-3d");
    ASSERT_ITEMS("edge", "padded", "ragged");
}
END_TEST

START_TEST(rule_of_a_kernel_with_a_range_may_use_its_shape_and_local_size)
{
    static const char *const rules[] = {
        "pass when local-size <= 1024",
        "pass when local-size <= 32x compute-units and width > 4; wrong otherwise",
        "wrong when shape = 16x16; pass otherwise",
        "pass when shape != driver-2d and edge = padded and mapping = row",
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i) {
        assert_grid("shape = 64, 16x16\n", rules[i]);
        ck_assert_str_eq(scenario.verdict, rules[i]);
    }
}
END_TEST

HARNESS_MAIN("scenario", texts_are_read, scenario_is_named_like_its_file, kernel_that_only_waits_needs_no_checks,
             entry_of_its_kernel_is_read, texts_go_on_in_indented_lines, sections_and_keys_come_in_any_order,
             only_a_scenario_that_says_so_is_live_only, lines_may_end_as_on_windows,
             axes_that_are_not_given_have_their_defaults, each_axis_has_a_value_and_a_name_of_its_own,
             axis_that_is_given_has_its_values_and_line, axis_knows_what_it_is_an_axis_of,
             axis_that_does_not_exist_is_not_found, values_are_separated_by_commas,
             commas_within_brackets_belong_to_the_value, list_goes_on_over_lines,
             list_may_have_comments_between_its_lines, list_has_up_to_40_values_of_up_to_47_characters,
             numbers_at_their_limits_are_allowed, values_that_need_a_device_are_allowed, words_of_each_list_are_allowed,
             rule_may_use_all_axes_and_what_the_device_has, each_option_and_parameter_has_its_default,
             kernel_with_a_range_has_shapes_and_edges_instead_of_groups,
             kernel_without_a_range_has_neither_shapes_nor_edges, shapes_and_edges_are_words,
             all_shapes_and_edges_are_allowed, rule_of_a_kernel_with_a_range_may_use_its_shape_and_local_size)

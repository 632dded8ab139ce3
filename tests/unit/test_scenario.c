/* What a scenario file is read as. What is refused is in test_scenario_refusals.c. */
#include "scenario/scenario.h"

#include "harness.h"
#include "toy_kernels.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* These stand in for the scenarios that the binary carries. */
#define HEAD(kernel) "[scenario]\nkernel = " kernel "\npurpose = a question\nteaches = an answer\n"
#define TAIL "[expect]\nverdict = pass\n"
const struct scenario_file scenario_files[] = {
    {"bare_one.ini", HEAD("bare") "[sweep]\ngroups = 7\n" TAIL},
    {"toy_all.ini", HEAD("toy") "[sweep]\ngroups = 1, 2\n" TAIL},
    {"torn.ini", HEAD("toy") "[sweep]\n" TAIL},
    {NULL, NULL},
};

static struct scenario scenario;

static void assert_text(const char *text)
{
    struct error error = {0};
    ck_assert_msg(scenario_parse(text, strlen(text), "some/where/t.ini", "", &scenario, &error) == 0, "%s", error.text);
}

/* The scenario with these lines in its [sweep]; groups must be among them. */
static void assert_sweep(const char *lines)
{
    char text[16384];
    snprintf(text, sizeof text, HEAD("toy") "[sweep]\n%s" TAIL, lines);
    assert_text(text);
}

static void assert_items(const char *name, size_t count, const char *const *items)
{
    const struct axis_text *axis = scenario_axis(&scenario, name);
    ck_assert_msg(axis != NULL, "no axis %s", name);
    ck_assert_uint_eq(axis->count, count);
    for (size_t i = 0; i < count; ++i)
        ck_assert_str_eq(axis->items[i], items[i]);
}

#define ASSERT_ITEMS(name, ...)                                                                                        \
    do {                                                                                                               \
        const char *const wanted[] = {__VA_ARGS__};                                                                    \
        assert_items(name, sizeof wanted / sizeof *wanted, wanted);                                                    \
    } while (0)

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

/* --- where scenarios come from --- */

START_TEST(scenario_that_the_binary_carries_is_found_by_name)
{
    struct error error;
    ck_assert_int_eq(scenario_find("bare_one", "", &scenario, &error), 0);
    ck_assert_str_eq(scenario.name, "bare_one");
    ck_assert_str_eq(scenario.file, "scenarios/bare_one.ini");
    ck_assert_str_eq(scenario.folder, "");
    ck_assert_str_eq(scenario.kernel, "bare");
    ASSERT_ITEMS("groups", "7");
}
END_TEST

START_TEST(scenario_that_the_binary_does_not_carry_is_not_found)
{
    static const char *const names[] = {"bare",     "bare_one.ini", "bare_on", "are_one", "",
                                        "BARE_ONE", "../bare_one",  "torn.",   "*"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        struct error error;
        ck_assert_int_eq(scenario_find(names[i], "", &scenario, &error), -1);
        ck_assert_int_eq(error.status, STATUS_USAGE);
        ck_assert_ptr_nonnull(strstr(error.text, "gridlock list"));
    }
}
END_TEST

START_TEST(carried_scenario_with_a_fault_says_where_it_is)
{
    struct error error;
    ck_assert_int_eq(scenario_find("torn", "", &scenario, &error), -1);
    ck_assert_msg(strncmp(error.text, "scenarios/torn.ini:1: ", 22) == 0, "%s", error.text);
}
END_TEST

/* --- files --- */

static char folder[64];

static void make_folder(void)
{
    strcpy(folder, "/tmp/gridlock-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void write_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

static int load(const char *name, struct error *error)
{
    char path[128];
    *error = (struct error){0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return scenario_load(path, NULL, &scenario, error);
}

static void remove_folder(const char *const *names)
{
    char path[128];
    for (; *names != NULL; ++names) {
        snprintf(path, sizeof path, "%s/%s", folder, *names);
        ck_assert_int_eq(remove(path), 0);
    }
    ck_assert_int_eq(rmdir(folder), 0);
}

START_TEST(kernel_beside_the_file_comes_before_one_that_the_binary_carries)
{
    struct error error;
    make_folder();
    write_file("mine.ini", HEAD("toy") "[sweep]\ngroups = 1\nmine = b\n" TAIL);
    write_file("toy.cl", TOY_HEAD("toy") " * option:  mine = a | b\n * checks:  1\n */\n");
    const int outcome = load("mine.ini", &error);
    remove_folder((const char *const[]){"mine.ini", "toy.cl", NULL});
    ck_assert_msg(outcome == 0, "%s", error.text);
    ck_assert_str_eq(scenario.name, "mine");
    ASSERT_ITEMS("mine", "b");
    ck_assert_int_eq(strncmp(scenario.folder, folder, strlen(folder)), 0);
}
END_TEST

START_TEST(file_may_use_a_kernel_that_the_binary_carries)
{
    struct error error;
    make_folder();
    write_file("mine.ini", HEAD("toy") "[sweep]\ngroups = 1\nfault = lost\n" TAIL);
    const int outcome = load("mine.ini", &error);
    remove_folder((const char *const[]){"mine.ini", NULL});
    ck_assert_msg(outcome == 0, "%s", error.text);
    ASSERT_ITEMS("fault", "lost");
}
END_TEST

START_TEST(fault_in_a_kernel_beside_the_file_is_named_with_both_places)
{
    struct error error;
    char place[128];
    make_folder();
    write_file("mine.ini", HEAD("toy") "[sweep]\ngroups = 1\n" TAIL);
    write_file("toy.cl", TOY_HEAD("toy") " * color:   red\n */\n");
    ck_assert_int_eq(load("mine.ini", &error), -1);
    remove_folder((const char *const[]){"mine.ini", "toy.cl", NULL});
    ck_assert_int_eq(error.status, STATUS_USAGE);
    snprintf(place, sizeof place, "%s/mine.ini:2: toy.cl:7: ", folder);
    ck_assert_msg(strncmp(error.text, place, strlen(place)) == 0, "%s", error.text);
}
END_TEST

START_TEST(file_that_cannot_be_read_is_refused)
{
    struct error error;
    char path[600];
    make_folder();
    ck_assert_int_eq(load("nothing.ini", &error), -1);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_ptr_nonnull(strstr(error.text, "nothing.ini"));
    ck_assert_int_eq(load(".", &error), -1); /* a folder */
    ck_assert_int_eq(error.status, STATUS_USAGE);
    remove_folder((const char *const[]){NULL});
    memset(path, 'x', sizeof path);
    path[sizeof path - 1] = '\0';
    ck_assert_int_eq(scenario_load(path, NULL, &scenario, &error), -1);
    ck_assert_int_eq(error.status, STATUS_USAGE);
}
END_TEST

START_TEST(file_of_more_than_1_mib_is_refused)
{
    struct error error;
    static char text[(1 << 20) + 2];
    for (size_t i = 0; i + 1 < sizeof text; ++i)
        text[i] = i % 100 == 99 ? '\n' : '#';
    make_folder();
    write_file("large.ini", text);
    ck_assert_int_eq(load("large.ini", &error), -1);
    remove_folder((const char *const[]){"large.ini", NULL});
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_ptr_nonnull(strstr(error.text, "large.ini:1: "));
    ck_assert_ptr_nonnull(strstr(error.text, "1 MiB"));
}
END_TEST

START_TEST(path_that_is_too_long_is_refused)
{
    struct error error;
    char path[600] = "/tmp";
    while (strlen(path) < 400)
        strcat(path, "/.");
    strcat(path, "/gridlock-test.ini");
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fclose(file);
    ck_assert_int_eq(scenario_load(path, NULL, &scenario, &error), -1);
    remove(path);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_ptr_nonnull(strstr(error.text, "too long"));
}
END_TEST

/* --- the reference page --- */

/* Each run of blanks and line ends becomes one blank. */
static void unwrap(char *text)
{
    char *to = text;
    for (const char *at = text; *at != '\0'; ++at)
        if (strchr(" \n", *at) == NULL || (to > text && to[-1] != ' '))
            *to++ = strchr(" \n", *at) != NULL ? ' ' : *at;
    *to = '\0';
}

START_TEST(reference_has_each_key_and_its_limits)
{
    static const char *const parts[] = {
        "[scenario] kernel ",
        " purpose ",
        " teaches ",
        " live ",
        " [sweep] groups ",
        "1 to 1048576",
        " local-size ",
        " shape ",
        "one of W WxH WxHxD driver-1d driver-2d driver-3d; required",
        " edge ",
        "one of padded ragged; default padded",
        " dialect ",
        " poll ",
        " rounds ",
        " iterations ",
        "1 to 65536; default 64",
        " seed ",
        " jitter ",
        " uneven ",
        " burners ",
        " [expect] verdict ",
        "default best",
    };
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(out);
    scenario_print_reference(out);
    ck_assert_int_eq(fclose(out), 0);
    unwrap(text);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
        ck_assert_msg(strstr(text, parts[i]) != NULL, "'%s' is missing", parts[i]);
    free(text);
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
             rule_may_use_all_axes_and_what_the_device_has, scenario_that_the_binary_carries_is_found_by_name,
             scenario_that_the_binary_does_not_carry_is_not_found, carried_scenario_with_a_fault_says_where_it_is,
             kernel_beside_the_file_comes_before_one_that_the_binary_carries,
             file_may_use_a_kernel_that_the_binary_carries, fault_in_a_kernel_beside_the_file_is_named_with_both_places,
             file_that_cannot_be_read_is_refused, file_of_more_than_1_mib_is_refused, path_that_is_too_long_is_refused,
             reference_has_each_key_and_its_limits, each_option_and_parameter_has_its_default,
             kernel_with_a_range_has_shapes_and_edges_instead_of_groups,
             kernel_without_a_range_has_neither_shapes_nor_edges, shapes_and_edges_are_words,
             all_shapes_and_edges_are_allowed, rule_of_a_kernel_with_a_range_may_use_its_shape_and_local_size)

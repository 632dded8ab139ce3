/* What each format writes of a small run, with names that no format may stumble over. */
#include "formats_fixture.h"

/* Of scenarios. */
static struct store *create_run(void)
{
    struct store_run own = run;
    struct store *store = NULL;

    snprintf(own.command, sizeof own.command, "run");
    own.command_line = "run toy";
    ck_assert_msg(store_create(path, &own, &store, &error) == 0, "%s", error.text);
    return store;
}

/* One device with a pass, an expected stall, a surprise and a trial that never ended. */
static void write_device(struct store *store, const char *name)
{
    struct store_device device = {.probe = {.dialect = DIALECT_CL30}};
    const struct store_prediction predictions[] = {
        {.position = 0, .resident = 2, .expected.verdicts = UINT32_C(1) << VERDICT_PASS},
        {.position = 1, .resident = 2, .expected.verdicts = UINT32_C(1) << VERDICT_STARVED},
        {.position = 2, .resident = 2, .expected.verdicts = UINT32_C(1) << VERDICT_PASS},
        {.position = 3, .expected.verdicts = UINT32_C(1) << VERDICT_PASS},
    };
    const struct store_launch *const launches[] = {&passed, &starved, &crashed};

    snprintf(device.info.name, sizeof device.info.name, "%s", name);
    ck_assert_int_eq(store_add_device(store, &device, &error), 0);
    for (uint32_t i = 0; i < 4; ++i) {
        int64_t row;
        struct trial trial = {.kind = TRIAL_WORK,
                              .dialect = DIALECT_CL30,
                              .groups = i + 2,
                              .repeats = 1,
                              .footprint = {.local_size = 64},
                              .work = {.scenario = "toy", .kernel = "toy", .launches = 1}};
        ck_assert_int_eq(store_begin_trial(store, device.id, 0, &trial, &predictions[i], &row, &error), 0);
        const struct store_end end = {
            .launches = launches[i < 3 ? i : 0], .count = 1, .duration_ns = 1500000000, .note = i == 2 ? name : ""};
        if (i < 3)
            ck_assert_int_eq(store_end_trial(store, row, &end, &error), 0);
    }
}

/* What the format writes of one device of this name; to be freed. */
static char *format_of(const char *format, const char *name)
{
    struct store *store = create_run();
    struct report report;
    write_device(store, name);
    read_report(store, &report);
    char *text = written(&report, format);
    report_fini(&report);
    store_close(store);
    unlink(path);
    return text;
}

static void check(const char *format, const char *name, const char *part)
{
    char *text = format_of(format, name);
    ck_assert_msg(strstr(text, part) != NULL, "%s: no '%s' in\n%s", format, part, text);
    free(text);
}

START_TEST(no_name_leaves_control_characters_or_bad_utf8)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
        for (int j = 0; j < NAMES; ++j) {
            char *text = format_of(formats[i], names[j]);
            check_clean(text, formats[i], j);
            free(text);
        }
}
END_TEST

START_TEST(junit_has_suites_cases_and_outcomes)
{
    check("junit", "a <b> & \"c\" %s%n",
          "<testsuite name=\"a &lt;b&gt; &amp; &quot;c&quot; %s%n\" tests=\"4\" "
          "failures=\"0\" errors=\"1\" skipped=\"1\" time=\"4.500000\"");
    check("junit", "x", "<testcase classname=\"toy\" name=\"cl30/l64/g3\" time=\"1.500000\"/>");
    check("junit", "x",
          "<error type=\"crash\" message=\"crash, expected pass: what its groups did could not be read; x\">");
    check("junit", "x", "<skipped type=\"incomplete\"");
    check("junit", "esc\x1b[", "name=\"esc?[\"");
}
END_TEST

START_TEST(baseline_has_what_surprised)
{
    check("baseline", "x", "# x (, driver )\ntoy/cl30/l64/g4 crash\n");
}
END_TEST

START_TEST(tap_has_a_plan_and_plain_ok_for_expected_stalls)
{
    check("tap", "a # b", "TAP version 13\n1..4\n# a \\# b (");
    check("tap", "x", "\nok 2 - toy/cl30/l64/g3\nnot ok 3 - toy/cl30/l64/g4\n  ---\n  verdict: crash\n");
    check("tap", "x", "\n  duration_s: 1.500000\n  ...\nok 4 - toy/cl30/l64/g5 # SKIP incomplete\n");
    check("tap", "q\"\n", "read; q\\\"?\"\n");
}
END_TEST

START_TEST(csv_has_a_header_and_no_formulas)
{
    check("csv", "x", "device,platform,driver_version,scenario,point,groups,");
    check("csv", "x", "\r\nx,,,toy,cl30/l64/g2,2,64,2,pass,,,,pass,,false,,1,1,1,1,,1500000000,\r\n");
    check("csv", "=cmd", "\r\n'=cmd,,,toy,");
    check("csv", "a,\"b\"", "\r\n\"a,\"\"b\"\"\",,,toy,");
}
END_TEST

START_TEST(markdown_has_tables)
{
    check("markdown", "a|b<c>", "## a\\|b&lt;c\\>\n");
    check("markdown", "x", "| toy | 2 | 3 starved | 4 | 1 | 1 |\n");
    check("markdown", "x|y",
          "| toy/cl30/l64/g4 | **crash** | crash, expected pass: what its groups did could not be read; "
          "x\\|y |\n");
}
END_TEST

START_TEST(lava_has_safe_ids)
{
    check("lava", "a > b", "<LAVA_SIGNAL_TESTSET START a___b>\n");
    check("lava", "x", "<LAVA_SIGNAL_TESTCASE TEST_CASE_ID=toy.cl30_l64_g3 RESULT=pass>\n");
    check("lava", "x", "<LAVA_SIGNAL_TESTCASE TEST_CASE_ID=toy.cl30_l64_g4 RESULT=fail>\n");
    check("lava", "x", "<LAVA_SIGNAL_TESTCASE TEST_CASE_ID=toy.cl30_l64_g5 RESULT=unknown>\n");
}
END_TEST

START_TEST(prometheus_has_types_and_escaped_labels)
{
    check("prometheus", "a\"b\\",
          "gridlock_safe_groups{device=\"a\\\"b\\\\\",platform=\"\",driver=\"\",ordinal=\"0\","
          "scenario=\"toy\"} 2\n");
    check("prometheus", "x", "# TYPE gridlock_points_total counter\n");
    check("prometheus", "x", "scenario=\"toy\",verdict=\"crash\",outcome=\"surprise\"} 1\n");
    check("prometheus", "x", "} 1700000000.123\n");
}
END_TEST

START_TEST(jsonl_has_a_line_for_each)
{
    check("jsonl", "a\"\x1b",
          "{\"schema_version\": \"1\", \"type\": \"device\", \"device\": 0, \"platform\": null, "
          "\"name\": \"a\\\"\\u001b\", ");
    check("jsonl", "x",
          "\n{\"schema_version\": \"1\", \"type\": \"point\", \"device\": 0, \"scenario\": \"toy\", "
          "\"id\": \"toy/cl30/l64/g5\", ");
    check("jsonl", "x", "\"verdict\": \"incomplete\", \"surprise\": false, \"shortfall\": [], \"known\": null, ");
}
END_TEST

START_TEST(text_and_json_show_what_is_incomplete)
{
    check("text", "x", "\nincomplete points, which began but did not end: 1\n");
    check("text", "x", "  toy/cl30/l64/g5: incomplete (pass)");
    check("json", "x", "\"incomplete\": 1");
}
END_TEST

START_TEST(formats_of_an_empty_run_are_whole)
{
    struct store *store = create_run();
    struct report report;
    read_report(store, &report);
    char *text = written(&report, "tap");
    ck_assert_str_eq(text, "TAP version 13\n1..0 # SKIP nothing was run\n");
    free(text);
    text = written(&report, "json");
    ck_assert_str_eq(text, "{\n  \"schema_version\": \"1\",\n  \"devices\": [],\n  \"complete\": true\n}\n");
    free(text);
    ck_assert_int_eq(report_status(&report, &(verdict_set){0}), STATUS_UNSUPPORTED);
    report_fini(&report);
    store_close(store);
}
END_TEST

START_TEST(unknown_format_is_none)
{
    char all[160];
    ck_assert_int_eq(naming_find(&report_formats, "pdf"), -1);
    ck_assert_int_eq(naming_find(&report_formats, ""), -1);
    naming_print(&report_formats, all, sizeof all);
    ck_assert_str_eq(all, "text, json, jsonl, junit, tap, csv, markdown, lava, prometheus, baseline or html");
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, no_name_leaves_control_characters_or_bad_utf8);
    tcase_add_test(tests, junit_has_suites_cases_and_outcomes);
    tcase_add_test(tests, baseline_has_what_surprised);
    tcase_add_test(tests, tap_has_a_plan_and_plain_ok_for_expected_stalls);
    tcase_add_test(tests, csv_has_a_header_and_no_formulas);
    tcase_add_test(tests, markdown_has_tables);
    tcase_add_test(tests, lava_has_safe_ids);
    tcase_add_test(tests, prometheus_has_types_and_escaped_labels);
    tcase_add_test(tests, jsonl_has_a_line_for_each);
    tcase_add_test(tests, text_and_json_show_what_is_incomplete);
    tcase_add_test(tests, formats_of_an_empty_run_are_whole);
    tcase_add_test(tests, unknown_format_is_none);
}

int main(void)
{
    return fixture_run("formats", add_tests);
}

/* What the report of a run says of shapes of work-groups. */
#include "format/run.h"
#include "store_fixture.h"

#include <stdbool.h>

#define LINE "work_group_size/cl30/edge=padded"

static struct run_report report;
static int64_t device;
static struct store *store;
static struct store_prediction prediction; /* of the next trial: they are in the order in which they are written */

static void begin_report(void)
{
    store = create();
    device = add_device(store);
    report = (struct run_report){0};
    prediction = (struct store_prediction){0};
}

/* One trial with one launch over a range; its times are in nanoseconds. */
struct row {
    const char *shape;
    uint64_t device_ns; /* 0: not known */
    uint64_t host_ns;
    enum verdict verdict;
    const char *point;
    uint32_t sequence;
    uint64_t most_items, multiple_items; /* what the driver says */
    uint32_t took[3];                    /* how it divided the range; 0: as was asked */
};

static struct row row(const char *shape, uint64_t device_ns, uint64_t host_ns)
{
    return (struct row){
        .shape = shape, .device_ns = device_ns, .host_ns = host_ns, .verdict = VERDICT_PASS, .point = "edge=padded"};
}

static struct row judged(struct row row, enum verdict verdict)
{
    row.verdict = verdict;
    return row;
}

static struct row at(struct row row, const char *point)
{
    row.point = point;
    return row;
}

static struct row again(struct row row, uint32_t sequence)
{
    row.sequence = sequence;
    return row;
}

/* The driver says of the kernel that it may have so many work-items, and should have a multiple of so many. */
static struct row allowed(struct row row, uint64_t most, uint64_t multiple)
{
    row.most_items = most;
    row.multiple_items = multiple;
    return row;
}

static struct row taken_as(struct row row, uint32_t x, uint32_t y, uint32_t z)
{
    memcpy(row.took, (const uint32_t[]){x, y, z}, sizeof row.took);
    return row;
}

static struct trial trial_of(const struct row *row)
{
    struct trial trial = {.kind = TRIAL_WORK,
                          .groups = 1,
                          .rounds = 3,
                          .repeats = 1,
                          .dialect = DIALECT_CL30,
                          .work = {.scenario = "work_group_size", .kernel = "work_group_size", .launches = 1}};
    snprintf(trial.work.point, sizeof trial.work.point, "%s", row->point);
    ck_assert_msg(nd_range_parse_shape(row->shape, &trial.work.range), "%s", row->shape);
    ck_assert(nd_range_cover(&trial.work.range, (const uint64_t[]){500, 200, 20}, true));
    trial.footprint.local_size = (uint32_t)nd_range_local_size(&trial.work.range);
    return trial;
}

static void write_launches(const struct row *row, const struct store_launch *launches, uint32_t count)
{
    const struct trial trial = trial_of(row);
    const struct store_end end = {.launches = launches,
                                  .count = count,
                                  .facts = {.most_items = row->most_items, .multiple_items = row->multiple_items},
                                  .note = ""};
    int64_t id = 0;
    ck_assert_int_eq(store_begin_trial(store, device, row->sequence, &trial, &prediction, &id, &error), 0);
    prediction.position += 1;
    ck_assert_msg(store_end_trial(store, id, &end, &error) == 0, "%s", error.text);
}

static struct store_launch launch_of(const struct row *row)
{
    const struct trial trial = trial_of(row);
    struct store_launch launch = {.observation = passed.observation, .verdict = row->verdict};
    launch.observation.device_ns = row->device_ns;
    launch.observation.duration_ns = row->host_ns;
    memcpy(launch.observation.shape, row->took[0] != 0 ? row->took : trial.work.range.local, sizeof row->took);
    return launch;
}

static void write_rows(const struct row *rows, size_t count)
{
    begin_report();
    for (size_t i = 0; i < count; ++i) {
        const struct store_launch launch = launch_of(&rows[i]);
        write_launches(&rows[i], &launch, 1);
    }
    ck_assert_msg(run_report_update(&report, store, &error) == 0, "%s", error.text);
    ck_assert_uint_eq(report.count, 1);
}

#define WRITE(...)                                                                                                     \
    do {                                                                                                               \
        const struct row rows[] = {__VA_ARGS__};                                                                       \
        write_rows(rows, sizeof rows / sizeof *rows);                                                                  \
    } while (0)

static void end_report(void)
{
    run_report_fini(&report);
    store_close(store);
}

static const struct run_scenario *only_scenario(void)
{
    ck_assert_uint_eq(report.devices[0].count, 1);
    return &report.devices[0].scenarios[0];
}

/* The point is that of the shape; NULL: there is none. */
static void assert_point(const char *what, const struct run_point *point, const char *shape)
{
    char printed[SHAPE_BYTES] = "none";
    if (point != NULL)
        nd_range_print_shape(&point->form->range, printed);
    ck_assert_msg(strcmp(printed, shape != NULL ? shape : "none") == 0, "%s: %s", what, printed);
}

static const struct run_line *line_named(const char *name)
{
    const struct run_scenario *scenario = only_scenario();
    for (size_t i = 0; i < scenario->line_count; ++i)
        if (strcmp(scenario->lines[i].name, name) == 0)
            return &scenario->lines[i];
    return NULL;
}

static void assert_shapes(const char *fastest, const char *slowest, const char *chosen, const char *preferred,
                          const char *largest)
{
    struct run_shapes shapes;
    run_line_shapes(only_scenario(), line_named(LINE), &shapes);
    assert_point("fastest", shapes.fastest, fastest);
    assert_point("slowest", shapes.slowest, slowest);
    assert_point("chosen", shapes.chosen, chosen);
    assert_point("preferred", shapes.preferred, preferred);
    assert_point("largest", shapes.largest, largest);
}

/* --- which shape is which --- */

START_TEST(fastest_and_slowest_shape_are_found)
{
    WRITE(row("64", 300, 400), row("16x16", 100, 500), row("8x8x4", 700, 800), row("33", 200, 900));
    assert_shapes("16x16", "8x8x4", NULL, NULL, NULL);
    end_report();
}
END_TEST

START_TEST(of_shapes_that_take_equally_long_the_first_counts)
{
    WRITE(row("64", 300, 400), row("32", 300, 400));
    assert_shapes("64", "64", NULL, NULL, NULL);
    end_report();
}
END_TEST

START_TEST(chosen_is_the_fastest_of_those_left_to_the_driver)
{
    WRITE(row("64", 100, 100), row("driver-1d", 300, 300), row("driver-2d", 200, 200), row("driver-3d", 400, 400));
    assert_shapes("64", "driver-3d", "driver-2d", NULL, NULL);
    end_report();
}
END_TEST

START_TEST(driver_that_is_fastest_is_both)
{
    WRITE(row("64", 100, 100), row("driver-1d", 50, 50));
    assert_shapes("driver-1d", "64", "driver-1d", NULL, NULL);
    end_report();
}
END_TEST

START_TEST(preferred_is_the_fastest_multiple_of_what_the_driver_prefers)
{
    WRITE(allowed(row("33", 100, 100), 0, 32), allowed(row("48x1", 150, 150), 0, 32),
          allowed(row("64", 300, 300), 0, 32), allowed(row("8x12", 200, 200), 0, 32), allowed(row("16", 50, 50), 0, 32),
          allowed(row("driver-1d", 10, 10), 0, 1));
    assert_shapes("driver-1d", "64", "driver-1d", "8x12", NULL);
    end_report();
}
END_TEST

START_TEST(each_kernel_has_its_own_preference)
{
    WRITE(allowed(row("64", 300, 300), 0, 64), allowed(row("32", 100, 100), 0, 64),
          allowed(row("96", 200, 200), 0, 32));
    assert_shapes("32", "64", NULL, "96", NULL);
    end_report();
}
END_TEST

START_TEST(without_a_preference_of_the_driver_no_shape_is_preferred)
{
    WRITE(row("64", 300, 300), row("32", 100, 100));
    assert_shapes("32", "64", NULL, NULL, NULL);
    end_report();
}
END_TEST

START_TEST(largest_is_the_fastest_with_as_many_work_items_as_the_driver_allows)
{
    WRITE(allowed(row("1024", 300, 300), 1024, 0), allowed(row("32x32", 200, 200), 1024, 0),
          allowed(row("512", 100, 100), 1024, 0), allowed(row("driver-1d", 10, 10), 1, 0));
    assert_shapes("driver-1d", "1024", "driver-1d", NULL, "32x32");
    end_report();
}
END_TEST

START_TEST(shape_may_be_all_but_chosen)
{
    WRITE(allowed(row("64", 100, 100), 64, 32));
    assert_shapes("64", "64", NULL, "64", "64");
    end_report();
}
END_TEST

START_TEST(shapes_are_compared_within_their_line_alone)
{
    struct run_shapes shapes;
    WRITE(row("64", 300, 300), at(row("64", 10, 10), "edge=ragged"), row("32", 200, 200),
          at(row("32", 900, 900), "edge=ragged"), at(row("16", 1, 1), "edge=padded2"));
    assert_shapes("32", "64", NULL, NULL, NULL);
    run_line_shapes(only_scenario(), line_named("work_group_size/cl30/edge=ragged"), &shapes);
    assert_point("fastest", shapes.fastest, "64");
    assert_point("slowest", shapes.slowest, "32");
    ck_assert_ptr_null(line_named("work_group_size/cl30"));
    end_report();
}
END_TEST

START_TEST(shape_that_did_not_pass_is_not_compared)
{
    WRITE(row("64", 300, 300), judged(row("32", 10, 10), VERDICT_WRONG),
          judged(row("4096", 900, 900), VERDICT_UNSUPPORTED), row("16", 200, 200));
    assert_shapes("16", "64", NULL, NULL, NULL);
    end_report();
}
END_TEST

START_TEST(line_of_which_nothing_passed_has_no_shapes)
{
    WRITE(allowed(judged(row("4096", 900, 900), VERDICT_UNSUPPORTED), 4096, 32));
    assert_shapes(NULL, NULL, NULL, NULL, NULL);
    end_report();
}
END_TEST

/* --- times --- */

static const struct run_point *point_of(const char *shape)
{
    const struct run_scenario *scenario = only_scenario();
    for (size_t i = 0; i < scenario->count; ++i) {
        char printed[SHAPE_BYTES];
        nd_range_print_shape(&scenario->points[i].form->range, printed);
        if (strcmp(printed, shape) == 0)
            return &scenario->points[i];
    }
    ck_abort_msg("no point %s", shape);
}

static void assert_times(const char *shape, uint64_t fastest_ns, uint64_t fastest_host_ns)
{
    const struct run_point *point = point_of(shape);
    ck_assert_uint_eq(point->fastest_ns, fastest_ns);
    ck_assert_uint_eq(point->fastest_host_ns, fastest_host_ns);
}

START_TEST(time_is_the_devices_if_it_is_known)
{
    WRITE(row("64", 300, 400), row("32", 0, 500), row("16", 600, 600));
    assert_times("64", 300, 400);
    assert_times("32", 500, 500);
    assert_times("16", 600, 600);
    end_report();
}
END_TEST

START_TEST(device_time_that_is_longer_than_the_hosts_is_not_believed)
{
    WRITE(row("64", 401, 400), row("32", UINT64_MAX, 300), row("16", 350, 500));
    assert_times("64", 400, 400);
    assert_times("32", 300, 300);
    assert_shapes("32", "64", NULL, NULL, NULL);
    end_report();
}
END_TEST

START_TEST(time_of_a_shape_is_that_of_its_fastest_launch_that_passed)
{
    const struct row slow = row("64", 300, 350), fast = row("64", 200, 360),
                     wrong = judged(row("64", 10, 20), VERDICT_WRONG);
    const struct store_launch launches[] = {launch_of(&slow), launch_of(&fast), launch_of(&wrong)};
    begin_report();
    write_launches(&slow, launches, 3);
    ck_assert_int_eq(run_report_update(&report, store, &error), 0);
    assert_times("64", 200, 350); /* each by its own clock */
    end_report();
}
END_TEST

START_TEST(last_batch_of_a_shape_counts)
{
    WRITE(row("64", 10, 10), row("32", 100, 100), again(row("64", 300, 300), 1));
    ck_assert_uint_eq(only_scenario()->count, 2);
    assert_times("64", 300, 300);
    assert_shapes("32", "64", NULL, NULL, NULL);
    end_report();
}
END_TEST

/* --- what is made of it --- */

START_TEST(scenario_with_a_range_is_about_no_groups)
{
    struct run_safety safety;
    WRITE(row("64", 300, 300), judged(row("32", 10, 10), VERDICT_WRONG));
    ck_assert(run_scenario_has_range(only_scenario()));
    run_scenario_safety(only_scenario(), &safety);
    ck_assert_ptr_null(safety.safe);
    ck_assert_ptr_null(safety.unsafe);
    ck_assert_uint_eq(safety.points, 2);
    end_report();
}
END_TEST

START_TEST(scenario_without_a_range_has_none)
{
    struct trial trial = {.kind = TRIAL_WORK,
                          .groups = 4,
                          .footprint = {.local_size = 64},
                          .work = {.scenario = "toy", .kernel = "toy", .launches = 1}};
    const struct store_end end = {.launches = &passed, .count = 1, .note = ""};
    begin_report();
    ck_assert_int_eq(store_end_trial(store, begin(store, device, 0, &trial), &end, &error), 0);
    ck_assert_int_eq(run_report_update(&report, store, &error), 0);
    ck_assert(!run_scenario_has_range(only_scenario()));
    ck_assert(!run_scenario_has_range(&(struct run_scenario){.count = 0}));
    end_report();
}
END_TEST

START_TEST(point_of_a_range_says_how_it_was_launched)
{
    WRITE(taken_as(allowed(row("driver-2d", 300, 300), 4096, 8), 500, 2, 1));
    const struct run_point *point = point_of("driver-2d");
    char id[RUN_ID_BYTES];
    run_point_id(point, id);
    ck_assert_str_eq(id, LINE "/driver-2d");
    ck_assert_str_eq(point->line, LINE);
    ck_assert_str_eq(point->rest, "driver-2d");
    ck_assert_uint_eq(point->form->range.global[0], 500);
    ck_assert_uint_eq(point->form->range.global[1], 4000);
    ck_assert_uint_eq(point->form->took[0], 500);
    ck_assert_uint_eq(point->form->took[1], 2);
    ck_assert_uint_eq(point->form->facts.most_items, 4096);
    ck_assert_uint_eq(point->form->facts.multiple_items, 8);
    end_report();
}
END_TEST

/* What the summary prints; to be freed. */
static char *summary(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(out);
    const struct report whole = {.kind = REPORT_RUN, .run = report};
    run_text_summary(out, &colors_none, &whole, 0);
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part))
        ++count;
    return count;
}

START_TEST(summary_has_a_line_of_shapes_with_multiples_of_the_fastest_time)
{
    WRITE(allowed(row("64", 2000000, 2500000), 4096, 8), allowed(row("33", 7000000, 7000000), 4096, 8),
          taken_as(allowed(row("driver-2d", 2200000, 9000000), 4096, 8), 500, 2, 1),
          allowed(row("64x64", 5000000, 6000000), 4096, 8));
    char *text = summary();
    ck_assert_msg(strstr(text, "\n" LINE "\n"
                               "   2.0000 ms    2.5000 ms        64 1.00x        33 3.50x     500x2 1.10x        64 "
                               "1.00x     64x64 2.50x  (8, 4096)\n") != NULL,
                  "%s", text);
    ck_assert_uint_eq(count_of(text, "WORK-GROUP SHAPES"), 1);
    free(text);
    end_report();
}
END_TEST

START_TEST(summary_has_a_dash_for_a_shape_that_was_not_tried)
{
    WRITE(row("64", 2000000, 2500000));
    char *text = summary();
    ck_assert_msg(strstr(text, "64 1.00x               -               -               -  (0, 0)\n") != NULL, "%s",
                  text);
    free(text);
    end_report();
}
END_TEST

/* Numbers change faster than shapes, so the points of a line do not follow each other. */
START_TEST(summary_has_each_line_once)
{
    WRITE(at(row("64", 300, 300), "width=30"), at(row("64", 400, 400), "width=500"),
          at(row("32", 200, 200), "width=30"), at(row("32", 100, 100), "width=500"));
    char *text = summary();
    ck_assert_msg(count_of(text, "\nwork_group_size/cl30/width=30\n") == 1, "%s", text);
    ck_assert_msg(count_of(text, "\nwork_group_size/cl30/width=500\n") == 1, "%s", text);
    ck_assert_uint_eq(count_of(text, "WORK-GROUP SHAPES"), 1);
    free(text);
    end_report();
}
END_TEST

START_TEST(summary_without_ranges_has_no_shapes)
{
    begin_report();
    ck_assert_int_eq(run_report_update(&report, store, &error), 0);
    char *text = summary();
    ck_assert_uint_eq(count_of(text, "SHAPES"), 0);
    free(text);
    end_report();
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, fastest_and_slowest_shape_are_found);
    tcase_add_test(tests, of_shapes_that_take_equally_long_the_first_counts);
    tcase_add_test(tests, chosen_is_the_fastest_of_those_left_to_the_driver);
    tcase_add_test(tests, driver_that_is_fastest_is_both);
    tcase_add_test(tests, preferred_is_the_fastest_multiple_of_what_the_driver_prefers);
    tcase_add_test(tests, each_kernel_has_its_own_preference);
    tcase_add_test(tests, without_a_preference_of_the_driver_no_shape_is_preferred);
    tcase_add_test(tests, largest_is_the_fastest_with_as_many_work_items_as_the_driver_allows);
    tcase_add_test(tests, shape_may_be_all_but_chosen);
    tcase_add_test(tests, shapes_are_compared_within_their_line_alone);
    tcase_add_test(tests, shape_that_did_not_pass_is_not_compared);
    tcase_add_test(tests, line_of_which_nothing_passed_has_no_shapes);
    tcase_add_test(tests, time_is_the_devices_if_it_is_known);
    tcase_add_test(tests, device_time_that_is_longer_than_the_hosts_is_not_believed);
    tcase_add_test(tests, time_of_a_shape_is_that_of_its_fastest_launch_that_passed);
    tcase_add_test(tests, last_batch_of_a_shape_counts);
    tcase_add_test(tests, scenario_with_a_range_is_about_no_groups);
    tcase_add_test(tests, scenario_without_a_range_has_none);
    tcase_add_test(tests, point_of_a_range_says_how_it_was_launched);
    tcase_add_test(tests, summary_has_a_line_of_shapes_with_multiples_of_the_fastest_time);
    tcase_add_test(tests, summary_has_a_dash_for_a_shape_that_was_not_tried);
    tcase_add_test(tests, summary_has_each_line_once);
    tcase_add_test(tests, summary_without_ranges_has_no_shapes);
}

int main(void)
{
    return fixture_run("run shapes", add_tests);
}

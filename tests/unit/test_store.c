/* What is written to the run file comes back. */
#include "store_fixture.h"

enum { BIG_GROUPS = 1000000 };

static void assert_launch(const struct store_launch *launch, const struct store_launch *expected)
{
    ck_assert_mem_eq(&launch->observation, &expected->observation, sizeof expected->observation);
    ck_assert_int_eq(launch->verdict, expected->verdict);
}

static void assert_devices(const struct store_device *device, const struct store_device *expected)
{
    ck_assert_int_eq(device->id, expected->id);
    ck_assert_mem_eq(&device->info, &expected->info, sizeof expected->info);
    ck_assert_mem_eq(&device->probe, &expected->probe, sizeof expected->probe);
    ck_assert_mem_eq(&device->options, &expected->options, sizeof expected->options);
    ck_assert_mem_eq(&device->settings, &expected->settings, sizeof expected->settings);
    ck_assert_int_eq(device->wedged, expected->wedged);
}

static const struct store_device full_device = {
    .info = {.platform = "Portable Computing Language",
             .name = "cpu-\xff, 'quoted'; \x1b[31m",
             .vendor = "vendor",
             .driver_version = "3.1",
             .device_version = "OpenCL 3.0",
             .c_version = "OpenCL C 1.2",
             .extensions = "cl_khr_fp64 cl_khr_int64_base_atomics",
             .uuid = "00112233445566778899aabbccddeeff",
             .pci = "0000:3b:00.0",
             .platform_index = 1,
             .device_index = 2,
             .ordinal = 3,
             .kind = DEVICE_OTHER,
             .compute_units = 4,
             .address_bits = 64,
             .max_local_size = 4096,
             .local_memory_bytes = 5,
             .global_memory_bytes = UINT64_MAX,
             .max_allocation_bytes = 7,
             .svm = 8,
             .atomic_memory = 9,
             .atomic_fence = 10,
             .atomics_64 = true,
             .atomics_known = true,
             .subgroup_progress = true,
             .subgroup_progress_known = true,
             .subgroup_width = 32},
    .probe = {.dialect_works = {[DIALECT_CL12] = true, [DIALECT_PTX] = true},
              .dialect_log = {[DIALECT_CL30] = "no such function", [DIALECT_CL12] = "12", [DIALECT_PTX] = "13"},
              .dialect = DIALECT_PTX,
              .yield = true,
              .channel = CHANNEL_SHARED,
              .memory = MEMORY_MAPPED,
              .read_latency_ns = 14,
              .stop_latency_ns = 15,
              .loops_cut_at = 16,
              .loops_tried = 17,
              .poll_ps = 18},
    .options = {.estimators = {[TRIAL_CENSUS] = true, [TRIAL_DISCOVERY] = true},
                .repeats = 19,
                .given = {1, UINT32_MAX, 20},
                .given_count = 3,
                .live = true},
    .settings =
        {.compute_units = 21, .max_groups = 22, .loops_cut_at = 23, .suspect_ns = 24, .confirm_ns = 25, .close_ns = 26},
    .wedged = true,
};

START_TEST(devices_come_back_in_order)
{
    struct store_device full = full_device;
    struct store_device zeroed = {.id = 0};
    struct store_device other = full_device;
    struct seen seen = {.count = 0};
    struct store *store = create();

    for (uint32_t i = 0; i < SEARCH_GIVEN; ++i)
        other.options.given[i] = UINT32_MAX - i;
    other.options.given_count = SEARCH_GIVEN;
    memset(other.options.estimators, true, sizeof other.options.estimators);
    other.info.subgroup_progress = false; /* known to be false, unlike that of `zeroed` */
    ck_assert_int_eq(store_add_device(store, &full, &error), 0);
    ck_assert_int_eq(store_add_device(store, &zeroed, &error), 0);
    ck_assert_int_eq(store_add_device(store, &other, &error), 0);
    ck_assert_int_ne(full.id, zeroed.id);
    full.info.number = full.info.ordinal + 1; /* not stored: what is read is numbered */
    other.info.number = full.info.number + 1;
    store = reopen(store);
    ck_assert_int_eq(read_devices(store, &seen), 0);
    ck_assert_int_eq(seen.count, 3);
    assert_devices(&seen.devices[0], &full);
    assert_devices(&seen.devices[1], &zeroed);
    assert_devices(&seen.devices[2], &other);
    store_close(store);
}
END_TEST

START_TEST(values_have_names_and_unknown_is_null)
{
    struct store_device full = full_device;
    struct store *store = create();
    int64_t device;

    ck_assert_int_eq(store_add_device(store, &full, &error), 0);
    device = add_device(store);
    begin(store, device, 0, &census);
    store_close(store);

    ck_assert_str_eq(query("SELECT printf('%s|%s|%s|%s|%d', tool_version, command_line, host, environment, started_ms)"
                           " FROM run"),
                     "0.1.0|limits -o run.db|Linux 6.1 x86_64 node|POCL_DEVICES=cpu\n|1700000000123");
    ck_assert_str_eq(query("SELECT printf('%s %s %s %s', kind, dialect, channel, memory) FROM device WHERE id = 1"),
                     "other ptx shared mapped");
    ck_assert_str_eq(query("SELECT printf('%s %s', search_estimators, search_given) FROM device WHERE id = 1"),
                     "census,discovery 1,4294967295,20");
    ck_assert_str_eq(query("SELECT global_memory_bytes FROM device WHERE id = 1"), "-1");
    ck_assert_str_eq(query("SELECT coalesce(uuid, pci, atomic_memory, atomic_fence, subgroup_progress, subgroup_width,"
                           " cl30_log, read_latency_ns, loops_cut_at, poll_ps, search_given, search_loops_cut_at)"
                           " FROM device WHERE id = 2"),
                     "NULL");
    ck_assert_str_eq(query("SELECT coalesce(duration_ns, build_ns, rungs, stderr_tail, note) FROM trial"), "NULL");
    ck_assert_str_eq(query("SELECT estimator FROM trial"), "census");
    ck_assert_str_eq(query("PRAGMA journal_mode"), "delete");
    ck_assert_int_eq(atoi(query("PRAGMA user_version")), STORE_SCHEMA);
    ck_assert_str_eq(query("PRAGMA application_id"), "1196575819");
}
END_TEST

START_TEST(wedged_is_kept)
{
    struct seen seen = {.count = 0};
    struct store *store = create();
    int64_t first = add_device(store);

    add_device(store);
    ck_assert_int_eq(store_mark_wedged(store, first, true, &error), 0);
    ck_assert_int_eq(store_mark_wedged(store, 77, true, &error), -1);
    ck_assert_int_eq(error.status, STATUS_HARNESS);
    ck_assert_int_eq(read_devices(store, &seen), 0);
    ck_assert_int_eq(seen.count, 2);
    ck_assert(seen.devices[0].wedged);
    ck_assert(!seen.devices[1].wedged);
    store_close(store);
}
END_TEST

START_TEST(begun_trial_comes_back)
{
    struct seen seen;
    struct store *store = create();
    int64_t device = add_device(store);
    int64_t row = begin(store, device, 5, &census);
    char name[128];

    store = reopen(store);
    read_trials(store, device, &seen);
    ck_assert_int_eq(seen.count, 1);
    trial_id(&census, 5, name, sizeof name);
    ck_assert_str_eq(seen.trials[0].name, name);
    ck_assert_int_eq(seen.trials[0].id, row);
    ck_assert_mem_eq(&seen.trials[0].trial, &census, sizeof census);
    ck_assert(!seen.trials[0].ended);
    ck_assert_uint_eq(seen.trials[0].count, 0);
    ck_assert_ptr_null(seen.trials[0].board);
    ck_assert_str_eq(seen.note, "");
    store_close(store);
}
END_TEST

START_TEST(held_writes_are_there_once_settled)
{
    const struct store_end end = {.note = ""};
    struct store *store = create();
    int64_t device = add_device(store);
    int64_t row = begin(store, device, 0, &barrier);

    ck_assert_int_eq(store_hold(store, &error), 0);
    ck_assert_int_eq(store_hold(store, &error), 0);
    ck_assert_int_eq(store_end_trial(store, row, &end, &error), 0);
    begin(store, device, 1, &barrier);
    ck_assert_str_eq(query("SELECT printf('%d|%d', count(*), count(duration_ns)) FROM trial"), "1|0");
    ck_assert_int_eq(store_settle(store, &error), 0);
    ck_assert_str_eq(query("SELECT printf('%d|%d', count(*), count(duration_ns)) FROM trial"), "2|1");
    ck_assert_int_eq(store_settle(store, &error), 0);
    begin(store, device, 2, &barrier);
    ck_assert_str_eq(query("SELECT count(*) FROM trial"), "3");
    ck_assert_int_eq(store_hold(store, &error), 0);
    begin(store, device, 3, &barrier);
    store_close(store);
    ck_assert_str_eq(query("SELECT count(*) FROM trial"), "4");
}
END_TEST

static int nothing(void *context, const struct store_trial *trial)
{
    (void)context, (void)trial;
    return 0;
}

START_TEST(reading_trials_settles)
{
    struct store *store = create();
    int64_t device = add_device(store);

    ck_assert_int_eq(store_hold(store, &error), 0);
    begin(store, device, 0, &barrier);
    ck_assert_int_eq(store_each_trial(store, &(struct store_walk){device, 0, .take = nothing}, &error), 0);
    ck_assert_str_eq(query("SELECT count(*) FROM trial"), "1");
    ck_assert_int_eq(store_hold(store, &error), 0);
    begin(store, device, 1, &barrier);
    ck_assert_int_eq(store_each_trial(store, &(struct store_walk){device, 0, .quick = true, .take = nothing}, &error),
                     0);
    ck_assert_str_eq(query("SELECT count(*) FROM trial"), "2");
    store_close(store);
}
END_TEST

START_TEST(failure_undoes_what_is_held)
{
    const struct store_end end = {.note = ""};
    struct store *store = create();
    int64_t device = add_device(store);
    int64_t row = begin(store, device, 0, &barrier);

    ck_assert_int_eq(store_hold(store, &error), 0);
    begin(store, device, 1, &barrier);
    ck_assert_int_eq(store_end_trial(store, row + 9, &end, &error), -1);
    ck_assert_int_eq(store_settle(store, &error), 0);
    ck_assert_str_eq(query("SELECT count(*) FROM trial"), "1");
    begin(store, device, 1, &barrier);
    ck_assert_str_eq(query("SELECT count(*) FROM trial"), "2");
    store_close(store);
}
END_TEST

START_TEST(board_may_be_packed_before)
{
    const uint32_t board[] = {1, 0, 0, 70000};
    const uint32_t other[] = {9};
    struct packed packed;
    struct store_end end = {.launches = &starved, .count = 1, .board = other, .board_words = 1, .note = ""};
    struct seen seen;
    struct store *store = create();
    int64_t device = add_device(store);

    packed_make(&packed, board, 4);
    end.packed_board = &packed;
    ck_assert_int_eq(store_end_trial(store, begin(store, device, 0, &barrier), &end, &error), 0);
    packed_fini(&packed);
    end.packed_board = &packed; /* nothing is in it now */
    ck_assert_int_eq(store_end_trial(store, begin(store, device, 1, &barrier), &end, &error), 0);
    read_trials(store, device, &seen);
    ck_assert_uint_eq(seen.trials[0].board_words, 4);
    ck_assert_uint_eq(seen.trials[1].board_words, 1);
    free(seen.board);
    store_close(store);
}
END_TEST

static int count_boards(void *context, const struct store_trial *trial)
{
    size_t *words = context;
    words[trial->trial.kind] += trial->board_words + (trial->board != NULL ? trial->board[0] : 0);
    return 0;
}

START_TEST(boards_of_a_census_alone_are_read)
{
    const uint32_t board[] = {100, 0, 0};
    const struct store_end end = {.launches = &starved, .count = 1, .board = board, .board_words = 3, .note = ""};
    struct trial counting = barrier;
    struct store *store = create();
    int64_t device = add_device(store);
    size_t all[TRIAL_COUNT] = {0}, words[TRIAL_COUNT] = {0};

    counting.kind = TRIAL_CENSUS;
    ck_assert_int_eq(store_end_trial(store, begin(store, device, 0, &barrier), &end, &error), 0);
    ck_assert_int_eq(store_end_trial(store, begin(store, device, 0, &counting), &end, &error), 0);
    const struct store_walk walk = {device, .take = count_boards, .context = all};
    ck_assert_int_eq(store_each_trial(store, &walk, &error), 0);
    const struct store_walk less = {device, .census = true, .take = count_boards, .context = words};
    ck_assert_int_eq(store_each_trial(store, &less, &error), 0);
    ck_assert_uint_eq(all[TRIAL_BARRIER], 103);
    ck_assert_uint_eq(all[TRIAL_CENSUS], 103);
    ck_assert_uint_eq(words[TRIAL_BARRIER], 0);
    ck_assert_uint_eq(words[TRIAL_CENSUS], 103);
    store_close(store);
}
END_TEST

START_TEST(ended_trial_comes_back)
{
    const struct store_launch launches[] = {passed, starved, crashed};
    static const uint32_t samples[] = {1, 1, 0, 0xff000001};
    uint32_t board[GL_CONTROL_WORDS + GL_ENTRY_WORDS];
    const size_t words = sizeof board / sizeof *board;
    const struct store_end end = {.launches = launches,
                                  .count = 3,
                                  .evidence = 1,
                                  .board = board,
                                  .board_words = words,
                                  .samples = samples,
                                  .samples_words = 4,
                                  .duration_ns = 123456789012,
                                  .facts = {.build_ns = 77},
                                  .rungs = "stop-word sigterm",
                                  .tried = {"kernel void f() {}", "", "f", "w0"},
                                  .stderr_tail = "\x1b[31mdied \xff\n",
                                  .note = "the worker was killed"};
    struct seen seen;
    struct store *store = create();
    int64_t device = add_device(store);

    for (size_t i = 0; i < words; ++i)
        board[i] = 0x01020304u * (uint32_t)i;
    ck_assert_msg(store_end_trial(store, begin(store, device, 0, &barrier), &end, &error) == 0, "%s", error.text);
    store = reopen(store);
    read_trials(store, device, &seen);
    ck_assert_int_eq(seen.count, 1);
    ck_assert(seen.trials[0].ended);
    ck_assert_uint_eq(seen.trials[0].duration_ns, 123456789012);
    ck_assert_uint_eq(seen.trials[0].count, 3);
    for (size_t i = 0; i < 3; ++i)
        assert_launch(&seen.launches[i], &launches[i]);
    ck_assert_uint_eq(seen.trials[0].evidence, 1);
    ck_assert_uint_eq(seen.trials[0].board_words, words);
    ck_assert_mem_eq(seen.board, board, sizeof board);
    ck_assert_uint_eq(seen.trials[0].samples_words, 4);
    ck_assert_mem_eq(seen.samples, samples, sizeof samples);
    ck_assert_str_eq(query("SELECT rungs FROM trial"), "stop-word sigterm");
    ck_assert_str_eq(query("SELECT stderr_tail FROM trial"), "\x1b[31mdied \xff\n");
    ck_assert_str_eq(seen.note, "the worker was killed");
    ck_assert_str_eq(query("SELECT tried_text || tried_kernel || tried_arguments FROM trial"), "kernel void f() {}fw0");
    free(seen.board);
    store_close(store);

    /* What people query, and what a later version of the rules replaces. */
    ck_assert_str_eq(query("SELECT group_concat(outcome) FROM (SELECT outcome FROM observation ORDER BY launch)"),
                     "ended,killed,crashed");
    ck_assert_str_eq(query("SELECT group_concat(verdict || rules) FROM (SELECT * FROM verdict ORDER BY launch)"),
                     "pass6,starved6,crash6");
    ck_assert_str_eq(query("SELECT hex(substr(board, 1, 4)) FROM observation WHERE launch = 1"), "60010080");
    ck_assert_str_eq(query("SELECT count(board) || count(samples) FROM observation"), "11");
    ck_assert_str_eq(query("SELECT coalesce(started, polls, starved_from) FROM observation WHERE launch = 2"), "NULL");
    ck_assert_str_eq(query("SELECT starved_from FROM observation WHERE launch = 1"), "0");
    ck_assert_str_eq(query("SELECT build_ns FROM trial"), "77");
}
END_TEST

/* --- kernels that are launched over a range --- */

static const struct trial ranged = {
    .footprint = {.local_size = 128},
    .kind = TRIAL_WORK,
    .groups = 1,
    .rounds = 3,
    .repeats = 3,
    .dialect = DIALECT_CL30,
    .work = {.scenario = "work_group_size",
             .kernel = "work_group_size",
             .options = "-DGL_DIMENSIONS=2",
             .point = "edge=padded",
             .range = {.dimensions = 2, .local = {16, 8, 1}, .global = {512, 4000, UINT32_MAX}},
             .launches = 1,
             .checks_counted = true,
             .checks = 3,
             .sync_words = 64,
             .names = "counter = 0; fork {i} = 32+1*i, i < 4",
             .numbers.seed = 1},
};

START_TEST(trial_with_a_range_comes_back)
{
    struct trial left = ranged;
    struct seen seen;
    struct store *store = create();
    int64_t device = add_device(store);

    left.work.range = (struct nd_range){.dimensions = 3, .global = {500, 200, 20}}; /* to the driver */
    begin(store, device, 0, &ranged);
    begin(store, device, 1, &left);
    begin(store, device, 2, &barrier);
    store = reopen(store);
    read_trials(store, device, &seen);
    ck_assert_int_eq(seen.count, 3);
    ck_assert_str_eq(seen.trials[0].name, "work_group_size/cl30/edge=padded/16x8#0");
    ck_assert_mem_eq(&seen.trials[0].trial.work.range, &ranged.work.range, sizeof ranged.work.range);
    ck_assert_uint_eq(seen.trials[0].trial.footprint.local_size, 128);
    ck_assert_uint_eq(seen.trials[0].trial.work.checks, 3);
    ck_assert_str_eq(seen.trials[0].trial.work.point, "edge=padded");
    ck_assert_str_eq(seen.trials[0].trial.work.names, ranged.work.names);
    ck_assert_str_eq(seen.trials[2].trial.work.names, "");
    ck_assert_str_eq(seen.trials[1].name, "work_group_size/cl30/edge=padded/driver-3d#1");
    ck_assert_mem_eq(&seen.trials[1].trial.work.range, &left.work.range, sizeof left.work.range);
    ck_assert_mem_eq(&seen.trials[2].trial.work.range, &barrier.work.range, sizeof barrier.work.range);
    store_close(store);

    ck_assert_str_eq(query("SELECT printf('%d %d %d %d %d %d %d', dimensions, local_x, local_y, local_z, global_x,"
                           " global_y, global_z) FROM trial WHERE id = 1"),
                     "2 16 8 1 512 4000 4294967295");
    ck_assert_str_eq(query("SELECT printf('%d %s %s %s', dimensions, local_x, local_y, local_z)"
                           " FROM trial WHERE id = 2"),
                     "3 0 0 0");
    ck_assert_str_eq(query("SELECT coalesce(dimensions, local_x, local_y, local_z, global_x, global_y, global_z)"
                           " FROM trial WHERE id = 3"),
                     "NULL");
}
END_TEST

START_TEST(what_a_launch_over_a_range_showed_comes_back)
{
    struct store_launch launches[] = {passed, crashed, passed};
    const struct store_end end = {.launches = launches,
                                  .count = 3,
                                  .facts = {.most_items = 4096, .multiple_items = UINT64_C(5000000000)},
                                  .note = ""};
    struct seen seen;
    struct store *store = create();
    int64_t device = add_device(store);

    memcpy(launches[0].observation.shape, (uint32_t[]){500, 2, 1}, sizeof launches[0].observation.shape);
    launches[0].observation.launched = UINT32_MAX;
    ck_assert_msg(store_end_trial(store, begin(store, device, 0, &ranged), &end, &error) == 0, "%s", error.text);
    store = reopen(store);
    read_trials(store, device, &seen);
    ck_assert_int_eq(seen.count, 1);
    ck_assert_uint_eq(seen.trials[0].facts.most_items, 4096);
    ck_assert_uint_eq(seen.trials[0].facts.multiple_items, 5000000000);
    ck_assert_uint_eq(seen.trials[0].count, 3);
    for (size_t i = 0; i < 3; ++i)
        assert_launch(&seen.launches[i], &launches[i]);
    store_close(store);

    ck_assert_str_eq(query("SELECT printf('%d %d %d %d', shape_x, shape_y, shape_z, launched)"
                           " FROM observation WHERE launch = 0"),
                     "500 2 1 4294967295");
    ck_assert_str_eq(query("SELECT coalesce(shape_x, shape_y, shape_z, launched) FROM observation WHERE launch = 1"),
                     "NULL");
    ck_assert_str_eq(query("SELECT coalesce(shape_x, shape_y, shape_z, launched) FROM observation WHERE launch = 2"),
                     "NULL");
    ck_assert_str_eq(query("SELECT printf('%d %d', kernel_max_local_size, kernel_preferred_multiple) FROM trial"),
                     "4096 5000000000");
}
END_TEST

START_TEST(what_the_driver_does_not_say_of_a_kernel_is_null)
{
    const struct store_end end = {.duration_ns = 5, .note = ""};
    struct seen seen;
    struct store *store = create();
    int64_t device = add_device(store);

    ck_assert_int_eq(store_end_trial(store, begin(store, device, 0, &ranged), &end, &error), 0);
    read_trials(store, device, &seen);
    ck_assert_uint_eq(seen.trials[0].facts.most_items + seen.trials[0].facts.multiple_items, 0);
    store_close(store);
    ck_assert_str_eq(query("SELECT coalesce(kernel_max_local_size, kernel_preferred_multiple) FROM trial"), "NULL");
}
END_TEST

START_TEST(trial_without_launches_ends)
{
    const struct store_end end = {.duration_ns = 5, .note = ""};
    struct seen seen;
    struct store *store = create();
    int64_t device = add_device(store);

    ck_assert_msg(store_end_trial(store, begin(store, device, 0, &barrier), &end, &error) == 0, "%s", error.text);
    read_trials(store, device, &seen);
    ck_assert_int_eq(seen.count, 1);
    ck_assert(seen.trials[0].ended);
    ck_assert_uint_eq(seen.trials[0].duration_ns, 5);
    ck_assert_uint_eq(seen.trials[0].count, 0);
    store_close(store);
}
END_TEST

START_TEST(columns_that_an_older_file_lacks_are_null_and_added)
{
    const struct finding finding = {.offered = true, .fails = 1, .tries = 1, .failed_in = "clFinish"};
    const struct store_end end = {.duration_ns = 5, .finding = &finding, .note = ""};
    struct seen seen;
    struct store *store = create();
    const int64_t device = add_device(store);

    ck_assert_msg(store_end_trial(store, begin(store, device, 0, &barrier), &end, &error) == 0, "%s", error.text);
    read_trials(store, device, &seen);
    ck_assert_str_eq(seen.trials[0].finding.failed_in, "clFinish");
    store_close(store);
    ck_assert_int_eq(execute("ALTER TABLE trial DROP COLUMN failed_in"), SQLITE_OK);
    ck_assert_msg(store_open(path, &store, &error) == 0, "%s", error.text);
    read_trials(store, device, &seen);
    ck_assert_str_eq(seen.trials[0].finding.failed_in, "");
    store_close(store);
    ck_assert_msg(store_continue(path, &store, &error) == 0, "%s", error.text);
    ck_assert_msg(store_end_trial(store, begin(store, device, 1, &barrier), &end, &error) == 0, "%s", error.text);
    read_trials(store, device, &seen);
    ck_assert_str_eq(seen.trials[0].finding.failed_in, "");
    ck_assert_str_eq(seen.trials[1].finding.failed_in, "clFinish");
    store_close(store);
}
END_TEST

START_TEST(many_launches_come_back)
{
    enum { LAUNCHES = 1000 };
    static struct store_launch launches[LAUNCHES];
    const struct store_end end = {.launches = launches, .count = LAUNCHES, .note = ""};
    struct store *store = create();
    int64_t device = add_device(store);

    for (uint32_t i = 0; i < LAUNCHES; ++i) {
        launches[i] = passed;
        launches[i].observation.polls = i;
    }
    ck_assert_int_eq(store_end_trial(store, begin(store, device, 0, &barrier), &end, &error), 0);
    store_close(store);
    ck_assert_str_eq(query("SELECT count(*) FROM observation JOIN verdict USING (trial, launch) WHERE polls = launch"),
                     "1000");
}
END_TEST

static int compare_board(void *context, const struct store_trial *trial)
{
    const struct store_end *end = context;
    ck_assert_uint_eq(trial->board_words, end->board_words);
    ck_assert(memcmp(trial->board, end->board, end->board_words * sizeof *end->board) == 0);
    return 7;
}

START_TEST(big_board_comes_back)
{
    const size_t words = board_words(BIG_GROUPS, 0);
    uint32_t *board = malloc(words * sizeof *board);
    struct store_end end = {.launches = &starved, .count = 1, .board = board, .board_words = words, .note = ""};
    struct store *store = create();
    int64_t device = add_device(store);

    ck_assert_ptr_nonnull(board);
    for (size_t i = 0; i < words; ++i)
        board[i] = (uint32_t)i * 2654435761u;
    ck_assert_msg(store_end_trial(store, begin(store, device, 0, &barrier), &end, &error) == 0, "%s", error.text);
    store = reopen(store);
    ck_assert_int_eq(
        store_each_trial(store, &(struct store_walk){device, 0, .take = compare_board, .context = &end}, &error), 7);
    store_close(store);
    free(board);
}
END_TEST

START_TEST(trials_come_in_order_and_of_one_device)
{
    struct seen seen;
    struct store *store = create();
    int64_t first = add_device(store);
    int64_t second = add_device(store);
    int64_t rows[3];

    rows[0] = begin(store, second, 9, &census);
    begin(store, first, 0, &barrier);
    rows[1] = begin(store, second, 1, &barrier);
    rows[2] = begin(store, second, 0, &census);
    read_trials(store, second, &seen);
    ck_assert_int_eq(seen.count, 3);
    for (size_t i = 0; i < 3; ++i)
        ck_assert_int_eq(seen.trials[i].id, rows[i]);
    read_trials(store, first, &seen);
    ck_assert_int_eq(seen.count, 1);
    read_trials(store, 99, &seen);
    ck_assert_int_eq(seen.count, 0);
    store_close(store);
}
END_TEST

START_TEST(trials_come_after_a_given_one)
{
    struct seen seen = {.count = 0};
    struct store *store = create();
    int64_t device = add_device(store);
    int64_t first = begin(store, device, 0, &barrier);
    int64_t second = begin(store, device, 1, &barrier);

    ck_assert_int_eq(
        store_each_trial(store, &(struct store_walk){device, first, .take = take_trial, .context = &seen}, &error), 0);
    ck_assert_int_eq(seen.count, 1);
    ck_assert_int_eq(seen.trials[0].id, second);
    ck_assert_int_eq(
        store_each_trial(store, &(struct store_walk){device, second, .take = take_trial, .context = &seen}, &error), 0);
    ck_assert_int_eq(seen.count, 1);
    store_close(store);
}
END_TEST

START_TEST(callback_stops_the_reading)
{
    struct seen seen = {.stop_at = 2};
    struct store *store = create();
    int64_t device = add_device(store);

    for (uint32_t i = 0; i < 3; ++i)
        begin(store, device, i, &barrier);
    ck_assert_int_eq(
        store_each_trial(store, &(struct store_walk){device, 0, .take = take_trial, .context = &seen}, &error), 42);
    ck_assert_int_eq(seen.count, 2);
    store_close(store);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, devices_come_back_in_order);
    tcase_add_test(tests, values_have_names_and_unknown_is_null);
    tcase_add_test(tests, wedged_is_kept);
    tcase_add_test(tests, begun_trial_comes_back);
    tcase_add_test(tests, held_writes_are_there_once_settled);
    tcase_add_test(tests, reading_trials_settles);
    tcase_add_test(tests, failure_undoes_what_is_held);
    tcase_add_test(tests, board_may_be_packed_before);
    tcase_add_test(tests, boards_of_a_census_alone_are_read);
    tcase_add_test(tests, ended_trial_comes_back);
    tcase_add_test(tests, trial_with_a_range_comes_back);
    tcase_add_test(tests, what_a_launch_over_a_range_showed_comes_back);
    tcase_add_test(tests, what_the_driver_does_not_say_of_a_kernel_is_null);
    tcase_add_test(tests, trial_without_launches_ends);
    tcase_add_test(tests, columns_that_an_older_file_lacks_are_null_and_added);
    tcase_add_test(tests, many_launches_come_back);
    tcase_add_test(tests, big_board_comes_back);
    tcase_add_test(tests, trials_come_in_order_and_of_one_device);
    tcase_add_test(tests, trials_come_after_a_given_one);
    tcase_add_test(tests, callback_stops_the_reading);
}

int main(void)
{
    return fixture_run("store", add_tests);
}

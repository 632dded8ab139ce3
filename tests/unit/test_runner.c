/* Running trials on a device: what the store gets, what a run that goes on gets from it, and when it ends. */
#include "engine/campaign.h"

#include "executor_double.h"
#include "host/signals.h"
#include "store_fixture.h"

static struct executor_double device;
static struct run_settings settings;
static struct runner runner;
static const struct device_info info = {
    .name = "a device", .driver_version = "1.0", .kind = DEVICE_CPU, .compute_units = 4, .max_local_size = 64};
static const struct search_options none = {.repeats = 1};

static struct trial point(uint32_t groups)
{
    struct trial trial = {.footprint = {.local_size = 8}, .kind = TRIAL_WORK, .groups = groups, .repeats = 3};
    snprintf(trial.work.scenario, sizeof trial.work.scenario, "some");
    snprintf(trial.work.kernel, sizeof trial.work.kernel, "some");
    return trial;
}

static int try_begin(const struct device_info *described)
{
    runner = (struct runner){.settings = &settings, .executor = executor_of_double(&device)};
    return runner_begin(&runner, described, PROBE_ALL, &none, &error);
}

static void begin_run(void)
{
    device = (struct executor_double){0};
    settings = (struct run_settings){.store = create()};
    ck_assert_msg(try_begin(&info) == 0, "%s", error.text);
}

static void end_run(void)
{
    runner_end(&runner);
    store_close(settings.store);
    settings.store = NULL;
}

/* Ends this process's part, and goes on as another would. */
static void open_again(void)
{
    end_run();
    device = (struct executor_double){0};
    settings = (struct run_settings){.continued = true};
    ck_assert_msg(store_continue(path, &settings.store, &error) == 0, "%s", error.text);
}

static void go_on(void)
{
    open_again();
    ck_assert_msg(try_begin(&info) == 0, "%s", error.text);
}

static struct remote_result run_trial(const struct trial *trial)
{
    const struct asked asked = {.trial = *trial};
    struct remote_result result;
    ck_assert_msg(runner_run(&runner, &asked, &result, &error) == 0, "%s", error.text);
    return result;
}

static void run_and_forget(const struct trial *trial)
{
    struct remote_result result = run_trial(trial);
    remote_result_fini(&result);
}

START_TEST(trial_is_stored_with_what_it_showed)
{
    const struct trial trial = point(2);

    begin_run();
    run_and_forget(&trial);
    ck_assert_uint_eq(device.trials, 1);
    ck_assert_uint_eq(device.canaries, 0); /* it was clean */
    end_run();
    ck_assert_uint_eq(device.left, 1);
    ck_assert_str_eq(query("SELECT count(*) FROM verdict WHERE verdict = 'pass'"), "3");
}
END_TEST

START_TEST(batches_of_a_point_are_told_apart)
{
    const struct trial trial = point(2);

    begin_run();
    run_and_forget(&trial);
    run_and_forget(&trial);
    end_run();
    ck_assert_str_eq(query("SELECT group_concat(sequence) FROM trial"), "0,1");
}
END_TEST

START_TEST(what_was_run_is_not_run_again)
{
    const struct trial trial = point(2);

    begin_run();
    run_and_forget(&trial);
    go_on();
    ck_assert_uint_eq(device.probed, 0);
    ck_assert_uint_eq(device.went_on, 1);
    struct remote_result result = run_trial(&trial);
    ck_assert(result.recalled);
    ck_assert_uint_eq(result.count, 3);
    ck_assert_uint_eq(result.observations[2].witnesses, 2);
    ck_assert_uint_eq(device.trials, 0);
    remote_result_fini(&result);
    result = run_trial(&trial); /* the second batch */
    ck_assert(!result.recalled);
    ck_assert_uint_eq(device.trials, 1);
    remote_result_fini(&result);
    end_run();
}
END_TEST

/* A point that was begun and did not end. */
static void break_off(const struct trial *trial)
{
    begin_run();
    begin(settings.store, runner.stored.id, 0, trial);
    go_on();
}

START_TEST(point_that_did_not_end_is_not_run_again)
{
    const struct trial trial = point(2);

    break_off(&trial);
    struct remote_result result = run_trial(&trial);
    ck_assert(result.incomplete);
    ck_assert_uint_eq(result.count, 0);
    ck_assert_uint_eq(device.trials, 0);
    remote_result_fini(&result);
    end_run();
}
END_TEST

START_TEST(point_that_did_not_end_is_retried_if_that_is_wanted)
{
    const struct trial trial = point(2);

    break_off(&trial);
    settings.retry_incomplete = true;
    struct remote_result result = run_trial(&trial);
    ck_assert_uint_eq(result.count, 3);
    ck_assert_uint_eq(device.trials, 1);
    remote_result_fini(&result);
    end_run();
    ck_assert_str_eq(query("SELECT count(*) FROM trial"), "1");
}
END_TEST

START_TEST(census_that_did_not_end_is_needed)
{
    const struct trial trial = {.footprint = {.local_size = 8}, .kind = TRIAL_CENSUS, .groups = 9, .repeats = 1};

    break_off(&trial);
    run_and_forget(&trial);
    ck_assert_uint_eq(device.trials, 1);
    end_run();
}
END_TEST

static uint32_t interrupted(struct executor_double *self, const struct trial *trial, struct observation *observations)
{
    (void)self;
    observations[0] = (struct observation){.outcome = OUTCOME_INTERRUPTED, .groups = trial->groups};
    return 1;
}

START_TEST(trial_that_the_user_ended_is_run_again_in_its_place)
{
    const struct trial trial = point(2);

    begin_run();
    device.answer = interrupted;
    run_and_forget(&trial);
    go_on();
    run_and_forget(&trial);
    ck_assert_uint_eq(device.trials, 1);
    end_run();
    ck_assert_str_eq(query("SELECT group_concat(DISTINCT verdict) FROM verdict"), "pass");
    ck_assert_str_eq(query("SELECT count(*) FROM trial"), "1");
}
END_TEST

START_TEST(device_is_looked_after_when_a_trial_broke_its_worker)
{
    const struct trial trial = point(2);

    begin_run();
    device.breaks = true;
    run_and_forget(&trial);
    ck_assert_uint_eq(device.canaries, 1);
    ck_assert(!runner_is_over(&runner));
    device.canary_fails = true;
    run_and_forget(&trial);
    ck_assert(runner_is_over(&runner));
    end_run();
    ck_assert_str_eq(query("SELECT wedged FROM device"), "1");
}
END_TEST

/* Two trials, and then no more (0) or an error (-1). */
struct pair_of_trials {
    unsigned asked;
    int last;
};

static int next_of_pair(void *context, struct asked *asked, struct error *failure)
{
    struct pair_of_trials *pair = context;

    (void)failure;
    asked->trial = point(2 + pair->asked);
    return pair->asked++ < 2 ? 1 : pair->last;
}

static void take_nothing(void *context, const struct asked *asked, const struct remote_result *result)
{
    (void)context, (void)asked, (void)result;
}

/* What the file has of the first trial when a worker gets the second. */
static uint32_t look_at_file(struct executor_double *self, const struct trial *trial, struct observation *observations)
{
    if (self->trials == 2)
        ck_assert_str_eq(query("SELECT printf('%d|%d', count(*), count(duration_ns)) FROM trial"), "2|1");
    observations[0] = double_pass(trial);
    return 1;
}

START_TEST(each_end_is_in_the_file_before_the_next_trial_and_after_the_last)
{
    struct pair_of_trials pair = {.last = _i == 0 ? 0 : -1};
    const struct trial_source source = {next_of_pair, take_nothing, &pair};

    begin_run();
    device.answer = look_at_file;
    ck_assert_int_eq(runner_drive(&runner, &source, &error), pair.last);
    ck_assert_uint_eq(device.trials, 2);
    ck_assert_str_eq(query("SELECT count(duration_ns) FROM trial"), "2");
    end_run();
}
END_TEST

START_TEST(another_driver_is_refused_unless_forced)
{
    struct device_info other = info;

    snprintf(other.driver_version, sizeof other.driver_version, "2.0");
    begin_run();
    open_again();
    ck_assert_int_eq(try_begin(&other), -1);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_ptr_nonnull(strstr(error.text, "2.0"));
    runner_end(&runner);
    settings.force = true;
    ck_assert_int_eq(try_begin(&other), 0);
    end_run();
    ck_assert_uint_eq(device.left, 2);
}
END_TEST

START_TEST(nothing_more_is_run_after_a_signal)
{
    struct campaign campaign = {.settings = &settings,
                                .executor = executor_of_double(&device),
                                .axes = {.local_size = {.values = {8}, .count = 1}},
                                .options = {.estimators = {[TRIAL_BARRIER] = true}, .repeats = 20}};

    device = (struct executor_double){.signal_at = 2};
    settings = (struct run_settings){.store = create()};
    signals_install();
    signals_defer();
    ck_assert_int_eq(campaign_device(&campaign, &info, &error), 0);
    ck_assert_uint_eq(device.trials, 2);
    ck_assert(runner_is_over(&runner));
    end_run();
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, trial_is_stored_with_what_it_showed);
    tcase_add_test(tests, batches_of_a_point_are_told_apart);
    tcase_add_test(tests, what_was_run_is_not_run_again);
    tcase_add_test(tests, point_that_did_not_end_is_not_run_again);
    tcase_add_test(tests, point_that_did_not_end_is_retried_if_that_is_wanted);
    tcase_add_test(tests, census_that_did_not_end_is_needed);
    tcase_add_test(tests, trial_that_the_user_ended_is_run_again_in_its_place);
    tcase_add_test(tests, device_is_looked_after_when_a_trial_broke_its_worker);
    tcase_add_loop_test(tests, each_end_is_in_the_file_before_the_next_trial_and_after_the_last, 0, 2);
    tcase_add_test(tests, another_driver_is_refused_unless_forced);
    tcase_add_test(tests, nothing_more_is_run_after_a_signal);
}

int main(void)
{
    return fixture_run("runner", add);
}

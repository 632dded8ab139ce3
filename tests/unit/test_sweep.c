/* A sweep over a device that answers as the test says: which batches are run, and when it ends. */
#include "engine/sweep.h"

#include "executor_double.h"
#include "host/signals.h"
#include "store_fixture.h"
#include "toy_kernels.h"

static struct executor_double device;
static struct run_settings settings;
static struct sweep sweep;
static struct scenario scenario;
static const struct known_patterns no_patterns;
static struct known nothing;
static const struct device_info info = {
    .name = "a device", .kind = DEVICE_CPU, .compute_units = 2, .max_local_size = 64};

/* The device holds so many groups; those that do not start keep the others waiting. */
static uint32_t answer_by_places(struct executor_double *self, const struct trial *trial,
                                 struct observation *observations)
{
    for (uint32_t i = 0; i < trial->repeats; ++i) {
        observations[i] = trial->groups <= self->resident || trial->kind == TRIAL_CENSUS
                              ? double_pass(trial)
                              : double_starved(trial, self->resident);
        observations[i].checked = trial->work.checks;
        if (trial->kind == TRIAL_CENSUS)
            observations[i].counted = trial->groups < self->resident ? trial->groups : self->resident;
    }
    return trial->repeats;
}

static bool is_work(const struct trial *trial)
{
    return trial->kind == TRIAL_WORK;
}

static uint32_t answer_one_stale(struct executor_double *self, const struct trial *trial,
                                 struct observation *observations)
{
    const uint32_t count = answer_by_places(self, trial, observations);
    if (is_work(trial) && trial->groups == 2)
        observations[0].stale = 1;
    return count;
}

/* Nothing shows what a launch of two groups would have come to. */
static uint32_t answer_undecided(struct executor_double *self, const struct trial *trial,
                                 struct observation *observations)
{
    const uint32_t count = answer_by_places(self, trial, observations);
    if (is_work(trial) && trial->groups == 2)
        for (uint32_t i = 0; i < count; ++i)
            observations[i].late = 1;
    return count;
}

/* The first censuses count one group of four. */
static uint32_t answer_counted_too_few(struct executor_double *self, const struct trial *trial,
                                       struct observation *observations)
{
    const uint32_t count = answer_by_places(self, trial, observations);
    if (trial->kind == TRIAL_CENSUS && trial->close_ns < 50000000)
        observations[0].counted = 1;
    return count;
}

static void begin_sweep(const char *keys)
{
    static struct scenario *scenarios[] = {&scenario};
    char text[1024];

    snprintf(text, sizeof text,
             "[scenario]\nkernel = bare\npurpose = a\nteaches = b\n[sweep]\n%s\n"
             "[expect]\nverdict = pass when groups <= resident; starved otherwise\n",
             keys);
    ck_assert_msg(scenario_parse(text, strlen(text), "t.ini", "", &scenario, &error) == 0, "%s", error.text);
    device = (struct executor_double){.resident = 4, .answer = answer_by_places};
    settings = (struct run_settings){.store = create()};
    sweep = (struct sweep){.settings = &settings,
                           .executor = executor_of_double(&device),
                           .scenarios = scenarios,
                           .count = 1,
                           .wanted = {&no_patterns, &no_patterns, &no_patterns},
                           .known = &nothing};
}

static void run_sweep(void)
{
    ck_assert_msg(sweep_device(&sweep, &info, &error) == 0, "%s", error.text);
}

/* Another process goes on with the run. */
static void go_on(void)
{
    store_close(settings.store);
    settings = (struct run_settings){.continued = true};
    ck_assert_msg(store_continue(path, &settings.store, &error) == 0, "%s", error.text);
    device.trials = 0;
    sweep.fails = 0;
}

static void end_sweep(void)
{
    store_close(settings.store);
}

static unsigned batches_of(uint32_t groups)
{
    unsigned count = 0;
    for (unsigned i = 0; i < device.trials; ++i)
        count += is_work(&device.asked[i]) && device.asked[i].groups == groups;
    return count;
}

START_TEST(point_that_does_as_predicted_is_run_once)
{
    begin_sweep("groups = 2, 1x resident, 1x resident + 1");
    run_sweep();
    ck_assert_uint_eq(batches_of(2), 1);
    ck_assert_uint_eq(batches_of(4), 1);
    ck_assert_uint_eq(batches_of(5), 1);
    ck_assert_uint_eq(sweep.fails, 0);
    end_sweep();
    ck_assert_str_eq(query("SELECT count(*) FROM trial WHERE estimator = 'work' AND expected = 'starved'"), "1");
}
END_TEST

START_TEST(point_that_surprises_is_run_again)
{
    begin_sweep("groups = 2, 3");
    device.answer = answer_one_stale;
    run_sweep();
    ck_assert_uint_eq(batches_of(2), 3);
    ck_assert_uint_eq(batches_of(3), 1);
    ck_assert_uint_eq(sweep.fails, 1);
    end_sweep();
}
END_TEST

START_TEST(each_batch_has_seeds_of_its_own)
{
    begin_sweep("groups = 2");
    device.answer = answer_one_stale;
    run_sweep();
    end_sweep();
    ck_assert_str_eq(query("SELECT count(DISTINCT seed) FROM trial WHERE estimator = 'work'"), "3");
}
END_TEST

START_TEST(point_of_which_nothing_was_decided_is_given_more_time)
{
    begin_sweep("groups = 2");
    device.answer = answer_undecided;
    run_sweep();
    ck_assert_uint_eq(batches_of(2), 3);
    const struct trial *last = &device.asked[device.trials - 1];
    ck_assert_uint_eq(last->confirm_ns, 16 * device.asked[device.trials - 3].confirm_ns);
    end_sweep();
}
END_TEST

START_TEST(sweep_ends_after_so_many_surprises_and_goes_on)
{
    begin_sweep("groups = 2, 3");
    device.answer = answer_one_stale;
    sweep.max_fails = 1;
    run_sweep();
    ck_assert_uint_eq(batches_of(3), 0);
    go_on();
    run_sweep();
    ck_assert_uint_eq(batches_of(2), 0);
    ck_assert_uint_eq(batches_of(3), 1);
    ck_assert_uint_eq(sweep.fails, 0); /* those of before have stopped it once */
    end_sweep();
}
END_TEST

START_TEST(run_that_ended_has_nothing_to_go_on_with)
{
    begin_sweep("groups = 2, 1x resident + 1");
    device.answer = answer_one_stale;
    run_sweep();
    go_on();
    run_sweep();
    ck_assert_uint_eq(device.trials, 0);
    end_sweep();
}
END_TEST

START_TEST(pass_above_the_counted_limit_has_it_counted_again)
{
    begin_sweep("groups = 1x resident + 1, 4");
    device.answer = answer_counted_too_few;
    run_sweep();
    ck_assert_uint_eq(sweep.fails, 0);
    ck_assert_uint_eq(batches_of(5), 1); /* one above the limit that it has */
    end_sweep();
    ck_assert_str_eq(query("SELECT max(resident) FROM trial WHERE estimator = 'work'"), "4");
    ck_assert_str_eq(query("SELECT expected FROM trial WHERE estimator = 'work' AND groups = 5"), "starved");
}
END_TEST

START_TEST(nothing_is_run_after_a_signal)
{
    begin_sweep("groups = 1, 2, 3");
    signals_install();
    signals_defer();
    run_sweep();
    const unsigned all = device.trials;
    end_sweep();
    ck_assert_int_eq(unlink(path), 0);
    begin_sweep("groups = 1, 2, 3");
    device.signal_at = (int)all - 1;
    run_sweep();
    ck_assert_uint_eq(device.trials, all - 1);
    end_sweep();
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, point_that_does_as_predicted_is_run_once);
    tcase_add_test(tests, point_that_surprises_is_run_again);
    tcase_add_test(tests, each_batch_has_seeds_of_its_own);
    tcase_add_test(tests, point_of_which_nothing_was_decided_is_given_more_time);
    tcase_add_test(tests, sweep_ends_after_so_many_surprises_and_goes_on);
    tcase_add_test(tests, run_that_ended_has_nothing_to_go_on_with);
    tcase_add_test(tests, pass_above_the_counted_limit_has_it_counted_again);
    tcase_add_test(tests, nothing_is_run_after_a_signal);
}

int main(void)
{
    return fixture_run("sweep", add);
}

/* The kernels and the scenarios that the binary carries. */
#include "base/source.h"
#include "scenario/plan.h"

#include "harness.h"

#include <string.h>

static struct scenario scenario;

START_TEST(entry_of_each_kernel_is_read)
{
    static struct kernel_entry entry;
    size_t kernels = 0;
    for (const struct source_file *file = source_files; file->name != NULL; ++file) {
        struct error error = {0};
        const size_t length = strlen(file->name);
        if (length < 3 || strcmp(file->name + length - 3, ".cl") != 0)
            continue;
        ck_assert_msg(entry_parse(file->text, file->name, &entry, &error) == 0, "%s", error.text);
        ++kernels;
    }
    ck_assert_uint_gt(kernels, 1);
}
END_TEST

static void read_scenario(const struct scenario_file *file)
{
    struct error error = {0};
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(file->name, "."), file->name);
    ck_assert_msg(scenario_find(name, "", &scenario, &error) == 0, "%s", error.text);
    ck_assert_str_eq(scenario.name, name);
}

START_TEST(each_scenario_is_read)
{
    size_t scenarios = 0;
    for (const struct scenario_file *file = scenario_files; file->name != NULL; ++file, ++scenarios)
        read_scenario(file);
    ck_assert_uint_gt(scenarios, 0);
}
END_TEST

START_TEST(scenarios_are_in_alphabetic_order)
{
    for (const struct scenario_file *file = scenario_files; file->name != NULL && file[1].name != NULL; ++file)
        ck_assert_str_lt(file->name, file[1].name);
}
END_TEST

/* Words are in lines; what a group waits for is the first word of one, or near it. */
static void assert_named(const char *file, const struct workload *work)
{
    char name[WORD_NAME];
    for (uint32_t word = 0; word < work->sync_words; word += 32)
        harness_assert(word_name_find(work->names, word, name), "%s: word %u of %u has no name: %s", file, word,
                       work->sync_words, work->names);
}

/* Whatever the device: on each of these, every point has a trial or is left out, and some have one. */
START_TEST(each_scenario_has_points_on_small_and_large_devices)
{
    static const uint32_t units[] = {1, 2, 132};
    const struct device_probe probe = {.dialect = DIALECT_CL30};
    for (const struct scenario_file *file = scenario_files; file->name != NULL; ++file)
        for (size_t i = 0; i < sizeof units / sizeof *units; ++i) {
            struct error error = {0};
            struct plan plan;
            size_t trials = 0;
            read_scenario(file);
            plan_init(&plan, &scenario, units[i], 1 << 20, &probe);
            while (plan_next(&plan)) {
                struct trial trial;
                struct expected expected;
                const char *reason;
                plan.resident = 16 * units[i];
                const int outcome = plan_trial(&plan, &trial, &expected, &reason, &error);
                ck_assert_msg(outcome >= 0, "%s with %u compute units: %s", file->name, units[i], error.text);
                ck_assert_ptr_null(reason);
                trials += outcome == 0;
                if (outcome == 0)
                    assert_named(file->name, &trial.work);
                ck_assert_msg(plan_census(&plan, units[i], &trial, &error) == 0, "%s: %s", file->name, error.text);
            }
            ck_assert_msg(trials > 0, "%s with %u compute units has no point", file->name, units[i]);
        }
}
END_TEST

HARNESS_MAIN("carried", entry_of_each_kernel_is_read, each_scenario_is_read, scenarios_are_in_alphabetic_order,
             each_scenario_has_points_on_small_and_large_devices)

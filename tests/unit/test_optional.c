#include "core/optional.h"

#include "core/build_options.h"
#include "harness.h"

#include <string.h>

enum {
    YIELD = OPTIONAL_BIT(OPTIONAL_YIELD),
    HINTS = OPTIONAL_BIT(OPTIONAL_HINTS),
    DIALECT = OPTIONAL_BIT(OPTIONAL_DIALECT),
    ALL = (1 << OPTIONAL_COUNT) - 1,
};

START_TEST(each_set_is_read_as_it_was_printed)
{
    char text[OPTIONAL_TEXT];

    for (uint32_t parts = 0; parts <= ALL; ++parts) {
        optional_print(parts, text);
        ck_assert_uint_eq(optional_parse(text), parts);
    }
    ck_assert_uint_eq(optional_parse("yield, flavour, hints"), YIELD | HINTS);
}
END_TEST

START_TEST(one_part_after_the_other_is_left_out)
{
    const uint32_t may = YIELD | HINTS | DIALECT;

    ck_assert_uint_eq(optional_next(may, 0), YIELD);
    ck_assert_uint_eq(optional_next(may, YIELD), YIELD | HINTS);
    ck_assert_uint_eq(optional_next(may, YIELD | HINTS), may);
    ck_assert_uint_eq(optional_next(may, may), may);
    ck_assert_uint_eq(optional_next(HINTS, YIELD), YIELD | HINTS);
    ck_assert_uint_eq(optional_next(0, YIELD), YIELD);
}
END_TEST

START_TEST(notes_are_of_one_size_each)
{
    char notes[OPTIONAL_NOTES] = "";

    ck_assert_uint_eq(optional_noted(notes, 64), 0);
    optional_note(notes, 64, YIELD);
    optional_note(notes, 4, YIELD | HINTS);
    optional_note(notes, 256, DIALECT);
    ck_assert_str_eq(notes, "64: yield; 4: yield, hints; 256: dialect");
    ck_assert_uint_eq(optional_noted(notes, 64), YIELD);
    ck_assert_uint_eq(optional_noted(notes, 4), YIELD | HINTS);
    ck_assert_uint_eq(optional_noted(notes, 6), 0);
    ck_assert_uint_eq(optional_noted(notes, 1), 0);
}
END_TEST

START_TEST(another_note_of_a_size_replaces_the_first)
{
    char notes[OPTIONAL_NOTES] = "64: yield; 4: yield; 256: dialect";

    optional_note(notes, 4, YIELD | HINTS);
    optional_note(notes, 256, ALL);
    optional_note(notes, 64, DIALECT);
    ck_assert_uint_eq(optional_noted(notes, 64), DIALECT);
    ck_assert_uint_eq(optional_noted(notes, 4), YIELD | HINTS);
    ck_assert_uint_eq(optional_noted(notes, 256), ALL);
}
END_TEST

START_TEST(a_note_without_room_leaves_the_others_alone)
{
    char notes[OPTIONAL_NOTES] = "", before[OPTIONAL_NOTES];
    uint64_t items = 0;

    do {
        memcpy(before, notes, sizeof notes);
        optional_note(notes, ++items, ALL);
    } while (strcmp(before, notes) != 0);
    ck_assert_uint_gt(items, 3);
    ck_assert_uint_eq(optional_noted(notes, items), 0);
    ck_assert_uint_eq(optional_noted(notes, items - 1), ALL);
}
END_TEST

START_TEST(what_is_no_note_is_passed_over)
{
    ck_assert_uint_eq(optional_noted("nonsense;; 12", 64), 0);
    ck_assert_uint_eq(optional_noted("nonsense; 64: yield", 64), YIELD);
}
END_TEST

START_TEST(notes_are_described)
{
    char text[OPTIONAL_DESCRIBED];

    optional_describe("1: yield; 64: yield, hints; 0: registers", text, sizeof text);
    ck_assert_str_eq(text,
                     "calls of sched_yield (yield) in groups of 1 work-item; calls of sched_yield (yield), hints on "
                     "inlining (hints) in groups of 64 work-items; the option that tells registers (registers) in "
                     "files of kernels");
    optional_describe("", text, sizeof text);
    ck_assert_str_eq(text, "");
}
END_TEST

static const struct device_probe probe = {
    .dialect_works = {[DIALECT_CL30] = true, [DIALECT_CL12] = true}, .dialect = DIALECT_CL30, .yield = true};

static void assert_built_with(const struct trial *trial, const char *with, const char *without)
{
    char options[BUILD_OPTIONS];

    build_options_trial(DEVICE_CPU, &probe, trial, options);
    ck_assert_msg(strstr(options, with) != NULL, "%s", options);
    ck_assert_msg(strstr(options, without) == NULL, "%s", options);
}

START_TEST(what_is_left_out_of_a_trial_is_no_option_of_its_build)
{
    struct trial trial = {.footprint = {.local_size = 64}, .kind = TRIAL_BARRIER, .groups = 1};

    assert_built_with(&trial, "-DGL_YIELD", "-DGL_NO_HINTS");
    strcpy(trial.left_out, "yield");
    assert_built_with(&trial, "-DGL_DIALECT_CL30", "-DGL_YIELD");
    strcpy(trial.left_out, "hints");
    assert_built_with(&trial, "-DGL_NO_HINTS", "-DGL_DIALECT_CL12");
    strcpy(trial.left_out, "dialect");
    assert_built_with(&trial, "-DGL_DIALECT_CL12", "-DGL_DIALECT_CL30");
}
END_TEST

START_TEST(kernels_of_a_cpu_are_told_so)
{
    const struct trial trial = {.footprint = {.local_size = 64}, .kind = TRIAL_BARRIER, .groups = 1};
    char options[BUILD_OPTIONS];

    assert_built_with(&trial, "-DGL_CPU", "-DGL_LIVE");
    build_options_trial(DEVICE_GPU, &probe, &trial, options);
    ck_assert_msg(strstr(options, "GL_CPU") == NULL, "%s", options);
}
END_TEST

/* A scenario asks for its dialect: that is its subject, and no option. */
START_TEST(a_scenario_keeps_its_dialect)
{
    struct trial trial = {.footprint = {.local_size = 64},
                          .kind = TRIAL_WORK,
                          .groups = 1,
                          .dialect = DIALECT_CL30,
                          .left_out = "dialect"};

    strcpy(trial.work.kernel, "barrier_central");
    assert_built_with(&trial, "-DGL_DIALECT_CL30", "-DGL_DIALECT_CL12");
}
END_TEST

HARNESS_MAIN("optional", each_set_is_read_as_it_was_printed, one_part_after_the_other_is_left_out,
             notes_are_of_one_size_each, another_note_of_a_size_replaces_the_first,
             a_note_without_room_leaves_the_others_alone, what_is_no_note_is_passed_over, notes_are_described,
             what_is_left_out_of_a_trial_is_no_option_of_its_build, kernels_of_a_cpu_are_told_so,
             a_scenario_keeps_its_dialect)

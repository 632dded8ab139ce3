/* What each format writes of proofs, with names that no format may stumble over. */
#include "formats_fixture.h"
#include "proof/result.h"

static struct store *create_run(void)
{
    struct store_run own = run;
    struct store *store = NULL;

    snprintf(own.command, sizeof own.command, "prove");
    own.command_line = "prove toy.cl";
    ck_assert_msg(store_create(path, &own, &store, &error) == 0, "%s", error.text);
    return store;
}

/* Two groups, of which one waits for ever; all that can have a name has this one. */
static void fill_result(struct proof_result *result, const char *name)
{
    static struct proof_told told[] = {
        {.item = 0, .line = 1, .object = 2, .bytes = 4, .after = 1, .kind = PROOF_STORE},
        {.item = 1, .line = 1, .object = 2, .bytes = 4, .offset = 4, .kind = PROOF_LOAD, .atomic = 1},
    };
    static struct proof_way way = {.count = 2, .circle = 1};
    static struct proof_stall stall = {{LITMUS_FAIR, LITMUS_STRONG, 2}, 0, 3, 3, 0};
    static struct proof_wait wait = {.step = 1, .line = 1};
    static struct proof_race_told race = {.why = 1};
    static struct proof_difference difference = {.object = 2, .bytes = 4, .values = {1, 2}};

    *result = (struct proof_result){.groups = 2,
                                    .items = 1,
                                    .states = 9,
                                    .known = 9,
                                    .steps = 10,
                                    .races = 1,
                                    .races_known = true,
                                    .finals = 2,
                                    .finals_checked = true,
                                    .wrong_finals = 1,
                                    .wrong = {.object = 2, .bytes = 4, .number = PROOF_SIGNED, .is = UINT32_MAX},
                                    .told = told,
                                    .told_count = 2,
                                    .ways = &way,
                                    .way_count = 1,
                                    .stalls = &stall,
                                    .stall_count = 1,
                                    .waits = &wait,
                                    .wait_count = 1,
                                    .raced = &race,
                                    .raced_count = 1,
                                    .differences = &difference,
                                    .difference_count = 1};
    result->progress.groups = 2;
    race.first = told[0];
    race.second = told[1];
    proof_result_text(result, "");
    result->made_up = proof_result_text(result, name);
    char object[256];
    snprintf(object, sizeof object, "object %.200s", name);
    proof_result_text(result, object);
}

/* Only the texts are not the test's own. */
static void free_texts(struct proof_result *result)
{
    struct proof_result texts = {.texts = result->texts, .text_count = result->text_count};
    proof_result_fini(&texts);
}

static void write_launch(struct store *store, int64_t device, const char *name, const struct proof_result *result,
                         uint32_t position)
{
    const struct store_prediction prediction = {.position = position};
    struct trial trial = {.kind = TRIAL_PROOF, .groups = 2 + position, .rounds = 1, .repeats = 1};
    struct subject *subject = &trial.footprint.subject;
    struct store_end end = {.launches = &passed, .count = 1, .duration_ns = 1500000000, .note = name};
    uint32_t *words = NULL;
    int64_t row;

    subject->shape = (struct nd_range){.dimensions = 1, .local = {1, 1, 1}};
    snprintf(subject->file, sizeof subject->file, "%.80s", name);
    snprintf(subject->options, sizeof subject->options, "%.80s", name);
    snprintf(subject->kernel, sizeof subject->kernel, "toy");
    if (result != NULL)
        end.proof = words = proof_result_pack(result, &end.proof_words);
    ck_assert_int_eq(store_begin_trial(store, device, 0, &trial, &prediction, &row, &error), 0);
    ck_assert_msg(store_end_trial(store, row, &end, &error) == 0, "%s", error.text);
    free(words);
}

/* What the format writes of a launch that is wrong, one that cannot be explored, and one with a fault. */
static char *format_of(const char *format, const char *name)
{
    struct store *store = create_run();
    struct store_device device = {.probe = {.dialect = DIALECT_CL30}};
    struct proof_result result;
    struct report report;

    snprintf(device.info.name, sizeof device.info.name, "%s", name);
    ck_assert_int_eq(store_add_device(store, &device, &error), 0);
    fill_result(&result, name);
    write_launch(store, device.id, name, &result, 0);
    write_launch(store, device.id, name, NULL, 1);
    snprintf(result.fault, sizeof result.fault, "%.200s", name);
    result.fault_line = 1;
    write_launch(store, device.id, name, &result, 2);
    free_texts(&result);
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

/* Of a launch with which nothing is wrong. */
static void fill_right(struct proof_result *result)
{
    fill_result(result, "x");
    result->races = 0;
    result->raced_count = result->stall_count = result->difference_count = 0;
    result->progress.ends[PROOF_UNFAIR][LITMUS_WEAK] = result->progress.ends[PROOF_UNFAIR][LITMUS_STRONG] = 3;
    result->finals = result->finals_checked = 1;
    result->wrong_finals = 0;
}

/* What the text says of it. */
static char *text_of(struct proof_result *result)
{
    struct store *store = create_run();
    struct store_device device = {.probe = {.dialect = DIALECT_CL30}};
    struct report report;

    snprintf(device.info.name, sizeof device.info.name, "toy");
    ck_assert_int_eq(store_add_device(store, &device, &error), 0);
    write_launch(store, device.id, "x", result, 0);
    free_texts(result);
    read_report(store, &report);
    char *text = written(&report, "text");
    report_fini(&report);
    store_close(store);
    unlink(path);
    return text;
}

static void check_says(struct proof_result *result, const char *part, bool says)
{
    char *text = text_of(result);

    ck_assert_msg((strstr(text, part) != NULL) == says, "%s '%s' in\n%s", says ? "no" : "there is", part, text);
    free(text);
}

/* What the text says of a launch that is wrong in nothing else. */
static void check_ends(enum proof_extent extent, uint32_t unchecked, uint32_t races, const char *answer,
                       const char *ends)
{
    struct proof_result result;

    fill_right(&result);
    result.races = races;
    result.extent = extent;
    result.unchecked = unchecked;
    char *text = text_of(&result);
    ck_assert_msg(strstr(text, answer) != NULL && strstr(text, ends) != NULL, "no '%s' or '%s' in\n%s", answer, ends,
                  text);
    free(text);
}

START_TEST(only_what_all_schedules_end_with_is_proved)
{
    check_ends(PROOF_ALL, 0, 0, "of 1\n  ends on every device\n",
               "  It ends with the same memory in every schedule.\n");
    check_ends(PROOF_TO_TIME, 0, 1, "of 1\n  what was explored ends on every device; it has data races\n",
               "  1 pair of places races.\n");
    check_ends(PROOF_TO_TIME, 0, 0, "not refuted; what was explored ends on every device\n",
               "  It ends with the same memory in every schedule that was explored.\n");
    check_ends(PROOF_ALL, 1, 0, "not refuted; what was explored ends on every device\n",
               "  1 of 1 results were not held against what is right.\n");
}
END_TEST

START_TEST(two_of_more_memories_are_an_example)
{
    struct proof_result result;

    for (uint32_t finals = 2; finals < 4; ++finals) {
        fill_right(&result);
        result.finals = finals;
        result.difference_count = 1;
        check_says(&result,
                   finals == 2 ? "2 different memories: object x[0] is 1 or 2.\n"
                               : "3 different memories: object x[0] is 1 or 2, for example.\n",
                   true);
    }
}
END_TEST

START_TEST(races_that_were_not_all_looked_for_are_said)
{
    static const char line[] = "\n  Data races were not all looked for: there are too many states.\n";
    struct proof_result result;

    fill_right(&result);
    check_says(&result, line, false);
    fill_right(&result);
    result.races_known = false;
    check_says(&result, line, true);
    fill_right(&result);
    result.races_known = false;
    result.extent = PROOF_TO_TIME; /* which is why, and is said */
    check_says(&result, line, false);
    fill_right(&result);
    result.races_known = false;
    result.races = 1;
    check_says(&result, line, false);
}
END_TEST

START_TEST(launches_by_lot_are_not_right_beside_races)
{
    struct proof_result result;

    for (uint32_t races = 0; races < 2; ++races) {
        fill_right(&result);
        result.extent = PROOF_TO_TIME;
        result.walked = result.walk_steps = 2;
        result.races = races;
        check_says(&result,
                   races > 0 ? " took 2 steps: none stalled, or did what no kernel may.\n"
                             : " took 2 steps: none went wrong.\n",
                   true);
    }
}
END_TEST

/* The first step writes 0 to so many bytes that all have this value. */
static void check_unwritten(const char *object, uint32_t bytes, uint64_t before, const char *says)
{
    struct proof_told told[2] = {{.bytes = bytes, .before = before, .kind = PROOF_STORE}, {.item = 1}};
    struct proof_result result;

    fill_result(&result, "x");
    result.told = told;
    told[0].object = proof_result_text(&result, object);
    check_says(&result, says, true);
}

START_TEST(what_nobody_has_written_has_no_number)
{
    static const char local[] = "local memory of group 0";

    check_unwritten(local, 4, 0xa5a5a5a5, "writes local memory of group 0[0]: unwritten becomes 0\n");
    check_unwritten(local, 2, 0xa5a5, ": unwritten becomes 0\n");
    check_unwritten(local, 16, UINT64_C(0xa5a5a5a5a5a5a5a5), ": unwritten becomes 0\n");
    check_unwritten(local, 1, 0xa5, ": 165 becomes 0\n"); /* which somebody may have written */
    check_unwritten(local, 4, 0xa5a5, ": 42405 becomes 0\n");
    check_unwritten("a", 4, 0xa5a5a5a5, ": 2779096485 becomes 0\n");
}
END_TEST

START_TEST(no_name_leaves_control_characters_or_bad_utf8)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
        for (int j = 0; j < NAMES && strcmp(formats[i], "baseline") != 0; ++j) { /* proofs have none */
            char *text = format_of(formats[i], names[j]);
            check_clean(text, formats[i], j);
            free(text);
        }
}
END_TEST

START_TEST(each_format_has_what_was_proved)
{
    check("text", "x", "x:toy, 2 groups of 1\n  wrong on every device; it has data races\n");
    check("text", "x", "It ends with a wrong result: object x[0] is -1, and 0 is right.\n");
    check("json", "x", "\"is\": \"-1\"");
    check("text", "x", "x:toy, 3 groups of 1\n  not explored: x\n");
    check("text", "x", "x:toy, 4 groups of 1 (explored: 2 groups of 1)\n  wrong on every device: x: x\n");
    check("junit", "x", "tests=\"3\" failures=\"2\" errors=\"1\" skipped=\"0\"");
    check("csv", "x", ",x:toy,2,1,wrong,wrong on every device,1,2,9,1500000000,");
    check("csv", "=cmd", ",'=cmd:toy,3,1,none,,,,,1500000000,");
    check("markdown", "a|b", "| a\\|b:toy | 4 | fault | wrong on every device: a\\|b: a\\|b |\n");
    check("prometheus", "x", "verdict=\"fault\"} 1\n");
    check("json", "a\"b", "\"object\": \"object a\\\"b\", \"offset\": 4, \"bytes\": 4, \"order\": \"relaxed\"");
    check("jsonl", "x", "\"type\": \"launch\", \"device\": 0, ");
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, only_what_all_schedules_end_with_is_proved);
    tcase_add_test(tests, two_of_more_memories_are_an_example);
    tcase_add_test(tests, races_that_were_not_all_looked_for_are_said);
    tcase_add_test(tests, launches_by_lot_are_not_right_beside_races);
    tcase_add_test(tests, what_nobody_has_written_has_no_number);
    tcase_add_test(tests, no_name_leaves_control_characters_or_bad_utf8);
    tcase_add_test(tests, each_format_has_what_was_proved);
}

int main(void)
{
    return fixture_run("formats of proofs", add_tests);
}

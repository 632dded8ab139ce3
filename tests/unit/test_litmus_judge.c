/* Which programs are guaranteed to end, by which models. */
#include "litmus/form.h"
#include "litmus/judge.h"

#include "harness.h"
#include "litmus_brute.h"
#include "litmus_sample.h"

static struct error error;
static struct litmus_judge judge;
static struct brute brute;

static void read_program(const char *text, struct litmus_program *program)
{
    struct litmus_cursor cursor = {.at = text, .line_start = text, .line = 1};
    ck_assert_msg(litmus_read_text(&cursor, program, &error) == 0, "%s: %s", text, error.text);
}

/* "PF" for each model. */
static void check_verdicts(const char *text, const char *const expected[LITMUS_MODELS])
{
    struct litmus_program program;
    struct litmus_verdicts verdicts;

    read_program(text, &program);
    ck_assert_msg(litmus_judge_program(&judge, &program, &verdicts, &error) == 0, "%s: %s", text, error.text);
    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model) {
        const char found[] = {verdicts.weak[model] ? 'P' : 'F', verdicts.strong[model] ? 'P' : 'F', '\0'};
        ck_assert_msg(strcmp(found, expected[model]) == 0, "%s: %s is %s", text, litmus_model_name(model), found);
    }
}

/* --- models --- */

START_TEST(fair_threads_of_each_model)
{
    static const struct {
        unsigned threads;
        uint32_t started, ended;
        uint32_t fair[LITMUS_MODELS];
    } cases[] = {
        {3, 0, 0, {1, 0, 1, 0, 7}},  {3, 4, 0, {1, 4, 5, 7, 7}},
        {3, 2, 0, {1, 2, 3, 3, 7}},  {3, 6, 4, {1, 2, 3, 3, 3}},
        {3, 4, 4, {1, 0, 1, 3, 3}},  {3, 1, 1, {2, 0, 2, 0, 6}},
        {3, 7, 7, {0, 0, 0, 0, 0}},  {1, 1, 0, {1, 1, 1, 1, 1}},
        {4, 5, 1, {2, 4, 6, 6, 14}}, {16, 0x8000, 0, {1, 0x8000, 0x8001, 0xffff, 0xffff}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model)
            ck_assert_msg(litmus_fair_threads(model, cases[i].threads, cases[i].started, cases[i].ended) ==
                              cases[i].fair[model],
                          "case %zu, %s", i, litmus_model_name(model));
}
END_TEST

/* --- programs whose verdicts are known --- */

static const struct {
    const char *text, *verdicts[LITMUS_MODELS];
} known[] = {
    /* A mutex needs the one who holds it to go on. */
    {"0,1,1,0;0,0,0,2|0,1,1,0;0,0,0,2", {"FF", "PP", "PP", "PP", "PP"}},
    /* Thread 0 waits for 1, which may not have started. */
    {"0,0,-,0|0,0,1,1", {"FF", "FF", "FF", "FF", "PP"}},
    /* Thread 1 waits for 0, which is first in line. */
    {"0,0,1,1|0,0,-,0", {"PP", "FF", "PP", "PP", "PP"}},
    /* Each undoes what the other does: only a turn at the right moment helps. */
    {"0,0,1,0|0,1,0,0", {"FP", "FP", "FP", "FP", "FP"}},
    /* Nobody ever writes. */
    {"0,0,-,0", {"FF", "FF", "FF", "FF", "FF"}},
    {"0,0,-,0|0,0,-,0", {"FF", "FF", "FF", "FF", "FF"}},
    /* There is no cycle. */
    {"0,0,1,1", {"PP", "PP", "PP", "PP", "PP"}},
    {"0,0,1,1|0,0,-,1;1,0,1,2|1,1,0,1", {"PP", "PP", "PP", "PP", "PP"}},
    /* Thread 0 waits for 1, which LOBE lets start once 2 has, but 2 may not. */
    {"0,0,-,0|0,0,1,1|1,0,-,1", {"FF", "FF", "FF", "FF", "PP"}},
    /* What needs one model, or one kind of fairness, and no less. */
    {"0,0,1,0|0,0,-,0;0,1,0,1", {"FP", "FF", "FP", "FP", "FP"}},
    {"0,0,1,0;0,0,-,1|0,0,0,1;0,1,1,0", {"FF", "FP", "FP", "FP", "FP"}},
    {"0,1,1,0|0,0,1,2;0,0,0,1;0,1,0,1", {"FF", "FF", "PP", "PP", "PP"}},
    {"0,1,1,0|0,0,0,2;0,0,0,3;0,0,1,1", {"FF", "FF", "FP", "FP", "FP"}},
    {"0,1,1,0|0,0,0,0|0,0,1,1", {"FF", "FF", "FF", "PP", "PP"}},
    {"0,0,1,0|1,0,1,0|0,0,0,2;1,0,-,0", {"FP", "FP", "FP", "PP", "PP"}},
    {"0,0,1,0|0,0,0,2;1,0,-,0|1,0,1,0", {"FP", "FP", "FP", "FP", "PP"}},
    {"0,0,0,0|0,0,1,1;0,1,0,0", {"FF", "FF", "FF", "FF", "FP"}},
};

static void check_all_known(void)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        check_verdicts(known[i].text, known[i].verdicts);
}

START_TEST(verdicts_that_are_known)
{
    check_all_known();
}
END_TEST

/* --- beside brute force --- */

static unsigned compared, weak_holds[LITMUS_MODELS], only_strong_holds[LITMUS_MODELS], neither_holds[LITMUS_MODELS];

static void compare(const struct litmus_program *program)
{
    struct litmus_verdicts verdicts;
    bool weak[BRUTE_MODELS];
    char text[LITMUS_TEXT];

    litmus_text(program, text);
    ck_assert_int_eq(litmus_judge_program(&judge, program, &verdicts, &error), 0);
    brute_explore(&brute, program, true);
    ck_assert_msg((int)judge.space.count == brute.count, "%s: %u states", text, judge.space.count);
    brute_weak(&brute, weak);
    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model) {
        const bool strong = brute_strong(&brute, (int)model);
        ck_assert_msg(verdicts.weak[model] == weak[model], "%s: weak %s", text, litmus_model_name(model));
        ck_assert_msg(verdicts.strong[model] == strong, "%s: strong %s", text, litmus_model_name(model));
        weak_holds[model] += weak[model];
        only_strong_holds[model] += strong && !weak[model];
        neither_holds[model] += !strong;
    }
    ++compared;
}

START_TEST(enumerated_programs_are_judged_as_by_brute_force)
{
    sample_programs(2, 2, 1, compare);
    sample_programs(2, 3, 1, compare);
    sample_programs(3, 3, 1, compare);
    ck_assert_uint_eq(compared, 8 + 162 + 60);
    sample_programs(2, 4, 29, compare);
    sample_programs(3, 4, 29, compare);
    for (int model = 0; model < LITMUS_MODELS; ++model) {
        ck_assert_uint_gt(weak_holds[model], 0);
        ck_assert_uint_gt(only_strong_holds[model], 0);
        ck_assert(neither_holds[model] > 0 || model == LITMUS_FAIR);
    }
}
END_TEST

START_TEST(any_programs_are_judged_as_by_brute_force)
{
    unsigned long long state = 1;
    struct litmus_program program;

    for (unsigned i = 0; i < 600; ++i) {
        brute_random_program(&state, 2, 3, &program);
        compare(&program);
    }
    for (unsigned i = 0; i < 150; ++i) {
        brute_random_program(&state, 3, 2, &program);
        compare(&program);
        brute_random_program(&state, 1, 6, &program);
        compare(&program);
        brute_random_program(&state, 4, 1, &program);
        compare(&program);
    }
    for (int model = 0; model < LITMUS_MODELS; ++model) {
        ck_assert_uint_gt(weak_holds[model], 0);
        ck_assert_uint_gt(only_strong_holds[model], 0);
        ck_assert_uint_gt(neither_holds[model], 0);
    }
}
END_TEST

/* --- the bound --- */

/* Threads that all go through so many instructions, one after the other. */
static void make_straight(struct litmus_program *program, unsigned threads, unsigned length)
{
    memset(program, 0, sizeof *program);
    program->threads = threads;
    memset(program->length, (int)length, threads);
    litmus_lay_out(program);
    for (unsigned t = 0; t < threads; ++t)
        for (unsigned i = 0; i < length; ++i)
            program->code[program->first[t] + i] =
                (struct litmus_instruction){.exchange = LITMUS_NO_EXCHANGE, .jump = (uint8_t)(i + 1)};
}

START_TEST(programs_with_too_many_states_are_refused_and_others_judged_after_them)
{
    struct litmus_program program;
    struct litmus_verdicts verdicts;

    make_straight(&program, 16, 4); /* 5^16 states */
    ck_assert_int_eq(litmus_judge_program(&judge, &program, &verdicts, &error), -1);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_ptr_nonnull(strstr(error.text, "524288"));
    check_all_known();
    make_straight(&program, 16, 1); /* 2^16 states */
    ck_assert_int_eq(litmus_judge_program(&judge, &program, &verdicts, &error), 0);
    ck_assert_uint_eq(judge.space.count, 1 << 16);
    ck_assert(verdicts.weak[LITMUS_HSA] && verdicts.weak[LITMUS_OBE] && verdicts.weak[LITMUS_LOBE]);
    make_straight(&program, 1, 64);
    ck_assert_int_eq(litmus_judge_program(&judge, &program, &verdicts, &error), 0);
    ck_assert_uint_eq(judge.space.count, 65);
    check_all_known();
}
END_TEST

HARNESS_MAIN("litmus judge", fair_threads_of_each_model, verdicts_that_are_known,
             enumerated_programs_are_judged_as_by_brute_force, any_programs_are_judged_as_by_brute_force,
             programs_with_too_many_states_are_refused_and_others_judged_after_them)

/* Model devices: a launch stalls if and only if the model lets it, and it keeps the model all the time. */
#include "litmus/code.h"
#include "litmus/enumerate.h"
#include "litmus/emulate.h"
#include "litmus/form.h"
#include "litmus/judge.h"

#include "harness.h"
#include "launch_checker.h"

static struct error error;
static struct litmus_judge judge;

static enum litmus_answer begin_part(void *context, const struct litmus_program *program, unsigned known)
{
    (void)context;
    (void)program;
    (void)known;
    return LITMUS_SEARCH;
}

static void end_part(void *context)
{
    (void)context;
}

struct sample {
    unsigned long seen, step;
    void (*use)(const struct litmus_program *program);
};

static bool use_found(void *context, const struct litmus_program *program)
{
    struct sample *sample = context;
    if (sample->seen++ % sample->step == 0)
        sample->use(program);
    return true;
}

static void for_each(unsigned threads, unsigned instructions, unsigned long step,
                     void (*use)(const struct litmus_program *program))
{
    struct sample sample = {0, step, use};
    const struct litmus_visitor visitor = {&sample, begin_part, end_part, use_found};
    litmus_enumerate(threads, instructions, &visitor);
}

static bool keep_outcome(void *context, const struct test_outcome *outcome)
{
    *(struct test_outcome *)context = *outcome;
    return true;
}

static struct checker checker;

static struct test_outcome emulate(const struct model_device *device, const struct litmus_program *program,
                                   struct mapping mapping, uint32_t groups)
{
    const struct emulate_trace trace = checker_trace(&checker);
    struct block block = {.mapping = mapping, .groups = groups, .iterations = 2, .local_size = 1};
    struct test_outcome outcome = {.ran = 0};

    ck_assert(litmus_block_add(&block, program));
    checker.device = device;
    ck_assert_msg(litmus_emulate_traced(device, &block, 1, keep_outcome, &outcome, &trace, &error) == 0, "%s",
                  error.text);
    ck_assert_uint_eq(outcome.ran, 2);
    ck_assert(outcome.confirmed == (outcome.stalled > 0));
    return outcome;
}

/* --- without a bound, the oracle's verdict --- */

static unsigned ended_count, stalled_count;

static void check_unbounded(const struct litmus_program *program)
{
    struct litmus_verdicts verdicts;
    char text[LITMUS_TEXT];

    litmus_text(program, text);
    ck_assert_int_eq(litmus_judge_program(&judge, program, &verdicts, &error), 0);
    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model)
        for (int weak = 0; weak < 2; ++weak)
            for (int kind = MAPPING_PLAIN; kind <= MAPPING_RANDOM; ++kind) {
                const struct model_device device = {.model = model, .weak = weak != 0};
                const struct test_outcome outcome =
                    emulate(&device, program, (struct mapping){(enum mapping_kind)kind, 7}, 12);
                const bool guaranteed = weak ? verdicts.weak[model] : verdicts.strong[model];
                ck_assert_msg(outcome.stalled == (guaranteed ? 0 : 2), "%s: %s %s, %s: %u stalls", text,
                              weak ? "weak" : "strong", litmus_model_name(model), mapping_name((enum mapping_kind)kind),
                              outcome.stalled);
                ++*(guaranteed ? &ended_count : &stalled_count);
            }
}

START_TEST(without_a_bound_a_launch_stalls_if_and_only_if_the_model_lets_it)
{
    for_each(2, 2, 1, check_unbounded);
    for_each(2, 3, 1, check_unbounded);
    for_each(3, 3, 1, check_unbounded);
    for_each(2, 4, 17, check_unbounded);
    for_each(3, 4, 17, check_unbounded);
    ck_assert_uint_gt(ended_count, 1000);
    ck_assert_uint_gt(stalled_count, 1000);
}
END_TEST

HARNESS_MAIN("emulate", without_a_bound_a_launch_stalls_if_and_only_if_the_model_lets_it)

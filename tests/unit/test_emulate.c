/* Model devices: a launch stalls if and only if the model lets it, and it keeps the model all the time. */
#include "litmus/choose.h"
#include "litmus/form.h"
#include "litmus/judge.h"

#include "harness.h"
#include "launch_checker.h"
#include "litmus_sample.h"

#include <stdio.h>

static struct error error;
static struct litmus_judge judge;
static struct checker checker;

static struct litmus_program read_program(const char *text)
{
    struct litmus_cursor cursor = {.at = text, .line_start = text, .line = 1};
    struct litmus_program program;

    ck_assert_msg(litmus_read_text(&cursor, &program, &error) == 0, "%s: %s", text, error.text);
    return program;
}

static struct model_device parse(const char *name)
{
    struct model_device device;

    ck_assert_msg(model_device_parse(name, &device, &error) == 0, "%s", error.text);
    return device;
}

/* --- names --- */

START_TEST(names_of_model_devices)
{
    static const char *const cases[][2] = {
        {"model:unfair", "model:unfair"},
        {"model:hsa", "model:hsa"},
        {"MODEL:OBE:8", "model:obe:8"},
        {"model:obe", "model:obe:8"},
        {"model:HSA_obe:1", "model:hsa_obe:1"},
        {"model:lobe:65531", "model:lobe:65531"},
        {"model:fair:weak", "model:fair:weak"},
        {"model:lobe:weak", "model:lobe:8:weak"},
        {"model:obe:3:WEAK", "model:obe:3:weak"},
        {"model:obe:3:strong", "model:obe:3"},
        {"model:hsa:Strong", "model:hsa"},
        {"model:unfair:weak", "model:unfair:weak"},
        {"model:obe:65536", "model:obe:65536"},
        {"model:fair,order=UP", "model:fair,order=up"},
        {"model:obe,seed=7,order=lot", "model:obe:8,order=lot,seed=7"},
        {"model:hsa_obe:4:strong,turns=lot", "model:hsa_obe:4,turns=lot"},
        {"model:fair,SUB-GROUPS=128,seed=1", "model:fair,seed=1,sub-groups=128"},
        {"model:obe:4,order=mixed,turns=round,reads=any,seed=0", "model:obe:4"},
        {"MODEL:LOBE:65536:WEAK,ORDER=CHUNKED,READS=WRITTEN,TURNS=LOT,SEED=4294967295",
         "model:lobe:65536:weak,order=chunked,turns=lot,reads=written,seed=4294967295"},
    };
    char name[MODEL_DEVICE_NAME];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const struct model_device device = parse(cases[i][0]);
        model_device_name(&device, name);
        ck_assert_str_eq(name, cases[i][1]);
    }
    const struct model_device device = parse("model:hsa_obe:12:weak");
    ck_assert(!device.unfair && device.weak);
    ck_assert_uint_eq(device.model, LITMUS_HSA_OBE);
    ck_assert_uint_eq(device.resident, 12);
    ck_assert_uint_eq(parse("model:fair").resident, 0);
}
END_TEST

START_TEST(what_litmus_tests_do_not_heed_is_refused)
{
    static const char *const refused[] = {"model:obe:65532", "model:fair,order=up", "model:obe,turns=lot",
                                          "model:obe,seed=1", "model:obe,sub-groups=32"};
    struct model_device device = parse("model:obe:65531:weak");

    ck_assert_int_eq(model_device_check_litmus(&device, &error), 0);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
        device = parse(refused[i]);
        ck_assert_int_eq(model_device_check_litmus(&device, &error), -1);
        ck_assert_uint_eq(error.status, STATUS_USAGE);
    }
}
END_TEST

START_TEST(what_is_no_model_device)
{
    static const char *const cases[] = {
        "",
        "model",
        "model:",
        "hsa",
        "model:hsaobe",
        "model:obe:",
        "model:obe:0",
        "model:obe:08",
        "model:obe:65537",
        "model:obe:99999999999999999999999",
        "model:obe:-1",
        "model:obe: 1",
        "model:obe:8:8",
        "model:obe:8x",
        "model:hsa:8",
        "model:fair:8:weak",
        "model:unfair:1",
        "model:obe:weak:8",
        "model:obe:8:weak:strong",
        "model:obe:8:weakly",
        "model:hsa:",
        "model:hsa:weak:",
        "model:hsa weak",
        "model:obe:,order=up",
        "model:obe:8:,order=up",
        "model:obe:8:weak:,order=up",
        "model,order=up",
    };
    struct model_device device;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        ck_assert_msg(model_device_parse(cases[i], &device, &error) == -1, "%s", cases[i]);
        ck_assert_uint_eq(error.status, STATUS_USAGE);
        ck_assert_ptr_nonnull(strstr(error.text, "model:hsa_obe[:N]"));
    }
    static const char *const parts[][2] = {
        {"model:obe,", "\"\": expected order=..., turns=..., reads=..., seed=N or sub-groups=N, each once"},
        {"model:obe,order", "\"order\": expected order=..., turns=..., reads=..., seed=N"},
        {"model:obe,order=up,order=up",
         "\"order=up\": expected order=..., turns=..., reads=..., seed=N or sub-groups=N, each once"},
        {"model:obe,colour=red", "\"colour=red\": expected order"},
        {"model:obe,order=", "\"order=\": expected mixed, up, down, chunked, split or lot"},
        {"model:obe,order=side", "\"order=side\": expected mixed, up, down, chunked, split or lot"},
        {"model:obe,turns=up", "\"turns=up\": expected round, lot or pct"},
        {"model:obe,reads=", "\"reads=\": expected any or written"},
        {"model:obe,seed=", "\"seed=\": expected a number from 0 to 4294967295"},
        {"model:obe,seed=-1", "expected a number"},
        {"model:obe,seed=4294967296", "expected a number"},
        {"model:obe,seed=1x", "expected a number"},
        {"model:obe,sub-groups=0", "\"sub-groups=0\": expected a number of work-items from 1 to 128"},
        {"model:obe,sub-groups=129", "expected a number of work-items from 1 to 128"},
        {"model:obe,order=up:weak", "\"order=up:weak\": expected mixed"},
    };

    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
        ck_assert_msg(model_device_parse(parts[i][0], &device, &error) == -1, "%s", parts[i][0]);
        ck_assert_uint_eq(error.status, STATUS_USAGE);
        ck_assert_msg(strstr(error.text, parts[i][1]) != NULL, "%s", error.text);
    }
    ck_assert(model_device_is_named("Model:xyz"));
    ck_assert(!model_device_is_named("models:hsa"));
}
END_TEST

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
                    checker_emulate(&checker, &device, program, (struct mapping){(enum mapping_kind)kind, 7}, 12);
                const bool guaranteed = weak ? verdicts.weak[model] : verdicts.strong[model];
                ck_assert_msg(outcome.stalled == (guaranteed ? 0 : 2), "%s: %s %s, %s: %u stalls", text,
                              weak ? "weak" : "strong", litmus_model_name(model), mapping_name((enum mapping_kind)kind),
                              outcome.stalled);
                ++*(guaranteed ? &ended_count : &stalled_count);
            }
}

START_TEST(without_a_bound_a_launch_stalls_if_and_only_if_the_model_lets_it)
{
    sample_programs(2, 2, 1, check_unbounded);
    sample_programs(2, 3, 1, check_unbounded);
    sample_programs(3, 3, 1, check_unbounded);
    sample_programs(2, 4, 101, check_unbounded);
    sample_programs(3, 4, 101, check_unbounded);
    ck_assert_uint_gt(ended_count, 1000);
    ck_assert_uint_gt(stalled_count, 1000);
}
END_TEST

/* --- many groups --- */

/* The checker looks at each step of the quick suite on each device. */
START_TEST(each_model_is_kept_in_large_launches)
{
    static const char *const names[] = {"model:unfair", "model:hsa",     "model:obe:8",
                                        "model:fair",   "model:lobe:8",  "model:hsa_obe:8",
                                        "model:lobe:1", "model:obe:100", "model:hsa_obe:2"};
    struct litmus_choices suite = {.count = 0};
    unsigned stalls = 0, launches = 0;

    ck_assert_int_eq(litmus_choose_quick(&suite, &error), 0);
    for (size_t i = 0; i < 2 * sizeof names / sizeof *names; ++i) {
        char name[MODEL_DEVICE_NAME];
        snprintf(name, sizeof name, "%s%s", names[i / 2], i % 2 != 0 ? ":weak" : "");
        const struct model_device device = parse(name);
        for (int kind = 0; kind < MAPPING_KINDS; ++kind)
            for (size_t at = (size_t)kind; at < suite.count; at += 5) {
                const struct test_outcome outcome = checker_emulate(&checker, &device, &suite.all[at].program,
                                                                    (struct mapping){(enum mapping_kind)kind, 3}, 60);
                stalls += outcome.stalled;
                launches += outcome.ran;
            }
    }
    ck_assert_uint_gt(stalls, 500);
    ck_assert_uint_gt(launches - stalls, 500);
    litmus_choices_fini(&suite);
}
END_TEST

/* --- outcomes --- */

START_TEST(a_stall_says_where_the_test_stands)
{
    const struct litmus_program program = read_program("0,0,-,0|1,0,1,1;0,0,1,2");
    const struct model_device device = parse("model:lobe:4");
    struct test_outcome outcome =
        checker_emulate(&checker, &device, &program, (struct mapping){MAPPING_CHUNKED, 0}, 10);

    ck_assert_uint_eq(outcome.stalled, 2);
    ck_assert_uint_gt(outcome.stall_ns, 0);
    ck_assert_uint_gt(outcome.duration_ns, 16 * outcome.stall_ns);
    ck_assert_uint_eq(outcome.state.groups, 10);
    ck_assert_uint_eq(outcome.state.started, 4);
    ck_assert_uint_eq(outcome.state.ended, 0);
    ck_assert_uint_eq(outcome.state.stuck, 4);
    ck_assert_uint_eq(outcome.state.threads_started, 1);
    ck_assert_uint_eq(outcome.state.threads_ended, 0);
    ck_assert_uint_eq(outcome.state.memory, 0);
    ck_assert_uint_eq(outcome.state.position[0], 0);
    ck_assert(outcome.state.starved);
    outcome = checker_emulate(&checker, &device, &program, (struct mapping){MAPPING_ROUND_ROBIN, 0}, 10);
    ck_assert_uint_eq(outcome.stalled, 0);
    ck_assert_uint_eq(outcome.state.groups, 0);
}
END_TEST

/* Under shuffled mapping thread 1 comes first, and the state is told of the threads as they are written. */
START_TEST(states_are_those_of_the_program_as_written)
{
    const struct litmus_program program = read_program("0,0,1,1|0,0,-,0");
    const struct model_device device = parse("model:hsa");
    const struct test_outcome outcome =
        checker_emulate(&checker, &device, &program, (struct mapping){MAPPING_SHUFFLED, 5}, 8);

    ck_assert_uint_eq(outcome.stalled, 2);
    ck_assert_uint_eq(outcome.state.threads_started, 2);
    ck_assert(outcome.state.starved);
    ck_assert_uint_eq(checker_emulate(&checker, &device, &program, (struct mapping){MAPPING_RANDOM, 5}, 8).stalled, 0);
}
END_TEST

struct taken {
    unsigned count, most;
    struct test_outcome outcomes[8];
};

static bool take(void *context, const struct test_outcome *outcome)
{
    struct taken *taken = context;

    taken->outcomes[taken->count] = *outcome;
    return ++taken->count < taken->most;
}

START_TEST(blocks_are_run_in_order_and_the_same_each_time)
{
    static const char *const texts[] = {"0,0,-,0|0,0,1,1", "0,0,1,1|0,0,-,0", "0,0,1,0|0,1,0,0", "0,0,1,1"};
    const struct model_device device = parse("model:hsa_obe:3:weak");
    struct block block = {.mapping = {MAPPING_RANDOM, 2}, .groups = 20, .iterations = 7, .local_size = 1};
    struct taken taken[3] = {{.most = 8}, {.most = 8}, {.most = 2}};

    for (size_t i = 0; i < 4; ++i) {
        const struct litmus_program program = read_program(texts[i]);
        ck_assert(litmus_block_add(&block, &program));
    }
    for (size_t i = 0; i < 3; ++i)
        ck_assert_int_eq(
            litmus_emulate(&device, &block, 11, &(struct emulate_sink){&taken[i], take, NULL, NULL}, &error), 0);
    ck_assert_uint_eq(taken[0].count, 4);
    ck_assert_uint_eq(taken[2].count, 2);
    ck_assert_mem_eq(taken[0].outcomes, taken[1].outcomes, sizeof taken[0].outcomes);
    for (uint32_t i = 0; i < 4; ++i) {
        ck_assert_uint_eq(taken[0].outcomes[i].test, i);
        ck_assert_uint_eq(taken[0].outcomes[i].ran, 7);
        ck_assert_uint_gt(taken[0].outcomes[i].duration_ns, 0);
    }
    ck_assert_uint_eq(taken[0].outcomes[1].stalled, 0);
    ck_assert_uint_eq(taken[0].outcomes[2].stalled, 7);
}
END_TEST

struct patience {
    unsigned asked, enough, taken;
};

static bool count_taken(void *context, const struct test_outcome *outcome)
{
    (void)outcome;
    ++((struct patience *)context)->taken;
    return true;
}

static bool is_enough(void *context)
{
    struct patience *patience = context;
    return ++patience->asked >= patience->enough;
}

/* In the middle of a launch, too: what the test would have come to is not told. */
START_TEST(a_large_device_is_stopped_at_once)
{
    const struct litmus_program program = read_program("0,0,-,0|0,0,1,1");
    struct block block = {.mapping = {MAPPING_CHUNKED, 0}, .groups = 60000, .iterations = 20, .local_size = 1};
    static const char *const names[] = {"model:unfair",     "model:hsa", "model:obe:20000", "model:hsa_obe:20000:weak",
                                        "model:lobe:20000", "model:fair"};

    ck_assert(litmus_block_add(&block, &program));
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        for (unsigned enough = 1; enough < 40; enough += 13) {
            const struct model_device device = parse(names[i]);
            struct patience patience = {.enough = enough};
            const struct emulate_sink sink = {&patience, count_taken, is_enough, NULL};
            ck_assert_int_eq(litmus_emulate(&device, &block, 1, &sink, &error), 0);
            ck_assert_uint_eq(patience.asked, enough);
            ck_assert_uint_eq(patience.taken, 0);
        }
}
END_TEST

START_TEST(too_many_states_are_an_error)
{
    struct litmus_program program = {.threads = 16};
    struct block block = {.mapping = {MAPPING_PLAIN, 0}, .groups = 16, .iterations = 1, .local_size = 1};
    const struct model_device device = parse("model:fair");
    struct taken taken = {.most = 8};

    memset(program.length, 4, 16);
    litmus_lay_out(&program);
    for (unsigned i = 0; i < 64; ++i)
        program.code[i] = (struct litmus_instruction){.exchange = LITMUS_NO_EXCHANGE, .jump = (uint8_t)(i % 4 + 1)};
    ck_assert(litmus_block_add(&block, &program));
    ck_assert_int_eq(litmus_emulate(&device, &block, 1, &(struct emulate_sink){&taken, take, NULL, NULL}, &error), -1);
    ck_assert_uint_eq(error.status, STATUS_USAGE);
    ck_assert_uint_eq(taken.count, 0);
}
END_TEST

/* All threads wait for the last one: few, many, and one alone. */
START_TEST(programs_of_any_width)
{
    static const char *const names[] = {"model:unfair", "model:obe:8", "model:hsa_obe:8", "model:lobe:8:weak",
                                        "model:hsa:weak"};

    for (unsigned threads = 1; threads <= 12; ++threads)
        for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
            const struct model_device device = parse(names[i]);
            struct litmus_program program = {.threads = threads};
            memset(program.length, 1, threads);
            litmus_lay_out(&program);
            for (unsigned t = 0; t < threads; ++t)
                program.code[t] = (struct litmus_instruction){.exchange = LITMUS_NO_EXCHANGE};
            program.code[threads - 1] = (struct litmus_instruction){.exchange = 1, .jump = 1};
            const struct test_outcome outcome =
                checker_emulate(&checker, &device, &program, (struct mapping){MAPPING_CHUNKED, 0}, 12 * threads);
            ck_assert_msg(outcome.stalled == (threads > 1 ? 2 : 0), "%s: %u threads", names[i], threads);
        }
}
END_TEST

HARNESS_MAIN("emulate", names_of_model_devices, what_litmus_tests_do_not_heed_is_refused, what_is_no_model_device,
             without_a_bound_a_launch_stalls_if_and_only_if_the_model_lets_it, each_model_is_kept_in_large_launches,
             a_stall_says_where_the_test_stands, states_are_those_of_the_program_as_written,
             blocks_are_run_in_order_and_the_same_each_time, a_large_device_is_stopped_at_once,
             too_many_states_are_an_error, programs_of_any_width)

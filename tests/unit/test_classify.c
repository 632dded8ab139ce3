/* Each model device is classified as what it is, and nothing else, by the quick suite. */
#include "litmus/choose.h"
#include "litmus/classify.h"
#include "litmus/code.h"
#include "litmus/emulate.h"
#include "litmus/form.h"

#include "harness.h"

#include <stdio.h>
#include <string.h>

static struct error error;

/* --- a suite on a model device --- */

static struct litmus_choices suite;

struct pass {
    struct litmus_classification *classification;
    const struct litmus_choice *programs;
    struct mapping mapping;
};

static bool take(void *context, const struct test_outcome *outcome)
{
    const struct pass *pass = context;
    const struct litmus_case added = {pass->programs[outcome->test].program, pass->mapping, ENGINE_TABLE, *outcome};

    ck_assert_int_eq(litmus_classify(pass->classification, &added, &error), 0);
    return true;
}

static void run_suite(const struct model_device *device, struct mapping mapping, uint32_t groups, uint32_t seed,
                      struct litmus_classification *classification)
{
    for (size_t at = 0; at < suite.count;) {
        struct pass pass = {classification, &suite.all[at], mapping};
        struct block block = {.mapping = mapping, .groups = groups, .iterations = 1, .local_size = 1};
        while (at < suite.count && litmus_block_add(&block, &suite.all[at].program))
            ++at;
        ck_assert_int_eq(block_check(&block, &error), 0);
        ck_assert_msg(litmus_emulate(device, &block, seed, &(struct emulate_sink){&pass, take, NULL, NULL}, &error) ==
                          0,
                      "%s", error.text);
    }
}

static const char *const names[] = {"model:unfair",         "model:hsa",         "model:obe:8",
                                    "model:hsa_obe:8",      "model:lobe:8",      "model:fair",
                                    "model:unfair:weak",    "model:hsa:weak",    "model:obe:8:weak",
                                    "model:hsa_obe:8:weak", "model:lobe:8:weak", "model:fair:weak"};

enum { GROUPS = 48 };

static void check_classified(const char *name, uint32_t seed)
{
    static struct litmus_classification classification;
    struct model_device device;
    char text[LITMUS_CLASSES];

    ck_assert_int_eq(model_device_parse(name, &device, &error), 0);
    litmus_classification_fini(&classification);
    classification = (struct litmus_classification){.cases = 0};
    for (int kind = 0; kind < MAPPING_KINDS; ++kind)
        run_suite(&device, (struct mapping){(enum mapping_kind)kind, seed}, GROUPS, seed, &classification);
    litmus_classes(&classification, text);
    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model)
        for (int fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness) {
            const bool expected =
                !device.unfair && litmus_implies(device.model, device.weak ? LITMUS_WEAK : LITMUS_STRONG, model,
                                                 (enum litmus_fairness)fairness);
            ck_assert_msg(litmus_holds(&classification, model, (enum litmus_fairness)fairness) == expected,
                          "%s, seed %u: %s, %s under %s fairness", name, seed, text, litmus_model_name(model),
                          fairness == LITMUS_WEAK ? "weak" : "strong");
        }
}

START_TEST(each_model_device_is_classified_as_itself)
{
    const char *soak = getenv("GRIDLOCK_SOAK");
    const uint32_t seeds = soak != NULL ? (uint32_t)strtoul(soak, NULL, 10) : 3;

    ck_assert_int_eq(litmus_choose_quick(&suite, &error), 0);
    for (uint32_t seed = 1; seed <= seeds; ++seed)
        for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
            check_classified(names[i], seed);
}
END_TEST

/* --- single cases --- */

static struct litmus_program read_program(const char *text)
{
    struct litmus_cursor cursor = {.at = text, .line_start = text, .line = 1};
    struct litmus_program program;

    ck_assert_msg(litmus_read_text(&cursor, &program, &error) == 0, "%s: %s", text, error.text);
    return program;
}

static const struct test_outcome confirmed = {.ran = 3, .stalled = 1, .confirmed = true};

static void add(struct litmus_classification *classification, const char *text, enum mapping_kind kind, uint32_t seed,
                struct test_outcome outcome)
{
    const struct litmus_case added = {read_program(text), {kind, seed}, ENGINE_TABLE, outcome};
    ck_assert_msg(litmus_classify(classification, &added, &error) == 0, "%s", error.text);
}

/* Guaranteed by HSA and what implies it, under weak fairness. */
static const char up[] = "0,0,1,1|0,0,-,0";

START_TEST(only_a_confirmed_stall_refutes)
{
    static const struct {
        struct test_outcome outcome;
        bool refutes, undecided;
    } cases[] = {
        {{.ran = 3, .stalled = 1, .confirmed = true}, true, false},
        {{.ran = 3, .stalled = 3}, false, true},
        {{.ran = 3, .undecided = 1}, false, true},
        {{.ran = 0, .undecided = 3}, false, true},
        {{.ran = 0}, false, true},
        {{.ran = 3, .cut = true}, false, true},
        {{.ran = 3, .stalled = 1, .confirmed = true, .cut = true}, false, true},
        {{.ran = 3}, false, false},
        {{.ran = 3, .stalled = 1, .undecided = 1, .confirmed = true}, true, false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct litmus_classification c = {.cases = 0};
        add(&c, up, MAPPING_CHUNKED, 0, cases[i].outcome);
        ck_assert_msg(litmus_holds(&c, LITMUS_HSA, LITMUS_WEAK) == !cases[i].refutes, "case %zu", i);
        ck_assert(litmus_holds(&c, LITMUS_LOBE, LITMUS_STRONG) == !cases[i].refutes);
        ck_assert(litmus_holds(&c, LITMUS_OBE, LITMUS_STRONG));
        ck_assert_uint_eq(c.standings[LITMUS_HSA][LITMUS_WEAK].guaranteed, 1);
        ck_assert_uint_eq(c.standings[LITMUS_HSA][LITMUS_WEAK].undecided, cases[i].undecided);
        ck_assert_uint_eq(c.standings[LITMUS_HSA][LITMUS_WEAK].ended, !cases[i].refutes && !cases[i].undecided);
        ck_assert_uint_eq(c.standings[LITMUS_OBE][LITMUS_WEAK].guaranteed, 0);
        litmus_classification_fini(&c);
    }
}
END_TEST

/* All tests of the quick suite ended: they tell all models apart. */
static void add_quick(struct litmus_classification *classification)
{
    struct litmus_choices choices = {.count = 0};

    ck_assert_int_eq(litmus_choose_quick(&choices, &error), 0);
    for (size_t i = 0; i < choices.count; ++i) {
        const struct litmus_case added = {choices.all[i].program, {MAPPING_PLAIN, 0}, ENGINE_TABLE, {.ran = 3}};
        ck_assert_int_eq(litmus_classify(classification, &added, &error), 0);
    }
    litmus_choices_fini(&choices);
}

/* Guaranteed by FAIR alone; with its threads as here, thread 0 of instance 2 is group 2, and thread 1 group 8. */
static const char later[] = "0,0,-,0|0,0,1,1";

static const struct test_state stood = {
    .groups = 12, .started = 5, .ended = 2, .stuck = 2, .instance = 2, .threads_started = 1, .starved = true};

START_TEST(a_state_refutes_what_does_not_allow_it)
{
    struct test_outcome outcome = {.ran = 20, .stalled = 1, .confirmed = true, .state = stood};
    struct litmus_classification c = {.cases = 0};
    char text[LITMUS_CLASSES];

    add_quick(&c);
    add(&c, later, MAPPING_CHUNKED, 0, outcome); /* nothing but a later group never started */
    litmus_classes(&c, text);
    ck_assert_str_eq(text, "LOBE");
    ck_assert_uint_eq(c.standings[LITMUS_FAIR][LITMUS_WEAK].states, 1);
    ck_assert_uint_eq(c.standings[LITMUS_LOBE][LITMUS_STRONG].states, 0);
    outcome.state.started = 9;
    add(&c, later, MAPPING_CHUNKED, 0, outcome);
    litmus_classes(&c, text);
    ck_assert_str_eq(text, "HSA_OBE");
    ck_assert_uint_eq(c.standings[LITMUS_LOBE][LITMUS_WEAK].states, 1);
    ck_assert_uint_eq(c.standings[LITMUS_LOBE][LITMUS_WEAK].refuting, 0);
    ck_assert(!litmus_holds(&c, LITMUS_LOBE, LITMUS_WEAK));
    outcome.state = (struct test_state){.groups = 12, .started = 1, .stuck = 1, .threads_started = 2};
    add(&c, later, MAPPING_CHUNKED, 0, outcome); /* group 0 never started */
    litmus_classes(&c, text);
    ck_assert_str_eq(text, "OBE");
    litmus_classification_fini(&c);
}
END_TEST

/* Nor do stalls that were not confirmed, but then something is open. */
START_TEST(a_doubtful_state_refutes_nothing)
{
    static const struct {
        struct test_outcome outcome;
        uint32_t open;
    } cases[] = {
        {{.ran = 20, .stalled = 1}, 1},
        {{.ran = 20, .undecided = 1}, 1},
        {{.ran = 20, .stalled = 1, .confirmed = true, .cut = true}, 0},
        {{.ran = 20}, 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct litmus_classification c = {.cases = 0};
        struct test_outcome outcome = cases[i].outcome;
        add_quick(&c);
        outcome.state = stood;
        outcome.state.started = 9;
        add(&c, later, MAPPING_CHUNKED, 0, outcome);
        ck_assert_msg(litmus_holds(&c, LITMUS_FAIR, LITMUS_STRONG), "case %zu", i);
        ck_assert_uint_eq(litmus_open(&c.standings[LITMUS_LOBE][LITMUS_STRONG]), cases[i].open);
        ck_assert_uint_ge(litmus_strongest_open(&c), cases[i].open);
        litmus_classification_fini(&c);
    }
}
END_TEST

/* A test that a model guarantees says more than a shorter one that stood in some state. */
START_TEST(a_guaranteed_test_is_the_better_reason)
{
    static const char longer[] = "0,1,1,0;0,0,0,2|0,1,1,0;0,0,0,2";
    const struct litmus_standing *standing;
    struct test_outcome outcome = {.ran = 3, .stalled = 3, .confirmed = true, .state = stood};

    outcome.state.started = 9;
    for (int first = 0; first < 2; ++first) {
        struct litmus_classification c = {.cases = 0};
        char text[LITMUS_TEXT];
        if (first == 0)
            add(&c, later, MAPPING_CHUNKED, 0, outcome);
        add(&c, longer, MAPPING_CHUNKED, 0, confirmed);
        if (first != 0)
            add(&c, later, MAPPING_CHUNKED, 0, outcome);
        standing = &c.standings[LITMUS_LOBE][LITMUS_STRONG];
        litmus_text(&standing->reason.program, text);
        ck_assert_str_eq(text, longer);
        ck_assert_uint_eq(standing->refuting, 1);
        ck_assert_uint_eq(standing->states, 1);
        litmus_classification_fini(&c);
    }
}
END_TEST

/* Where no test tells two models apart, the device is not said to keep the stronger one. */
START_TEST(what_was_not_tested_is_not_claimed)
{
    struct litmus_classification c = {.cases = 0};
    char text[LITMUS_CLASSES];

    add(&c, up, MAPPING_PLAIN, 0, (struct test_outcome){.ran = 3}); /* HSA and all that imply it */
    litmus_classes(&c, text);
    ck_assert_str_eq(text, "HSA (weak)");
    add(&c, "0,0,-,0|0,0,1,1", MAPPING_PLAIN, 0, (struct test_outcome){.ran = 3}); /* FAIR */
    litmus_classes(&c, text);
    ck_assert_str_eq(text, "FAIR (weak)");
    add(&c, up, MAPPING_PLAIN, 0, confirmed);
    litmus_classes(&c, text);
    ck_assert_str_eq(text, "not known");
    litmus_classification_fini(&c);
}
END_TEST

/* With its threads the other way around the program is guaranteed by FAIR alone. */
START_TEST(the_order_of_the_ids_counts)
{
    struct litmus_classification c = {.cases = 0};
    char text[LITMUS_CLASSES];

    add_quick(&c);
    const uint32_t cases = c.cases;
    add(&c, up, MAPPING_SHUFFLED, 1, confirmed);
    litmus_classes(&c, text);
    ck_assert_str_eq(text, "LOBE");
    add(&c, up, MAPPING_RANDOM, 1, confirmed);
    litmus_classes(&c, text);
    ck_assert_str_eq(text, "OBE");
    ck_assert_uint_eq(c.cases, cases + 2);
    litmus_classification_fini(&c);
}
END_TEST

START_TEST(the_shortest_reason_is_kept)
{
    static const char *const texts[] = {
        "0,1,-,0|0,0,1,0;0,0,0,2|1,0,1,1",
        "0,1,-,0|0,0,1,0;0,0,0,2",
        "0,0,1,1|0,0,-,0|0,0,-,0",
        "0,0,1,1|0,0,-,0",
        "0,0,1,0|0,0,-,0",
    };
    static const size_t orders[][5] = {{0, 1, 2, 3, 4}, {4, 3, 2, 1, 0}, {2, 4, 0, 3, 1}};

    for (size_t i = 0; i < 3; ++i) {
        struct litmus_classification c = {.cases = 0};
        const struct litmus_standing *fair = &c.standings[LITMUS_FAIR][LITMUS_STRONG];
        for (size_t j = 0; j < 5; ++j)
            add(&c, texts[orders[i][j]], MAPPING_HYBRID, (uint32_t)orders[i][j], confirmed);
        char text[LITMUS_TEXT];
        litmus_text(&fair->reason.program, text);
        ck_assert_str_eq(text, "0,0,1,0|0,0,-,0");
        ck_assert_uint_eq(fair->reason.mapping.kind, MAPPING_HYBRID);
        ck_assert_uint_eq(fair->reason.mapping.seed, 4);
        ck_assert_uint_eq(fair->reason.outcome.ran, 3);
        ck_assert_uint_eq(fair->refuting, 5);
        litmus_classification_fini(&c);
    }
}
END_TEST

START_TEST(classes_as_text)
{
    struct litmus_classification c = {.cases = 0};
    char text[LITMUS_CLASSES];

    litmus_classes(&c, text);
    ck_assert_str_eq(text, "not known");
    add_quick(&c);
    litmus_classes(&c, text);
    ck_assert_str_eq(text, "FAIR");
    c.blind = true;
    litmus_classes(&c, text);
    ck_assert_str_eq(text, "not known");
    ck_assert(litmus_holds(&c, LITMUS_FAIR, LITMUS_STRONG));
    c.blind = false;
    add(&c, "0,0,1,0|0,1,0,0", MAPPING_PLAIN, 0, confirmed); /* strong fairness alone */
    litmus_classes(&c, text);
    ck_assert_str_eq(text, "FAIR (weak)");
    add(&c, "0,0,-,0|0,0,1,1", MAPPING_CHUNKED, 0, confirmed); /* FAIR alone */
    litmus_classes(&c, text);
    ck_assert_str_eq(text, "LOBE (weak)");
    add(&c, "0,1,1,0|0,0,1,2;0,0,0,1;0,1,0,1", MAPPING_PLAIN, 0, confirmed); /* HSA_OBE */
    litmus_classes(&c, text);
    ck_assert_str_eq(text, "HSA (weak), OBE (weak)");
    add(&c, up, MAPPING_PLAIN, 0, confirmed);
    litmus_classes(&c, text);
    ck_assert_str_eq(text, "OBE (weak)");
    add(&c, "0,1,1,0;0,0,0,2|0,1,1,0;0,0,0,2", MAPPING_PLAIN, 0, confirmed);
    litmus_classes(&c, text);
    ck_assert_str_eq(text, "unfair");
    litmus_classification_fini(&c);
}
END_TEST

/*
 * What a model guarantees, those that imply it guarantee, too; so what holds is all that something that holds
 * implies.
 */
START_TEST(guarantees_are_nested)
{
    struct litmus_choices all = {.count = 0};
    unsigned pairs = 0;

    ck_assert_int_eq(litmus_choose_all(&all, &error), 0);
    for (unsigned i = 0; i < LITMUS_STANDINGS; ++i)
        for (unsigned j = 0; j < LITMUS_STANDINGS; ++j) {
            const enum litmus_model model = (enum litmus_model)(i / 2), other = (enum litmus_model)(j / 2);
            unsigned more = 0;
            for (size_t k = 0; k < all.count; ++k) {
                const struct litmus_verdicts *verdicts = &all.all[k].verdicts;
                const bool first = i % 2 != 0 ? verdicts->strong[model] : verdicts->weak[model];
                const bool second = j % 2 != 0 ? verdicts->strong[other] : verdicts->weak[other];
                more += second && !first;
            }
            const bool implies =
                litmus_implies(model, (enum litmus_fairness)(i % 2), other, (enum litmus_fairness)(j % 2));
            ck_assert_msg(implies == (more == 0), "%u, %u", i, j);
            pairs += implies;
        }
    ck_assert_uint_eq(pairs, 14 * 3);
    litmus_choices_fini(&all);
}
END_TEST

HARNESS_MAIN("classify", each_model_device_is_classified_as_itself, only_a_confirmed_stall_refutes,
             the_order_of_the_ids_counts, what_was_not_tested_is_not_claimed, the_shortest_reason_is_kept,
             classes_as_text, guarantees_are_nested, a_state_refutes_what_does_not_allow_it,
             a_doubtful_state_refutes_nothing, a_guaranteed_test_is_the_better_reason)

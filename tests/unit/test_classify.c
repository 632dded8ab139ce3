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
    const struct litmus_case added = {pass->programs[outcome->test].program, pass->mapping, *outcome};

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
        ck_assert_msg(litmus_emulate(device, &block, seed, take, &pass, &error) == 0, "%s", error.text);
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
    printf("%zu programs\n", suite.count);
    for (uint32_t seed = 1; seed <= seeds; ++seed)
        for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
            check_classified(names[i], seed);
}
END_TEST

HARNESS_MAIN("classify", each_model_device_is_classified_as_itself)

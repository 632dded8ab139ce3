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

/* --- with a bound, all that a launch can come to --- */

enum { PRODUCT = 1 << 20, INSTANCES = 3 };

/* A launch as one state: that of each instance, as a number with so many digits. */
struct product {
    const struct model_device *device;
    uint32_t groups, instances;
    uint32_t slots[16];
    uint32_t states[INSTANCES];
};

static uint32_t queue[PRODUCT];
static bool seen[PRODUCT];

static void unpack(struct product *product, uint32_t number)
{
    for (uint32_t i = 0; i < product->instances; ++i, number /= judge.space.count)
        product->states[i] = number % judge.space.count;
}

static uint32_t pack(const struct product *product)
{
    uint32_t number = 0;
    for (uint32_t i = product->instances; i-- > 0;)
        number = number * judge.space.count + product->states[i];
    return number;
}

static bool is_set(const struct product *product, uint32_t group, bool ended)
{
    const unsigned threads = judge.space.program->threads;
    const struct litmus_state *state = &judge.space.states[product->states[product->slots[group] / threads]];
    return ((ended ? state->ended : state->started) >> product->slots[group] % threads & 1) != 0;
}

static bool can_start(const struct product *product, uint32_t group)
{
    uint32_t held = 0, lowest = product->groups;
    bool in_order = true;

    for (uint32_t i = product->groups; i-- > 0;) {
        held += is_set(product, i, false) && !is_set(product, i, true);
        lowest = is_set(product, i, true) ? lowest : i;
        in_order = in_order && (i >= group || is_set(product, i, false));
    }
    if (held >= product->device->resident || (product->device->model == LITMUS_LOBE && !in_order))
        return false;
    return product->device->model != LITMUS_HSA_OBE || group == lowest || is_set(product, lowest, false) ||
           held + 1 < product->device->resident;
}

/* No group can start, and each instance can stay for ever with steps of all that have started. */
static bool is_stall(const struct product *product)
{
    bool live = false;

    for (uint32_t group = 0; group < product->groups; ++group)
        if (!is_set(product, group, false) && can_start(product, group))
            return false;
    for (uint32_t i = 0; i < product->instances; ++i) {
        const uint32_t at = product->states[i];
        const struct litmus_state *state = &judge.space.states[at];
        const struct litmus_component *some = &judge.some.all[judge.some.nodes[at].component];
        if (state->started == state->ended)
            continue;
        live = true;
        if (product->device->weak ? litmus_is_left_in_turn(&judge, LITMUS_OBE, at) : some->threads == 0 || some->left)
            return false;
    }
    return live;
}

static bool can_stall(struct product *product)
{
    const unsigned threads = judge.space.program->threads;
    uint32_t count = 1, all = 1;

    for (uint32_t i = 0; i < product->instances; ++i)
        all *= judge.space.count;
    memset(seen, 0, all);
    queue[0] = 0;
    for (uint32_t at = 0; at < count; ++at) {
        unpack(product, queue[at]);
        if (is_stall(product))
            return true;
        for (uint32_t group = 0; group < product->groups; ++group) {
            unpack(product, queue[at]);
            if (is_set(product, group, true) || (!is_set(product, group, false) && !can_start(product, group)))
                continue;
            uint32_t *state = &product->states[product->slots[group] / threads];
            *state = litmus_space_step(&judge.space, *state, product->slots[group] % threads);
            const uint32_t next = pack(product);
            if (!seen[next])
                queue[count++] = next;
            seen[next] = true;
        }
    }
    return false;
}

static uint32_t instances;
static unsigned missed;

static void check_bounded(const struct litmus_program *program)
{
    char text[LITMUS_TEXT], name[MODEL_DEVICE_NAME];

    litmus_text(program, text);
    for (unsigned i = 0; i < 3 * 2 * 4 * 4; ++i) {
        const struct model_device device = {
            .model = (enum litmus_model)(LITMUS_OBE + i % 3), .weak = i / 3 % 2 != 0, .resident = 1 + i / 6 % 4};
        const struct mapping mapping = {(enum mapping_kind)(MAPPING_ROUND_ROBIN + i / 24), 7};
        struct product product = {.device = &device, .instances = instances, .groups = instances * program->threads};
        ck_assert_int_eq(litmus_space_explore(&judge.space, program, &error), 0);
        ck_assert_int_eq(litmus_components_find(&judge.all, &judge.space, LITMUS_FAIR, &error), 0);
        ck_assert_int_eq(litmus_components_find(&judge.some, &judge.space, LITMUS_OBE, &error), 0);
        mapping_fill(&mapping, program->threads, product.groups, product.slots);
        const bool expected = can_stall(&product);
        const struct test_outcome outcome = emulate(&device, program, mapping, product.groups);
        model_device_name(&device, name);
        ck_assert_msg(outcome.stalled == 0 || expected, "%s: %s, %s: it stalls", text, name, mapping_name(mapping.kind));
        if (expected && outcome.stalled != 2) {
            ++missed;
            printf("%s: %s, %s: %u stalls\n", text, name, mapping_name(mapping.kind), outcome.stalled);
        }
        ++*(expected ? &stalled_count : &ended_count);
    }
}

START_TEST(with_a_bound_a_launch_stalls_if_and_only_if_it_can)
{
    instances = 2;
    for_each(2, 2, 1, check_bounded);
    for_each(2, 3, 5, check_bounded);
    for_each(3, 3, 7, check_bounded);
    for_each(2, 4, 501, check_bounded);
    for_each(3, 4, 501, check_bounded);
    instances = 3;
    for_each(2, 2, 1, check_bounded);
    for_each(2, 3, 17, check_bounded);
    printf("%u missed, %u stall, %u end\n", missed, stalled_count, ended_count);
}
END_TEST

HARNESS_MAIN("emulate", without_a_bound_a_launch_stalls_if_and_only_if_the_model_lets_it,
             with_a_bound_a_launch_stalls_if_and_only_if_it_can)

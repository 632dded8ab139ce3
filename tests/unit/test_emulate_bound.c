/*
 * Model devices with a bound: a launch stalls if and only if it can, which is found out by looking at all that it can
 * do.
 */
#include "litmus/form.h"
#include "litmus/judge.h"

#include "harness.h"
#include "launch_checker.h"
#include "litmus_sample.h"

static struct error error;
static struct litmus_judge judge;
static struct checker checker;
static unsigned ended_count, stalled_count;

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
    const bool keeps_lower = product->device->model == LITMUS_LOBE;
    uint32_t held = 0, lowest = product->groups;
    bool reached = false;

    for (uint32_t i = product->groups; i-- > 0;) {
        reached = reached || i == group || is_set(product, i, false);
        held += (keeps_lower ? reached && i != group : is_set(product, i, false)) && !is_set(product, i, true);
        lowest = is_set(product, i, true) ? lowest : i;
    }
    if (held >= product->device->resident)
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
        const struct graph_component *some = graph_component_of(&judge.some, at);
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

static void check_bounded(const struct litmus_program *program)
{
    char text[LITMUS_TEXT], name[MODEL_DEVICE_NAME];

    litmus_text(program, text);
    for (unsigned i = 0; i < 3 * 2 * 4 * 5; ++i) {
        const struct model_device device = {
            .model = (enum litmus_model)(LITMUS_OBE + i % 3), .weak = i / 3 % 2 != 0, .resident = 1 + i / 6 % 4};
        const struct mapping mapping = {(enum mapping_kind)(MAPPING_ROUND_ROBIN + i / 24), 7};
        struct product product = {.device = &device, .instances = instances, .groups = instances * program->threads};
        ck_assert_int_eq(litmus_space_explore(&judge.space, program, &error), 0);
        litmus_components_find(&judge.all, &judge.space, LITMUS_FAIR);
        litmus_components_find(&judge.some, &judge.space, LITMUS_OBE);
        mapping_fill(&mapping, program->threads, product.groups, product.slots);
        const bool expected = can_stall(&product);
        const struct test_outcome outcome = checker_emulate(&checker, &device, program, mapping, product.groups);
        model_device_name(&device, name);
        ck_assert_msg(outcome.stalled == 0 || expected, "%s: %s, %s: it stalls", text, name,
                      mapping_name(mapping.kind));
        /* As few places as threads, and one of them kept: what that needs is not looked for. */
        ck_assert_msg(outcome.stalled == 2 || !expected ||
                          (device.model == LITMUS_HSA_OBE && device.resident <= program->threads),
                      "%s: %s, %s: %u stalls", text, name, mapping_name(mapping.kind), outcome.stalled);
        ++*(expected ? &stalled_count : &ended_count);
    }
}

/* GRIDLOCK_SOAK=N looks at up to N times as many programs. */
static unsigned long every(unsigned long step)
{
    const char *soak = getenv("GRIDLOCK_SOAK");
    const unsigned long times = soak != NULL ? strtoul(soak, NULL, 10) : 1;
    return times > 0 && times < step ? step / times : 1;
}

START_TEST(with_a_bound_a_launch_stalls_if_and_only_if_it_can)
{
    instances = 2;
    sample_programs(2, 2, 1, check_bounded);
    sample_programs(2, 3, every(5), check_bounded);
    sample_programs(3, 3, every(7), check_bounded);
    sample_programs(2, 4, every(501), check_bounded);
    sample_programs(3, 4, every(501), check_bounded);
    instances = 3;
    sample_programs(2, 2, 1, check_bounded);
    sample_programs(2, 3, every(17), check_bounded);
    ck_assert_uint_gt(ended_count, 1000);
    ck_assert_uint_gt(stalled_count, 1000);
}
END_TEST

HARNESS_MAIN("emulate with a bound", with_a_bound_a_launch_stalls_if_and_only_if_it_can)

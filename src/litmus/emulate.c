#include "litmus/emulate.h"

#include "base/alloc.h"
#include "core/lots.h"
#include "litmus/code.h"
#include "litmus/emulate_lanes.h"
#include "litmus/page.h"
#include "litmus/scheduler.h"
#include "litmus/trap.h"

#include <stdlib.h>

/* Turns of each group with fair execution before a launch has stalled; and how many times as many confirm that. */
enum { TURNS = 16, CONFIRMING = 16 };

struct emulation {
    const struct model_device *device;
    const struct block *block;
    struct trap_map map;
    struct scheduler scheduler;
    struct litmus_program program; /* as the test has it */
    struct litmus_program ordered; /* its threads in the order of the group ids */
    uint8_t order[LITMUS_THREADS];
    uint32_t *slots;
    struct litmus_instance *instances;
    uint32_t groups;
    uint64_t lots;
    struct scheduler_plan plan;
    bool stalls; /* a launch by the plan did, from this seed */
    uint64_t stalling_seed;
};

/* --- plans --- */

/*
 * The plans for a device with a bound, one after the other: one shape for all, or one for the first instance and one
 * for the others, or none; and all of these again with what else a plan says.
 */
static bool next_plan(const struct emulation *emulation, unsigned number, struct scheduler_plan *plan)
{
    const struct trap_map *map = &emulation->map;
    const unsigned all = (1u << emulation->program.threads) - 1, count = map->shape_count;
    const unsigned pairs = emulation->device->model == LITMUS_HSA_OBE ? count * count : 0;
    const unsigned variant = number / (count + pairs + 1);

    number %= count + pairs + 1;
    *plan = (struct scheduler_plan){PLAN_NONE, PLAN_NONE, (variant & 1) != 0, (variant & 2) != 0};
    if (number < count) {
        plan->first = number;
        plan->rest = map->shapes[number].started == all ? PLAN_NONE : number;
    } else if (number < count + pairs) {
        plan->first = (number - count) / count;
        plan->rest = (number - count) % count;
    }
    return variant < (emulation->device->model == LITMUS_LOBE ? 4 : 2);
}

/* Tries plans, untold, until one leads to a stall. */
static void choose_plan(struct emulation *emulation)
{
    emulation->plan = (struct scheduler_plan){.first = PLAN_ANY, .rest = PLAN_NONE};
    emulation->stalls = false;
    if (emulation->device->resident == 0)
        return;
    emulation->scheduler.trace = NULL;
    for (unsigned number = 0;
         !emulation->stalls && !emulation->scheduler.stopped && next_plan(emulation, number, &emulation->plan);
         ++number) {
        emulation->stalling_seed = lots_draw(&emulation->lots);
        emulation->stalls =
            scheduler_launch(&emulation->scheduler, emulation->plan, emulation->stalling_seed) == LAUNCH_STALLED;
    }
}

/* A seed for the next launch, with which it stalls if there is a way known to one. */
static uint64_t draw_seed(struct emulation *emulation)
{
    const uint64_t seed = lots_draw(&emulation->lots);

    emulation->scheduler.trace = NULL;
    if (emulation->stalls && scheduler_launch(&emulation->scheduler, emulation->plan, seed) != LAUNCH_STALLED)
        return emulation->stalling_seed;
    return seed;
}

/* --- outcomes --- */

/* Where the instance's threads are, numbered as in the test. */
static void read_instance(const struct emulation *emulation, uint32_t number, struct litmus_instance *instance)
{
    const struct scheduler *scheduler = &emulation->scheduler;
    const struct litmus_state *at = &emulation->map.judge.space.states[scheduler->all[number].state];

    *instance = (struct litmus_instance){.memory = at->memory};
    for (unsigned rank = 0; rank < scheduler->threads; ++rank) {
        const unsigned thread = emulation->order[rank];
        instance->started |= (uint16_t)((at->started >> rank & 1) << thread);
        instance->ended |= (uint16_t)((at->ended >> rank & 1) << thread);
        instance->position[thread] = at->position[rank];
        instance->groups[thread] = scheduler->group_of[number * scheduler->threads + rank];
    }
}

static void describe(const struct emulation *emulation, struct test_state *state)
{
    const uint32_t count = emulation->scheduler.instances;

    for (uint32_t number = 0; number < count; ++number)
        read_instance(emulation, number, &emulation->instances[number]);
    litmus_instances_state(&emulation->program, emulation->instances, count, state);
}

/* A launch that stalled is watched for a while; the first of a test for much longer. */
static void note_stall(struct emulation *emulation, struct test_outcome *outcome)
{
    struct scheduler *scheduler = &emulation->scheduler;
    const uint64_t event = scheduler->event;

    scheduler_go_on(scheduler, TURNS);
    const uint64_t waited = scheduler->steps - event;
    if (outcome->stall_ns == 0 || waited < outcome->stall_ns)
        outcome->stall_ns = waited;
    if (!outcome->confirmed) {
        scheduler_go_on(scheduler, TURNS * CONFIRMING);
        describe(emulation, &outcome->state);
    }
    outcome->confirmed = true;
    ++outcome->stalled;
}

static void launch(struct emulation *emulation, struct test_outcome *outcome)
{
    struct scheduler *scheduler = &emulation->scheduler;
    const struct emulate_trace *trace = scheduler->sink->trace;
    const uint64_t seed = draw_seed(emulation);

    scheduler->trace = trace;
    if (trace != NULL)
        trace->begin(trace->context, emulation->block, outcome->test, emulation->groups, emulation->slots);
    const enum scheduler_end end = scheduler_launch(scheduler, emulation->plan, seed);
    if (end == LAUNCH_STALLED)
        note_stall(emulation, outcome);
    outcome->ran += end != LAUNCH_UNDECIDED;
    outcome->undecided += end == LAUNCH_UNDECIDED;
    if (end == LAUNCH_UNDECIDED && outcome->stalled == 0)
        describe(emulation, &outcome->state);
    outcome->duration_ns += scheduler->steps;
    if (trace != NULL)
        trace->end(trace->context, end == LAUNCH_STALLED);
}

/* --- tests --- */

static int prepare(struct emulation *emulation, struct error *error)
{
    const struct block *block = emulation->block;
    const unsigned threads = emulation->program.threads;

    emulation->groups = mapping_groups(&block->mapping, threads, block->groups);
    mapping_order(&block->mapping, threads, emulation->order);
    litmus_reorder(&emulation->program, emulation->order, &emulation->ordered);
    if (trap_map_find(&emulation->map, &emulation->ordered, emulation->device, error) != 0)
        return -1;
    mapping_fill(&block->mapping, threads, emulation->groups, emulation->slots);
    emulation->scheduler.device = emulation->device;
    emulation->scheduler.map = &emulation->map;
    return scheduler_prepare(&emulation->scheduler, threads, emulation->groups, emulation->slots, emulation->order,
                             error);
}

static int emulate_test(struct emulation *emulation, uint32_t test, uint32_t *at, struct test_outcome *outcome,
                        struct error *error)
{
    *outcome = (struct test_outcome){.test = test};
    litmus_block_next(emulation->block, at, &emulation->program);
    if (prepare(emulation, error) != 0)
        return -1;
    choose_plan(emulation);
    for (uint32_t i = 0; i < emulation->block->iterations && !emulation->scheduler.stopped; ++i)
        launch(emulation, outcome);
    return 0;
}

int litmus_emulate(const struct model_device *device, const struct block *block, uint32_t seed,
                   const struct emulate_sink *sink, struct error *error)
{
    static const struct model_device independent = {.model = LITMUS_FAIR, .weak = true};
    struct emulation emulation = {.device = device, .block = block, .lots = seed, .scheduler.sink = sink};
    const uint32_t most = block->groups > MAPPING_THREADS ? block->groups : MAPPING_THREADS;
    struct test_outcome outcome;
    uint32_t at = 0;
    int status = 0;

    if (lanes_are_bound(device->lanes, block->level))
        return litmus_emulate_lanes(device->lanes, block, sink);
    if (device->lanes != LANES_OF_A_MODEL)
        emulation.device = &independent;
    emulation.slots = xmalloc(most * sizeof *emulation.slots);
    emulation.instances = xmalloc(most * sizeof *emulation.instances);
    for (uint32_t test = 0; test < block->test_count && status == 0; ++test) {
        status = emulate_test(&emulation, test, &at, &outcome, error);
        if (emulation.scheduler.stopped || (status == 0 && !sink->take(sink->context, &outcome)))
            break;
    }
    free(emulation.slots);
    free(emulation.instances);
    scheduler_fini(&emulation.scheduler);
    trap_map_fini(&emulation.map);
    return status;
}

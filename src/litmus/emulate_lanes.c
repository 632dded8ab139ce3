/* Blocks of litmus tests on a machine of lanes: what it does is fixed, so each launch of a test is like the first. */
#include "litmus/emulate_lanes.h"

#include "base/alloc.h"
#include "litmus/code.h"
#include "litmus/page.h"

#include <stdlib.h>

enum { ASKED_EVERY = 1 << 16 };        /* steps */
#define MOST_STEPS (UINT64_C(1) << 28) /* of a launch */

struct lanes_emulation {
    struct lanes lanes;
    const struct block *block;
    const struct emulate_sink *sink;
    struct litmus_program program;
    uint32_t *slots;
    struct litmus_instance *instances;
};

static void describe(const struct lanes_emulation *emulation, struct test_state *state)
{
    const struct lanes *lanes = &emulation->lanes;
    const unsigned threads = emulation->program.threads;

    for (uint32_t i = 0; i < lanes->count / threads; ++i)
        emulation->instances[i] = (struct litmus_instance){.memory = lanes->memory[i]};
    for (uint32_t lane = 0; lane < lanes->count; ++lane) {
        const unsigned thread = lanes->slots[lane] % threads, bit = 1u << thread;
        struct litmus_instance *instance = &emulation->instances[lanes->slots[lane] / threads];
        instance->started |= (uint16_t)(lanes->started[lane] != 0 ? bit : 0);
        instance->ended |= (uint16_t)(lanes_has_ended(lanes, lane) ? bit : 0);
        instance->position[thread] = lanes->position[lane];
        instance->groups[thread] = lane;
    }
    litmus_instances_state(&emulation->program, emulation->instances, lanes->count / threads, state);
}

static bool is_stopped(const struct lanes_emulation *emulation)
{
    return emulation->sink->stopped != NULL && emulation->sink->stopped(emulation->sink->context);
}

/* LANES_LONG if the sink wants no more, as well. */
static enum lanes_end launch(struct lanes_emulation *emulation)
{
    enum lanes_end end = LANES_LONG;

    for (uint64_t steps = ASKED_EVERY; end == LANES_LONG && steps < MOST_STEPS && !is_stopped(emulation);
         steps += ASKED_EVERY)
        end = lanes_run(&emulation->lanes, steps);
    return end;
}

static void run_test(struct lanes_emulation *emulation, struct test_outcome *outcome)
{
    const struct block *block = emulation->block;
    const struct emulate_trace *trace = emulation->sink->trace;
    struct lanes *lanes = &emulation->lanes;
    const unsigned threads = emulation->program.threads;
    const uint32_t groups = mapping_groups(&block->mapping, threads, block->groups);

    mapping_fill(&block->mapping, threads, groups, emulation->slots);
    if (trace != NULL) {
        trace->begin(trace->context, block, outcome->test, groups, emulation->slots);
        lanes->stepped = trace->step;
        lanes->context = trace->context;
    }
    lanes_begin(lanes, &emulation->program, emulation->slots, groups);
    const enum lanes_end end = launch(emulation);
    if (trace != NULL)
        trace->end(trace->context, end == LANES_STALLED);
    outcome->ran = end == LANES_LONG ? 0 : block->iterations;
    outcome->undecided = block->iterations - outcome->ran;
    outcome->stalled = end == LANES_STALLED ? block->iterations : 0;
    outcome->confirmed = end == LANES_STALLED;
    outcome->stall_ns = end == LANES_STALLED ? lanes->steps - lanes->event : 0;
    outcome->duration_ns = block->iterations * lanes->steps;
    if (end != LANES_ENDED)
        describe(emulation, &outcome->state);
}

int litmus_emulate_lanes(enum lanes_machine machine, const struct block *block, const struct emulate_sink *sink)
{
    struct lanes_emulation emulation = {
        .lanes = {.machine = machine, .form = block->engine}, .block = block, .sink = sink};
    const uint32_t most = block->groups > MAPPING_THREADS ? block->groups : MAPPING_THREADS;
    struct test_outcome outcome = {.test = 0};
    uint32_t at = 0;

    emulation.slots = xmalloc(most * sizeof *emulation.slots);
    emulation.instances = xmalloc(most * sizeof *emulation.instances);
    for (uint32_t test = 0; test < block->test_count; ++test) {
        outcome = (struct test_outcome){.test = test};
        litmus_block_next(block, &at, &emulation.program);
        run_test(&emulation, &outcome);
        if (is_stopped(&emulation) || !sink->take(sink->context, &outcome))
            break;
    }
    free(emulation.slots);
    free(emulation.instances);
    lanes_fini(&emulation.lanes);
    return 0;
}

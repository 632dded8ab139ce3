/*
 * Looks at each step of launches on a model device, by the definitions alone: whether the device keeps its model, and
 * a launch that has stalled is one that may go on so for ever. It shares nothing with the scheduler.
 */
#pragma once

#include "litmus/code.h"
#include "litmus/emulate.h"

#include "harness.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CHECKER_GROUPS = 1024 };

struct checker {
    const struct model_device *device;
    struct litmus_program program;
    uint32_t groups, held;
    uint32_t instance[CHECKER_GROUPS];
    uint8_t thread[CHECKER_GROUPS], position[CHECKER_GROUPS], memory[CHECKER_GROUPS];
    bool started[CHECKER_GROUPS], ended[CHECKER_GROUPS];
    uint32_t *quiet; /* who stepped since a group last started or ended */
    size_t quiet_count, quiet_capacity;
    unsigned launches, stalls;
};

static inline void checker_begin(void *context, const struct block *block, uint32_t test, uint32_t groups,
                                 const uint32_t *slots)
{
    struct checker *c = context;
    uint32_t at = 0;

    for (uint32_t i = 0; i <= test; ++i)
        litmus_block_next(block, &at, &c->program);
    harness_assert(groups <= CHECKER_GROUPS, "%u groups", groups);
    c->groups = groups;
    c->held = 0;
    c->quiet_count = 0;
    for (uint32_t group = 0; group < groups; ++group) {
        c->instance[group] = slots[group] / c->program.threads;
        c->thread[group] = (uint8_t)(slots[group] % c->program.threads);
        c->position[group] = c->memory[group] = 0;
        c->started[group] = c->ended[group] = false;
    }
    ++c->launches;
}

static inline bool checker_fair(const struct checker *c, uint32_t group)
{
    bool lowest = true, below = false;

    for (uint32_t i = 0; i < group; ++i)
        lowest = lowest && c->ended[i];
    for (uint32_t i = group; i < c->groups; ++i)
        below = below || c->started[i];
    const bool fair[LITMUS_MODELS] = {lowest, c->started[group], lowest || c->started[group], below, true};
    return !c->device->unfair && !c->ended[group] && fair[c->device->model];
}

/* There is a place for all that have a lower id than one that has started. */
static inline void checker_lower_fit(const struct checker *c, uint32_t group)
{
    uint32_t places = 0;
    bool below = false;

    for (uint32_t i = c->groups; i-- > 0;) {
        below = below || c->started[i];
        places += below && !c->ended[i];
    }
    harness_assert(places <= c->device->resident, "group %u has started, and %u must", group, places);
}

static inline void checker_start(struct checker *c, uint32_t group)
{
    uint32_t lowest = 0;

    c->started[group] = true;
    ++c->held;
    if (c->device->resident == 0)
        return;
    harness_assert(c->held <= c->device->resident, "%u groups are resident", c->held);
    while (c->ended[lowest])
        ++lowest;
    if (c->device->model == LITMUS_HSA_OBE)
        harness_assert(c->started[lowest] || c->held < c->device->resident, "no place is left for group %u", lowest);
    if (c->device->model == LITMUS_LOBE)
        checker_lower_fit(c, group);
}

static inline void checker_step(void *context, uint32_t group)
{
    struct checker *c = context;
    const struct litmus_instruction *in = litmus_instruction(&c->program, c->thread[group], c->position[group]);
    uint8_t *memory = &c->memory[c->instance[group]];
    const bool event = !c->started[group];

    harness_assert(!c->ended[group], "group %u had ended", group);
    if (!c->started[group])
        checker_start(c, group);
    const unsigned value = *memory >> in->location & 1;
    if (in->exchange != LITMUS_NO_EXCHANGE)
        *memory = (uint8_t)(in->exchange != 0 ? *memory | 1 << in->location : *memory & ~(1 << in->location));
    c->position[group] = value == in->check ? in->jump : (uint8_t)(c->position[group] + 1);
    c->ended[group] = c->position[group] == c->program.length[c->thread[group]];
    c->held -= c->ended[group];
    if (event || c->ended[group])
        c->quiet_count = 0;
    if (c->quiet_count == c->quiet_capacity) {
        c->quiet_capacity = 2 * c->quiet_capacity + 1024;
        c->quiet = realloc(c->quiet, c->quiet_capacity * sizeof *c->quiet);
        harness_assert(c->quiet != NULL, "no memory");
    }
    c->quiet[c->quiet_count++] = group;
}

/* Steps of threads with fair execution, in any order, never end one: all that they can reach is looked at. */
static inline void checker_no_way_out(const struct checker *c, uint32_t instance)
{
    enum { MOMENTS = 4096 };
    static struct {
        uint8_t memory, position[LITMUS_THREADS];
    } moments[MOMENTS];
    unsigned count = 1;
    bool fair[LITMUS_THREADS] = {false};

    memset(&moments[0], 0, sizeof moments[0]);
    moments[0].memory = c->memory[instance];
    for (uint32_t group = 0; group < c->groups; ++group)
        if (c->instance[group] == instance) {
            moments[0].position[c->thread[group]] = c->position[group];
            fair[c->thread[group]] = checker_fair(c, group);
            harness_assert(!fair[c->thread[group]] || c->started[group], "group %u is fair, and never started", group);
        }
    for (unsigned at = 0; at < count; ++at)
        for (unsigned t = 0; t < c->program.threads; ++t) {
            unsigned i = 0;
            if (!fair[t])
                continue;
            const unsigned position = moments[at].position[t];
            const struct litmus_instruction *in = litmus_instruction(&c->program, t, position);
            harness_assert(count < MOMENTS, "more than %d moments", MOMENTS);
            moments[count] = moments[at];
            moments[count].memory = (uint8_t)litmus_memory_after(in, moments[at].memory);
            moments[count].position[t] = (uint8_t)litmus_position_after(in, moments[at].memory, position);
            harness_assert(moments[count].position[t] < c->program.length[t], "group could end");
            while (memcmp(&moments[i], &moments[count], sizeof moments[0]) != 0)
                ++i;
            count += i == count;
        }
}

/* In each quarter of the time in which nothing started or ended, each group with fair execution has stepped. */
static inline void checker_is_fair(const struct checker *c)
{
    for (unsigned quarter = 1; quarter < 4; ++quarter) {
        bool stepped[CHECKER_GROUPS] = {false};
        for (size_t i = quarter * c->quiet_count / 4; i < (quarter + 1) * c->quiet_count / 4; ++i) {
            stepped[c->quiet[i]] = true;
            if (!c->device->weak && !c->device->unfair)
                harness_assert(checker_fair(c, c->quiet[i]), "group %u is not fair", c->quiet[i]);
        }
        for (uint32_t group = 0; group < c->groups; ++group)
            harness_assert(stepped[group] || !checker_fair(c, group), "group %u waits for ever", group);
    }
}

static inline void checker_end(void *context, bool stalled)
{
    struct checker *c = context;
    uint32_t ended = 0, started = 0;

    for (uint32_t group = 0; group < c->groups; ++group) {
        ended += c->ended[group];
        started += c->started[group];
    }
    ck_assert(stalled == (ended < c->groups));
    if (!stalled)
        return;
    ++c->stalls;
    ck_assert_uint_ge(c->quiet_count, 8);
    checker_is_fair(c);
    if (c->device->resident > 0)
        ck_assert_msg(c->held == c->device->resident || started == c->groups, "a place is free for ever");
    for (uint32_t instance = 0; instance < c->groups / c->program.threads; ++instance)
        if (!c->device->weak)
            checker_no_way_out(c, instance);
}

static inline struct emulate_trace checker_trace(struct checker *c)
{
    return (struct emulate_trace){c, checker_begin, checker_step, checker_end};
}

/* --- one program on a device, looked at --- */

static inline bool checker_keep_outcome(void *context, const struct test_outcome *outcome)
{
    *(struct test_outcome *)context = *outcome;
    return true;
}

static inline struct test_outcome checker_emulate(struct checker *checker, const struct model_device *device,
                                                  const struct litmus_program *program, struct mapping mapping,
                                                  uint32_t groups)
{
    const struct emulate_trace trace = checker_trace(checker);
    struct block block = {.mapping = mapping, .groups = groups, .iterations = 2, .local_size = 1};
    struct test_outcome outcome = {.ran = 0};
    const struct emulate_sink sink = {&outcome, checker_keep_outcome, NULL, &trace};
    struct error error;

    ck_assert(litmus_block_add(&block, program));
    checker->device = device;
    checker->launches = checker->stalls = 0;
    ck_assert_msg(litmus_emulate(device, &block, 1, &sink, &error) == 0, "%s", error.text);
    ck_assert_uint_eq(outcome.ran, 2);
    ck_assert_uint_eq(checker->launches, 2);
    ck_assert_uint_eq(outcome.stalled, checker->stalls);
    ck_assert(outcome.confirmed == (outcome.stalled > 0));
    return outcome;
}

#include "litmus/debt.h"

#include "base/alloc.h"

#include <stdlib.h>

enum { GROUPS_MOST = 1 << 20 }; /* that a launch is believed to have */

/* A thread that has not started. */
static bool is_owed(enum litmus_model model, unsigned thread, const struct test_state *state, unsigned threads,
                    const uint32_t groups[MAPPING_THREADS])
{
    uint32_t not_started_below = 0, ended_below = 0;
    bool started_above = false;

    for (unsigned other = 0; other < threads; ++other) {
        const bool started = (state->threads_started >> other & 1) != 0;
        if (groups[other] > groups[thread]) {
            started_above = started_above || started;
        } else if (other != thread) {
            not_started_below += !started;
            ended_below += state->threads_ended >> other & 1;
        }
    }
    switch (model) {
    case LITMUS_HSA:
    case LITMUS_HSA_OBE:
        return ended_below == groups[thread];
    case LITMUS_OBE:
        return false;
    case LITMUS_LOBE:
        return started_above || state->started > groups[thread] - not_started_below;
    default:
        return true;
    }
}

uint32_t litmus_owed(enum litmus_model model, const struct test_state *state, unsigned threads,
                     const uint32_t groups[MAPPING_THREADS])
{
    uint32_t owed = 0;

    for (unsigned thread = 0; thread < threads && state->stuck > 0; ++thread)
        if ((state->threads_started >> thread & 1) == 0 && is_owed(model, thread, state, threads, groups))
            owed |= UINT32_C(1) << thread;
    return owed;
}

uint32_t litmus_debtors(const struct test_state *state, unsigned threads, const uint32_t groups[MAPPING_THREADS])
{
    uint32_t models = 0;

    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model)
        if (litmus_owed(model, state, threads, groups) != 0)
            models |= UINT32_C(1) << model;
    /* Whoever has not started, in any instance. */
    if (state->stuck > 0 && state->started < state->groups)
        models |= UINT32_C(1) << LITMUS_FAIR;
    return models;
}

bool litmus_state_groups(const struct test_state *state, const struct mapping *mapping, unsigned threads,
                         uint32_t groups[MAPPING_THREADS])
{
    const bool found = threads > 0 && state->groups <= GROUPS_MOST && state->groups > 0 &&
                       mapping_groups(mapping, threads, state->groups) == state->groups &&
                       state->instance < state->groups / threads;
    if (!found)
        return false;
    uint32_t *slots = xmalloc(state->groups * sizeof *slots);
    mapping_fill(mapping, threads, state->groups, slots);
    for (uint32_t group = 0; group < state->groups; ++group)
        if (slots[group] / threads == state->instance)
            groups[slots[group] % threads] = group;
    free(slots);
    return true;
}

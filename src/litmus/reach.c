#include "litmus/reach.h"

#include <string.h>

void litmus_reach_begin(struct litmus_reach *reach, const struct litmus_program *program)
{
    unsigned weight = 1 << LITMUS_LOCATIONS;

    reach->program = program;
    reach->known = 0;
    memset(reach->found, 0, sizeof reach->found);
    memset(reach->values, 0, sizeof reach->values);
    for (unsigned thread = 0; thread < program->threads; ++thread) {
        const unsigned places = program->length[thread] + 1u;
        for (unsigned state = 0; state < LITMUS_REACH_STATES; ++state)
            reach->position[state][thread] = (uint8_t)(state / weight % places);
        reach->weights[thread] = (uint16_t)weight;
        weight *= places;
    }
    reach->states[0] = 0;
    reach->found[0] = true;
    reach->count = 1;
}

/* A thread's instruction is there, and has not been executed to the end. */
static bool can_step(const struct litmus_reach *reach, unsigned state, unsigned thread)
{
    const struct litmus_program *program = reach->program;
    const unsigned position = reach->position[state][thread];

    return position < program->length[thread] && program->first[thread] + position < reach->known;
}

static void step(struct litmus_reach *reach, unsigned state, unsigned thread)
{
    const struct litmus_program *program = reach->program;
    const unsigned position = reach->position[state][thread];
    const struct litmus_instruction *instruction = litmus_instruction(program, thread, position);
    const unsigned memory = state & 3;
    const unsigned after = litmus_position_after(instruction, memory, position);
    const unsigned next = state - memory + litmus_memory_after(instruction, memory) -
                          position * reach->weights[thread] + after * reach->weights[thread];

    reach->values[program->first[thread] + position] |= (uint8_t)(1u << litmus_value(instruction, memory));
    reach->next[state][thread] = (uint16_t)next;
    if (!reach->found[next]) {
        reach->found[next] = true;
        reach->states[reach->count++] = (uint16_t)next;
    }
}

void litmus_reach_add(struct litmus_reach *reach, unsigned thread, unsigned position, struct litmus_reach_mark *mark)
{
    mark->count = reach->count;
    memcpy(mark->values, reach->values, sizeof mark->values);
    ++reach->known;
    for (unsigned i = 0; i < mark->count; ++i)
        if (reach->position[reach->states[i]][thread] == position)
            step(reach, reach->states[i], thread);
    for (unsigned i = mark->count; i < reach->count; ++i)
        for (unsigned other = 0; other <= thread; ++other)
            if (can_step(reach, reach->states[i], other))
                step(reach, reach->states[i], other);
}

void litmus_reach_undo(struct litmus_reach *reach, const struct litmus_reach_mark *mark)
{
    while (reach->count > mark->count)
        reach->found[reach->states[--reach->count]] = false;
    memcpy(reach->values, mark->values, sizeof reach->values);
    --reach->known;
}

/* A step to a marked state, or all steps to such; a thread whose instruction is not there yet could go anywhere. */
static bool leads_to_marked(const struct litmus_reach *reach, unsigned state, const bool *marked, bool all)
{
    bool ended = true;

    for (unsigned thread = 0; thread < reach->program->threads; ++thread) {
        if (reach->position[state][thread] == reach->program->length[thread])
            continue;
        ended = false;
        const bool hit = !can_step(reach, state, thread) || marked[reach->next[state][thread]];
        if (hit != all)
            return hit;
    }
    return all || ended;
}

bool litmus_reach_ends(const struct litmus_reach *reach, bool by_every_way)
{
    /* Marked are states in which all threads have ended, and those that lead to such. */
    bool marked[LITMUS_REACH_STATES] = {false};
    unsigned count = 0, before;

    do {
        before = count; /* the later a state was found, the nearer it is to the end */
        for (unsigned i = reach->count; i-- > 0;) {
            const unsigned state = reach->states[i];
            if (marked[state] || !leads_to_marked(reach, state, marked, by_every_way))
                continue;
            marked[state] = true;
            ++count;
        }
    } while (count > before);
    return count == reach->count;
}

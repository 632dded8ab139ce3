/* Small launches whose work-items run lists of instructions, explored to graphs for the proofs. */
#pragma once

#include "harness.h"
#include "proof/graph.h"

#include <stdbool.h>
#include <string.h>

enum { TOY_WORDS = 4, TOY_ITEMS = 8, TOY_LENGTH = 8, TOY_STATES = 1 << 13, TOY_SLOTS = 4 * TOY_STATES };

enum toy_kind {
    TOY_STORE, /* word = a */
    TOY_WAIT,  /* until word == a */
    TOY_WHILE, /* word == a: again, from the first instruction */
    TOY_SWAP,  /* waits until word == a, and makes it b at once */
    TOY_TAKE,  /* own = word++ */
    TOY_AWAIT, /* until word == own */
    TOY_PASS,  /* ++word */
    TOY_MEET,  /* a barrier of the group: no step */
    TOY_KINDS,
};

struct toy_instruction {
    enum toy_kind kind;
    unsigned char word, a, b;
};

/* The code of each work-item ends where its length does. */
struct toy {
    unsigned groups, items;
    struct toy_instruction code[TOY_ITEMS][TOY_LENGTH];
    unsigned length[TOY_ITEMS];
};

struct toy_state {
    unsigned char words[TOY_WORDS], at[TOY_ITEMS], own[TOY_ITEMS];
    unsigned char started, ended;
};

/* What is explored; static in a test, for its size. */
struct toy_space {
    const struct toy *toy;
    struct toy_state states[TOY_STATES];
    uint32_t steps[TOY_STATES * TOY_ITEMS], selves[TOY_STATES * TOY_ITEMS], memories[TOY_STATES];
    uint32_t started[TOY_STATES], ended[TOY_STATES], slots[TOY_SLOTS], count;
    bool full; /* it has more states */
};

static inline const struct toy_instruction *toy_next(const struct toy *toy, const struct toy_state *state,
                                                     unsigned item)
{
    return state->at[item] == toy->length[item] ? NULL : &toy->code[item][state->at[item]];
}

static inline bool toy_waits(const struct toy *toy, const struct toy_state *state, unsigned item)
{
    const struct toy_instruction *next = toy_next(toy, state, item);
    return next != NULL && next->kind == TOY_MEET;
}

/* Where all of a group have come to a barrier, they go on; where all are at the end, it has ended. */
static inline void toy_settle(const struct toy *toy, struct toy_state *state)
{
    for (unsigned group = 0; group < toy->groups; ++group) {
        const unsigned first = group * toy->items;
        bool meet, end;
        do {
            meet = end = true;
            for (unsigned item = first; item < first + toy->items; ++item) {
                meet = meet && toy_waits(toy, state, item);
                end = end && toy_next(toy, state, item) == NULL;
            }
            for (unsigned item = first; meet && item < first + toy->items; ++item)
                ++state->at[item];
        } while (meet);
        if (end)
            state->ended |= (unsigned char)(1u << group);
    }
}

static inline void toy_take_step(const struct toy *toy, struct toy_state *state, unsigned item)
{
    const struct toy_instruction *next = toy_next(toy, state, item);
    unsigned char *word = &state->words[next->word];
    bool stays = false;

    state->started |= (unsigned char)(1u << item / toy->items);
    switch (next->kind) {
    case TOY_STORE:
        *word = next->a;
        break;
    case TOY_WAIT:
        stays = *word != next->a;
        break;
    case TOY_WHILE:
        state->at[item] = *word == next->a ? (unsigned char)0xff : state->at[item];
        break;
    case TOY_SWAP:
        stays = *word != next->a;
        *word = stays ? *word : next->b;
        break;
    case TOY_TAKE:
        state->own[item] = (*word)++;
        break;
    case TOY_AWAIT:
        stays = *word != state->own[item];
        break;
    default:
        ++*word;
    }
    state->at[item] = (unsigned char)(state->at[item] + !stays);
    toy_settle(toy, state);
}

static inline uint32_t toy_number(struct toy_space *space, const struct toy_state *state)
{
    uint32_t hash = 2166136261u;

    for (size_t i = 0; i < sizeof *state; ++i)
        hash = (hash ^ ((const unsigned char *)state)[i]) * 16777619u;
    uint32_t *slot = &space->slots[hash % TOY_SLOTS];
    while (*slot != 0 && memcmp(&space->states[*slot - 1], state, sizeof *state) != 0)
        slot = slot == &space->slots[TOY_SLOTS - 1] ? space->slots : slot + 1;
    if (*slot != 0)
        return *slot - 1;
    space->full = space->full || space->count == TOY_STATES;
    if (space->full)
        return 0;
    space->states[space->count] = *state;
    *slot = ++space->count;
    return space->count - 1;
}

/* Returns false if there are too many states. */
static inline bool toy_explore(struct toy_space *space, const struct toy *toy, struct proof_graph *graph)
{
    const unsigned items = toy->groups * toy->items;
    struct toy_state state = {.started = 0};

    memset(space->slots, 0, sizeof space->slots);
    space->toy = toy;
    space->count = 0;
    space->full = false;
    toy_settle(toy, &state);
    toy_number(space, &state);
    for (uint32_t at = 0; at < space->count && !space->full; ++at) {
        const struct toy_state from = space->states[at];
        for (unsigned item = 0; item < items; ++item) {
            const struct toy_instruction *next = toy_next(toy, &from, item);
            const uint32_t rests = next == NULL ? PROOF_ENDED : PROOF_WAITS;
            const bool steps = next != NULL && next->kind != TOY_MEET;
            state = from;
            if (steps)
                toy_take_step(toy, &state, item);
            space->steps[at * items + item] = steps ? toy_number(space, &state) : PROOF_NOWHERE;
            space->selves[at * items + item] = steps ? 0 : rests;
        }
        space->memories[at] = 0;
        space->started[at] = from.started;
        space->ended[at] = from.ended;
    }
    *graph = (struct proof_graph){.groups = toy->groups,
                                  .items = toy->items,
                                  .count = space->count,
                                  .steps = space->steps,
                                  .selves = space->selves,
                                  .memories = space->memories,
                                  .started = space->started,
                                  .ended = space->ended};
    return !space->full;
}

/* All work-items have the same code. */
static inline void toy_make(struct toy *toy, unsigned groups, unsigned items, const struct toy_instruction *code,
                            unsigned length)
{
    *toy = (struct toy){.groups = groups, .items = items};
    for (unsigned item = 0; item < groups * items; ++item) {
        memcpy(toy->code[item], code, length * sizeof *code);
        toy->length[item] = length;
    }
}

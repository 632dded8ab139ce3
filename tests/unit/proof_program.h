/*
 * Small programs, and the graph of all that they can do. A program has a text for each work-item, separated by |, and
 * that has instructions, separated by ; and numbered from 0:
 *
 *     x  x=1  x+1  l[0]=1     load, store, add, compare-exchange of 0 by 1; an add leaves in r what was there before
 *     x==1  l[0]=1            go round until it is so; with ? behind it, the work-item ends if it is not so
 *     x=1:rel  x:acq.wg       atomic, with an order and a scope; device scope if none is named
 *     fence:acq.dev  fence:acq:l  barrier  barrier:l  barrier:g     these may be for local or global memory alone
 *     >2  r!=1>2              go on with instruction 2; if r is not 1
 *
 * A value is a digit, r, or r+1. Words are letters, of which m and n are local memory; a large letter is the word and
 * the one behind it.
 */
#pragma once

#include "proof/graph.h"

#include "base/alloc.h"
#include "base/intern.h"

#include "harness.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    TOY_ITEMS = 5,
    TOY_CODE = 48,
    TOY_WORDS = 26,
    TOY_LOG = 32,
    TOY_REGISTER = 10,
    TOY_PLACES = TOY_ITEMS * TOY_CODE
};

enum toy_op { TOY_ACCESS, TOY_FENCE, TOY_BARRIER, TOY_JUMP, TOY_UNLESS };

/* 10 and 11 are r and r + 1. */
struct toy_instruction {
    enum toy_op op;
    struct proof_access access; /* or the fence, or what the barrier orders */
    bool adds, compares, once;
    uint8_t value, expected, target;
};

struct toy_program {
    uint32_t groups, items;
    struct toy_instruction code[TOY_ITEMS][TOY_CODE];
    uint8_t length[TOY_ITEMS];
};

/* --- its text --- */

static inline uint8_t toy_order(const char **at, uint8_t *scope)
{
    static const char *const orders[] = {"rlx", "acq", "rel", "ar", "sc"};
    static const char *const scopes[] = {"wi", "sg", "wg", "dev", "all"};
    uint8_t order = 0;

    while (strncmp(*at, orders[order], strlen(orders[order])) != 0)
        harness_assert(++order < 5, "no order: %s", *at);
    *at += strlen(orders[order]);
    *scope = PROOF_SCOPE_DEVICE;
    if (**at != '.')
        return order;
    for (*scope = 0; strncmp(*at + 1, scopes[*scope], strlen(scopes[*scope])) != 0;)
        harness_assert(++*scope < 5, "no scope: %s", *at);
    *at += 1 + strlen(scopes[*scope]);
    return order;
}

static inline uint8_t toy_value(const char **at)
{
    if (**at != 'r')
        return (uint8_t)(*(*at)++ - '0');
    *at += 1;
    if (strncmp(*at, "+1", 2) != 0)
        return TOY_REGISTER;
    *at += 2;
    return TOY_REGISTER + 1;
}

static inline bool toy_skip(const char **at, const char *text)
{
    if (strncmp(*at, text, strlen(text)) != 0)
        return false;
    *at += strlen(text);
    return true;
}

static inline void toy_read_access(const char **at, struct toy_instruction *in)
{
    const bool wide = isupper((unsigned char)**at) != 0;

    in->access.is_local = **at == 'm' || **at == 'n';
    in->op = TOY_ACCESS;
    in->access.at = 4 * (uint64_t)(tolower((unsigned char)*(*at)++) - 'a');
    in->access.bytes = wide ? 8 : 4;
    in->access.kind = PROOF_LOAD;
    if (toy_skip(at, "==")) {
        in->compares = true;
        in->expected = toy_value(at);
    } else if (toy_skip(at, "=")) {
        in->access.kind = PROOF_STORE;
        in->value = toy_value(at);
    } else if (toy_skip(at, "+")) {
        in->access.kind = PROOF_UPDATE;
        in->adds = true;
        in->value = toy_value(at);
    } else if (toy_skip(at, "[")) {
        in->access.kind = PROOF_UPDATE;
        in->compares = true;
        in->expected = toy_value(at);
        harness_assert(toy_skip(at, "]="), "no ]=: %s", *at);
        in->value = toy_value(at);
    }
    in->once = toy_skip(at, "?");
    in->access.atomic = toy_skip(at, ":");
    if (in->access.atomic)
        in->access.order = toy_order(at, &in->access.scope);
}

static inline uint8_t toy_spaces(const char **at)
{
    return toy_skip(at, ":l") ? PROOF_LOCAL : toy_skip(at, ":g") ? PROOF_GLOBAL : PROOF_LOCAL | PROOF_GLOBAL;
}

static inline struct toy_instruction toy_read(const char **at)
{
    struct toy_instruction in = {0};

    if (toy_skip(at, "barrier")) {
        in.op = TOY_BARRIER;
        in.access.spaces = toy_spaces(at);
    } else if (toy_skip(at, "fence:")) {
        in.op = TOY_FENCE;
        in.access.order = toy_order(at, &in.access.scope);
        in.access.spaces = toy_spaces(at);
    } else if (toy_skip(at, "r!=")) {
        in.op = TOY_UNLESS;
        in.expected = toy_value(at);
        harness_assert(toy_skip(at, ">"), "no >: %s", *at);
        in.target = toy_value(at);
    } else if (toy_skip(at, ">")) {
        in.op = TOY_JUMP;
        in.target = toy_value(at);
    } else
        toy_read_access(at, &in);
    return in;
}

static inline void toy_parse(struct toy_program *program, uint32_t groups, const char *text)
{
    const char *at = text;
    uint32_t item = 0;

    memset(program, 0, sizeof *program);
    for (;;) {
        harness_assert(program->length[item] < TOY_CODE, "too long: %s", text);
        program->code[item][program->length[item]++] = toy_read(&at);
        if (*at == '\0')
            break;
        if (toy_skip(&at, "; "))
            continue;
        harness_assert(toy_skip(&at, " | "), "\"%s\" in \"%s\"", at, text);
        harness_assert(++item < TOY_ITEMS, "too many: %s", text);
    }
    program->groups = groups;
    program->items = (item + 1) / groups;
    harness_assert(program->items * groups == item + 1, "not of %u groups: %s", groups, text);
}

/* --- what it does --- */

struct toy_self {
    uint8_t item, at, r, meets, spaces, waits, ended, zero; /* they are compared by their bytes */
    uint16_t fences;
};

struct toy_state {
    uint8_t memory[TOY_WORDS];
    struct toy_self items[TOY_ITEMS];
};

/* What has been done, in order: accesses, fences, and barriers, which are of several items; a bit each. */
struct toy_log {
    uint32_t count;
    struct toy_event {
        const struct toy_instruction *in;
        uint8_t items, place;
        bool changed; /* memory */
    } events[TOY_LOG];
};

static inline void toy_note(struct toy_log *log, const struct toy_instruction *in, unsigned items, unsigned place)
{
    if (log == NULL)
        return;
    harness_assert(log->count < TOY_LOG, "too long a run");
    log->events[log->count++] = (struct toy_event){in, (uint8_t)items, (uint8_t)place, false};
}

static inline uint8_t toy_place(unsigned item, unsigned at)
{
    return (uint8_t)(TOY_CODE * item + at);
}

static inline uint8_t toy_evaluate(uint8_t value, const struct toy_self *self)
{
    return value < TOY_REGISTER ? value : (uint8_t)(self->r + value - TOY_REGISTER);
}

/* The items of the group, a bit each, if all are at a barrier; or 0. */
static inline unsigned toy_all_wait(const struct toy_program *program, const struct toy_state *state, unsigned group)
{
    unsigned waiting = 0;

    for (unsigned i = group * program->items; i < (group + 1) * program->items; ++i) {
        if (!state->items[i].waits)
            return 0;
        waiting |= 1u << i;
    }
    return waiting;
}

/* Goes on until the next access, a barrier, or the end. */
static inline void toy_run(const struct toy_program *program, struct toy_state *state, unsigned item,
                           struct toy_log *log)
{
    struct toy_self *self = &state->items[item];

    while (self->at < program->length[item]) {
        const struct toy_instruction *in = &program->code[item][self->at];
        if (in->op == TOY_ACCESS)
            return;
        if (in->op == TOY_BARRIER) {
            self->waits = 1;
            return;
        }
        if (in->op == TOY_FENCE) {
            toy_note(log, in, 1u << item, 0);
            self->fences |= proof_fence(in->access.order, in->access.scope, in->access.spaces);
        }
        const bool jumps = in->op == TOY_JUMP || (in->op == TOY_UNLESS && self->r != toy_evaluate(in->expected, self));
        self->at = jumps ? in->target : (uint8_t)(self->at + 1);
    }
    *self = (struct toy_self){.item = (uint8_t)item, .ended = 1};
}

static inline void toy_pass_barriers(const struct toy_program *program, struct toy_state *state, unsigned group,
                                     struct toy_log *log)
{
    bool is_first = true;

    for (unsigned waiting; (waiting = toy_all_wait(program, state, group)) != 0;) {
        toy_note(log, &program->code[group * program->items][0], waiting, UINT8_MAX);
        for (unsigned i = 0; i < TOY_ITEMS; ++i)
            if ((waiting >> i & 1) != 0) {
                state->items[i].waits = 0;
                state->items[i].meets += 1;
                state->items[i].spaces = (uint8_t)((is_first ? 0 : state->items[i].spaces) |
                                                   program->code[i][state->items[i].at].access.spaces);
                state->items[i].at += 1;
                toy_run(program, state, i, log);
            }
        is_first = false;
    }
}

static inline bool toy_has_step(const struct toy_state *state, unsigned item)
{
    return !state->items[item].waits && !state->items[item].ended;
}

static inline void toy_step(const struct toy_program *program, struct toy_state *state, unsigned item,
                            struct toy_log *log)
{
    struct toy_self *self = &state->items[item];
    const struct toy_instruction *in = &program->code[item][self->at];
    uint8_t *word = &state->memory[in->access.at / 4];
    const uint8_t before = *word;
    const bool fits = !in->compares || before == toy_evaluate(in->expected, self);

    toy_note(log, in, 1u << item, toy_place(item, self->at));
    if (in->access.kind != PROOF_LOAD && fits) {
        *word = (uint8_t)((in->adds ? before : 0) + toy_evaluate(in->value, self));
        if (in->access.bytes == 8)
            word[1] = *word;
    }
    if (log != NULL)
        log->events[log->count - 1].changed = *word != before;
    if (in->adds)
        self->r = before;
    if (!fits && in->once)
        self->at = program->length[item];
    else
        self->at = (uint8_t)(self->at + fits);
    self->fences = self->meets = self->spaces = 0;
    toy_run(program, state, item, log);
    toy_pass_barriers(program, state, item / program->items, log);
}

static inline void toy_begin(const struct toy_program *program, struct toy_state *state, struct toy_log *log)
{
    memset(state, 0, sizeof *state);
    for (unsigned i = 0; i < program->groups * program->items; ++i) {
        state->items[i].item = (uint8_t)i;
        toy_run(program, state, i, log);
    }
    for (unsigned group = 0; group < program->groups; ++group)
        toy_pass_barriers(program, state, group, log);
}

/* --- its graph --- */

struct toy_graph {
    struct proof_graph graph;
    uint32_t *places;
    struct intern states, selves, memories;
    const struct toy_state **found;
};

static inline uint32_t toy_number(struct intern *pool, const void *bytes, size_t size)
{
    const size_t before = pool->used;
    uint32_t *number = intern_number(intern_bytes(pool, bytes, size));
    if (pool->used > before)
        *number = (uint32_t)before;
    return *number;
}

static inline uint32_t toy_self_number(struct toy_graph *built, const struct toy_program *program,
                                       const struct toy_self *self)
{
    struct proof_graph *graph = &built->graph;

    if (self->waits || self->ended)
        return self->waits ? PROOF_WAITS : PROOF_ENDED;
    const uint32_t number = toy_number(&built->selves, self, sizeof *self);
    if (number < graph->access_count)
        return number;
    GROW(graph->accesses, number);
    GROW(built->places, number);
    graph->accesses[number] = program->code[self->item][self->at].access;
    graph->accesses[number].fences = self->fences;
    graph->accesses[number].meets = self->meets;
    graph->accesses[number].spaces = self->spaces;
    built->places[number] = toy_place(self->item, self->at);
    return graph->access_count++;
}

static inline uint32_t toy_state_number(struct toy_graph *built, const struct toy_program *program,
                                        const struct toy_state *state)
{
    struct proof_graph *graph = &built->graph;
    const uint32_t number = toy_number(&built->states, state, sizeof *state), items = proof_items(graph);

    if (number < graph->count)
        return number;
    GROW(built->found, number);
    GROW(graph->memories, number);
    grow(&graph->steps, number, items * sizeof *graph->steps);
    grow(&graph->selves, number, items * sizeof *graph->selves);
    built->found[number] = intern_bytes(&built->states, state, sizeof *state);
    graph->memories[number] = toy_number(&built->memories, state->memory, sizeof state->memory);
    for (uint32_t i = 0; i < items; ++i)
        graph->selves[(size_t)number * items + i] = toy_self_number(built, program, &state->items[i]);
    return graph->count++;
}

/* Groups that have started or ended are not told. */
static inline void toy_explore(struct toy_graph *built, const struct toy_program *program)
{
    struct proof_graph *graph = &built->graph;
    struct toy_state state;

    *built = (struct toy_graph){.graph = {.groups = program->groups, .items = program->items}};
    toy_begin(program, &state, NULL);
    (void)toy_state_number(built, program, &state);
    for (uint32_t number = 0; number < graph->count; ++number)
        for (uint32_t item = 0; item < proof_items(graph); ++item) {
            uint32_t next = PROOF_NOWHERE;
            state = *built->found[number];
            if (toy_has_step(&state, item)) {
                toy_step(program, &state, item, NULL);
                next = toy_state_number(built, program, &state);
            }
            graph->steps[(size_t)number * proof_items(graph) + item] = next;
        }
}

static inline void toy_forget(struct toy_graph *built)
{
    free(built->graph.accesses);
    free(built->graph.steps);
    free(built->graph.selves);
    free(built->graph.memories);
    free(built->places);
    free(built->found);
    intern_fini(&built->states);
    intern_fini(&built->selves);
    intern_fini(&built->memories);
}

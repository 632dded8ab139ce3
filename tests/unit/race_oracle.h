/*
 * Races of a program without loops, found naively: all runs, of each run what happens before what by the definitions
 * of the memory model, and of that all pairs.
 */
#pragma once

#include "proof_program.h"

/* Of each pair of places, the smaller one first: the fewest steps before the second access; 0: they do not race. */
struct oracle {
    const struct toy_program *program;
    uint32_t steps[TOY_PLACES][TOY_PLACES];
    uint32_t pairs;
    unsigned long runs;
};

static inline bool oracle_is_access(const struct toy_event *event)
{
    return event->place != UINT8_MAX && event->in->op == TOY_ACCESS;
}

static inline bool oracle_is_fence(const struct toy_event *event)
{
    return event->place != UINT8_MAX && event->in->op == TOY_FENCE;
}

static inline bool oracle_acquires(const struct toy_event *event)
{
    return event->in->access.order == PROOF_ACQUIRE || event->in->access.order == PROOF_ACQ_REL ||
           event->in->access.order == PROOF_SEQ_CST;
}

static inline bool oracle_releases(const struct toy_event *event)
{
    return event->in->access.order >= PROOF_RELEASE;
}

static inline bool oracle_share(const struct toy_event *a, const struct toy_event *b)
{
    const struct proof_access *x = &a->in->access, *y = &b->in->access;
    return oracle_is_access(a) && oracle_is_access(b) && x->at < y->at + y->bytes && y->at < x->at + x->bytes;
}

static inline bool oracle_is_same(const struct toy_event *a, const struct toy_event *b)
{
    return a->in->access.at == b->in->access.at && a->in->access.bytes == b->in->access.bytes;
}

static inline bool oracle_inclusive(const struct oracle *oracle, const struct toy_event *a, const struct toy_event *b)
{
    const unsigned items = oracle->program->items, x = a->in->access.scope, y = b->in->access.scope;
    const unsigned i = (unsigned)__builtin_ctz(a->items), j = (unsigned)__builtin_ctz(b->items);
    if (i == j)
        return true;
    if (i / items == j / items)
        return x >= PROOF_SCOPE_GROUP && y >= PROOF_SCOPE_GROUP;
    return x >= PROOF_SCOPE_DEVICE && y >= PROOF_SCOPE_DEVICE;
}

/* The write that a read at `at` reads from; its own number: none. */
static inline uint32_t oracle_source(const struct toy_log *log, uint32_t at)
{
    for (uint32_t i = at; i-- > 0;)
        if (oracle_share(&log->events[i], &log->events[at]) && log->events[i].in->access.kind != PROOF_LOAD)
            return i;
    return at;
}

/* The write at `at` is of the release sequence of that at `head`, if the latter is a release. */
static inline bool oracle_follows(const struct toy_log *log, uint32_t head, uint32_t at)
{
    const struct toy_event *first = &log->events[head];

    for (uint32_t i = head; i <= at; ++i) {
        const struct toy_event *event = &log->events[i];
        if (!oracle_share(event, first) || event->in->access.kind == PROOF_LOAD)
            continue;
        if (!event->in->access.atomic || !oracle_is_same(event, first) ||
            (event->items != first->items && event->in->access.kind != PROOF_UPDATE))
            return false;
    }
    return true;
}

/* Marks what synchronizes by the read at `at` of what the release sequence at `head` wrote. */
static inline void oracle_synchronize(const struct oracle *oracle, const struct toy_log *log, uint32_t head,
                                      uint32_t at, bool before[TOY_LOG][TOY_LOG])
{
    for (uint32_t a = 0; a <= head; ++a)
        for (uint32_t b = at; b < log->count; ++b) {
            const struct toy_event *x = &log->events[a], *y = &log->events[b];
            if ((a == head || (oracle_is_fence(x) && x->items == log->events[head].items)) && oracle_releases(x) &&
                (b == at || (oracle_is_fence(y) && y->items == log->events[at].items)) && oracle_acquires(y) &&
                oracle_inclusive(oracle, x, y))
                before[a][b] = true;
        }
}

static inline void oracle_order(const struct oracle *oracle, const struct toy_log *log, bool before[TOY_LOG][TOY_LOG])
{
    for (uint32_t b = 0; b < log->count; ++b) {
        const struct toy_event *event = &log->events[b];
        for (uint32_t a = 0; a < b; ++a)
            before[a][b] = before[a][b] || (log->events[a].items & event->items) != 0;
        if (!oracle_is_access(event) || !event->in->access.atomic || event->in->access.kind == PROOF_STORE)
            continue;
        const uint32_t source = oracle_source(log, b);
        for (uint32_t head = 0; source != b && head <= source; ++head)
            if (oracle_share(&log->events[head], event) && oracle_is_same(&log->events[head], event) &&
                log->events[head].in->access.atomic && log->events[head].in->access.kind != PROOF_LOAD &&
                oracle_follows(log, head, source))
                oracle_synchronize(oracle, log, head, b, before);
    }
    for (uint32_t c = 0; c < log->count; ++c)
        for (uint32_t a = 0; a < c; ++a)
            for (uint32_t b = c + 1; b < log->count; ++b)
                before[a][b] = before[a][b] || (before[a][c] && before[c][b]);
}

static inline bool oracle_writes(const struct toy_event *event)
{
    return event->in->access.kind == PROOF_STORE || (event->in->access.kind == PROOF_UPDATE && event->changed);
}

static inline void oracle_judge(struct oracle *oracle, const struct toy_log *log)
{
    bool before[TOY_LOG][TOY_LOG] = {{false}};
    uint32_t steps = 0;

    oracle_order(oracle, log, before);
    oracle->runs += 1;
    for (uint32_t b = 0; b < log->count; ++b) {
        const struct toy_event *y = &log->events[b];
        for (uint32_t a = 0; a < b; ++a) {
            const struct toy_event *x = &log->events[a];
            if (before[a][b] || x->items == y->items || !oracle_share(x, y) ||
                (!oracle_writes(x) && !oracle_writes(y)) ||
                (x->in->access.atomic && y->in->access.atomic && oracle_inclusive(oracle, x, y)))
                continue;
            const bool swap = x->place > y->place;
            uint32_t *least = &oracle->steps[swap ? y->place : x->place][swap ? x->place : y->place];
            oracle->pairs += *least == 0;
            if (*least == 0 || steps < *least)
                *least = steps;
        }
        steps += oracle_is_access(y);
    }
}

static inline void oracle_run(struct oracle *oracle, const struct toy_state *state, const struct toy_log *log)
{
    bool goes_on = false;

    for (unsigned item = 0; item < oracle->program->groups * oracle->program->items; ++item) {
        if (!toy_has_step(state, item))
            continue;
        struct toy_state next = *state;
        struct toy_log longer = *log;
        goes_on = true;
        toy_step(oracle->program, &next, item, &longer);
        oracle_run(oracle, &next, &longer);
    }
    if (!goes_on)
        oracle_judge(oracle, log);
}

static inline void oracle_find(struct oracle *oracle, const struct toy_program *whose)
{
    struct toy_state state;
    struct toy_log log = {0};

    memset(oracle, 0, sizeof *oracle);
    oracle->program = whose;
    toy_begin(whose, &state, &log);
    oracle_run(oracle, &state, &log);
}

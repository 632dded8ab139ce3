/*
 * What a litmus program can do and whether it must end, in a second way: all of it is written down from the
 * definitions, with the shortest code, and shares nothing with src/litmus but how a program is laid out.
 */
#pragma once

#include "litmus/program.h"

#include <check.h>

#include <stdbool.h>
#include <string.h>

enum { BRUTE_THREADS = 4, BRUTE_STATES = 2048, BRUTE_MODELS = 5 };

struct brute_state {
    unsigned char memory[2], at[BRUTE_THREADS], started[BRUTE_THREADS];
};

struct brute {
    const struct litmus_program *program;
    int count;
    struct brute_state states[BRUTE_STATES];
    int next[BRUTE_STATES][BRUTE_THREADS]; /* -1: the thread has ended */
    int read[BRUTE_STATES][BRUTE_THREADS]; /* the value that it reads */
};

static inline bool brute_ended(const struct brute *b, int state, unsigned thread)
{
    return b->states[state].at[thread] == b->program->length[thread];
}

static inline bool brute_all_ended(const struct brute *b, int state)
{
    for (unsigned thread = 0; thread < b->program->threads; ++thread)
        if (!brute_ended(b, state, thread))
            return false;
    return true;
}

static inline int brute_number(struct brute *b, const struct brute_state *state)
{
    for (int i = b->count; i-- > 0;)
        if (memcmp(&b->states[i], state, sizeof *state) == 0)
            return i;
    ck_assert_int_lt(b->count, BRUTE_STATES);
    b->states[b->count] = *state;
    return b->count++;
}

/* All states; without `with_started`, who has started is no part of one. */
static inline void brute_explore(struct brute *b, const struct litmus_program *program, bool with_started)
{
    const struct brute_state initial = {{0}, {0}, {0}};

    b->program = program;
    b->count = 0;
    brute_number(b, &initial);
    for (int i = 0; i < b->count; ++i)
        for (unsigned t = 0; t < program->threads; ++t) {
            struct brute_state to = b->states[i];
            b->next[i][t] = -1;
            if (brute_ended(b, i, t))
                continue;
            const struct litmus_instruction *instruction = &program->code[program->first[t] + to.at[t]];
            b->read[i][t] = to.memory[instruction->location];
            if (instruction->exchange != LITMUS_NO_EXCHANGE)
                to.memory[instruction->location] = instruction->exchange;
            to.at[t] = b->read[i][t] == instruction->check ? instruction->jump : (unsigned char)(to.at[t] + 1);
            to.started[t] = with_started;
            b->next[i][t] = brute_number(b, &to);
        }
}

/* Whether a thread has fair execution; models are numbered as in litmus/model.h. */
static inline bool brute_is_fair(const struct brute *b, int model, int state, unsigned thread)
{
    const struct brute_state *s = &b->states[state];
    bool lowest = true, below = false;

    if (brute_ended(b, state, thread))
        return false;
    for (unsigned t = 0; t < thread; ++t)
        lowest = lowest && brute_ended(b, state, t);
    for (unsigned t = thread; t < b->program->threads; ++t)
        below = below || s->started[t];
    const bool fair[BRUTE_MODELS] = {lowest, s->started[thread], lowest || s->started[thread], below, true};
    return fair[model];
}

/*
 * Weak fairness by a lasso: from some state, a way leads back to it on which all those take a step that have fair
 * execution in it. Sets holds[model] for each.
 */
static inline void brute_weak(const struct brute *b, bool holds[BRUTE_MODELS])
{
    enum { SETS = 1 << BRUTE_THREADS };
    static bool seen[BRUTE_STATES][SETS];
    static struct {
        int state, set;
    } queue[BRUTE_STATES * SETS];

    memset(holds, true, BRUTE_MODELS);
    for (int start = 0; start < b->count; ++start) {
        int end = 1;
        memset(seen, 0, sizeof seen[0] * (size_t)b->count);
        queue[0].state = start;
        queue[0].set = 0;
        for (int i = 0; i < end; ++i)
            for (unsigned t = 0; t < b->program->threads; ++t) {
                const int next = b->next[queue[i].state][t], set = queue[i].set | 1 << t;
                if (next < 0 || seen[next][set])
                    continue;
                seen[next][set] = true;
                queue[end].state = next;
                queue[end++].set = set;
            }
        for (int model = 0; model < BRUTE_MODELS; ++model)
            for (int set = 1; set < SETS; ++set) {
                bool fair = seen[start][set];
                for (unsigned t = 0; t < b->program->threads; ++t)
                    fair = fair && (!brute_is_fair(b, model, start, t) || (set >> t & 1) != 0);
                holds[model] = holds[model] && !fair;
            }
    }
}

static inline bool brute_nobody_is_fair(const struct brute *b, int model, int state)
{
    for (unsigned t = 0; t < b->program->threads; ++t)
        if (brute_is_fair(b, model, state, t))
            return false;
    return true;
}

/* Strong fairness: from each state a way of fair steps leads to where nobody has fair execution, as at the end. */
static inline bool brute_strong(const struct brute *b, int model)
{
    static int way[BRUTE_STATES];
    static bool seen[BRUTE_STATES];

    for (int start = 0; start < b->count; ++start) {
        int end = 1;
        bool reached = false;
        memset(seen, 0, sizeof seen);
        way[0] = start;
        seen[start] = true;
        for (int i = 0; i < end && !reached; ++i) {
            reached = brute_all_ended(b, way[i]) || brute_nobody_is_fair(b, model, way[i]);
            for (unsigned t = 0; t < b->program->threads; ++t)
                if (brute_is_fair(b, model, way[i], t) && !seen[b->next[way[i]][t]]) {
                    seen[b->next[way[i]][t]] = true;
                    way[end++] = b->next[way[i]][t];
                }
        }
        if (!reached)
            return false;
    }
    return true;
}

/* --- programs --- */

/* A linear congruential generator (Knuth, MMIX): the same programs everywhere. */
static inline unsigned brute_random(unsigned long long *state, unsigned below)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(*state >> 33) % below;
}

/* Any well-formed program. */
static inline void brute_random_program(unsigned long long *state, unsigned threads, unsigned most,
                                        struct litmus_program *program)
{
    memset(program, 0, sizeof *program);
    program->threads = threads;
    for (unsigned t = 0; t < threads; ++t)
        program->length[t] = (unsigned char)(1 + brute_random(state, most));
    litmus_lay_out(program);
    for (unsigned t = 0; t < threads; ++t)
        for (unsigned i = 0; i < program->length[t]; ++i)
            program->code[program->first[t] + i] = (struct litmus_instruction){
                .location = (unsigned char)brute_random(state, 2),
                .check = (unsigned char)brute_random(state, 2),
                .exchange = (unsigned char)brute_random(state, 3),
                .jump = (unsigned char)brute_random(state, program->length[t] + 1u),
            };
}

#include "litmus/enumerate.h"

#include <stddef.h>

enum { REST = 3 }; /* a part's programs begin alike, but for so many instructions */

/* What instructions so far do with the locations: bit l is location l. */
struct uses {
    uint8_t any[LITMUS_REACH_INSTRUCTIONS];    /* of each thread */
    uint8_t branch[LITMUS_REACH_INSTRUCTIONS]; /* by one that is no store */
    uint8_t write[LITMUS_REACH_INSTRUCTIONS];
    uint8_t set; /* someone writes 1 */
};

struct enumeration {
    const struct litmus_visitor *visitor;
    struct litmus_program program;
    struct litmus_reach reach;
    unsigned total;
    bool stopped;
};

/* --- which instructions can come next --- */

static void add_use(struct uses *uses, unsigned thread, unsigned position, const struct litmus_instruction *instruction)
{
    const uint8_t bit = (uint8_t)(1u << instruction->location);

    uses->any[thread] |= bit;
    if (!litmus_is_store(instruction, position))
        uses->branch[thread] |= bit;
    if (litmus_writes(instruction))
        uses->write[thread] |= bit;
    if (instruction->exchange == 1)
        uses->set |= bit;
}

/* The locations that a thread needs an instruction on in another one. */
static unsigned lacking_elsewhere(const struct uses *uses, unsigned threads, unsigned thread)
{
    unsigned any = 0, branch = 0;

    for (unsigned other = 0; other < threads; ++other)
        if (other != thread) {
            any |= uses->any[other];
            branch |= uses->branch[other];
        }
    return (uses->branch[thread] & ~any) | (uses->write[thread] & ~branch);
}

/*
 * So many instructions that are still to come, in this thread and those behind it, can give each location what it
 * lacks: one in another thread, or one that writes 1, without which no branch reads both values.
 */
static bool can_be_met(const struct uses *uses, unsigned threads, unsigned thread, unsigned left)
{
    unsigned lacking = 0, used = 0;

    if (thread == threads - 1 && lacking_elsewhere(uses, threads, thread) != 0)
        return false;
    for (unsigned i = 0; i < threads; ++i) {
        lacking |= lacking_elsewhere(uses, threads, i);
        used |= uses->any[i];
    }
    lacking |= used & ~(unsigned)uses->set;
    return (lacking & 1) + (lacking >> 1) <= left;
}

/* --- the search --- */

/* Each instruction that is no store has read both values, and a store that which it overwrites. */
static bool reads_enough(const struct enumeration *e)
{
    for (unsigned thread = 0; thread < e->program.threads; ++thread)
        for (unsigned i = 0; i < e->program.length[thread]; ++i) {
            const struct litmus_instruction *instruction = litmus_instruction(&e->program, thread, i);
            const unsigned values = e->reach.values[e->program.first[thread] + i];
            if (litmus_is_store(instruction, i) ? (values >> (1 - instruction->exchange) & 1) == 0 : values != 3)
                return false;
        }
    return true;
}

static void finish(struct enumeration *e)
{
    if (reads_enough(e) && litmus_reach_ends(&e->reach, false) && !litmus_reach_ends(&e->reach, true))
        e->stopped = !e->visitor->found(e->visitor->context, &e->program);
}

static void write_instruction(struct enumeration *e, unsigned thread, unsigned position, const struct uses *uses);

/* Goes on behind the instruction that has just been written. */
static void go_on(struct enumeration *e, unsigned thread, unsigned position, const struct uses *uses)
{
    const unsigned known = e->program.first[thread] + position + 1;
    const bool is_part = e->visitor->begin_part != NULL && known == (e->total > REST ? e->total - REST : 1);

    if (is_part) {
        const enum litmus_answer answer = e->visitor->begin_part(e->visitor->context, &e->program, known);
        e->stopped = answer == LITMUS_STOP;
        if (answer != LITMUS_SEARCH)
            return;
    }
    if (known == e->total)
        finish(e);
    else if (position + 1 < e->program.length[thread])
        write_instruction(e, thread, position + 1, uses);
    else
        write_instruction(e, thread + 1, 0, uses);
    if (is_part)
        e->visitor->end_part(e->visitor->context);
}

static void try_instruction(struct enumeration *e, unsigned thread, unsigned position, const struct uses *before)
{
    struct uses uses = *before;
    struct litmus_reach_mark mark;
    const unsigned known = e->program.first[thread] + position;

    add_use(&uses, thread, position, &e->program.code[known]);
    if (!can_be_met(&uses, e->program.threads, thread, e->total - known - 1))
        return;
    litmus_reach_add(&e->reach, thread, position, &mark);
    if (known + 1 == e->total || litmus_reach_ends(&e->reach, false))
        go_on(e, thread, position, &uses);
    litmus_reach_undo(&e->reach, &mark);
}

/* The instruction whose text comes next; false: it was the last one. */
static bool advance(struct litmus_instruction *instruction, unsigned length)
{
    if (instruction->jump < length) {
        ++instruction->jump;
        return true;
    }
    instruction->jump = 0;
    instruction->exchange = (uint8_t)((instruction->exchange + 1) % 3); /* none, 0, 1 */
    if (litmus_writes(instruction))
        return true;
    instruction->check ^= 1;
    if (instruction->check == 1)
        return true;
    return ++instruction->location < LITMUS_LOCATIONS;
}

/* All that an instruction can be, in the order of its text. */
static void write_instruction(struct enumeration *e, unsigned thread, unsigned position, const struct uses *uses)
{
    const unsigned known = e->program.first[thread] + position;
    struct litmus_instruction *instruction = &e->program.code[known];

    *instruction = (struct litmus_instruction){.exchange = LITMUS_NO_EXCHANGE};
    do
        if (!litmus_is_store(instruction, position) || (instruction->check == 0 && litmus_writes(instruction)))
            try_instruction(e, thread, position, uses);
    while (!e->stopped && advance(instruction, e->program.length[thread]) && (known > 0 || instruction->location == 0));
}

/* --- lengths --- */

/* All ways to give the threads from this one on the instructions that are left. */
static void split(struct enumeration *e, unsigned thread, unsigned left)
{
    const unsigned behind = e->program.threads - thread - 1;
    static const struct uses none;

    if (behind == 0) {
        e->program.length[thread] = (uint8_t)left;
        litmus_lay_out(&e->program);
        litmus_reach_begin(&e->reach, &e->program);
        write_instruction(e, 0, 0, &none);
        return;
    }
    for (unsigned length = 1; length + behind <= left && !e->stopped; ++length) {
        e->program.length[thread] = (uint8_t)length;
        split(e, thread + 1, left - length);
    }
}

void litmus_enumerate(unsigned threads, unsigned instructions, const struct litmus_visitor *visitor)
{
    struct enumeration e = {.visitor = visitor, .program.threads = threads, .total = instructions};

    if (instructions >= threads)
        split(&e, 0, instructions);
}

/*
 * Litmus programs: small programs whose threads wait for each other, by which models of progress are told apart.
 *
 * A program has threads, each a list of instructions, and two locations, x and y, with values 0 and 1, initially 0.
 * An instruction is executed atomically: it reads its location, writes a value to it or leaves it, and then goes to
 * `jump` if the value read was `check`, and to the next instruction if not. A thread ends behind its last one.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    LITMUS_THREADS = 16,
    LITMUS_INSTRUCTIONS = 64, /* of all threads together */
    LITMUS_LOCATIONS = 2,
    LITMUS_NO_EXCHANGE = 2, /* nothing is written */
};

struct litmus_instruction {
    uint8_t location;
    uint8_t check;
    uint8_t exchange; /* the value written, or LITMUS_NO_EXCHANGE */
    uint8_t jump;     /* from 0 to the number of the thread's instructions */
};

struct litmus_program {
    unsigned threads;
    uint8_t length[LITMUS_THREADS]; /* instructions of each thread, at least one */
    uint8_t first[LITMUS_THREADS];  /* where they begin in `code` */
    struct litmus_instruction code[LITMUS_INSTRUCTIONS];
};

/* Lays out `first`; the lengths are set. Returns the number of all instructions. */
static inline unsigned litmus_lay_out(struct litmus_program *program)
{
    unsigned total = 0;

    for (unsigned thread = 0; thread < program->threads; ++thread) {
        program->first[thread] = (uint8_t)total;
        total += program->length[thread];
    }
    return total;
}

/* The number of all instructions of a program that is laid out. */
static inline unsigned litmus_length(const struct litmus_program *program)
{
    const unsigned last = program->threads - 1;
    return program->first[last] + program->length[last];
}

static inline const struct litmus_instruction *litmus_instruction(const struct litmus_program *program, unsigned thread,
                                                                  unsigned position)
{
    return &program->code[program->first[thread] + position];
}

/* It goes to the next instruction in any case. */
static inline bool litmus_is_store(const struct litmus_instruction *instruction, unsigned position)
{
    return instruction->jump == position + 1;
}

static inline bool litmus_writes(const struct litmus_instruction *instruction)
{
    return instruction->exchange != LITMUS_NO_EXCHANGE;
}

/* The value that it reads; bit l of `memory` is location l. */
static inline unsigned litmus_value(const struct litmus_instruction *instruction, unsigned memory)
{
    return memory >> instruction->location & 1;
}

/* What it leaves in memory. */
static inline unsigned litmus_memory_after(const struct litmus_instruction *instruction, unsigned memory)
{
    if (!litmus_writes(instruction))
        return memory;
    return (memory & ~(1u << instruction->location)) | (unsigned)instruction->exchange << instruction->location;
}

/* Where the thread is after it. */
static inline unsigned litmus_position_after(const struct litmus_instruction *instruction, unsigned memory,
                                             unsigned position)
{
    return litmus_value(instruction, memory) == instruction->check ? instruction->jump : position + 1;
}

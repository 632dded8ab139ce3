/*
 * Whether a thread goes round for ever unless somebody else writes to memory: it comes to an instruction where it has
 * been before, with the same registers and the same memory, and has not changed anything that others see, neither on
 * its way round nor before it began to go round: others may wait for that very change.
 * Brent's algorithm (An improved Monte Carlo factorization algorithm, BIT 20, 1980) finds how long its way is.
 */
#pragma once

#include "look/standin.h"

enum course {
    COURSE_UNKNOWN, /* was not looked at, or could not be */
    COURSE_ROUND,   /* goes round, */
    COURSE_MOVES,   /* did not in as many instructions as were looked at, */
    COURSE_WRITES,  /* or wrote to memory, */
    COURSE_TIME,    /* or came to an instruction that reads a clock or a random number, */
    COURSE_CALLS,   /* or to a system call, */
    COURSE_FAULTS,  /* or to one that it could not execute */
};

struct course_found {
    enum course course;
    uint32_t instructions; /* of a round, or how many were looked at */
    bool shared;           /* some of the memory that it uses is shared with other processes */
    uint64_t pc;           /* the lowest instruction of the round */
};

/* How the thread begins, and at most how many instructions of it are looked at. */
struct course_start {
    const struct user_regs_struct *registers;
    uint8_t *vectors;
    size_t vectors_bytes;
    bool owns_stack; /* nothing on its stack is of anybody else's concern, for it is a thread of the driver */
    uint32_t most;
};

int course_find(struct standin *standin, const struct course_start *start, struct course_found *found,
                struct error *error);

/*
 * A stand-in: a process of ours that has the registers of a thread of somebody else's and those pages of its memory
 * that it uses, each once it is used. It takes the thread's next instructions, one by one; system calls are not
 * executed. So nothing can happen to the other process, which may run on meanwhile.
 */
#pragma once

#include "look/pages.h"

#include <sys/user.h>

struct standin {
    pid_t id;      /* 0: there is none */
    uint64_t gate; /* where the two instructions are that it makes its own system calls with */
    struct pages *pages;
    struct user_regs_struct registers;
    size_t vectors_bytes; /* of vector registers; 0: they are not known */
};

enum standin_step {
    STEP_TAKEN,
    STEP_CALLS, /* the next instruction is a system call */
    STEP_TIME,  /* the next instruction has a result that depends on more than memory and registers: time, chance */
    STEP_FAULT, /* the next instruction cannot be executed */
};

/* Makes one, for all threads of a process, one after the other. STATUS_HARNESS if the system refuses it. */
int standin_open(struct standin *standin, struct pages *pages, struct error *error);
void standin_close(struct standin *standin);

/* Lets it stand in for this thread from now on. */
int standin_begin(struct standin *standin, const struct user_regs_struct *registers, uint8_t *vectors,
                  size_t vectors_bytes, struct error *error);

/* Takes an instruction; pages that it writes to become dirty, and their `now` is what is there after it. */
enum standin_step standin_step(struct standin *standin);

/* Reads its vector registers into room for `vectors_bytes`. */
bool standin_vectors(const struct standin *standin, uint8_t *vectors);

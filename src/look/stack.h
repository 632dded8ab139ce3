/* The functions that a thread is in, by libdwfl of elfutils. */
#pragma once

#include "look/pages.h"

#include <sys/user.h>

enum { STACK_FRAMES = 1024, STACK_NAME = 128 };

struct frame {
    uint64_t pc;
    enum map_kind kind;        /* of what has its code */
    char function[STACK_NAME]; /* "": not known */
    char file[STACK_NAME];     /* where its source is, without folders; "": not known */
    int line;
    char object[STACK_NAME]; /* the file of its code, without folders */
    char path[256];          /* and with them */
    char called[STACK_NAME]; /* the function that its last call instruction names, "clFinish"; "": not known */
};

struct stack {
    struct frame *frames; /* the innermost first; no more than STACK_FRAMES */
    size_t count;
    bool whole; /* the last is where threads begin */
};

struct stacks;

/* `pages` has stacks at the moment when registers were read; what it has not is read as it is now. Never NULL. */
struct stacks *stacks_new(const struct pages *pages);
void stacks_free(struct stacks *stacks);

/* The caller ends `stack` with stack_fini. */
void stacks_find(struct stacks *stacks, const struct user_regs_struct *registers, struct stack *stack);
void stack_fini(struct stack *stack);

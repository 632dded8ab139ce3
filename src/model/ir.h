/*
 * The text of a program as clang's front end leaves it (LLVM IR, nothing optimized), and what is changed in it: local
 * variables become those of a thread, whose addresses the code asks for, so that each work-group has its own; and each
 * kernel gets a function that takes its arguments from an array.
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct ir_local {
    char *name; /* "kernel.variable" */
    unsigned alignment;
    int kernel; /* whose it is; -1: not known */
};

struct ir_argument {
    char *name;    /* or "" */
    char *type;    /* as the source has it */
    unsigned kind; /* GL_ARGUMENT_* */
    unsigned qualifiers;
};

struct ir_kernel {
    char *name;
    struct ir_argument *arguments;
    size_t argument_count;
    unsigned required[3], hint[3];
    char attributes[160];
};

struct ir {
    struct ir_local *locals;
    size_t local_count;
    struct ir_kernel *kernels;
    size_t kernel_count;
    char **wanted; /* functions that the program calls and does not define, mangled */
    size_t wanted_count;
    bool calls_kernels; /* one kernel calls another */
};

/* Reads the text, and writes what it becomes. STATUS_HARNESS if it is not as expected. Call ir_fini even then. */
int ir_change(struct ir *ir, const char *text, FILE *changed, struct error *error);
void ir_fini(struct ir *ir);

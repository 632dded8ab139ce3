/*
 * A program as clang's front end leaves it: a module of LLVM's language, as text. This learns what must be known of it,
 * and changes the text so that the back end looks up local variables by a function, that nothing is seen from outside
 * but a function for each kernel, "gl.enter.KERNEL", that variables are in a section of their own, and that no division
 * stops the processor. Variables stay visible to other modules: of one that only this module sees, the optimizer knows
 * that no other work-item writes it.
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MODULE_SECTION "gl_variables"

enum { MODULE_SIZES = 3 };

struct module_local {
    char *name;                    /* "kernel.variable" */
    uint64_t bytes, align, offset; /* in the memory of its group */
};

struct module_argument {
    char *name, *type; /* name "" if it is not said */
    unsigned kind;     /* GL_ARGUMENT_* */
    unsigned qualifiers;
    uint64_t bytes;
};

struct module_kernel {
    char *name;
    struct module_argument *arguments;
    size_t argument_count;
    uint32_t required[MODULE_SIZES], hint[MODULE_SIZES];
    uint64_t local_bytes;
    uint64_t array_bytes; /* of arrays in the private memory of a work-item */
    char *attributes;
};

struct module {
    char *text;
    struct module_local *locals;
    size_t local_count;
    struct module_kernel *kernels;
    size_t kernel_count;
    char **needs; /* functions that it does not define, by their mangled names */
    size_t need_count;
    bool has_variables; /* that it can write */
};

/* Zeroes and fills `module`. Returns -1 if something is wrong with the program. Call module_fini even then. */
int module_read(const char *text, struct module *module, struct error *error);
void module_fini(struct module *module);

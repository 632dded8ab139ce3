/* A kernel of a module: what the line that defines it and its metadata say, and the function that enters it. */
#pragma once

#include "model/ir_type.h"
#include "model/module.h"

#include <stdio.h>

/* Nodes of metadata, by number: what is behind "!{"; NULL: none. */
struct ir_nodes {
    const char **nodes;
    size_t count;
};

struct kernel_line {
    const char *line; /* "define ..." */
    const char *name; /* within it, behind '@' */
    bool opaque;      /* pointers have no types */
};

int module_kernel_read(const struct kernel_line *line, const struct ir_types *types, const struct ir_nodes *nodes,
                       struct module_kernel *kernel, struct error *error);
void module_kernel_fini(struct module_kernel *kernel);

/* Prints the function that loads each argument from where it lies, and calls the kernel. */
void module_kernel_print_enter(const struct kernel_line *line, FILE *out);

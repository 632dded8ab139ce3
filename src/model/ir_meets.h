/*
 * Functions of a program, in the assembly of LLVM, whose callers are told of their barriers: each that has one, or
 * calls one that has. It gets two arguments more: in which turns of loops the call is, %gl.in, and where to note that
 * it was at a barrier, %gl.met.
 */
#pragma once

#include "base/intern.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Zeroed: none. */
struct ir_meets {
    struct intern names; /* their numbers: whether it is such a function */
};

/* Finds them in a whole module. Kernels are none, nor is a function that is named but where it is called. */
void ir_meets_find(struct ir_meets *meets, const char *text);
void ir_meets_fini(struct ir_meets *meets);

/* Returns whether a line that begins a function begins one of them, or calls one. */
bool ir_meets_is(struct ir_meets *meets, const char *line);
bool ir_meets_calls(struct ir_meets *meets, const char *line);

/*
 * Print such a line with more: parameters, of a function from behind "define ", or arguments, "i32 %gl.part.1" and so
 * on. `pointer`: "ptr", or "i32*".
 */
void ir_meets_print_define(const char *rest_of_line, const char *pointer, FILE *out);
void ir_meets_print_call(const char *line, uint32_t serial, const char *pointer, FILE *out);

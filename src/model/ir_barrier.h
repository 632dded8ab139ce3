/* Barriers of a program in the assembly of LLVM: each call in its text gets a number, by which it is known then. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct ir_turns;

/*
 * Prints a line that calls barrier() or work_group_barrier(), with `place` in the flags, as GL_MEET_PLACE() of
 * model/image.h reads it, and in which turn of loops that is; `turns` may be NULL.
 */
void ir_barrier_print(const char *line, uint32_t place, struct ir_turns *turns, FILE *out);

/* Returns whether a line is such a call. */
bool ir_barrier_is(const char *line);

/* Returns the place of the call that is so many before it, from this line of the source. */
uint32_t ir_barrier_place(uint32_t number, uint32_t line);

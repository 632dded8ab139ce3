/*
 * In which turn of its loops a work-item comes to a barrier: in a function whose loops have calls of barrier(), or of
 * what calls it (model/ir_meets.h), each of these gets a count of the turns since the work-item was last at a barrier
 * in it, and whether it was entered since. All of a group have to be in the
 * same turn where they meet. A loop is what LLVM's assembly goes round in and enters at one block alone ("natural"; of
 * others nothing is said), and a turn is a time that it comes to that block.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct ir_turns; /* of one function */

struct ir_meets;

/* Reads a function from its first line ("define ...") on. NULL: nothing is to be printed. */
struct ir_turns *ir_turns_read(const char *text, bool opaque, struct ir_meets *told);
void ir_turns_free(struct ir_turns *turns);

/* For each line of the function behind the first, before it is printed: prints what belongs before it. */
void ir_turns_print(struct ir_turns *turns, const char *line, FILE *out);

/*
 * For the call of a barrier: prints what makes %gl.turn.PLACE, the bits of GL_MEET_TURN() of model/image.h. False: it
 * is in no loop, and no caller tells of one. And, behind the call, what begins to count anew.
 */
bool ir_turns_print_bits(struct ir_turns *turns, uint32_t place, FILE *out);
void ir_turns_print_met(const struct ir_turns *turns, FILE *out);

/* Prints a line that calls a function which is told of turns, and what belongs around it. False: it is another line. */
bool ir_turns_print_call(struct ir_turns *turns, const char *line, FILE *out);

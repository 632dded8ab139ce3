/*
 * How programs are written. In the text form an instruction is "location,check,exchange,jump", with "-" for no
 * exchange; instructions are joined by ";" and threads by "|". The mutex is
 *
 *     0,1,1,0;0,0,0,2|0,1,1,0;0,0,0,2
 *
 * In the listing, which is for people, one of its threads is
 *
 *     thread 0 {
 *         L0: if (exchange(x, 1) == 1) goto L0;
 *         L1: x = 0;
 *     }
 *
 * where "if (x == 1)" reads only, and "return" stands for a jump to the end. Blanks and ends of lines make no
 * difference in it. "x = 0" has check 0 and jumps to the next instruction. Either form says the same of any program.
 */
#pragma once

#include "base/error.h"
#include "litmus/program.h"

#include <stddef.h>
#include <stdio.h>

enum { LITMUS_TEXT = LITMUS_INSTRUCTIONS * 9 + 1 }; /* the longest text form, with the 0 at its end */

/* Returns its length. */
size_t litmus_text(const struct litmus_program *program, char text[LITMUS_TEXT]);

void litmus_print_listing(FILE *out, const struct litmus_program *program);

/* One instruction as the listing has it, without its label; `length` is that of its thread. */
enum { LITMUS_STATEMENT = 64 };
void litmus_statement(const struct litmus_instruction *instruction, unsigned position, unsigned length,
                      char text[LITMUS_STATEMENT]);

/* "x" or "y". */
char litmus_location_name(unsigned location);

/* Where a reader is in a text that ends with 0. */
struct litmus_cursor {
    const char *at;
    const char *line_start;
    unsigned line; /* from 1 */
};

/*
 * Read a program that goes up to the end of the text, and nothing else; behind the text form, verdicts may stand as
 * `gridlock litmus` prints them, which are ignored. -1 with STATUS_USAGE, naming line and column: the text is
 * something else, a jump leads out of its thread, or there are more threads or instructions than are allowed.
 */
int litmus_read_text(struct litmus_cursor *cursor, struct litmus_program *program, struct error *error);
int litmus_read_listing(struct litmus_cursor *cursor, struct litmus_program *program, struct error *error);

/*
 * Calls of a program in the assembly of LLVM that atomically update a word in a way that comes to the same in any
 * order, and whose result is named nowhere in their function: they get functions of their own (IR_UNUSED behind the
 * name), so that the access can say so (GL_HOW_UNUSED of model/image.h). And parameters that nobody uses. What is named
 * counts as used, whatever for.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define IR_UNUSED ".unused"

/* Zeroed: none. */
struct ir_unused {
    char **names; /* of such functions that the program declares, and so does not define itself */
    size_t count;
};

/* Notes what the line declares; all lines come before anything is printed. */
void ir_unused_note(struct ir_unused *unused, const char *line);

/*
 * Prints the line so that it declares, or calls, such a function of its own. False: it is another line, or the result
 * may be used. `function` is where the function begins that the line is of.
 */
bool ir_unused_print(const struct ir_unused *unused, const char *function, const char *line, FILE *out);

/*
 * Whether nobody uses the parameter of this name, "%1", of the function that begins there. True: it is named nowhere
 * in it, or is only put into a variable of its own, which is named nowhere else.
 */
bool ir_unused_parameter(const char *function, const char *name, size_t length);

void ir_unused_fini(struct ir_unused *unused);

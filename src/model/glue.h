/* What a program is built with beside its own text, in C: its table, its functions, where its local variables are. */
#pragma once

#include "model/module.h"

#include <stdio.h>

/* Prints all that. Returns -1, with a line on `log` for each function that the program needs and nobody has. */
int glue_print(const struct module *module, FILE *out, FILE *log);

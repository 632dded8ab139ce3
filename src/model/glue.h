/* What a program is built with beside its own text, in C: its table, its functions, where its local variables are. */
#pragma once

#include "model/module.h"

#include <stdio.h>

/* -1, and a line on `log` for each function that it needs and nobody has. */
int glue_print(const struct module *module, FILE *out, FILE *log);

/* What is compiled with a program: its table (struct gl_image), and how it calls the machine. */
#pragma once

#include "model/ir.h"

#include <stdio.h>

/* Writes it, in C. */
void glue_write(const struct ir *ir, FILE *out);

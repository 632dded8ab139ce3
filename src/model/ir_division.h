/*
 * Division of integers in LLVM's language, as text. OpenCL C says that none ends a kernel, whatever the divisor; but
 * the processor stops at a divisor of 0, and at a quotient that its type does not have.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Writes the line so that the divisor is 1 where there is no quotient. Writes nothing, and returns false, unless it
 * divides.
 */
bool ir_division_print(const char *line, size_t number, FILE *out);

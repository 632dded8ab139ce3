/* The built-in functions that a program needs, as C. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Writes the library up to the functions; then each function. */
void builtins_print_library(FILE *out);

/* Writes a function; `number` is one that no other has. False: the library has none of this name, mangled or not. */
bool builtins_print(const char *symbol, size_t number, FILE *out);

/* The name of such a function in OpenCL C: what is between the mangling. Allocated. */
char *builtins_name(const char *symbol);

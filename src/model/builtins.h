/* The built-in functions that a program needs, as C. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Writes the library up to the functions; then each function. */
void builtins_print_library(FILE *out);

/* Writes a function; `number` is one that no other has. False: the library has none of this name, mangled or not. */
bool builtins_print(const char *symbol, size_t number, FILE *out);

/* Returns how many bytes of stack the functions of the C library take that this one may call. */
size_t builtins_stack_bytes(const char *symbol);

/* Returns the name of such a function in OpenCL C, without the mangling, allocated. */
char *builtins_name(const char *symbol);

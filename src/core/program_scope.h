/* What a program in OpenCL C has outside of its functions. */
#pragma once

#include <stdbool.h>

/*
 * Returns whether the program may have variables that outlast a launch, which its kernels then share: its text has one
 * outside of functions, or something there that may be one, or "static" inside, and no option says that it is
 * OpenCL C 1, which has none. Macros are not expanded.
 */
bool program_may_share_variables(const char *text, const char *options);

/* The text, or an option -D, defines a macro with one of these names, which NULL ends. */
bool program_defines(const char *text, const char *options, const char *const *names);

/* What happens, told on standard error while it does, where the environment has GRIDLOCK_TRACE. */
#pragma once

#include <stdbool.h>

/* Traces to this descriptor from now on, if GRIDLOCK_TRACE is set, and neither empty nor 0. */
void trace_open(int descriptor);

bool trace_is_on(void);

/* Writes a line, with the process id and the time since the machine started; nothing without trace_open. */
void trace(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The command that repeats a trial. */
#ifndef GRIDLOCK_EXPLAIN_REPEAT_H
#define GRIDLOCK_EXPLAIN_REPEAT_H

#include "report/evidence.h"

/* One line for a POSIX shell, with the variables that the run had. Allocated; NULL if memory is short. */
char *repeat_command(const struct evidence *evidence);

#endif

/*
 * The thread on which kernels run. A system call that a launch does not need, such as one that makes a process or a
 * connection, ends the whole worker (SIGSYS). That is against accidents: foreign code shares the worker's memory.
 */
#pragma once

#include "base/error.h"

/* Runs work(context) there, one at a time, and waits for its end. STATUS_HARNESS: no such thread could be made. */
int confined_run(void (*work)(void *context), void *context, struct error *error);

/* Has that thread, if there is one, call fiber_look wherever it is. */
void confined_look(void);

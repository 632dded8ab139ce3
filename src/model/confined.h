/*
 * The thread on which kernels run. A system call that a launch does not need, such as one that makes a process or a
 * connection, ends the whole worker (SIGSYS). That is against accidents: foreign code shares the worker's memory.
 */
#pragma once

#include "base/error.h"

/* Runs work(context) there, and waits for its end; one at a time. -1 with STATUS_HARNESS if there is no such thread. */
int confined_run(void (*work)(void *context), void *context, struct error *error);

/*
 * The thread on which kernels run. Foreign code may do what it likes there, but it can neither make processes nor open
 * anything nor reach another process: a system call that a launch does not need ends the whole worker (SIGSYS).
 */
#pragma once

#include "base/error.h"

/* Runs work(context) there, and waits for its end; one at a time. -1 with STATUS_HARNESS if there is no such thread. */
int confined_run(void (*work)(void *context), void *context, struct error *error);

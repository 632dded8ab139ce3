/* Processes that a worker started, and that left its process group or outlive it. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/*
 * From now on this process inherits them, and kills all of its children if it ends for want of memory. False, and
 * nothing is changed: it cannot tell them from children that it has already, or from what it inherits as the first
 * process of a container.
 */
bool orphans_adopt(void);

/* A child that this process started itself, and ends itself; it has been reaped. For one thread. */
void orphans_own(pid_t child);
void orphans_disown(pid_t child);

/* Kills all other children of this process, and those that they leave behind; waits a second at most. */
void orphans_end(void);

/* Processes that a worker started, and that left its process group or outlive it. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/*
 * From now on this process inherits them. False, and nothing is changed: it cannot tell them from children that it has
 * already, or from what it inherits as the first process of a container.
 */
bool orphans_adopt(void);

/* Kills all children of this process, except `spared`, and those that they leave behind; waits a second at most. */
void orphans_end(pid_t spared);

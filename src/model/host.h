/* Between the launch and its host: what model/machine.h offers to the host, as the launch sees it. */
#pragma once

#include "model/machine.h"

/*
 * Tells the host how the launch stands, and waits for its answer. True: it goes on, and the host may have changed
 * memory.
 */
bool host_answers(enum machine_standing standing);

/* Returns whether a host watches, and sets what lots follow from. */
bool host_watches(uint32_t *seed);

/* Tells the host that the launch has made so many accesses, and lives. */
void host_lives(uint64_t steps);

/* Returns the schedule whose turns are asked for, or NULL. */
const struct schedule *host_asks(void);

/* Between the launch and its host: what model/machine.h offers to the host, as the launch sees it. */
#pragma once

#include "model/machine.h"

/*
 * Tells the host how the launch stands, and waits for its answer. True: it goes on, and the host may have changed
 * memory.
 */
bool host_answers(enum machine_standing standing);

/* A host watches; what lots follow from; and whose turns are asked for, or NULL. */
bool host_watches(uint32_t *seed, const struct schedule **asked);

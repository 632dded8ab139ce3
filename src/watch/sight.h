/* What run files keep of what is told (core/sighting.h). */
#pragma once

#include "watch/fitting.h"
#include "watch/tell.h"

/* Of a process that does not get on; owned by the caller. */
void sight_stall(struct sighting *sighting, const struct telling *telling);

/* Of a process that was looked at from outside, and never came to the door. */
void sight_look(struct sighting *sighting, const struct look *look);

/* Of a process at its end; `process` NULL: none came to the door. */
void sight_end(struct sighting *sighting, const struct ending *ending, const struct watched *process);

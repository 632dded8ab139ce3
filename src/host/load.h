/* How busy the machine is, beside what the run does: this process, its workers, and what they start. */
#pragma once

#include "core/strain.h"

#include <sys/types.h>

/* This process measures for another one, as others may: what all of them do is the run's own. */
void load_is_of(pid_t run);

/* False: the system does not tell. */
bool load_read(struct load *load);

/* A zeroed one begins. It is used by one thread. */
struct load_meter {
    struct load last;
    struct strain strain; /* when it was looked at last */
};

/* What is measured begins; it may have been long ago that something else ended. */
void load_meter_begin(struct load_meter *meter);

/*
 * It has ended: how busy the machine was meanwhile. What was too short for the system's figures shares them with what
 * went before. Not known where the system does not tell.
 */
struct strain load_meter_end(struct load_meter *meter);

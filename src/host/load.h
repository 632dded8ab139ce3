/* How busy the machine is, beside what this process and its workers do. */
#pragma once

#include "core/strain.h"

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

/* Where the work-items of a group run one after another, on a serial machine (litmus/lanes.h): who is next. */
#pragma once

#include "model/run.h"

/* The work-item may go on: it is ready; or held until serial_offer comes to it. */
void serial_add(struct run_item *item);

/* One of the place may have come to a barrier, or have ended: its first work-item that has not is ready. */
void serial_offer(uint32_t place);

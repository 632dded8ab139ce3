/* What was predicted of a trial before it ran, as the run file has it. */
#ifndef GRIDLOCK_REPORT_PREDICTION_H
#define GRIDLOCK_REPORT_PREDICTION_H

#include "core/cause.h"
#include "store/store.h"

/* -1 with STATUS_HARNESS if it names what is neither verdict nor cause. */
int prediction_read(const struct store_trial *stored, struct expected *expected, struct error *error);

#endif

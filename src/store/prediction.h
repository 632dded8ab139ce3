/* What is predicted of a trial before it runs, as the run file has it. */
#pragma once

#include "judge/cause.h"
#include "store/store.h"

/* What is stored of it. What is known to happen instead is left alone: that is not what was predicted. */
void prediction_write(const struct expected *expected, struct store_prediction *prediction);

/* -1 with STATUS_HARNESS if it names what is neither verdict nor cause. */
int prediction_read(const struct store_trial *stored, struct expected *expected, struct error *error);

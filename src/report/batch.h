/* A stored trial as a batch of its point: what its launches came to, beside what was expected of them. */
#pragma once

#include "judge/batches.h"
#include "store/store.h"

struct batch_reading {
    struct expected expected;
    struct batches batches; /* this one alone */
    struct verdict_tally tally;
    const struct store_launch *telling; /* the launch that gave it its verdict, of the trial's own, or NULL */
};

/* -1 with STATUS_HARNESS: what is stored of a known failure is no verdict. */
int batch_read(struct batch_reading *batch, const struct device_probe *probe, const struct store_trial *stored,
               struct error *error);

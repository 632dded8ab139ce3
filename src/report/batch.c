#include "report/batch.h"

#include <stdlib.h>
#include <string.h>

int batch_read(struct batch *batch, const struct device_probe *probe, const struct store_trial *stored,
               struct error *error)
{
    const char *hash = strrchr(stored->name, '#');
    const uint32_t sequence = hash != NULL ? (uint32_t)strtoul(hash + 1, NULL, 10) : 0;

    *batch = (struct batch){.telling = NULL};
    if (prediction_read(stored, &batch->expected, error) != 0)
        return -1;
    batch->batches = batches_begin(&batch->expected, stored->prediction.resident, sequence);
    for (uint32_t i = 0; i < stored->count; ++i) {
        const struct store_launch *launch = &stored->launches[i];
        const bool surprise =
            expected_is_surprise(&batch->expected, launch->verdict, launch->cause, probe->loops_cut_at != 0);
        if (batches_take_launch(&batch->batches, &batch->tally, launch->verdict, surprise))
            batch->telling = launch;
    }
    if (!stored->ended)
        batches_abandon(&batch->batches, &batch->tally);
    return 0;
}

#include "report/batch.h"

int batch_read(struct batch_reading *batch, const struct device_probe *probe, const struct store_trial *stored,
               struct error *error)
{
    *batch = (struct batch_reading){.expected = stored->prediction.expected};
    if (stored->prediction.known_verdicts[0] != '\0' &&
        naming_parse_set(&verdict_naming, stored->prediction.known_verdicts, &batch->expected.tolerated, error) != 0)
        return error_set(error, STATUS_HARNESS, "trial %.160s: cannot parse how it is known to fail", stored->name);
    batch->batches = batches_begin(&batch->expected, stored->prediction.resident, stored->sequence);
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

#include "base/clock.h"
#include "engine/executor.h"
#include "host/signals.h"

#include <stdio.h>
#include <stdlib.h>

static uint32_t holds(void *self)
{
    return ((struct model_executor *)self)->device.resident;
}

static bool take_outcome(void *context, const struct test_outcome *outcome)
{
    struct model_executor *model = context;
    if (model->result->count == model->most)
        return false;
    model->result->outcomes[model->result->count++] = *outcome;
    return signals_received() == 0;
}

static bool is_stopped(void *context)
{
    const struct model_executor *model = context;
    if (model->tick != NULL)
        model->tick(model->context, model->result->count);
    return signals_received() != 0;
}

static int run_block(void *self, const struct block *block, struct remote_block *result, struct error *error)
{
    struct model_executor *model = self;
    const struct emulate_sink sink = {model, take_outcome, is_stopped};
    const uint64_t began_ns = clock_ns();

    *result = (struct remote_block){.clean = true, .observation = {.groups = block->groups}};
    result->outcomes = calloc(block->test_count, sizeof *result->outcomes);
    if (result->outcomes == NULL)
        return error_set(error, STATUS_HARNESS, "no memory for the outcomes of %u tests", block->test_count);
    model->result = result;
    model->most = block->test_count;
    if (litmus_emulate(&model->device, block, model->seed, &sink, error) != 0)
        return -1;
    result->observation.outcome = result->count < block->test_count ? OUTCOME_INTERRUPTED : OUTCOME_ENDED;
    result->duration_ns = clock_ns() - began_ns;
    return 0;
}

struct executor executor_of_model(struct model_executor *model)
{
    static const struct executor_operations operations = {.holds = holds, .block = run_block};
    return (struct executor){&operations, model};
}

void executor_describe_model(const struct model_device *model, struct device_info *device)
{
    *device = (struct device_info){.kind = DEVICE_OTHER, .max_local_size = 1, .compute_units = model->resident};
    model_device_name(model, device->name);
    snprintf(device->platform, sizeof device->platform, "gridlock");
    snprintf(device->vendor, sizeof device->vendor, "gridlock");
    snprintf(device->driver_version, sizeof device->driver_version, "%s", GRIDLOCK_VERSION);
}

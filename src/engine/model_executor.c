#include "base/clock.h"
#include "engine/executor.h"
#include "host/signals.h"

#include <stdio.h>

static uint32_t holds(void *self)
{
    return ((struct model_executor *)self)->device.resident;
}

static bool take_outcome(void *context, const struct test_outcome *outcome)
{
    struct remote_result *result = ((struct model_executor *)context)->result;
    if (result->test_count == result->test_capacity)
        return false;
    result->tests[result->test_count++] = *outcome;
    return signals_received() == 0;
}

static bool is_stopped(void *context)
{
    const struct model_executor *model = context;
    if (model->tick != NULL)
        model->tick(model->context, model->result->test_count);
    return signals_received() != 0;
}

static int run_block(void *self, const struct block *block, struct remote_result *result, struct error *error)
{
    struct model_executor *model = self;
    const struct emulate_sink sink = {model, take_outcome, is_stopped, NULL};
    const uint64_t began_ns = clock_ns();

    model->result = result;
    if (remote_result_begin(result, block, error) != 0 ||
        litmus_emulate(&model->device, block, model->seed, &sink, error) != 0)
        return -1;
    const struct observation observation = {.groups = block->groups,
                                            .outcome = result->test_count < block->test_count ? OUTCOME_INTERRUPTED
                                                                                              : OUTCOME_ENDED};
    result->clean = true;
    result->duration_ns = clock_ns() - began_ns;
    return remote_result_end(result, &observation, error);
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

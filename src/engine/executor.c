#include "engine/executor.h"

#include "base/clock.h"
#include "host/device_lock.h"
#include "host/signals.h"

#include <stdio.h>

/* --- a worker --- */

static int take(void *self, const struct device_info *device, struct error *error)
{
    struct worker_executor *worker = self;

    if (device_info_is_model(device))
        return 0; /* each run has one of its own */
    worker->lock = device_lock(device, worker->wait_ns, worker->quiet, error);
    return worker->lock < 0 ? -1 : 0;
}

static void leave(void *self)
{
    struct worker_executor *worker = self;
    ahead_end(&worker->ahead);
    device_unlock(worker->lock);
    worker->lock = -1;
}

static int probe(void *self, const struct device_info *device, enum probe_depth depth, struct device_probe *found,
                 struct error *error)
{
    struct worker_executor *worker = self;
    if (remote_choose(worker->remote, device, depth, worker->channel, error) != 0)
        return -1;
    *found = worker->remote->probe;
    return 0;
}

static void go_on(void *self, const struct device_info *device, const struct device_probe *found)
{
    remote_continue(((struct worker_executor *)self)->remote, device, found);
}

static const char *left_out(void *self)
{
    return ((struct worker_executor *)self)->remote->probe.left_out;
}

static int kernels(void *self, const struct subject *subject, struct remote_kernels *found, struct error *error)
{
    return remote_kernels(((struct worker_executor *)self)->remote, subject, found, error);
}

static int run(void *self, const struct asked *asked, struct remote_result *result, struct error *error)
{
    const struct worker_executor *worker = self;
    struct remote *remote = worker->remote;

    if (asked->block != NULL)
        return remote_block(remote, asked->block, result, error);
    if (asked->promise != NULL)
        return remote_promise(remote, asked->promise, asked->trial.repeats > 1 ? asked->trial.repeats : 0, result,
                              error);
    if (asked->trial.kind == TRIAL_TRY)
        return remote_try(remote, asked->proof, worker->looker, result, error);
    if (asked->proof != NULL)
        return remote_proof(remote, asked->proof, result, error);
    return remote_trial(remote, &asked->trial, result, error);
}

/* A CPU's processors are what is measured. */
static void ahead(void *self, const struct footprint *next, size_t count)
{
    struct worker_executor *worker = self;
    const struct remote *remote = worker->remote;

    if (remote->device.kind == DEVICE_GPU)
        ahead_build(&worker->ahead, supervisor_settings(remote->supervisor), &remote->device, &remote->probe, next,
                    count);
}

static int canary(void *self, struct supervisor_end *end, struct error *error)
{
    return remote_canary(((struct worker_executor *)self)->remote, end, error);
}

static int save_binary(void *self, const struct footprint *footprint, const char *path, struct error *error)
{
    return remote_save_binary(((struct worker_executor *)self)->remote, footprint, path, error);
}

struct executor executor_of_worker(struct worker_executor *worker)
{
    static const struct executor_operations operations = {
        .take = take,
        .leave = leave,
        .probe = probe,
        .go_on = go_on,
        .left_out = left_out,
        .run = run,
        .ahead = ahead,
        .kernels = kernels,
        .canary = canary,
        .save_binary = save_binary,
    };

    worker->lock = -1;
    return (struct executor){&operations, worker};
}

/* --- a model device --- */

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

static int emulate(void *self, const struct asked *asked, struct remote_result *result, struct error *error)
{
    struct model_executor *model = self;
    const struct block *block = asked->block;
    const struct emulate_sink sink = {model, take_outcome, is_stopped, NULL};
    const uint64_t began_ns = clock_ns();

    model->result = result;
    remote_result_begin(result, block);
    if (litmus_emulate(&model->device, block, model->seed, &sink, error) != 0)
        return -1;
    const struct observation observation = {.groups = block->groups,
                                            .outcome = result->test_count < block->test_count ? OUTCOME_INTERRUPTED
                                                                                              : OUTCOME_ENDED};
    result->clean = true;
    result->duration_ns = clock_ns() - began_ns;
    remote_result_end(result, &observation);
    return 0;
}

struct executor executor_of_model(struct model_executor *model)
{
    static const struct executor_operations operations = {.holds = holds, .run = emulate};
    return (struct executor){&operations, model};
}

void executor_describe_model(const struct model_device *model, struct device_info *device)
{
    *device = (struct device_info){.kind = DEVICE_OTHER, .max_local_size = 1, .compute_units = model->resident};
    model_device_name(model, device->name);
    snprintf(device->platform, sizeof device->platform, "%s", DEVICE_MODEL_PLATFORM);
    snprintf(device->vendor, sizeof device->vendor, "%s", DEVICE_MODEL_PLATFORM);
    snprintf(device->driver_version, sizeof device->driver_version, "%s", GRIDLOCK_VERSION);
}

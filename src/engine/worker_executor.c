#include "engine/executor.h"
#include "host/device_lock.h"

static int take(void *self, const struct device_info *device, struct error *error)
{
    struct worker_executor *worker = self;
    worker->lock = device_lock(device, worker->wait_ns, worker->quiet, error);
    return worker->lock < 0 ? -1 : 0;
}

static void leave(void *self)
{
    struct worker_executor *worker = self;
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

static int kernels(void *self, const struct subject *subject, struct remote_kernels *found, struct error *error)
{
    return remote_kernels(((struct worker_executor *)self)->remote, subject, found, error);
}

static int run_trial(void *self, const struct trial *trial, struct remote_result *result, struct error *error)
{
    return remote_trial(((struct worker_executor *)self)->remote, trial, result, error);
}

static int run_block(void *self, const struct block *block, struct remote_result *result, struct error *error)
{
    return remote_block(((struct worker_executor *)self)->remote, block, result, error);
}

static int measure_promise(void *self, const struct promise *promise, struct remote_result *result, struct error *error)
{
    return remote_promise(((struct worker_executor *)self)->remote, promise, result, error);
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
        .kernels = kernels,
        .trial = run_trial,
        .block = run_block,
        .promise = measure_promise,
        .canary = canary,
        .save_binary = save_binary,
    };

    worker->lock = -1;
    return (struct executor){&operations, worker};
}

/* Measuring several devices at the same time. */
#include "base/alloc.h"
#include "cli/measure.h"
#include "engine/run_file.h"
#include "host/jobs.h"
#include "host/signals.h"

#include <stdatomic.h>
#include <stdlib.h>

struct parallel {
    struct measurement *measurement;
    struct supervisor_options supervisor; /* of each process */
    int64_t row;                          /* of the last device that the run file has */
    measure_device *measure;
    void *context;
};

/* What keeps the processors busy, as a CPU device does, disturbs the watching of all others. */
static bool has_own_processors(const struct device_info *device)
{
    return device->kind == DEVICE_GPU;
}

bool measurement_is_parallel(const struct measurement *measurement)
{
    size_t count = 0;

    for (size_t i = 0; i < measurement->selection.count; ++i)
        count += has_own_processors(&measurement->selection.devices[i]);
    return count > 1 && measurement->options->jobs > 1;
}

uint32_t measurement_fails_elsewhere(const struct measurement *measurement)
{
    uint32_t fails = 0;

    for (size_t i = 0; measurement->figures != NULL && i < measurement->selection.count; ++i)
        fails += i != measurement->job ? (uint32_t)atomic_load(&measurement->figures[i].bad) : 0;
    return fails;
}

/* --- in the process of a device --- */

static int measure_in(struct measurement *measurement, const struct parallel *parallel, size_t job, struct error *error)
{
    if (run_file_continue(measurement->path, &measurement->settings.store, &measurement->settings.shard, error) != 0 ||
        supervisor_open(&parallel->supervisor, &measurement->remote.supervisor, error) != 0)
        return -1;
    store_expect_writers(measurement->settings.store);
    return measurement_device(measurement, parallel->measure, parallel->context, &measurement->selection.devices[job],
                              error);
}

static int run(void *context, size_t job, struct error *error)
{
    const struct parallel *parallel = context;
    struct measurement *measurement = parallel->measurement;

    measurement->job = job;
    measurement->settings.device_row = parallel->row + 1 + (int64_t)job;
    status_line_leave(&measurement->figures[job]);
    const int outcome = measure_in(measurement, parallel, job, error);
    measurement_close(measurement);
    return outcome;
}

/* --- in the run's process --- */

static bool is_alone(void *context, size_t job)
{
    const struct parallel *parallel = context;
    return !has_own_processors(&parallel->measurement->selection.devices[job]);
}

static void show(void *context, size_t ended)
{
    struct measurement *measurement = ((const struct parallel *)context)->measurement;
    status_line_devices(&measurement->probing, ended, measurement->selection.count, measurement->figures);
}

/* What a process of its own opens for itself may not be open here. */
static void leave_to_jobs(struct measurement *measurement, struct parallel *parallel)
{
    parallel->supervisor = *supervisor_settings(measurement->remote.supervisor);
    supervisor_close(measurement->remote.supervisor);
    measurement->remote.supervisor = NULL;
    store_close(measurement->settings.store);
    measurement->settings.store = NULL;
}

static int find_last_row(struct store *store, int64_t *row, struct error *error)
{
    struct store_device stored = {.id = 0};
    int found;

    while ((found = store_next_device(store, &stored, error)) == 1)
        *row = stored.id;
    return found;
}

static int run_jobs(struct measurement *measurement, struct parallel *parallel, struct job_end *ends,
                    struct error *error)
{
    const struct jobs jobs = {
        .count = measurement->selection.count,
        .most = (uint32_t)measurement->options->jobs,
        .is_alone = is_alone,
        .run = run,
        .waiting = show,
        .context = parallel,
    };

    measurement->job = jobs.count; /* none */
    leave_to_jobs(measurement, parallel);
    status_line_begin(&measurement->probing, measurement_status_line(measurement));
    jobs_run(&jobs, ends);
    status_line_clear(&measurement->probing);
    return run_file_continue(measurement->path, &measurement->settings.store, &measurement->settings.shard, error);
}

/* As if they had been measured one after the other; what keeps the others from being measured comes last. */
static int take_ends(struct measurement *measurement, const struct job_end *ends, struct error *error)
{
    int outcome = 0;

    for (size_t i = 0; i < measurement->selection.count; ++i) {
        struct error failure = ends[i].error;
        if (!ends[i].begun)
            continue;
        measurement->begun += 1;
        if (measurement_device_ended(measurement, ends[i].outcome, &failure) == 0 || outcome != 0)
            continue;
        *error = failure;
        outcome = -1;
    }
    return outcome;
}

static int measure_in_parallel(struct measurement *measurement, struct parallel *parallel, struct error *error)
{
    const size_t count = measurement->selection.count;
    struct job_end *ends = xcalloc(count, sizeof *ends);
    int outcome = -1;

    measurement->figures = jobs_share(count * sizeof *measurement->figures);
    if (find_last_row(measurement->settings.store, &parallel->row, error) == 0 &&
        run_jobs(measurement, parallel, ends, error) == 0)
        outcome = take_ends(measurement, ends, error);
    free(ends);
    return outcome;
}

int measurement_each(struct measurement *measurement, measure_device *measure, void *context, struct error *error)
{
    int outcome = 0;

    if (measurement_is_parallel(measurement)) {
        struct parallel parallel = {.measurement = measurement, .measure = measure, .context = context};
        return measure_in_parallel(measurement, &parallel, error);
    }
    while (outcome == 0 && measurement->begun < measurement->selection.count && signals_received() == 0) {
        const struct device_info *device = &measurement->selection.devices[measurement->begun++];
        status_line_begin(&measurement->probing, measurement_status_line(measurement));
        outcome = measurement_device(measurement, measure, context, device, error);
        outcome = measurement_device_ended(measurement, outcome, error);
    }
    return outcome;
}

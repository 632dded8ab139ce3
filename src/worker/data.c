#include "worker/data.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <stdlib.h>

/* A seeded region is an input: kernels only read it. */
static bool is_input(const struct trial *trial, uint32_t index)
{
    return trial->work.regions[index].fill == FILL_SEEDED;
}

/* A buffer of no elements has one, because OpenCL knows no empty ones. */
static int size_of(const struct session *session, const struct region *region, uint64_t *bytes, struct error *error)
{
    const uint64_t most = session->info.max_allocation_bytes;
    const uint64_t count = region->count > 0 ? region->count : 1;

    if (__builtin_mul_overflow(count, element_bytes(region->element), bytes) || *bytes > most)
        return error_set(error, STATUS_UNSUPPORTED,
                         "%" PRIu64 " elements are too large a buffer: the device allocates at most %" PRIu64 " bytes",
                         count, most);
    return 0;
}

/*
 * Where the host's memory is the device's nothing has to be copied by the driver, which costs more than a short launch.
 */
static enum shared_memory kind_of(const struct session *session)
{
    const struct device_probe *probe = &session->probe;
    const bool fine = probe->channel == CHANNEL_SHARED && probe->memory == MEMORY_SVM;
    return session->info.kind == DEVICE_CPU && fine ? MEMORY_SVM : MEMORY_DEVICE;
}

static int open_region(struct session *session, const struct trial *trial, uint32_t index, struct data *data,
                       struct error *error)
{
    if (size_of(session, &trial->work.regions[index], &data->bytes[index], error) != 0)
        return -1;
    data->before[index] = xcalloc(1, data->bytes[index]);
    data->after[index] = is_input(trial, index) ? NULL : xcalloc(1, data->bytes[index]);
    reference_fill(&trial->work, index, data->before[index]);
    return memory_make(session, &data->memories[index], kind_of(session), data->bytes[index], error);
}

int data_open(struct session *session, const struct trial *trial, struct data *data, struct error *error)
{
    *data = (struct data){.count = trial->work.region_count};
    for (uint32_t i = 0; i < data->count; ++i)
        if (open_region(session, trial, i, data, error) != 0)
            return -1;
    return 0;
}

void data_close(struct session *session, struct data *data)
{
    for (uint32_t i = 0; i < data->count; ++i) {
        memory_free(session, &data->memories[i]);
        free(data->before[i]);
        free(data->after[i]);
    }
    data->count = 0;
}

int data_write(struct session *session, struct data *data, struct error *error)
{
    for (uint32_t i = 0; i < data->count; ++i) {
        if (data->written && data->after[i] == NULL)
            continue;
        if (memory_write(session->queue, &data->memories[i], data->before[i], data->bytes[i], error) != 0)
            return -1;
    }
    data->written = true;
    return 0;
}

cl_int data_set_arguments(const struct data *data, cl_kernel kernel)
{
    cl_int code = CL_SUCCESS;
    for (uint32_t i = 0; i < data->count && code == CL_SUCCESS; ++i)
        code = memory_set_argument(&data->memories[i], kernel, i + 1);
    return code;
}

/* The results were compared before: this changes the order of the times. */
static uint64_t handover_ps(const struct workload *work, struct data *data)
{
    const uint32_t index = work->handover - 1;
    return median_of_known(data->after[index], work->regions[index].count);
}

int data_verify(struct session *session, const struct trial *trial, struct data *data, struct observation *observation,
                struct error *error)
{
    const void *regions[WORKLOAD_REGIONS] = {NULL};
    struct difference difference;

    for (uint32_t i = 0; i < data->count; ++i) {
        regions[i] = is_input(trial, i) ? data->before[i] : data->after[i];
        if (!is_input(trial, i) &&
            memory_read(session->queue, &data->memories[i], data->after[i], data->bytes[i], error) != 0)
            return -1;
    }
    if (reference_compare(&trial->work, trial->footprint.local_size, regions, &data->known, &difference, error) != 0)
        return -1;
    if (trial->work.handover != 0)
        observation->handover_ps = handover_ps(&trial->work, data);
    observation->differing = difference.count;
    observation->bad_result = difference.result;
    observation->bad_at = difference.at;
    observation->bad_wanted = difference.wanted;
    observation->bad_got = difference.got;
    return 0;
}

#include "driver/objects.h"

#include "base/alloc.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Rows of bytes, in planes: where the first byte is, and how far it is to the next row and plane. */
struct place {
    unsigned char *bytes;
    size_t row, plane;
};

/* Bytes that go from one place to another; or that are repeated there. */
struct transfer {
    cl_mem buffers[2]; /* retained; or NULL */
    struct place from, to;
    size_t region[3];
    unsigned char pattern[128];
    size_t pattern_size; /* 0: none */
};

/* These bytes have a value now, if they are a buffer's. */
static void mark(const struct transfer *transfer, const unsigned char *at, size_t bytes)
{
    for (int i = 0; i < 2; ++i) {
        const struct _cl_mem *buffer = transfer->buffers[i];
        if (buffer != NULL && buffer->written != NULL && at >= buffer->bytes && at < buffer->bytes + buffer->size)
            memset(buffer->written + (at - buffer->bytes), 1, bytes);
    }
}

static cl_int carry_out(void *work)
{
    const struct transfer *transfer = work;
    const size_t *region = transfer->region;

    for (size_t i = 0; i < region[0] && transfer->pattern_size > 0; i += transfer->pattern_size)
        memcpy(transfer->to.bytes + i, transfer->pattern, transfer->pattern_size);
    for (size_t z = 0; z < region[2]; ++z)
        for (size_t y = 0; y < region[1]; ++y) {
            unsigned char *to = transfer->to.bytes + z * transfer->to.plane + y * transfer->to.row;
            if (transfer->pattern_size == 0)
                memcpy(to, transfer->from.bytes + z * transfer->from.plane + y * transfer->from.row, region[0]);
            mark(transfer, to, region[0]);
        }
    return CL_SUCCESS;
}

/* A map, a marker or a barrier: the commands before it have ended. */
static cl_int do_nothing(void *work)
{
    (void)work;
    return CL_SUCCESS;
}

static void end(void *work)
{
    struct transfer *transfer = work;

    for (int i = 0; i < 2; ++i)
        if (transfer->buffers[i] != NULL)
            memory_release(transfer->buffers[i]);
    free(transfer);
}

static struct command command_of(cl_command_type type, const struct transfer *transfer)
{
    struct transfer *work = xmalloc(sizeof *work);

    *work = *transfer;
    for (int i = 0; i < 2; ++i)
        if (work->buffers[i] != NULL)
            object_retain(work->buffers[i]);
    return (struct command){type, transfer->region[0] > 0 ? carry_out : do_nothing, end, work};
}

static cl_int check(cl_command_queue queue, cl_mem buffer)
{
    if (!object_is(queue, OBJECT_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (!object_is(buffer, OBJECT_BUFFER))
        return CL_INVALID_MEM_OBJECT;
    return buffer->context != queue->context ? CL_INVALID_CONTEXT : CL_SUCCESS;
}

/* The same, and that the host may do this, which these flags exclude. */
static cl_int check_host(cl_command_queue queue, cl_mem buffer, cl_mem_flags excluded)
{
    const cl_int code = check(queue, buffer);

    if (code == CL_SUCCESS && (buffer->flags & (excluded | CL_MEM_HOST_NO_ACCESS)) != 0)
        return CL_INVALID_OPERATION;
    return code;
}

static bool has_range(const struct _cl_mem *buffer, size_t offset, size_t size)
{
    return size > 0 && offset < buffer->size && size <= buffer->size - offset;
}

/* --- bytes --- */

cl_int model_clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocks, size_t offset, size_t size,
                                 void *to, cl_uint wait_count, const cl_event *wait_list, cl_event *event)
{
    const cl_int code = check_host(queue, buffer, CL_MEM_HOST_WRITE_ONLY);

    if (code != CL_SUCCESS)
        return code;
    if (to == NULL || !has_range(buffer, offset, size))
        return CL_INVALID_VALUE;
    const struct transfer transfer = {
        .buffers = {buffer}, .from = {.bytes = buffer->bytes + offset}, .to = {.bytes = to}, .region = {size, 1, 1}};
    const struct command command = command_of(CL_COMMAND_READ_BUFFER, &transfer);
    return command_enqueue(queue, &command, WAITS, blocks != CL_FALSE, event);
}

cl_int model_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocks, size_t offset, size_t size,
                                  const void *from, cl_uint wait_count, const cl_event *wait_list, cl_event *event)
{
    const cl_int code = check_host(queue, buffer, CL_MEM_HOST_READ_ONLY);

    if (code != CL_SUCCESS)
        return code;
    if (from == NULL || !has_range(buffer, offset, size))
        return CL_INVALID_VALUE;
    const struct transfer transfer = {.buffers = {buffer},
                                      .from = {.bytes = (unsigned char *)from},
                                      .to = {.bytes = buffer->bytes + offset},
                                      .region = {size, 1, 1}};
    const struct command command = command_of(CL_COMMAND_WRITE_BUFFER, &transfer);
    return command_enqueue(queue, &command, WAITS, blocks != CL_FALSE, event);
}

cl_int model_clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset,
                                 size_t size, cl_uint wait_count, const cl_event *wait_list, cl_event *event)
{
    cl_int code = check(queue, from);

    if (code == CL_SUCCESS)
        code = check(queue, to);
    if (code != CL_SUCCESS)
        return code;
    if (!has_range(from, from_offset, size) || !has_range(to, to_offset, size))
        return CL_INVALID_VALUE;
    if (from->bytes + from_offset < to->bytes + to_offset + size &&
        to->bytes + to_offset < from->bytes + from_offset + size)
        return CL_MEM_COPY_OVERLAP;
    const struct transfer transfer = {.buffers = {from, to},
                                      .from = {.bytes = from->bytes + from_offset},
                                      .to = {.bytes = to->bytes + to_offset},
                                      .region = {size, 1, 1}};
    const struct command command = command_of(CL_COMMAND_COPY_BUFFER, &transfer);
    return command_enqueue(queue, &command, WAITS, false, event);
}

cl_int model_clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_size,
                                 size_t offset, size_t size, cl_uint wait_count, const cl_event *wait_list,
                                 cl_event *event)
{
    const cl_int code = check(queue, buffer);
    struct transfer transfer = {.buffers = {buffer}, .region = {size, 1, 1}, .pattern_size = pattern_size};

    if (code != CL_SUCCESS)
        return code;
    if (pattern == NULL || pattern_size == 0 || pattern_size > sizeof transfer.pattern ||
        (pattern_size & (pattern_size - 1)) != 0 || offset % pattern_size != 0 || size % pattern_size != 0 ||
        !has_range(buffer, offset, size))
        return CL_INVALID_VALUE;
    memcpy(transfer.pattern, pattern, pattern_size);
    transfer.to.bytes = buffer->bytes + offset;
    const struct command command = command_of(CL_COMMAND_FILL_BUFFER, &transfer);
    return command_enqueue(queue, &command, WAITS, false, event);
}

/* --- rectangles --- */

struct rectangle {
    const size_t *origin;
    size_t row, plane;
};

/* What is 0 gets the value that it stands for. False: the rows do not fit. */
static bool complete(struct rectangle *rectangle, const size_t *region)
{
    if (rectangle->origin == NULL || region == NULL || region[0] == 0 || region[1] == 0 || region[2] == 0)
        return false;
    if (rectangle->row == 0)
        rectangle->row = region[0];
    if (rectangle->plane == 0)
        rectangle->plane = region[1] * rectangle->row;
    return rectangle->row >= region[0] && rectangle->plane / region[1] >= rectangle->row &&
           rectangle->plane % rectangle->row == 0;
}

static size_t first_byte(const struct rectangle *rectangle)
{
    return rectangle->origin[0] + rectangle->origin[1] * rectangle->row + rectangle->origin[2] * rectangle->plane;
}

/* Each product is checked: sizes that do not fit into 64 bits are beyond any buffer. */
static bool is_within(const struct rectangle *rectangle, const size_t *region, size_t size)
{
    const size_t *origin = rectangle->origin;
    size_t last = 0;

    if (rectangle->row > size || rectangle->plane > size || origin[0] > size || origin[1] > size || origin[2] > size ||
        region[0] > size || region[1] > size || region[2] > size)
        return false;
    last = origin[0] + region[0] + (origin[1] + region[1] - 1) * rectangle->row;
    return last <= size && last + (origin[2] + region[2] - 1) * rectangle->plane <= size;
}

/* Of a buffer with a rectangle of the host's. */
static cl_int make_rectangles(cl_mem buffer, struct rectangle *inside, struct rectangle *outside, const size_t *region,
                              void *host)
{
    if (host == NULL || !complete(inside, region) || !complete(outside, region) ||
        !is_within(inside, region, buffer->size))
        return CL_INVALID_VALUE;
    return CL_SUCCESS;
}

static struct place place_of(unsigned char *bytes, const struct rectangle *rectangle)
{
    return (struct place){bytes + first_byte(rectangle), rectangle->row, rectangle->plane};
}

cl_int model_clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocks, const size_t *buffer_origin,
                                     const size_t *host_origin, const size_t *region, size_t buffer_row,
                                     size_t buffer_plane, size_t host_row, size_t host_plane, void *to,
                                     cl_uint wait_count, const cl_event *wait_list, cl_event *event)
{
    struct rectangle inside = {buffer_origin, buffer_row, buffer_plane}, outside = {host_origin, host_row, host_plane};
    cl_int code = check_host(queue, buffer, CL_MEM_HOST_WRITE_ONLY);

    if (code == CL_SUCCESS)
        code = make_rectangles(buffer, &inside, &outside, region, to);
    if (code != CL_SUCCESS)
        return code;
    const struct transfer transfer = {.buffers = {buffer},
                                      .from = place_of(buffer->bytes, &inside),
                                      .to = place_of(to, &outside),
                                      .region = {region[0], region[1], region[2]}};
    const struct command command = command_of(CL_COMMAND_READ_BUFFER_RECT, &transfer);
    return command_enqueue(queue, &command, WAITS, blocks != CL_FALSE, event);
}

cl_int model_clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocks,
                                      const size_t *buffer_origin, const size_t *host_origin, const size_t *region,
                                      size_t buffer_row, size_t buffer_plane, size_t host_row, size_t host_plane,
                                      const void *from, cl_uint wait_count, const cl_event *wait_list, cl_event *event)
{
    struct rectangle inside = {buffer_origin, buffer_row, buffer_plane}, outside = {host_origin, host_row, host_plane};
    cl_int code = check_host(queue, buffer, CL_MEM_HOST_READ_ONLY);

    if (code == CL_SUCCESS)
        code = make_rectangles(buffer, &inside, &outside, region, (void *)from);
    if (code != CL_SUCCESS)
        return code;
    const struct transfer transfer = {.buffers = {buffer},
                                      .from = place_of((unsigned char *)from, &outside),
                                      .to = place_of(buffer->bytes, &inside),
                                      .region = {region[0], region[1], region[2]}};
    const struct command command = command_of(CL_COMMAND_WRITE_BUFFER_RECT, &transfer);
    return command_enqueue(queue, &command, WAITS, blocks != CL_FALSE, event);
}

/* --- maps, markers --- */

void *model_clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocks, cl_map_flags flags, size_t offset,
                               size_t size, cl_uint wait_count, const cl_event *wait_list, cl_event *event,
                               cl_int *code)
{
    const cl_map_flags writes = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    const cl_mem_flags excluded =
        ((flags & CL_MAP_READ) != 0 ? CL_MEM_HOST_WRITE_ONLY : 0) | ((flags & writes) != 0 ? CL_MEM_HOST_READ_ONLY : 0);
    cl_int outcome = check_host(queue, buffer, excluded);

    if (outcome == CL_SUCCESS && (!has_range(buffer, offset, size) || (flags & ~(writes | CL_MAP_READ)) != 0))
        outcome = CL_INVALID_VALUE;
    if (outcome != CL_SUCCESS)
        return no_object(code, outcome);
    const struct command command = command_of(CL_COMMAND_MAP_BUFFER, &(struct transfer){.buffers = {buffer}});
    outcome = command_enqueue(queue, &command, WAITS, blocks != CL_FALSE, event);
    no_object(code, outcome);
    if (outcome != CL_SUCCESS)
        return NULL;
    atomic_fetch_add(&buffer->maps, 1);
    if ((flags & writes) != 0)
        mark(&(struct transfer){.buffers = {buffer}}, buffer->bytes + offset, size);
    return buffer->bytes + offset;
}

cl_int model_clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem buffer, void *mapped, cl_uint wait_count,
                                     const cl_event *wait_list, cl_event *event)
{
    const unsigned char *at = mapped;
    cl_int code = check(queue, buffer);

    if (code == CL_SUCCESS && (buffer->maps == 0 || at < buffer->bytes || at >= buffer->bytes + buffer->size))
        code = CL_INVALID_VALUE;
    if (code != CL_SUCCESS)
        return code;
    const struct command command = command_of(CL_COMMAND_UNMAP_MEM_OBJECT, &(struct transfer){.buffers = {buffer}});
    code = command_enqueue(queue, &command, WAITS, false, event);
    if (code == CL_SUCCESS)
        atomic_fetch_sub(&buffer->maps, 1);
    return code;
}

static cl_int enqueue_nothing(cl_command_queue queue, cl_command_type type, struct waits waits, cl_event *event)
{
    if (!object_is(queue, OBJECT_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    const struct command command = command_of(type, &(struct transfer){.region = {0}});
    return command_enqueue(queue, &command, waits, false, event);
}

cl_int model_clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint wait_count, const cl_event *wait_list,
                                         cl_event *event)
{
    return enqueue_nothing(queue, CL_COMMAND_MARKER, WAITS, event);
}

cl_int model_clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint wait_count, const cl_event *wait_list,
                                          cl_event *event)
{
    return enqueue_nothing(queue, CL_COMMAND_BARRIER, WAITS, event);
}

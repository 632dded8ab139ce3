/* Promises about the work-items of a launch: each runs once, under its own id. */
#include "act/promising.h"
#include "device/cl_status.h"

#include <string.h>

enum { OUTSIDE, CONTRADICTED, FIRST, MOST = 4096 };

struct shape {
    cl_uint dimensions;
    size_t global[3], local[3]; /* 0: the driver chooses */
};

static const struct shape shapes[] = {{1, {1000, 1, 1}, {8, 1, 1}}, {1, {17, 1, 1}, {0}},
                                      {2, {24, 10, 1}, {4, 5, 1}},  {2, {3, 341, 1}, {0}},
                                      {3, {6, 4, 8}, {2, 2, 4}},    {1, {4096, 1, 1}, {1, 1, 1}}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static cl_int set_arguments(const struct promising *promising, const struct shape *shape, const size_t offset[3])
{
    cl_int code = CL_SUCCESS;

    for (cl_uint i = 0; i < 6 && code == CL_SUCCESS; ++i) {
        const uint32_t value = (uint32_t)(i < 3 ? offset[i] : shape->global[i - 3]);
        code = clSetKernelArg(promising->program->kernel, 1 + i, sizeof value, &value);
    }
    return code;
}

static cl_int launch(const struct promising *promising, const struct shape *shape, const size_t offset[3])
{
    cl_command_queue queue = promising->session->queue;
    cl_int code = clEnqueueNDRangeKernel(queue, promising->program->kernel, shape->dimensions,
                                         promising->promise->of[0] != 0 ? offset : NULL, shape->global,
                                         shape->local[0] != 0 ? shape->local : NULL, 0, NULL, NULL);
    return code == CL_SUCCESS ? clFinish(queue) : code;
}

static int judge(struct promising *promising, const struct shape *shape)
{
    const size_t *global = shape->global, count = global[0] * global[1] * global[2];
    const uint32_t *words = promising->buffers[0].words;

    if (words[OUTSIDE] != 0)
        return promising_says(promising, "Of %zu x %zu x %zu work-items, %u had ids outside of the range.", global[0],
                              global[1], global[2], words[OUTSIDE]);
    for (size_t i = 0; i < count; ++i)
        if (words[FIRST + i] != 1)
            return promising_says(promising, "Of %zu x %zu x %zu work-items, that of place %zu ran %u times.",
                                  global[0], global[1], global[2], i, words[FIRST + i]);
    if (words[CONTRADICTED] != 0)
        return promising_says(promising, "Of %zu x %zu x %zu work-items, %u had other ids than their groups say.",
                              global[0], global[1], global[2], words[CONTRADICTED]);
    return 1;
}

static int try_shape(struct promising *promising, const struct shape *shape)
{
    const bool moved = promising->promise->of[0] != 0;
    const size_t offset[3] = {moved ? 5 : 0, moved && shape->dimensions > 1 ? 7 : 0,
                              moved && shape->dimensions > 2 ? 3 : 0};
    struct buffer *buffer = &promising->buffers[0];

    buffer_fill(buffer, 0);
    cl_int code = buffer_write(buffer, promising->session->queue);
    if (code == CL_SUCCESS)
        code = set_arguments(promising, shape, offset);
    if (code == CL_SUCCESS)
        code = launch(promising, shape, offset);
    if (code == CL_SUCCESS)
        code = buffer_read(buffer, promising->session->queue);
    return code == CL_SUCCESS ? judge(promising, shape) : promising_refused(promising, "a launch", code);
}

static int try_range(void *context, struct error *error)
{
    struct promising *promising = context;
    const uint64_t most = promising_group_size(promising);
    int outcome = 1;

    (void)error;
    for (int i = 0; i < SHAPES && outcome == 1; ++i) {
        const size_t *local = shapes[i].local;
        if (local[0] * (local[1] + !local[1]) * (local[2] + !local[2]) <= most || most == 0)
            outcome = try_shape(promising, &shapes[i]);
    }
    return outcome;
}

int promise_range(struct promising *promising, struct error *error)
{
    if (promising_build(promising, "promise_range", error) != 0 ||
        promising_buffer(promising, 0, FIRST + MOST, error) != 0)
        return -1;
    return promising_try(promising, try_range, promising, error);
}

#include "act/steps.h"

#include "device/cl_status.h"

enum { STEP_MS = 4 }; /* about what a launch takes where work-items run one after another */

static uint32_t turns_of(const struct device_probe *probe)
{
    const uint64_t turns = (uint64_t)device_polls_a_ms(probe) * STEP_MS / STEPS_ITEMS;
    const uint64_t most = probe->loops_cut_at != 0 ? probe->loops_cut_at / 4 * 3 : 1000000;

    return (uint32_t)(turns < most ? turns : most);
}

int steps_open(struct steps *steps, struct promising *promising, struct error *error)
{
    *steps = (struct steps){.promising = promising, .turns = turns_of(&promising->session->probe)};
    if (promising_build(promising, "promise_step", error) != 0 ||
        promising_buffer(promising, 0, STEPS_ITEMS, error) != 0)
        return -1;
    return promising_buffer(promising, 1, STEPS_ITEMS, error);
}

int steps_begin(struct steps *steps, cl_command_queue queue, struct error *error)
{
    for (int i = 0; i < 2; ++i) {
        struct buffer *buffer = &steps->promising->buffers[i];
        buffer_fill(buffer, i == 0 ? 0 : 0xaa);
        const cl_int code = buffer_write(buffer, queue);
        if (code != CL_SUCCESS)
            return cl_status_error(error, "clEnqueueWriteBuffer", code);
        buffer_fill(buffer, 0x55); /* the write has ended: it is the host's again */
    }
    return 0;
}

static cl_int set_arguments(const struct steps *steps, uint32_t step)
{
    cl_kernel kernel = steps->promising->program->kernel;
    const struct buffer *buffers = steps->promising->buffers;
    cl_int code = clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffers[step % 2].memory);

    if (code == CL_SUCCESS)
        code = clSetKernelArg(kernel, 1, sizeof(cl_mem), &buffers[(step + 1) % 2].memory);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(kernel, 2, sizeof step, &step);
    return code == CL_SUCCESS ? clSetKernelArg(kernel, 3, sizeof steps->turns, &steps->turns) : code;
}

int steps_enqueue(struct steps *steps, uint32_t step, cl_command_queue queue, struct wait_list list, cl_event *event,
                  struct error *error)
{
    const size_t global = STEPS_ITEMS;
    cl_int code = set_arguments(steps, step);

    if (code != CL_SUCCESS)
        return cl_status_error(error, "clSetKernelArg", code);
    code = clEnqueueNDRangeKernel(queue, steps->promising->program->kernel, 1, NULL, &global, NULL, list.count,
                                  list.events, event);
    return code == CL_SUCCESS ? 1 : promising_refused(steps->promising, "clEnqueueNDRangeKernel", code);
}

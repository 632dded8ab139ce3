#include "device/promise.h"

#include "core/text.h"
#include "device/cl_status.h"

int promise_measure(struct promising *promising, struct error *error)
{
    static promise_act *const acts[PROMISE_ACTS] = {
        [ASK_GROUP_SIZE] = promise_group_size,
        [ASK_ITEM_SIZES] = promise_item_sizes,
        [ASK_LOCAL_MEMORY] = promise_local_memory,
        [ASK_KERNEL_LOCAL] = promise_kernel_local,
        [ASK_REQUIRED_SIZE] = promise_required_size,
        [ASK_UNEVEN_GROUPS] = promise_uneven_groups,
        [ASK_MULTIPLE] = promise_multiple,
        [ASK_LOOPS] = promise_loops,
        [ASK_KERNEL_TIME] = promise_kernel_time,
        [ASK_BUFFER_SIZE] = promise_buffer_size,
        [ASK_PARAMETER_SIZE] = promise_parameter_size,
    };

    return acts[promising->promise->act](promising, error);
}

static int tell(const struct promising *promising, const struct finding *finding, struct error *error)
{
    if (promising->tell(promising->context, finding) == 0)
        return 0;
    return error_set(error, STATUS_HARNESS, "the supervisor is gone");
}

int promising_begins(struct promising *promising, struct error *error)
{
    struct finding death = promising->finding;

    death.measured = 0;
    death.tries += 1;
    death.fails += 1;
    return tell(promising, &death, error);
}

int promising_decided(struct promising *promising, struct error *error)
{
    return tell(promising, &promising->finding, error);
}

int promising_build(struct promising *promising, const char *kernel, const char *options, struct program **program,
                    struct error *error)
{
    struct program_key key;
    cl_int code;

    session_key(promising->session, kernel, &key);
    text_append(key.options, sizeof key.options, " %s", options);
    return session_kernel(promising->session, &key, program, &code, error);
}

void promising_launch(struct promising *promising, cl_kernel kernel, const size_t global[3], const size_t local[3],
                      struct launch_end *end)
{
    struct session *session = promising->session;
    struct launch launch = {.queue = session->queue, .kernel = kernel, .dimensions = 3};

    for (int i = 0; i < 3; ++i) {
        launch.global_size[i] = global[i];
        launch.local_size[i] = local[i];
    }
    session_stage(session, STAGE_RUNNING);
    enqueuer_launch(session->enqueuer, &launch);
    while (!enqueuer_wait(session->enqueuer, 1000000000u, end))
        ; /* these kernels are bounded, and the watchdog watches */
    session_stage(session, STAGE_READING);
}

const char *promising_failure(const struct launch_end *end)
{
    return cl_status_name(end->enqueue_code != CL_SUCCESS ? end->enqueue_code : end->finish_code);
}

uint64_t promising_ask(const struct promising *promising, cl_device_info what)
{
    size_t value = 0;
    if (clGetDeviceInfo(promising->session->device, what, sizeof value, &value, NULL) != CL_SUCCESS)
        return 0;
    return value;
}

cl_mem promising_buffer(struct promising *promising, cl_kernel kernel, cl_uint argument, size_t bytes,
                        struct error *error)
{
    cl_int code;
    cl_mem buffer = clCreateBuffer(promising->session->context, CL_MEM_READ_WRITE, bytes, NULL, &code);

    if (buffer == NULL) {
        cl_status_error(error, "clCreateBuffer", code);
        return NULL;
    }
    code = clSetKernelArg(kernel, argument, sizeof(cl_mem), &buffer);
    if (code == CL_SUCCESS)
        return buffer;
    cl_status_error(error, "clSetKernelArg", code);
    clReleaseMemObject(buffer);
    return NULL;
}

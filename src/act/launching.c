/* What the kernel of an act is given, its launches, and what the device says. */
#include "act/promising.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "core/text.h"
#include "device/cl_status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Words behind a buffer's: that its last bytes are not copied is the fault of no kernel; the rows bytes-* tell it. */
enum { SPARE = 1 };

/* A launch that has not come back may still use the memory. */
static void drop_buffer(struct promising *promising, cl_uint argument)
{
    struct buffer *buffer = &promising->buffers[argument];

    if (buffer->memory != NULL && !promising->spent)
        clReleaseMemObject(buffer->memory);
    free(buffer->words);
    *buffer = (struct buffer){0};
}

void promising_drop_buffers(struct promising *promising)
{
    for (cl_uint i = 0; i < PROMISE_BUFFERS; ++i)
        drop_buffer(promising, i);
}

int promising_buffer(struct promising *promising, cl_uint argument, size_t count, struct error *error)
{
    struct buffer *buffer = &promising->buffers[argument];
    cl_int code;

    drop_buffer(promising, argument);
    buffer->count = count;
    buffer->words = xcalloc(count + SPARE, sizeof *buffer->words);
    buffer->memory = clCreateBuffer(promising->session->context, CL_MEM_READ_WRITE,
                                    (count + SPARE) * sizeof *buffer->words, NULL, &code);
    if (buffer->memory == NULL)
        return cl_status_error(error, "clCreateBuffer", code);
    code = clSetKernelArg(promising->program->kernel, argument, sizeof(cl_mem), &buffer->memory);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clSetKernelArg", code);
}

void buffer_fill(struct buffer *buffer, int byte)
{
    memset(buffer->words, byte, buffer->count * sizeof *buffer->words);
}

cl_int buffer_write(const struct buffer *buffer, cl_command_queue queue)
{
    return clEnqueueWriteBuffer(queue, buffer->memory, CL_TRUE, 0, (buffer->count + SPARE) * sizeof *buffer->words,
                                buffer->words, 0, NULL, NULL);
}

cl_int buffer_read(const struct buffer *buffer, cl_command_queue queue)
{
    return clEnqueueReadBuffer(queue, buffer->memory, CL_TRUE, 0, (buffer->count + SPARE) * sizeof *buffer->words,
                               buffer->words, 0, NULL, NULL);
}

int promising_set(struct promising *promising, cl_uint argument, uint32_t value, struct error *error)
{
    const cl_int code = clSetKernelArg(promising->program->kernel, argument, sizeof value, &value);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clSetKernelArg", code);
}

static void enqueue(struct promising *promising, const size_t global[3], const size_t local[3])
{
    struct session *session = promising->session;
    struct launch launch = {.queue = session->queue, .kernel = promising->program->kernel, .dimensions = 3};

    memcpy(launch.global_size, global, sizeof launch.global_size);
    memcpy(launch.local_size, local, sizeof launch.local_size);
    session_stage(session, STAGE_RUNNING);
    enqueuer_launch(session->enqueuer, &launch);
}

static void end_launch(struct promising *promising)
{
    session_stage(promising->session, STAGE_READING);
    if (!outcome_is_harmless(cl_launch_outcome(promising->end.enqueue_code, promising->end.finish_code)))
        promising->lost = true;
}

bool promising_launch(struct promising *promising, const size_t global[3], const size_t local[3])
{
    enqueue(promising, global, local);
    while (!enqueuer_wait(promising->session->enqueuer, 1000000000u, &promising->end))
        ; /* these kernels are bounded, and the watchdog watches */
    end_launch(promising);
    return promising_ran(promising);
}

/* A busy machine would have to let this thread run for half of that time, and not the threads of the launch. */
static bool is_back(struct promising *promising, uint64_t timeout_ns)
{
    struct enqueuer *enqueuer = promising->session->enqueuer;
    bool back = enqueuer_wait(enqueuer, timeout_ns / 2, &promising->end);

    for (const uint64_t began_ns = clock_own_ns(); !back && clock_own_ns() - began_ns < timeout_ns / 2;)
        back = enqueuer_wait(enqueuer, 0, &promising->end);
    return back;
}

bool promising_launch_within(struct promising *promising, const size_t global[3], const size_t local[3],
                             uint64_t timeout_ns)
{
    enqueue(promising, global, local);
    promising->spent = !is_back(promising, timeout_ns);
    if (!promising->spent)
        end_launch(promising);
    return !promising->spent;
}

bool promising_ran(const struct promising *promising)
{
    return promising->end.enqueue_code == CL_SUCCESS && promising->end.finish_code == CL_SUCCESS;
}

const char *promising_failure(const struct promising *promising)
{
    const struct launch_end *end = &promising->end;
    return cl_status_name(end->enqueue_code != CL_SUCCESS ? end->enqueue_code : end->finish_code);
}

int promising_run(struct promising *promising, const size_t global[3], const size_t local[3], struct buffer *buffer,
                  struct error *error)
{
    cl_command_queue queue = promising->session->queue;

    buffer_fill(buffer, buffer->fill);
    cl_int code = buffer_write(buffer, queue);
    if (code != CL_SUCCESS)
        return cl_status_error(error, "clEnqueueWriteBuffer", code);
    if (!promising_launch(promising, global, local))
        return 0;
    code = buffer_read(buffer, queue);
    return code == CL_SUCCESS ? 1 : cl_status_error(error, "clEnqueueReadBuffer", code);
}

cl_int event_status(cl_event event)
{
    cl_int status = CL_QUEUED;

    if (clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) != CL_SUCCESS)
        return CL_QUEUED;
    return status;
}

uint64_t promising_ask(const struct promising *promising, cl_device_info what)
{
    size_t value = 0;
    if (clGetDeviceInfo(promising->session->device, what, sizeof value, &value, NULL) != CL_SUCCESS)
        return 0;
    return value;
}

uint64_t promising_group_size(const struct promising *promising)
{
    return session_kernel_says(promising->session, promising->program, CL_KERNEL_WORK_GROUP_SIZE);
}

bool promising_has_extension(const struct promising *promising, const char *name)
{
    char text[1 << 15] = " ", wanted[80];

    if (clGetDeviceInfo(promising->session->device, CL_DEVICE_EXTENSIONS, sizeof text - 3, text + 1, NULL) !=
        CL_SUCCESS)
        return false;
    text_append(text, sizeof text, " ");
    snprintf(wanted, sizeof wanted, " %s ", name);
    return strstr(text, wanted) != NULL;
}

/* --- atomics with orders and scopes --- */

/* OpenCL 2.0 has all orders at all scopes; only several devices at a time need memory that they share so finely. */
static bool has_all(const struct promising *promising)
{
    return promising->promise->of[1] != SCOPE_ALL ||
           (promising_ask(promising, CL_DEVICE_SVM_CAPABILITIES) & CL_DEVICE_SVM_ATOMICS) != 0;
}

bool promising_has_atomics(struct promising *promising, cl_device_info what)
{
    static const cl_device_atomic_capabilities orders[] = {
        CL_DEVICE_ATOMIC_ORDER_RELAXED, CL_DEVICE_ATOMIC_ORDER_ACQ_REL, CL_DEVICE_ATOMIC_ORDER_SEQ_CST};
    static const cl_device_atomic_capabilities scopes[] = {
        CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP, CL_DEVICE_ATOMIC_SCOPE_DEVICE, CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES};
    const uint32_t *of = promising->promise->of;
    const unsigned version = device_info_version(&promising->session->info);
    struct finding *finding = &promising->finding;

    if (version < 200) {
        promising_says(promising, "OpenCL before 2.0 has no orders and scopes.");
        return false;
    }
    const cl_device_atomic_capabilities has = version < 300 ? 0 : promising_ask(promising, what);
    finding->offered = version < 300 ? has_all(promising) : (has & orders[of[0]]) != 0 && (has & scopes[of[1]]) != 0;
    finding->promised = finding->offered;
    return true;
}

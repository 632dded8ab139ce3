/*
 * Promises that are written once, as parts of a program: this file says what their words mean in the worker, and
 * reproducer/template/promise.c what they mean in a program that shows a driver's makers what it does.
 */
#include "act/promising.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "device/cl_status.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { QUEUES = 2, USER_EVENTS = 3, EVENTS = 12, UNDECIDED = 0, BROKEN = 1 };

/* What the parts name. */
static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static cl_kernel kernel;
static cl_int code;
static cl_command_queue queues[QUEUES];
static cl_event users[USER_EVENTS];
static cl_event events[EVENTS];
static int tried;          /* how often, before this try */
static cl_uint turns_most; /* of a work-item, in a loop */

/* The try that is made. */
static struct {
    struct promising *promising;
    struct error *error;
    jmp_buf leave;
    int outcome;  /* once it is left */
    cl_mem *made; /* buffers */
    size_t count;
} now;

#define OF_TURNS 1
#define OF_TURNS_MOST turns_most
#define CALL(call) (code = (call))
#define CHECK(call) check((call), #call, UNDECIDED)
#define MUST(call) check((call), #call, BROKEN)
#define TAKE(object, call) ((object) = (call))
#define MAKE(object, call) ((object) = (call), check(code, #call, UNDECIDED))
#define MUST_MAKE(object, call) ((object) = (call), check(code, #call, BROKEN))
#define SET(argument, value) CHECK(clSetKernelArg(kernel, argument, sizeof(value), &(value)))
#define WRITE(buffer, bytes, from) CHECK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, from, 0, NULL, NULL))
#define READ(from, bytes, to) CHECK(clEnqueueReadBuffer(queue, from, CL_TRUE, 0, bytes, to, 0, NULL, NULL))
#define PROMISED(...) ((void)0) /* the finding is told before each try */
#define WHEN(text) calls_are_made(text)
#define RELEASE() release()
#define GOT(...) got(__VA_ARGS__)
#define TOO_LITTLE() (leave(2), false)

_Noreturn static void leave(int outcome)
{
    now.outcome = outcome;
    longjmp(now.leave, 1);
}

/* A call that fails breaks the promise, or leaves it undecided, as it does for want of memory. */
static void check(cl_int outcome, const char *call, int status)
{
    const bool full = outcome <= CL_MEM_OBJECT_ALLOCATION_FAILURE && outcome >= CL_OUT_OF_HOST_MEMORY;
    const int length = (int)strcspn(call, "(");

    if (outcome == CL_SUCCESS)
        return;
    if (status == UNDECIDED || full)
        leave(error_set(now.error, STATUS_HARNESS, "%.*s: %s", length, call, cl_status_name(outcome)));
    leave(promising_says(now.promising, "%.*s failed: %s.", length, call, cl_status_name(outcome)));
}

__attribute__((format(printf, 1, 2))) static bool got(const char *format, ...)
{
    char text[200];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return promising_says(now.promising, "Got %s.", text);
}

/* A buffer that is an argument of the kernel, of zeros. */
static cl_mem make_buffer(cl_uint argument, size_t bytes)
{
    void *zeros = xcalloc(1, bytes);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, bytes, zeros, &code);

    free(zeros);
    check(code, "clCreateBuffer", UNDECIDED);
    grow(&now.made, now.count, sizeof(cl_mem));
    now.made[now.count++] = buffer;
    CHECK(clSetKernelArg(kernel, argument, sizeof(cl_mem), &buffer));
    return buffer;
}

static void release(void);

#include "act/step.inc"

#include "act/beyond.inc"
#include "act/bytes.inc"
#include "act/event.inc"
#include "act/held_moves.inc"
#include "act/order.inc"
#include "act/print.inc"
#include "act/range.inc"
#include "act/svm_copy.inc"
#include "act/user_event.inc"

#define UNORDERED CL_DEVICE_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE

static const struct script {
    const char *name; /* of the promise */
    const char *kernel;
    bool (*once)(void);
    cl_device_info needs; /* of a device that has this bit in its answer; 0: of each */
    cl_bitfield bit;
} scripts[] = {
    {"in-order-queue", "promise_step", in_order_queue, 0, 0},
    {"queue-barrier", "promise_step", queue_barrier, UNORDERED},
    {"wait-list", "promise_step", wait_list, UNORDERED},
    {"wait-list-queues", "promise_step", wait_list_queues, 0, 0},
    {"finish", "promise_step", finish, 0, 0},
    {"wait-for-events", "promise_step", wait_for_events, 0, 0},
    {"wait-flushes", "promise_step", wait_flushes, 0, 0},
    {"blocking-read", "promise_step", blocking_read, 0, 0},
    {"non-blocking-read", "promise_step", non_blocking_read, 0, 0},
    {"user-event", "promise_step", user_event, 0, 0},
    {"user-event-error", "promise_step", user_event_error, 0, 0},
    {"wait-for-failed", "promise_step", wait_for_failed, 0, 0},
    {"wait-list-all", "promise_step", wait_list_all, 0, 0},
    {"marker-wait-list", "promise_step", marker_wait_list, 0, 0},
    {"barrier-wait-list", "promise_step", barrier_wait_list, UNORDERED},
    {"event-callback", "promise_step", event_callback, 0, 0},
    {"event-callback-sets", "promise_step", event_callback_sets, 0, 0},
    {"flush-starts", "promise_step", flush_starts, 0, 0},
    {"complete-results", "promise_step", complete_results, 0, 0},
    {"queue-beside-held", "promise_step", queue_beside_held, 0, 0},
    {"beside-held", "promise_step", beside_held, UNORDERED},
    {"queue-after-failure", "promise_step", queue_after_failure, 0, 0},
    {"global-size", "promise_range", global_size, 0, 0},
    {"global-offset", "promise_range", global_offset, 0, 0},
    {"bytes-write", "promise_bytes", bytes_write, 0, 0},
    {"bytes-read", "promise_bytes", bytes_read, 0, 0},
    {"bytes-fill", "promise_bytes", bytes_fill, 0, 0},
    {"bytes-copy", "promise_bytes", bytes_copy, 0, 0},
    {"bytes-map", "promise_bytes", bytes_map, 0, 0},
    {"bytes-unmap", "promise_bytes", bytes_unmap, 0, 0},
    {"sub-buffer", "promise_bytes", sub_buffer, 0, 0},
    {"printf-output", "promise_print", printf_output, 0, 0},
    {"svm-coarse", "promise_bytes", svm_coarse, CL_DEVICE_SVM_CAPABILITIES, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER},
    {"svm-fine", "promise_bytes", svm_fine, CL_DEVICE_SVM_CAPABILITIES, CL_DEVICE_SVM_FINE_GRAIN_BUFFER},
    {"wait-list-moves", "promise_bytes", wait_list_moves, 0, 0},
};

static const struct script *find_script(const char *name)
{
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; ++i)
        if (strcmp(scripts[i].name, name) == 0)
            return &scripts[i];
    return NULL;
}

static void release_events(cl_event *all, int count)
{
    for (int i = 0; i < count; ++i)
        if (all[i] != NULL) {
            clReleaseEvent(all[i]);
            all[i] = NULL;
        }
}

/* Sets what was not set, and waits for what was enqueued: nothing of a try may run beside the next one. */
static void release(void)
{
    for (int i = 0; i < USER_EVENTS; ++i)
        if (users[i] != NULL && event_status(users[i]) > CL_COMPLETE)
            clSetUserEventStatus(users[i], CL_COMPLETE);
    for (int i = 0; i < EVENTS; ++i)
        if (events[i] != NULL)
            clWaitForEvents(1, &events[i]);
    release_events(events, EVENTS);
    release_events(users, USER_EVENTS);
    for (int i = 0; i < QUEUES; ++i)
        if (queues[i] != NULL) {
            clReleaseCommandQueue(queues[i]);
            queues[i] = NULL;
        }
    if (shared != NULL && clFinish(queue) == CL_SUCCESS) /* it may be mapped */
        clSVMFree(context, shared);
    shared = NULL;
    while (now.count > 0)
        clReleaseMemObject(now.made[--now.count]);
    free(now.made);
    now.made = NULL;
}

static int try_script(void *script, struct error *error)
{
    if (now.promising->promise->silent && promising_begins(now.promising, error) != 0)
        return -1;
    now.error = error;
    tried = (int)now.promising->finding.tries;
    if (setjmp(now.leave) == 0)
        now.outcome = ((const struct script *)script)->once();
    const int outcome = now.outcome;
    if (outcome >= 0 && promising_tried(now.promising, outcome, error) != 0)
        return -1;
    release();
    return outcome;
}

/* About four milliseconds of a launch whose work-items run one after another. */
static void set_turns(const struct device_probe *probe)
{
    enum { STEP_MS = 4 };
    const uint64_t usual = (uint64_t)device_polls_a_ms(probe) * STEP_MS / ITEMS;

    turns_most = probe->loops_cut_at != 0 ? (cl_uint)(probe->loops_cut_at / 4 * 3) : UINT32_MAX;
    turns = (cl_uint)(usual < turns_most ? usual : turns_most);
}

int promise_script(struct promising *promising, struct error *error)
{
    const struct script *script = find_script(promising->promise->name);

    if (script == NULL)
        return error_set(error, STATUS_HARNESS, "nothing measures this promise");
    if (script->needs != 0 && (promising_ask(promising, script->needs) & script->bit) == 0)
        return 0;
    if (promising_build(promising, script->kernel, error) != 0)
        return -1;
    now.promising = promising;
    context = promising->session->context;
    device = promising->session->device;
    queue = promising->session->side_queue;
    kernel = promising->program->kernel;
    set_turns(&promising->session->probe);
    if (promising->promise->silent ? promising_count(promising, try_script, (void *)script, "it was so", error) != 0
                                   : promising_try(promising, try_script, (void *)script, error) != 0)
        return -1;
    return promising->finding.undecided ? promising_undecided(promising, "Too little of it was seen.") : 0;
}

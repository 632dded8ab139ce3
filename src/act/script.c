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

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* clCreateCommandQueue: every driver has it */

enum { MADE_MOST = 4, UNDECIDED = 0, BROKEN = 1 };

/* What the parts name. */
static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static cl_kernel kernel;
static cl_int code;
static int tried;          /* how often, before this try */
static cl_uint turns_most; /* of a work-item, in a loop */

/* The try that is made. */
static struct {
    struct promising *promising;
    struct error *error;
    jmp_buf leave;
    int outcome; /* once it is left */
    cl_mem made[MADE_MOST];
    int count;
} now;

#define OF_TURNS 1
#define OF_TURNS_MOST turns_most
#define CALL(call) (code = (call))
#define CHECK(call) check((call), #call, UNDECIDED)
#define MUST(call) check((call), #call, BROKEN)
#define MAKE(object, call) ((object) = (call), check(code, #call, UNDECIDED))
#define MUST_MAKE(object, call) ((object) = (call), check(code, #call, BROKEN))
#define SET(argument, value) CHECK(clSetKernelArg(kernel, argument, sizeof(value), &(value)))
#define WRITE(buffer, bytes, from) CHECK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, from, 0, NULL, NULL))
#define READ(from, bytes, to) CHECK(clEnqueueReadBuffer(queue, from, CL_TRUE, 0, bytes, to, 0, NULL, NULL))
#define PROMISED(...) ((void)0) /* the finding is told before each try */
#define WHEN(text) calls_are_made(text)
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
    now.made[now.count++] = buffer;
    CHECK(clSetKernelArg(kernel, argument, sizeof buffer, &buffer));
    return buffer;
}

#include "act/step.inc"

#include "act/beyond.inc"
#include "act/order.inc"
#include "act/user_event.inc"

static const struct script {
    const char *name; /* of the promise */
    bool (*once)(void);
    bool unordered; /* in an out-of-order queue */
} scripts[] = {
    {"in-order-queue", in_order_queue, false},
    {"queue-barrier", queue_barrier, true},
    {"wait-list", wait_list, true},
    {"wait-list-queues", wait_list_queues, false},
    {"finish", finish, false},
    {"wait-for-events", wait_for_events, false},
    {"wait-flushes", wait_flushes, false},
    {"blocking-read", blocking_read, false},
    {"non-blocking-read", non_blocking_read, false},
    {"user-event", user_event, false},
    {"user-event-error", user_event_error, false},
    {"wait-for-failed", wait_for_failed, false},
    {"wait-list-all", wait_list_all, false},
    {"marker-wait-list", marker_wait_list, false},
    {"barrier-wait-list", barrier_wait_list, true},
    {"queue-beside-held", queue_beside_held, false},
    {"beside-held", beside_held, true},
    {"queue-after-failure", queue_after_failure, false},
};

static const struct script *find_script(const char *name)
{
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; ++i)
        if (strcmp(scripts[i].name, name) == 0)
            return &scripts[i];
    return NULL;
}

/* Sets what was not set, and waits for what was enqueued: nothing of a try may run beside the next one. */
static void release(void)
{
    for (size_t i = 0; i < sizeof users / sizeof *users; ++i)
        if (users[i] != NULL && event_status(users[i]) > CL_COMPLETE)
            clSetUserEventStatus(users[i], CL_COMPLETE);
    for (size_t i = 0; i < sizeof events / sizeof *events; ++i)
        if (events[i] != NULL) {
            clWaitForEvents(1, &events[i]);
            clReleaseEvent(events[i]);
        }
    for (size_t i = 0; i < sizeof users / sizeof *users; ++i)
        if (users[i] != NULL)
            clReleaseEvent(users[i]);
    for (size_t i = 0; i < sizeof queues / sizeof *queues; ++i)
        if (queues[i] != NULL)
            clReleaseCommandQueue(queues[i]);
    while (now.count > 0)
        clReleaseMemObject(now.made[--now.count]);
    memset(users, 0, sizeof users);
    memset(events, 0, sizeof events);
    memset(queues, 0, sizeof queues);
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
    const uint64_t wanted = (uint64_t)device_polls_a_ms(probe) * STEP_MS / ITEMS;

    turns_most = probe->loops_cut_at != 0 ? (cl_uint)(probe->loops_cut_at / 4 * 3) : UINT32_MAX;
    turns = (cl_uint)(wanted < turns_most ? wanted : turns_most);
}

int promise_script(struct promising *promising, struct error *error)
{
    const struct script *script = find_script(promising->promise->name);

    if (script == NULL)
        return error_set(error, STATUS_HARNESS, "nothing measures this promise");
    if (script->unordered &&
        (promising_ask(promising, CL_DEVICE_QUEUE_PROPERTIES) & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0)
        return 0;
    if (promising_build(promising, "promise_step", error) != 0)
        return -1;
    now.promising = promising;
    context = promising->session->context;
    device = promising->session->device;
    queue = promising->session->side_queue;
    kernel = promising->program->kernel;
    set_turns(&promising->session->probe);
    if (promising->promise->silent
            ? promising_count(promising, try_script, (void *)script, "it came to its end", error) != 0
            : promising_try(promising, try_script, (void *)script, error) != 0)
        return -1;
    return promising->finding.undecided ? promising_undecided(promising, "Too little of it was seen.") : 0;
}

#include "act/promising.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "core/text.h"
#include "device/cl_status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* So many attempts for each try may say nothing; if the first of all do, so will the others. */
enum { ATTEMPTS = 3, VAIN = 5 };

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

int promise_measure(struct promising *promising, struct error *error)
{
    static promise_act *const acts[PROMISE_ACTS] = {
        [ASK_GROUP_SIZE] = promise_group_size,
        [ASK_ITEM_SIZES] = promise_item_sizes,
        [ASK_CONCURRENT_COUNT] = promise_concurrent,
        [ASK_CONCURRENT_MORE] = promise_concurrent,
        [ASK_BARRIER_VALID] = promise_concurrent,
        [ASK_CONCURRENT_AGAIN] = promise_concurrent,
        [ASK_CONCURRENT_ATOMICS] = promise_concurrent,
        [ASK_LOCAL_MEMORY] = promise_local_memory,
        [ASK_KERNEL_LOCAL] = promise_kernel_local,
        [ASK_REQUIRED_SIZE] = promise_required_size,
        [ASK_RANGE] = promise_script,
        [ASK_UNEVEN_GROUPS] = promise_uneven_groups,
        [ASK_MULTIPLE] = promise_multiple,
        [ASK_LOOPS] = promise_loops,
        [ASK_KERNEL_TIME] = promise_kernel_time,
        [ASK_BUFFER_SIZE] = promise_buffer_size,
        [ASK_PARAMETER_SIZE] = promise_parameter_size,
        [ASK_MOVED] = promise_script,
        [ASK_PRINTED] = promise_script,
        [ASK_ORDER] = promise_script,
        [ASK_EVENT_TIMES] = promise_times,
        [ASK_DURATION] = promise_duration,
        [ASK_TIMER_STEP] = promise_timer_step,
        [ASK_POLLED] = promise_polled,
        [ASK_USER_EVENT] = promise_script,
        [ASK_CALLBACK] = promise_callback,
        [ASK_HELD_MOVES] = promise_script,
        [ASK_LEAVE] = promise_leave,
        [ASK_BEYOND] = promise_script,
        [ASK_RUNNING] = promise_running,
        [ASK_OVERLAP] = promise_overlap,
        [ASK_BESIDE] = promise_beside,
        [ASK_UNITS] = promise_units,
        [ASK_SVM_COPY] = promise_script,
        [ASK_SVM_SHARED] = promise_svm_shared,
        [ASK_ATOMIC_ORDER] = promise_atomic_order,
        [ASK_ATOMIC_FENCE] = promise_atomic_fence,
        [ASK_MEM_FENCE] = promise_mem_fence,
        [ASK_BARRIER] = promise_barrier,
        [ASK_ATOMIC_FLAG] = promise_atomic_flag,
        [ASK_ATOMIC_FUNCTIONS] = promise_atomic_functions,
        [ASK_SUB_SHAPE] = promise_sub_shape,
        [ASK_SUB_VALUES] = promise_sub_values,
        [ASK_SUB_MORE] = promise_sub_more,
        [ASK_SUB_BARRIER] = promise_sub_barrier,
        [ASK_SUB_PROGRESS] = promise_sub_progress,
        [ASK_CUDA] = promise_cuda,
    };

    promise_act *const act = acts[promising->promise->act];
    if (act == NULL)
        return error_set(error, STATUS_HARNESS, "nothing measures this promise");
    const int outcome = act(promising, error);
    for (cl_uint i = 0; i < PROMISE_BUFFERS; ++i)
        drop_buffer(promising, i);
    return outcome;
}

static int tell(const struct promising *promising, const struct finding *finding, struct error *error)
{
    if (promising->tell(promising->context, finding, &promising->search) == 0)
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

int promising_tried(struct promising *promising, int outcome, struct error *error)
{
    struct finding tried = promising->finding;

    tried.tries += outcome != 2;
    tried.fails += outcome == 0;
    tried.measured = tried.fails == 0;
    tried.undecided = tried.tries == 0;
    return tell(promising, &tried, error);
}

/* Counts in the finding what tries came to. */
static int try_often(struct promising *promising, promise_try *once, void *context, bool begins, struct error *error)
{
    struct finding *finding = &promising->finding;

    for (uint64_t i = 0; i < (uint64_t)ATTEMPTS * promising->tries && finding->tries < promising->tries; ++i) {
        session_stage(promising->session, STAGE_RUNNING);
        calls_are_made("");
        if (begins && promising_begins(promising, error) != 0)
            return -1;
        const int outcome = once(context, error);
        if (outcome < 0 && finding->fails == 0)
            return -1;
        if (outcome == 2 && finding->tries == 0 && i + 1 == VAIN)
            break;
        if (outcome == 2)
            continue;
        finding->tries += 1;
        finding->fails += outcome != 1;
        if (outcome < 0)
            break; /* what was seen before is enough */
    }
    finding->undecided = finding->tries == 0;
    return 0;
}

int promising_try(struct promising *promising, promise_try *once, void *context, struct error *error)
{
    struct finding *finding = &promising->finding;

    finding->offered = true;
    finding->promised = 1;
    if (try_often(promising, once, context, true, error) != 0)
        return -1;
    finding->measured = finding->fails == 0;
    return 0;
}

int promising_count(struct promising *promising, promise_try *once, void *context, const char *what,
                    struct error *error)
{
    struct finding *finding = &promising->finding;

    finding->offered = true;
    if (try_often(promising, once, context, false, error) != 0)
        return -1;
    finding->measured = finding->fails < finding->tries;
    if (finding->tries > 0)
        promising_says(promising, "In %u of %u tries %s.", finding->tries - finding->fails, finding->tries, what);
    finding->fails = 0; /* nothing was promised */
    return 0;
}

int promising_repeat(struct promising *promising, promise_try *once, void *context, struct error *error)
{
    struct finding *finding = &promising->finding;

    for (uint32_t i = 0; i < promising->tries; ++i) {
        if (finding->offered && promising_begins(promising, error) != 0)
            return -1;
        const int found = once(context, error);
        if (found < 0)
            return -1;
        finding->tries += 1;
        finding->fails += found == 0;
    }
    return 0;
}

int promising_settle(struct promising *promising, promise_try *once, void *context, struct error *error)
{
    struct finding *finding = &promising->finding;

    finding->offered = true;
    finding->promised = 1;
    if (promising_repeat(promising, once, context, error) != 0)
        return -1;
    finding->measured = finding->fails == 0;
    return 0;
}

int promising_says(struct promising *promising, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(promising->finding.text, sizeof promising->finding.text, format, arguments);
    va_end(arguments);
    return 0;
}

int promising_notes(struct promising *promising, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(promising->failure, sizeof promising->failure, format, arguments);
    va_end(arguments);
    return 0;
}

void promising_failed_in(struct promising *promising, const char *name)
{
    snprintf(promising->finding.failed_in, sizeof promising->finding.failed_in, "%s", name);
}

int promising_refused(struct promising *promising, const char *call, cl_int code)
{
    promising_failed_in(promising, call);
    return promising_says(promising, "%s failed: %s.", call, cl_status_name(code));
}

int promising_undecided(struct promising *promising, const char *reason)
{
    promising->finding.undecided = true;
    return promising_says(promising, "%s", reason);
}

/* Of the dialect, and of the promise. */
static void make_key(const struct promising *promising, const char *kernel, struct program_key *key)
{
    const struct session *session = promising->session;
    char options[PROMISE_OPTIONS];

    session_key(session, kernel, key);
    promise_options(promising->promise, &session->info, &session->probe, promising->amount, options);
    text_append(key->options, sizeof key->options, " %s%s", options, promising->unordered ? " -DGL_UNORDERED" : "");
}

int promising_build(struct promising *promising, const char *kernel, struct error *error)
{
    struct program_key key;
    cl_int code;

    make_key(promising, kernel, &key);
    return session_kernel(promising->session, &key, &promising->program, &code, error);
}

static bool is_refusal(cl_int code)
{
    return code == CL_BUILD_PROGRAM_FAILURE || code == CL_COMPILE_PROGRAM_FAILURE || code == CL_INVALID_BUILD_OPTIONS ||
           code == CL_COMPILER_NOT_AVAILABLE;
}

/* Whatever the driver dies of between the build and the first try leaves the promise undecided. */
int promising_compile(struct promising *promising, const char *kernel, struct error *error)
{
    struct finding *finding = &promising->finding;
    struct program_key key;
    struct error refusal;
    cl_int code;

    make_key(promising, kernel, &key);
    if ((finding->offered ? promising_begins : promising_decided)(promising, error) != 0)
        return -1;
    if (session_kernel(promising->session, &key, &promising->program, &code, &refusal) == 0) {
        struct finding built = *finding;
        built.undecided = finding->offered;
        return tell(promising, &built, error) == 0 ? 1 : -1;
    }
    if (!is_refusal(code) && finding->offered)
        return error_set(error, STATUS_HARNESS, "%s", refusal.text);
    finding->tries += 1;
    finding->fails += finding->offered;
    finding->measured = 0;
    promising_failed_in(promising, PROMISE_BUILD);
    const char *named = strstr(refusal.text, "CL_"); /* behind the file and its options */
    return promising_says(promising, "The driver does not build it: %.200s", named != NULL ? named : refusal.text);
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

cl_int event_await(cl_event event, cl_int status, int looks)
{
    cl_int seen = event_status(event);

    for (int i = 0; i < looks && seen > status; ++i) {
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
        seen = event_status(event);
    }
    return seen;
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

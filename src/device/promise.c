#include "device/promise.h"

#include "core/text.h"
#include "device/cl_status.h"

#include <stdio.h>

/* Attempts may say nothing; if the first of them do, so will the others. */
enum { TRIES = 5, ATTEMPTS = 15, VAIN = 5 };

int promise_measure(struct promising *promising, struct error *error)
{
    static promise_act *const acts[PROMISE_ACTS] = {
        [ASK_GROUP_SIZE] = promise_group_size, [ASK_ITEM_SIZES] = promise_item_sizes,
        [ASK_ORDER] = promise_order,           [ASK_EVENT_TIMES] = promise_times,
        [ASK_DURATION] = promise_duration,     [ASK_TIMER_STEP] = promise_timer_step,
        [ASK_POLLED] = promise_polled,         [ASK_USER_EVENT] = promise_user_event,
        [ASK_READ] = promise_user_event,       [ASK_RUNNING] = promise_running,
        [ASK_OVERLAP] = promise_overlap,       [ASK_BESIDE] = promise_beside,
        [ASK_UNITS] = promise_units,           [ASK_SVM_COPY] = promise_svm_copy,
        [ASK_SVM_SHARED] = promise_svm_shared,
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

int promising_expects(struct promising *promising, const char *text, struct error *error)
{
    struct finding death = promising->finding;

    snprintf(promising->finding.text, sizeof promising->finding.text, "%s", text);
    const int outcome = promising_begins(promising, error);
    promising->finding = death;
    return outcome;
}

/* Counts in the finding what tries came to. */
static int try_often(struct promising *promising, promise_try *once, void *context, bool begins, struct error *error)
{
    struct finding *finding = &promising->finding;

    for (int i = 0; i < ATTEMPTS && finding->tries < TRIES; ++i) {
        session_stage(promising->session, STAGE_RUNNING);
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
        snprintf(finding->text, sizeof finding->text, "In %u of %u tries %s.", finding->tries - finding->fails,
                 finding->tries, what);
    finding->fails = 0; /* nothing was promised */
    return 0;
}

int promising_refused(struct promising *promising, const char *call, cl_int code)
{
    snprintf(promising->finding.text, sizeof promising->finding.text, "%s failed: %s.", call, cl_status_name(code));
    return 0;
}

int promising_undecided(struct promising *promising, const char *reason)
{
    promising->finding.undecided = true;
    snprintf(promising->finding.text, sizeof promising->finding.text, "%s", reason);
    return 0;
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

#include "act/promising.h"

#include "base/alloc.h"
#include "core/text.h"
#include "device/cl_status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* So many attempts for each try may say nothing; if the first of all do, so will the others. */
enum { ATTEMPTS = 3, VAIN = 5 };

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
        [ASK_USER_EVENT] = promise_script,
        [ASK_EVENT] = promise_script,
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
    promising_drop_buffers(promising);
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

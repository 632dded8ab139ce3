/* What nobody promises: which kernels run at the same time, and who waits for whom. */
#include "act/held.h"
#include "device/cl_status.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum {
    HOLD_MS = 500,
    BESIDE_NS = 20000000,   /* by then another thread is inside the call before which it says that it begins it */
    FILLING_NS = 200000000, /* a kernel that is to fill the device gets that long */
    FILLING_LOOKS = 100,
    GROUPS_OF_UNIT = 64, /* more than a compute unit holds */
    GROUPS_MOST = 16384,
};

static const char unseen[] = "No kernel was seen while it ran.";

/* More groups than the device holds. */
static uint32_t many_groups(const struct session *session)
{
    const uint64_t groups = (uint64_t)GROUPS_OF_UNIT * session->info.compute_units;
    return groups == 0 ? GROUPS_OF_UNIT : groups < GROUPS_MOST ? (uint32_t)groups : GROUPS_MOST;
}

/* --- two kernels --- */

struct pair {
    struct promising places[2]; /* the second one has a session of its own, if it has another context */
    struct session other;
    struct held held[2];
    cl_command_queue queue;
};

/* Lets go those that were started, and waits for them. */
static int end_pair(struct pair *pair, struct error *error)
{
    int failed = 0;

    for (int i = 0; i < 2; ++i)
        if (pair->held[i].event != NULL)
            failed |= held_let_go(&pair->held[i], error);
    for (int i = 0; i < 2; ++i)
        failed |= held_end(&pair->held[i], error);
    return failed;
}

/* Gives a kernel of many groups time to begin one on each compute unit, and more. */
static bool fills(struct held *held)
{
    const uint32_t units = held->promising->session->info.compute_units;

    for (int i = 0; held->groups > 1 && i < FILLING_LOOKS && held_read(held, HELD_BEGAN) < units; ++i)
        nanosleep(&(struct timespec){.tv_nsec = FILLING_NS / FILLING_LOOKS}, NULL);
    if (held->groups > 1)
        nanosleep(&(struct timespec){.tv_nsec = FILLING_NS / 10}, NULL);
    return !held_has_ended(held);
}

/* Both run at the same time: each has begun, and only the host's word, which comes when both have, ends them. */
static int try_pair(void *context, struct error *error)
{
    struct pair *pair = context;

    for (int i = 0; i < 2; ++i)
        if (held_clear(&pair->held[i], error) != 0)
            return -1;
    if (held_start(&pair->held[0], error) != 0)
        return -1;
    if (!held_begins(&pair->held[0]) || !fills(&pair->held[0]))
        return end_pair(pair, error) != 0 ? -1 : 2;
    if (held_start(&pair->held[1], error) != 0)
        return -1;
    const bool both = held_begins(&pair->held[1]) && !held_has_ended(&pair->held[0]);
    if (end_pair(pair, error) != 0)
        return -1;
    return both && held_read(&pair->held[0], HELD_LET_GO) != 0 && held_read(&pair->held[1], HELD_LET_GO) != 0;
}

/* The same device in another context; without an enqueuer. */
static int open_beside(const struct session *session, struct session *other, struct error *error)
{
    cl_int code;

    *other = *session;
    other->queue = other->side_queue = NULL;
    other->board = other->pages = (struct board_memory){0};
    other->program_count = 0;
    other->context = clCreateContext(NULL, 1, &other->device, NULL, NULL, &code);
    if (code == CL_SUCCESS)
        other->queue = session_make_queue(other, 0, &code);
    if (code == CL_SUCCESS)
        other->side_queue = session_make_queue(other, 0, &code);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "preparing another context", code);
}

static void close_beside(struct session *other)
{
    if (other->context == NULL)
        return;
    board_memory_free(other, &other->board);
    for (size_t i = 0; i < other->program_count; ++i) {
        clReleaseKernel(other->programs[i].kernel);
        clReleaseProgram(other->programs[i].program);
    }
    if (other->queue != NULL)
        clReleaseCommandQueue(other->queue);
    if (other->side_queue != NULL)
        clReleaseCommandQueue(other->side_queue);
    clReleaseContext(other->context);
}

static int open_second(struct pair *pair, enum together together, struct error *error)
{
    struct session *session = pair->places[0].session;
    const bool out_of_order = together == TOGETHER_QUEUE;
    cl_int code = CL_SUCCESS;

    if (together == TOGETHER_CONTEXTS) {
        pair->places[1].session = &pair->other;
        if (open_beside(session, &pair->other, error) != 0)
            return -1;
        return held_open(&pair->held[1], &pair->places[1], HOLD_MS, error);
    }
    pair->queue = session_make_queue(session, out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &code);
    if (code != CL_SUCCESS)
        return cl_status_error(error, "clCreateCommandQueue", code);
    pair->held[1] = pair->held[0];
    pair->held[1].slot = 1;
    pair->held[1].queue = pair->queue;
    if (out_of_order)
        pair->held[0].queue = pair->queue;
    if (together == TOGETHER_FULL)
        pair->held[0].groups = many_groups(session);
    return 0;
}

int promise_overlap(struct promising *promising, struct error *error)
{
    const enum together together = (enum together)promising->promise->of[0];
    struct pair pair = {.places = {*promising, *promising}};

    if (together == TOGETHER_QUEUE &&
        (promising_ask(promising, CL_DEVICE_QUEUE_PROPERTIES) & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0)
        return 0;
    if (held_open(&pair.held[0], &pair.places[0], HOLD_MS, error) != 0)
        return -1;
    if (held_refusal(&pair.held[0]) != NULL)
        return promising_undecided(promising, held_refusal(&pair.held[0]));
    int outcome = open_second(&pair, together, error);
    if (outcome == 0)
        outcome = promising_count(promising, try_pair, &pair, "both ran at the same time", error);
    if (pair.queue != NULL)
        clReleaseCommandQueue(pair.queue);
    if (pair.places[1].session == &pair.other)
        close_beside(&pair.other);
    return outcome == 0 && promising->finding.undecided ? promising_undecided(promising, unseen) : outcome;
}

/* --- a read beside a thread that waits --- */

struct beside {
    struct held held;
    cl_command_queue queue;
    cl_mem buffers[2];
    _Atomic bool begins; /* the other thread is about to wait */
    cl_int code;         /* of its wait */
};

static void *wait_for_kernel(void *context)
{
    struct beside *beside = context;
    uint32_t word;

    atomic_store(&beside->begins, true);
    if (beside->held.promising->promise->of[0] != 0)
        beside->code = clFinish(beside->held.queue);
    else
        beside->code =
            clEnqueueReadBuffer(beside->held.queue, beside->buffers[0], CL_TRUE, 0, sizeof word, &word, 0, NULL, NULL);
    return NULL;
}

/*
 * The kernel ends by the host's word, which comes when the read has returned; or without it, and the read had to
 * wait.
 */
static int read_beside(struct beside *beside, struct error *error)
{
    pthread_t thread;
    uint32_t word;

    if (pthread_create(&thread, NULL, wait_for_kernel, beside) != 0)
        return error_set(error, STATUS_HARNESS, "cannot start a thread that waits");
    while (!atomic_load(&beside->begins))
        sched_yield();
    nanosleep(&(struct timespec){.tv_nsec = BESIDE_NS}, NULL);
    cl_int code = clEnqueueReadBuffer(beside->queue, beside->buffers[1], CL_TRUE, 0, sizeof word, &word, 0, NULL, NULL);
    const int outcome = held_let_go(&beside->held, error);
    pthread_join(thread, NULL);
    code = code == CL_SUCCESS ? beside->code : code;
    return code == CL_SUCCESS ? outcome : cl_status_error(error, "a read or a wait", code);
}

static int try_beside(void *context, struct error *error)
{
    struct beside *beside = context;
    struct held *held = &beside->held;

    beside->begins = false;
    if (held_clear(held, error) != 0 || held_start(held, error) != 0)
        return -1;
    const bool begins = held_begins(held);
    int outcome = begins ? read_beside(beside, error) : held_let_go(held, error);
    if (held_end(held, error) != 0 || outcome != 0)
        return -1;
    return begins ? held_read(held, HELD_LET_GO) != 0 : 2;
}

int promise_beside(struct promising *promising, struct error *error)
{
    struct session *session = promising->session;
    struct beside beside = {.begins = false};
    cl_int code = CL_SUCCESS;
    int outcome = held_open(&beside.held, promising, HOLD_MS, error);

    if (outcome == 0 && held_refusal(&beside.held) != NULL)
        return promising_undecided(promising, held_refusal(&beside.held));
    if (outcome == 0)
        beside.queue = session_make_queue(session, 0, &code);
    for (int i = 0; i < 2 && outcome == 0 && code == CL_SUCCESS; ++i)
        beside.buffers[i] = clCreateBuffer(session->context, CL_MEM_READ_WRITE, sizeof(uint32_t), NULL, &code);
    if (outcome == 0 && code != CL_SUCCESS)
        outcome = cl_status_error(error, "preparing a read", code);
    if (outcome == 0)
        outcome = promising_count(promising, try_beside, &beside, "the read did not wait for the kernel", error);
    for (int i = 0; i < 2; ++i)
        if (beside.buffers[i] != NULL)
            clReleaseMemObject(beside.buffers[i]);
    if (beside.queue != NULL)
        clReleaseCommandQueue(beside.queue);
    return outcome == 0 && promising->finding.undecided ? promising_undecided(promising, unseen) : outcome;
}

/* --- groups that run at one time --- */

enum { MEET_WORDS = 32, MEET_MET = 16, MEET_MS = 50 };

static int meet(struct promising *promising, struct error *error)
{
    const size_t global[3] = {many_groups(promising->session), 1, 1}, local[3] = {1, 1, 1};
    struct finding *finding = &promising->finding;
    const struct buffer *told = &promising->buffers[0];
    const int ran = promising_run(promising, global, local, &promising->buffers[0], error);

    if (ran == 0)
        return error_set(error, STATUS_HARNESS, "a launch failed: %s", promising_failure(promising));
    if (ran == 1 && told->words[MEET_MET] > finding->measured)
        finding->measured = told->words[MEET_MET];
    return ran == 1 ? 0 : -1;
}

int promise_units(struct promising *promising, struct error *error)
{
    struct finding *finding = &promising->finding;
    struct held held;

    if (held_open(&held, promising, MEET_MS, error) != 0 || promising_build(promising, "promise_meet", error) != 0 ||
        promising_buffer(promising, 0, MEET_WORDS, error) != 0)
        return -1;
    finding->offered = true;
    finding->promised = promising->session->info.compute_units;
    if (clSetKernelArg(promising->program->kernel, 1, sizeof held.bound, &held.bound) != CL_SUCCESS)
        return error_set(error, STATUS_HARNESS, "clSetKernelArg failed");
    for (; finding->tries < PROMISE_TRIES; ++finding->tries)
        if (meet(promising, error) != 0)
            return -1;
    return promising_says(promising, "The driver says %llu compute units.", (unsigned long long)finding->promised);
}

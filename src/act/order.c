/* Promises about the order of commands, and about the calls that wait for their end. */
#include "act/steps.h"
#include "base/clock.h"

enum {
    LAUNCHES = 12,
    CHAIN_NS = 50000000,
    LENGTHENED = 3,
};

struct chain {
    struct steps steps;
    enum ordering ordering;
    enum completing completing;
    cl_command_queue queues[2];
    cl_event events[LAUNCHES];
};

static cl_command_queue queue_of(const struct chain *chain, uint32_t step)
{
    return chain->queues[chain->ordering == ORDER_QUEUES ? step % 2 : 0];
}

static bool is_out_of_order(const struct chain *chain)
{
    return chain->ordering == ORDER_BARRIERS || chain->ordering == ORDER_LISTS;
}

/* 1; 0: the driver refuses it. */
static int enqueue(struct chain *chain, struct error *error)
{
    struct promising *promising = chain->steps.promising;
    const bool waits = chain->ordering == ORDER_LISTS || chain->ordering == ORDER_QUEUES;

    for (uint32_t step = 0; step < LAUNCHES; ++step) {
        cl_command_queue queue = queue_of(chain, step);
        cl_int code = CL_SUCCESS;
        if (chain->ordering == ORDER_BARRIERS && step > 0)
            code = clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL);
        if (code != CL_SUCCESS)
            return promising_refused(promising, "clEnqueueBarrierWithWaitList", code);
        struct wait_list list = {0, NULL};
        if (waits && step > 0)
            list = (struct wait_list){1, &chain->events[step - 1]};
        const int outcome = steps_enqueue(&chain->steps, step, queue, list, &chain->events[step], error);
        if (outcome != 1)
            return outcome;
        code = chain->completing != COMPLETE_UNFLUSHED ? clFlush(queue) : CL_SUCCESS;
        if (code != CL_SUCCESS)
            return promising_refused(promising, "clFlush", code);
    }
    return 1;
}

/* That of a launch that ends early comes first, or last, so that a wait for one of them is not enough. */
static cl_int wait_for_two(const struct chain *chain)
{
    const size_t last = chain->steps.promising->finding.tries % 2 == 0 ? LAUNCHES - 1 : 0;
    return clWaitForEvents(2, (const cl_event[]){chain->events[LAUNCHES - 1 - last], chain->events[last]});
}

/* 1: the call that waits for the last launch was made, and says that it succeeded. */
static int wait_for_last(struct chain *chain)
{
    const bool finishes = chain->completing == COMPLETE_FINISH || chain->completing == COMPLETE_RESULTS;
    const cl_int code = finishes ? clFinish(queue_of(chain, LAUNCHES - 1)) : wait_for_two(chain);

    return code == CL_SUCCESS
               ? 1
               : promising_refused(chain->steps.promising, finishes ? "clFinish" : "clWaitForEvents", code);
}

/* 1: the events of the launches from that one on say that these are complete. */
static int judge_status(struct chain *chain, uint32_t first)
{
    for (uint32_t step = first; step < LAUNCHES; ++step) {
        const cl_int status = event_status(chain->events[step]);
        if (status != CL_COMPLETE)
            return promising_says(
                chain->steps.promising,
                "When the wait had returned, the event of launch %u of %u had the status %d, and not CL_COMPLETE.",
                step + 1, LAUNCHES, (int)status);
    }
    return 1;
}

/* Where only the order is judged, the last queue reads the results; else another one, once the wait has ended. */
static int run_chain(struct chain *chain, struct error *error)
{
    struct session *session = chain->steps.promising->session;
    const enum completing completing = chain->completing;
    int outcome = enqueue(chain, error);

    if (outcome == 1 && completing != COMPLETE_READ)
        outcome = wait_for_last(chain);
    if (outcome != 1 || completing == COMPLETE_READ || completing == COMPLETE_RESULTS)
        return outcome == 1 ? steps_read(&chain->steps, LAUNCHES, queue_of(chain, LAUNCHES - 1)) : outcome;
    outcome = judge_status(chain, completing == COMPLETE_FINISH ? 0 : LAUNCHES - 1);
    return outcome == 1 ? steps_read(&chain->steps, LAUNCHES, session->side_queue) : outcome;
}

/* Nothing of a chain that did not go well may run beside the next one. */
static void release(struct chain *chain)
{
    for (int i = 0; i < LAUNCHES; ++i)
        if (chain->events[i] != NULL) {
            clWaitForEvents(1, &chain->events[i]);
            clReleaseEvent(chain->events[i]);
        }
    for (int i = 0; i < 2; ++i)
        if (chain->queues[i] != NULL)
            clReleaseCommandQueue(chain->queues[i]);
}

static int open_queues(struct chain *chain)
{
    const cl_command_queue_properties properties = is_out_of_order(chain) ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0;
    const int count = chain->ordering == ORDER_QUEUES ? 2 : 1;
    cl_int code = CL_SUCCESS;

    for (int i = 0; i < LAUNCHES; ++i)
        chain->events[i] = NULL;
    for (int i = 0; i < 2; ++i)
        chain->queues[i] = NULL;
    for (int i = 0; i < count && code == CL_SUCCESS; ++i)
        chain->queues[i] = session_make_queue(chain->steps.promising->session, properties, &code);
    return code == CL_SUCCESS ? 1 : promising_refused(chain->steps.promising, "clCreateCommandQueue", code);
}

static int try_chain(void *context, struct error *error)
{
    struct chain *chain = context;
    int outcome = open_queues(chain);

    if (outcome == 1 && steps_begin(&chain->steps, chain->queues[0], error) != 0)
        outcome = -1;
    if (outcome == 1)
        outcome = run_chain(chain, error);
    release(chain);
    return outcome;
}

/* Where a wait is judged, the chain has to run for some time after the call: a few more steps are enough. */
static int lengthen(struct chain *chain, struct error *error)
{
    struct promising *promising = chain->steps.promising;
    const uint64_t cut_at = promising->session->probe.loops_cut_at;
    const uint64_t most = cut_at != 0 ? cut_at / 4 * 3 : UINT32_MAX;

    if (chain->completing != COMPLETE_FINISH && chain->completing != COMPLETE_WAIT)
        return 0;
    for (int i = 0; i < LENGTHENED; ++i) {
        const uint64_t began_ns = clock_ns();
        session_stage(promising->session, STAGE_RUNNING);
        if (promising_begins(promising, error) != 0 || try_chain(chain, error) < 0)
            return -1;
        if (clock_ns() - began_ns >= CHAIN_NS)
            break;
        const uint64_t longer = UINT64_C(4) * chain->steps.turns;
        chain->steps.turns = (uint32_t)(longer < most ? longer : most);
    }
    promising->finding.text[0] = '\0';
    return 0;
}

int promise_order(struct promising *promising, struct error *error)
{
    struct chain chain = {.ordering = (enum ordering)promising->promise->of[0],
                          .completing = (enum completing)promising->promise->of[1]};

    if (is_out_of_order(&chain) &&
        (promising_ask(promising, CL_DEVICE_QUEUE_PROPERTIES) & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0)
        return 0;
    promising->finding.offered = true;
    if (steps_open(&chain.steps, promising, error) != 0 || lengthen(&chain, error) != 0)
        return -1;
    return promising_try(promising, try_chain, &chain, error);
}

#include "act/run.h"

#include "device/cl_status.h"

#include <stdlib.h>
#include <string.h>

int results_init(struct results *results, struct promising *promising, cl_kernel kernel, size_t count,
                 struct error *error)
{
    *results = (struct results){.words = calloc(count, sizeof *results->words), .count = count};
    if (results->words == NULL)
        return error_set(error, STATUS_HARNESS, "no memory for %zu results", count);
    results->buffer = promising_buffer(promising, kernel, 0, count * sizeof *results->words, error);
    return results->buffer == NULL ? -1 : 0;
}

void results_fini(struct results *results)
{
    if (results->buffer != NULL)
        clReleaseMemObject(results->buffer);
    free(results->words);
}

int promising_run(struct promising *promising, const struct launch *launch, struct results *results,
                  struct launch_end *end, struct error *error)
{
    cl_command_queue queue = promising->session->queue;
    const size_t bytes = results->count * sizeof *results->words;
    cl_int code;

    memset(results->words, 0, bytes);
    code = clEnqueueWriteBuffer(queue, results->buffer, CL_TRUE, 0, bytes, results->words, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return cl_status_error(error, "clEnqueueWriteBuffer", code);
    promising_launch(promising, launch->kernel, launch->global_size, launch->local_size, end);
    if (end->enqueue_code != CL_SUCCESS || end->finish_code != CL_SUCCESS)
        return 0;
    code = clEnqueueReadBuffer(queue, results->buffer, CL_TRUE, 0, bytes, results->words, 0, NULL, NULL);
    return code == CL_SUCCESS ? 1 : cl_status_error(error, "clEnqueueReadBuffer", code);
}

int promising_repeat(struct promising *promising, promise_try *attempt, void *context, struct error *error)
{
    struct finding *finding = &promising->finding;

    for (int i = 0; i < PROMISE_TRIES; ++i) {
        if (promising_begins(promising, error) != 0)
            return -1;
        const int found = attempt(context, error);
        if (found < 0)
            return -1;
        finding->tries += 1;
        finding->fails += found == 0;
    }
    return 0;
}

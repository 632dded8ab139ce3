#include "base/alloc.h"
#include "host/leaving.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The worker shares its memory with a driver, and is not believed if it says too much. */
static void take_kernel(void *context, const struct wire_packet *packet)
{
    enum { LOG_MOST = 1 << 17 };
    struct remote_kernels *kernels = context;
    const size_t length = kernels->log != NULL ? strlen(kernels->log) : 0;

    if (packet->header.type == WIRE_KERNEL) {
        GROW(kernels->kernels, kernels->count);
        struct subject_kernel_info *kernel = &kernels->kernels[kernels->count++];
        *kernel = packet->body.kernel;
        kernel->name[sizeof kernel->name - 1] = '\0';
        for (int i = 0; i < SUBJECT_LOCALS; ++i)
            kernel->locals[i].name[sizeof kernel->locals[i].name - 1] = '\0';
        if (kernel->local_count > SUBJECT_LOCALS)
            kernel->local_count = SUBJECT_LOCALS;
    }
    if (packet->header.type != WIRE_LOG || length > LOG_MOST)
        return;
    kernels->log = xrealloc(kernels->log, length + WIRE_LOG_BYTES);
    snprintf(kernels->log + length, WIRE_LOG_BYTES, "%.*s", WIRE_LOG_BYTES - 1, packet->body.log.text);
}

/* The driver may have died of a program that another thread was building, by chance, or of an optional part. */
static bool tries_again(struct leaving *leaving, int outcome, const struct error *error, bool *again)
{
    if (outcome == -1 && remote_learn_fatal(leaving->remote))
        return true;
    const bool first = !*again;
    *again = true;
    return (outcome == -1 && first && remote_lost_worker(leaving->remote, error)) ||
           leaving_tries(leaving, outcome, error);
}

int remote_kernels(struct remote *remote, const struct subject *subject, struct remote_kernels *kernels,
                   struct error *error)
{
    struct leaving leaving;
    bool again = false;
    int outcome;

    *kernels = (struct remote_kernels){NULL, 0, NULL};
    leaving_begin_source(&leaving, remote);
    do {
        remote_kernels_fini(kernels);
        if (remote_need_open(remote, error) != 0)
            return -1;
        const struct supervisor_request request = {WIRE_SOURCE, subject, take_kernel, kernels, leaving.left_out};
        outcome = remote_request(remote, &request, error);
    } while (tries_again(&leaving, outcome, error, &again));
    if (outcome == -1 && error->status == STATUS_HARNESS)
        error->status = STATUS_SURPRISE; /* the driver's failure, not the tool's */
    return outcome == 0 ? 0 : -1;
}

void remote_kernels_fini(struct remote_kernels *kernels)
{
    free(kernels->kernels);
    free(kernels->log);
    *kernels = (struct remote_kernels){NULL, 0, NULL};
}

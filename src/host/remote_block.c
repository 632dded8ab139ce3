#include "host/remote.h"

#include "base/clock.h"
#include "host/death.h"
#include "host/signals.h"

#include <stdio.h>
#include <stdlib.h>

struct taken {
    struct remote_block *result;
    uint32_t most;
};

/* Tests come in their order; the worker shares its memory with a driver, and is not believed if it says otherwise. */
static void take_test(void *context, const struct wire_packet *packet)
{
    struct taken *taken = context;
    const bool next = packet->header.type == WIRE_TEST && packet->body.test.test == taken->result->count;
    if (next && taken->result->count < taken->most)
        taken->result->outcomes[taken->result->count++] = packet->body.test;
}

/* The worker ended in the middle of a test. */
static void observe_death(struct remote_block *result)
{
    struct error error;
    const bool by_user = signals_received() != 0;

    result->observation.outcome = result->end.reply == REPLY_DIED ? OUTCOME_CRASHED
                                  : by_user                       ? OUTCOME_INTERRUPTED
                                                                  : OUTCOME_KILLED;
    result->observation.code = result->end.signal != 0 ? result->end.signal : -result->end.exit_status;
    death_error(&result->end, &error);
    snprintf(result->text, sizeof result->text, "%s", error.text);
}

static void observe_end(const struct wire_done *done, struct remote_block *result)
{
    result->observation.outcome = done->outcome;
    result->observation.code = done->code;
    result->build_ns = done->build_ns;
    result->clean = !done->poisoned && outcome_is_harmless(done->outcome) && result->end.rungs[0] == '\0';
    snprintf(result->text, sizeof result->text, "%s", done->text);
}

int remote_block(struct remote *remote, const struct block *block, struct remote_block *result, struct error *error)
{
    struct wire_done done;
    const uint64_t began_ns = clock_ns();
    struct taken taken = {result, block->test_count};

    *result = (struct remote_block){.observation = {.groups = block->groups}};
    result->outcomes = calloc(block->test_count, sizeof *result->outcomes);
    if (result->outcomes == NULL)
        return error_set(error, STATUS_HARNESS, "no memory for the outcomes of %u tests", block->test_count);
    if (remote_need_open(remote, error) != 0)
        return -1;
    if (supervisor_request(remote->supervisor, WIRE_BLOCK, block, sizeof *block, take_test, &taken, &done, &result->end,
                           error) != 0)
        return -1;
    if (result->end.reply != REPLY_DONE) {
        remote->open = false;
        observe_death(result);
    } else {
        observe_end(&done, result);
        if (!result->clean) {
            supervisor_end_worker(remote->supervisor, !done.poisoned, &result->end);
            remote->open = false;
        }
    }
    result->unkillable = result->end.reply == REPLY_UNKILLABLE;
    result->duration_ns = clock_ns() - began_ns;
    return 0;
}

void remote_block_fini(struct remote_block *result)
{
    free(result->outcomes);
    result->outcomes = NULL;
    result->count = 0;
}

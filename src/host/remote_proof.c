#include "base/alloc.h"
#include "base/clock.h"
#include "host/remote_request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The worker shares its memory with somebody's kernel, and is not believed if it says too much. */
static void take_part(void *context, const struct wire_packet *packet)
{
    enum { MOST = 1 << 24 };
    struct remote_result *result = context;
    const struct wire_proved *proved = &packet->body.proved;

    if (packet->header.type != WIRE_PROVED || proved->count > WIRE_PART_WORDS || result->proof_words > MOST)
        return;
    result->proof = xrealloc(result->proof, (result->proof_words + proved->count) * sizeof *result->proof);
    memcpy(result->proof + result->proof_words, proved->words, proved->count * sizeof *proved->words);
    result->proof_words += proved->count;
}

/* As long as work-items access memory the worker says that it lives. */
static bool goes_on_silently(const struct supervisor_end *end)
{
    return end->reply == REPLY_KILLED && end->stage == STAGE_RUNNING;
}

static int ask(struct remote *remote, const struct proof_request *request, struct remote_result *result,
               struct error *error)
{
    const struct supervisor_request asked = {WIRE_PROOF, request, take_part, result, 0};

    const int outcome = remote_need_open(remote, error);

    result->proof_words = 0;
    return outcome == 0 ? remote_request(remote, &asked, error) : outcome;
}

/* Asks once more for the launch alone, whatever is made up of it, if the worker crashed, as it may have with others. */
static int ask_twice(struct remote *remote, const struct proof_request *request, struct remote_result *result,
                     struct error *error)
{
    struct proof_request *alone = xmalloc(sizeof *alone);
    int outcome = ask(remote, request, result, error);

    *alone = *request;
    alone->has_crashed = true;
    if (outcome != 0 && outcome != REMOTE_NO_WORKER && remote->end.reply == REPLY_DIED && !remote->end.out_of_memory)
        outcome = ask(remote, alone, result, error);
    free(alone);
    return outcome;
}

int remote_proof(struct remote *remote, const struct proof_request *request, struct remote_result *result,
                 struct error *error)
{
    const uint64_t began_ns = clock_ns();

    *result = (struct remote_result){.clean = true};
    const int outcome = ask_twice(remote, request, result, error);
    if (outcome == REMOTE_NO_WORKER || (outcome != 0 && error->status == STATUS_USAGE))
        return -1;
    if (outcome != 0)
        snprintf(result->text, sizeof result->text, "%s%.380s",
                 goes_on_silently(&remote->end) ? "no work-item accessed memory any more, so one may be in a loop that "
                                                  "accesses none: "
                                                : "",
                 error->text);
    result->end = remote->end;
    result->unkillable = remote->end.reply == REPLY_UNKILLABLE;
    result->duration_ns = clock_ns() - began_ns;
    remote_result_end(result,
                      &(struct observation){.groups = request->trial.groups,
                                            .outcome = outcome == 0 ? OUTCOME_ENDED : remote_failure(remote, error)});
    return 0;
}

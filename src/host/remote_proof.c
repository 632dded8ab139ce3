#include "base/alloc.h"
#include "base/clock.h"
#include "host/remote_request.h"

#include <stdio.h>
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

int remote_proof(struct remote *remote, const struct proof_request *request, struct remote_result *result,
                 struct error *error)
{
    const struct supervisor_request asked = {WIRE_PROOF, request, take_part, result, 0};
    const uint64_t began_ns = clock_ns();

    *result = (struct remote_result){.clean = true};
    int outcome = remote_need_open(remote, error);
    if (outcome == 0)
        outcome = remote_request(remote, &asked, error);
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

#include "base/alloc.h"
#include "base/clock.h"
#include "host/remote_request.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct trying {
    struct remote *remote;
    const struct remote_looker *looker;
    struct remote_result *result;
    struct observation observation;
    bool told; /* the launch came back */
    bool stood;
};

/* The worker shares its memory with somebody's kernel, and is not believed if it says too much. */
static void take(void *context, const struct wire_packet *packet)
{
    enum { MOST = 1 << 16 };
    struct trying *trying = context;
    char **made_up = &trying->result->made_up;
    const size_t length = *made_up != NULL ? strlen(*made_up) : 0;

    if (packet->header.type == WIRE_LAUNCH) {
        trying->observation = packet->body.launch.observation;
        trying->told = true;
    }
    if (packet->header.type != WIRE_LOG || length > MOST)
        return;
    *made_up = xrealloc(*made_up, length + WIRE_LOG_BYTES);
    snprintf(*made_up + length, WIRE_LOG_BYTES, "%.*s", WIRE_LOG_BYTES - 1, packet->body.log.text);
}

static void look(void *context, enum stage stage, uint64_t since_ns)
{
    struct trying *trying = context;
    struct supervisor *supervisor = trying->remote->supervisor;
    struct remote_result *result = trying->result;

    if (trying->stood || stage != STAGE_RUNNING || trying->looker == NULL)
        return;
    trying->stood = trying->looker->look(trying->looker->context, supervisor_worker(supervisor), since_ns, result->text,
                                         sizeof result->text);
    if (trying->stood)
        supervisor_kill(supervisor);
}

static void take_failure(struct trying *trying, const struct error *error)
{
    const struct supervisor_end *end = &trying->remote->end;
    struct remote_result *result = trying->result;
    struct observation *observation = &trying->observation;
    const uint32_t groups = observation->groups;

    if (!trying->told || end->reply != REPLY_DONE)
        *observation = (struct observation){
            .groups = groups, .outcome = trying->stood ? OUTCOME_STOOD : remote_failure(trying->remote, error)};
    if (observation->outcome == OUTCOME_CRASHED)
        observation->code = end->signal != 0 ? end->signal : -end->exit_status;
    if (!trying->stood && (observation->outcome != OUTCOME_KILLED || result->text[0] == '\0' || trying->told))
        snprintf(result->text, sizeof result->text, "%s", error->text);
    if (observation->outcome == OUTCOME_BUILD_FAILED) { /* what it took is the log of the build */
        free(result->made_up);
        result->made_up = NULL;
    }
    /* What a model device was asked to do leaves nothing behind. */
    result->clean = outcome_is_harmless(observation->outcome) ||
                    (end->reply == REPLY_DONE && device_info_is_model(&trying->remote->device));
    if (!result->clean && end->reply == REPLY_DONE)
        remote_drop_worker(trying->remote);
    result->unkillable = end->reply == REPLY_UNKILLABLE;
}

/* What a look saw before the launch ended counts no more. */
static void note_end(const struct trying *trying)
{
    struct remote_result *result = trying->result;

    result->text[0] = '\0';
    if (trying->observation.ended_cut > 0)
        snprintf(result->text, sizeof result->text,
                 "it returned, but this driver leaves a loop after %" PRIu64
                 " turns whatever its condition says, so its waits may not have ended",
                 trying->remote->probe.loops_cut_at);
}

int remote_try(struct remote *remote, const struct proof_request *request, const struct remote_looker *looker,
               struct remote_result *result, struct error *error)
{
    struct trying trying = {.remote = remote, .looker = looker, .result = result};
    const struct supervisor_request asked = {WIRE_TRY, request, take, &trying, 0};
    const uint64_t began_ns = clock_ns();

    *result = (struct remote_result){.clean = true};
    trying.observation = (struct observation){.groups = request->trial.groups, .outcome = OUTCOME_ENDED};
    int outcome = remote_need_open(remote, error);
    if (outcome == 0) {
        supervisor_tell(remote->supervisor, look, &trying);
        outcome = remote_request(remote, &asked, error);
        supervisor_tell(remote->supervisor, NULL, NULL);
    }
    if (outcome == REMOTE_NO_WORKER || (outcome != 0 && error->status == STATUS_USAGE))
        return -1;
    if (outcome != 0)
        take_failure(&trying, error);
    else
        note_end(&trying);
    result->end = remote->end;
    result->duration_ns = clock_ns() - began_ns;
    remote_result_end(result, &trying.observation);
    return 0;
}

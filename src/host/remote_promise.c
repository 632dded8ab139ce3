#include "base/clock.h"
#include "core/text.h"
#include "host/leaving.h"
#include "host/remote_request.h"
#include "host/signals.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static void take_finding(void *context, const struct wire_packet *packet)
{
    struct remote_result *result = context;
    if (packet->header.type != WIRE_FINDING)
        return;
    result->finding = packet->body.finding.finding;
    result->search = packet->body.finding.search;
    result->finding.text[sizeof result->finding.text - 1] = '\0';
    result->finding.failed_in[sizeof result->finding.failed_in - 1] = '\0';
    result->found = true;
}

/* Of the failures that it has told, the last one may be its own end. */
static bool has_failed_before(const struct finding *finding)
{
    return finding->fails > 1;
}

/*
 * A worker that ended in an act says of the promise what it told before, unless nobody knows whose fault that is: it
 * was not asked yet, or somebody else, or want of memory, ended it. That there was no end breaks no promise of
 * anything but an end; what was found to be kept before stays so.
 */
static bool is_undecided(const struct promise *promise, enum answer answer, const struct wire_done *done,
                         const struct remote_result *result)
{
    if (answer == ANSWER_DONE)
        return done->status != STATUS_OK;
    if (answer == ANSWER_LOSS || !result->found || done->outcome == OUTCOME_INTERRUPTED || result->end.out_of_memory)
        return true;
    if (has_failed_before(&result->finding))
        return false;
    return done->outcome == OUTCOME_KILLED ? result->finding.fails > 0 && !promise->ends && !promise->silent
                                           : done->code == SIGKILL || done->code == SIGTERM;
}

/* Which call did not come back is what was seen; what the act tells of itself says more, where it is there. */
static void tell_calls(const struct wire_done *done, struct remote_result *result)
{
    const struct supervisor_end *end = &result->end;
    struct finding *finding = &result->finding;
    const bool endless = done->outcome == OUTCOME_KILLED;

    if (end->calls[0] == '\0' || end->out_of_memory || finding->text[0] != '\0' ||
        (result->found && finding->fails == 0))
        return;
    snprintf(finding->failed_in, sizeof finding->failed_in, "%.95s", end->calls);
    text_append(finding->text, sizeof finding->text, endless ? "%s did not return" : "The driver died in %s",
                end->calls);
    text_append(finding->text, sizeof finding->text, "%s%s.", end->when[0] != '\0' ? " " : "", end->when);
}

/* It must end, and did not: is that so again, and do others end? Else the machine may only have been busy. */
static bool is_confirmed(struct remote *remote, const struct supervisor_request *request, struct remote_result *result)
{
    struct supervisor_end end;
    struct error ignored;

    if (remote_ends_so_again(remote, request, ANSWER_DEATH, OUTCOME_KILLED, result))
        return remote_canary(remote, &end, &ignored) == 0;
    snprintf(result->text, sizeof result->text, "once there was no end, and then it was not so");
    return false;
}

/* A process that was to leave has left; anything else is how it did not. */
static bool has_left(const struct promise *promise, enum answer answer, const struct wire_done *done,
                     const struct remote_result *result)
{
    return promise->act == ASK_LEAVE && answer == ANSWER_DEATH && done->outcome == OUTCOME_CRASHED &&
           result->end.signal == 0 && strcmp(result->end.calls, PROMISE_LEAVES) == 0;
}

/* That is what was tried. */
static void note_left(struct remote_result *result, uint32_t left)
{
    result->finding = (struct finding){.offered = true, .promised = 1, .measured = 1, .tries = left};
    result->text[0] = '\0';
}

enum { SEARCH_WORKERS = 24, LEAVING_WORKERS = 5 };

int remote_promise(struct remote *remote, const struct promise *promise, uint32_t tries, struct remote_result *result,
                   struct error *error)
{
    struct wire_promise body = {.tries = tries};
    struct supervisor_request request = {WIRE_PROMISE, &body, take_finding, result, 0};
    struct leaving leaving;
    struct wire_done done;
    const uint64_t began_ns = clock_ns();
    struct observation observation = {.outcome = OUTCOME_ENDED, .groups = 1};
    uint32_t left = 0; /* workers that have left, as they should */

    *result = (struct remote_result){0};
    snprintf(body.name, sizeof body.name, "%s", promise->name);
    leaving_begin_promise(&leaving, remote, promise);
    for (int workers = 0; workers < SEARCH_WORKERS; ++workers) {
        const enum answer answer = remote_ask_leaving(&leaving, &request, result, &done, error);
        if (answer == ANSWER_FAILED)
            return -1;
        if (has_left(promise, answer, &done, result)) {
            note_left(result, ++left);
            if (left == LEAVING_WORKERS)
                break;
            continue;
        }
        result->finding.tries += left;
        if (answer != ANSWER_DONE)
            observation = (struct observation){.outcome = done.outcome, .groups = 1, .code = done.code};
        const bool endless = answer == ANSWER_DEATH && done.outcome == OUTCOME_KILLED && promise->ends &&
                             result->found && result->finding.fails == 1;
        if (is_undecided(promise, answer, &done, result) ||
            (endless && result->search.tried == 0 && !is_confirmed(remote, &request, result)))
            result->finding.undecided = true;
        if (answer == ANSWER_DEATH)
            tell_calls(&done, result);
        if (answer == ANSWER_LOSS) {
            remote_result_end(result, &observation);
            return 0;
        }
        if (result->search.tried != 0)
            promise_search_lost(&result->search);
        if (result->unkillable || signals_received() != 0 || promise_search_next(&result->search) == 0)
            break;
        remote_drop_worker(remote); /* one amount may spoil the next */
        body.search = result->search;
    }
    result->duration_ns = clock_ns() - began_ns;
    remote_result_end(result, &observation);
    return 0;
}

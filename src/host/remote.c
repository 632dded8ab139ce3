#include "host/remote.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "core/board.h"
#include "host/death.h"
#include "host/leaving.h"
#include "host/remote_request.h"
#include "host/signals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- one request --- */

int remote_request(struct remote *remote, const struct supervisor_request *request, struct error *error)
{
    struct wire_done done;

    if (!supervisor_has_worker(remote->supervisor)) {
        remote->open = false;
        remote->fresh = true;
    }
    if (supervisor_request(remote->supervisor, request, &done, &remote->end, error) != 0)
        return REMOTE_NO_WORKER;
    if (remote->end.reply != REPLY_DONE)
        return death_error(&remote->end, error);
    return done.status == STATUS_OK ? 0 : error_set(error, done.status, "%s", done.text);
}

enum outcome remote_failure(const struct remote *remote, const struct error *error)
{
    const struct supervisor_end *end = &remote->end;

    if (end->reply == REPLY_DONE || end->out_of_memory)
        return error->status == STATUS_UNSUPPORTED ? OUTCOME_UNSUPPORTED
               : error->status == STATUS_SURPRISE  ? OUTCOME_BUILD_FAILED
                                                   : OUTCOME_CL_ERROR;
    if (signals_received() != 0)
        return OUTCOME_INTERRUPTED;
    return end->reply == REPLY_KILLED || end->reply == REPLY_UNKILLABLE ? OUTCOME_KILLED : OUTCOME_CRASHED;
}

void remote_drop_worker(struct remote *remote)
{
    struct supervisor_end end;
    supervisor_end_worker(remote->supervisor, true, &end);
    remote->open = false;
}

static int open_device(struct remote *remote, struct error *error)
{
    const struct wire_open body = {remote->device, remote->probe};

    if (supervisor_has_worker(remote->supervisor) && !remote->fresh)
        remote_drop_worker(remote); /* it holds another device */
    if (remote_request(remote, &(struct supervisor_request){.type = WIRE_OPEN, .body = &body}, error) != 0) {
        remote_drop_worker(remote);
        return error_context(error, "opening %s", DEVICE_LABEL_OF(&remote->device));
    }
    remote->fresh = false;
    remote->open = true;
    return 0;
}

bool remote_is_worth_another(const struct error *error)
{
    return error->status != STATUS_WEDGED && signals_received() == 0;
}

bool remote_lost_worker(const struct remote *remote, const struct error *error)
{
    const enum reply reply = remote->end.reply;
    return remote_is_worth_another(error) && (reply == REPLY_DIED || reply == REPLY_KILLED);
}

int remote_need_open(struct remote *remote, struct error *error)
{
    if ((supervisor_has_worker(remote->supervisor) && remote->open) || open_device(remote, error) == 0)
        return 0;
    return remote_is_worth_another(error) ? open_device(remote, error) : -1;
}

/* --- trials --- */

void remote_result_end(struct remote_result *result, const struct observation *observation)
{
    GROW(result->observations, result->count);
    result->observations[result->count++] = *observation;
}

/* What the mirror of a worker that ended in a launch, or its last message, still tells of that. */
static void observe_dead_launch(struct remote *remote, const struct trial *trial, const struct remote_result *result,
                                struct observation *observation)
{
    struct mirror *mirror = supervisor_mirror(remote->supervisor);
    const struct observation death = *observation;

    if (result->suspected) {
        *observation = result->suspect;
    } else if (atomic_load(&mirror->live_words) == trial_board_words(trial)) {
        const struct board board = trial_board(trial, mirror->live);
        observation_read(observation, trial, &board, NULL);
    }
    observation->outcome = death.outcome;
    observation->code = death.code;
}

/* A driver may have written there. */
static void take_subject(struct remote_result *result, const struct subject_facts *facts)
{
    result->subject = *facts;
    if ((uint32_t)result->subject.way >= ENTRY_COUNT)
        result->subject.way = ENTRY_NONE;
    result->subject.sizes[sizeof result->subject.sizes - 1] = '\0';
}

/* The worker has answered; it is ended after anything but a clean trial. */
static void take_done(struct remote *remote, const struct wire_done *done, struct remote_result *result)
{
    snprintf(result->text, sizeof result->text, "%s", done->text);
    result->facts = done->facts;
    take_subject(result, &done->subject);
    result->clean = !done->poisoned && outcome_is_harmless(done->outcome) && result->end.rungs[0] == '\0';
    if (result->clean)
        return;
    supervisor_end_worker(remote->supervisor, !done->poisoned, &result->end);
    result->unkillable = result->end.reply == REPLY_UNKILLABLE;
    remote->open = false;
}

/* Asks the worker for a trial, a block or a promise. If that cannot say so itself, *done is as if it had. */
static enum answer ask(struct remote *remote, const struct supervisor_request *request, struct remote_result *result,
                       struct wire_done *done, struct error *error)
{
    struct error failure;
    const struct supervisor_end *end = &result->end;

    if (remote_need_open(remote, &failure) != 0) {
        *done = (struct wire_done){.outcome = signals_received() != 0 ? OUTCOME_INTERRUPTED : OUTCOME_DEVICE_LOST};
        snprintf(result->text, sizeof result->text, "%s", failure.text);
        return ANSWER_LOSS;
    }
    if (supervisor_request(remote->supervisor, request, done, &result->end, error) != 0)
        return ANSWER_FAILED;
    remote->end = *end;
    result->unkillable = end->reply == REPLY_UNKILLABLE;
    if (end->reply != REPLY_DONE || done->outcome != OUTCOME_ENDED)
        result->tried_bytes = supervisor_tried(remote->supervisor, &result->tried);
    if (end->reply == REPLY_DONE) {
        take_done(remote, done, result);
        return ANSWER_DONE;
    }
    const bool ours = end->reply == REPLY_KILLED || end->reply == REPLY_UNKILLABLE;
    *done = (struct wire_done){.outcome = end->out_of_memory        ? OUTCOME_CL_ERROR
                                          : !ours                   ? OUTCOME_CRASHED
                                          : signals_received() != 0 ? OUTCOME_INTERRUPTED
                                                                    : OUTCOME_KILLED,
                               .code = end->out_of_memory ? 0
                                       : end->signal != 0 ? end->signal
                                                          : -end->exit_status};
    remote->open = false;
    if (atomic_load(&supervisor_mirror(remote->supervisor)->subject_known) == 1)
        take_subject(result, &supervisor_mirror(remote->supervisor)->subject);
    death_error(end, &failure);
    snprintf(result->text, sizeof result->text, "%s", failure.text);
    return ANSWER_DEATH;
}

/* --- the end of a trial --- */

bool remote_learn_fatal(struct remote *remote)
{
    struct mirror *mirror = supervisor_mirror(remote->supervisor);
    const uint64_t building = atomic_exchange(&mirror->building, 0);
    const bool beside = remote->end.stage != STAGE_BUILDING; /* what the worker's main thread did */
    struct error failure;

    if (remote->end.reply != REPLY_DIED || building == 0)
        return false;
    for (size_t i = 0; i < FATAL_BUILDS; ++i)
        if (atomic_load(&mirror->fatal[i]) == 0) {
            atomic_store(&mirror->fatal[i], building);
            death_error(&remote->end, &failure);
            fprintf(stderr, "gridlock: %s%s; going on without this program\n", failure.text,
                    beside ? ", while a program was being built in another thread" : "");
            return true;
        }
    return false;
}

/* A launch that did not end is the last one: whatever becomes of the worker after it is told is not another launch. */
static bool has_told_last(const struct remote_result *result)
{
    return result->count != 0 && result->observations[result->count - 1].outcome != OUTCOME_ENDED;
}

/* A trial that did not come to its end has an observation of that, unless its last launch has told it. */
static void tell_end(const struct leaving *leaving, enum answer answer, const struct wire_done *done,
                     struct remote_result *result)
{
    const struct trial *trial = leaving->trial;
    struct observation observation = {.outcome = done->outcome, .code = done->code};

    if (trial == NULL || has_told_last(result) || (answer == ANSWER_DONE && done->outcome == OUTCOME_ENDED))
        return;
    observation.groups = trial->groups;
    if (answer == ANSWER_DEATH)
        observe_dead_launch(leaving->remote, trial, result, &observation);
    remote_result_end(result, &observation);
}

static void forget_launches(struct remote_result *result)
{
    free(result->observations);
    free(result->tried_bytes);
    packed_fini(&result->packed_board);
    result->observations = NULL;
    result->tried_bytes = NULL;
    result->tried = (struct subject_tried){.text = NULL};
    result->count = result->evidence = 0;
    result->suspected = false;
}

bool remote_ends_so_again(struct remote *remote, const struct supervisor_request *request, enum answer answer,
                          enum outcome outcome, struct remote_result *result)
{
    struct remote_result again = {0};
    struct supervisor_request repeated = *request;
    struct error ignored;
    struct wire_done done;

    repeated.take = NULL;
    const enum answer other = ask(remote, &repeated, &again, &done, &ignored);
    result->unkillable = again.unkillable;
    remote_result_fini(&again);
    return other == answer && done.outcome == outcome;
}

enum answer remote_ask_leaving(struct leaving *leaving, struct supervisor_request *request,
                               struct remote_result *result, struct wire_done *done, struct error *error)
{
    for (bool first = true;; first = false) {
        request->left_out = leaving->left_out;
        const enum answer answer = ask(leaving->remote, request, result, done, error);
        if (answer == ANSWER_FAILED)
            return answer;
        const bool goes_on = leaving_goes_on(leaving, answer, done, result);
        if (!goes_on || first)
            tell_end(leaving, answer, done, result);
        leaving->once =
            goes_on && first && !remote_ends_so_again(leaving->remote, request, answer, done->outcome, result);
        if (!goes_on || leaving->once)
            return answer;
        forget_launches(result);
    }
}

/* Tests come in their order; the worker shares its memory with a driver, and is not believed if it says otherwise. */
static void take_test(void *context, const struct wire_packet *packet)
{
    struct remote_result *result = context;
    const bool next = packet->header.type == WIRE_TEST && packet->body.test.test == result->test_count;
    if (next && result->test_count < result->test_capacity)
        result->tests[result->test_count++] = packet->body.test;
}

void remote_result_begin(struct remote_result *result, const struct block *block)
{
    *result = (struct remote_result){.tests = xcalloc(block->test_count, sizeof *result->tests)};
    result->test_capacity = block->test_count;
}

int remote_block(struct remote *remote, const struct block *block, struct remote_result *result, struct error *error)
{
    struct supervisor_request request = {WIRE_BLOCK, block, take_test, result, 0};
    struct leaving leaving;
    struct wire_done done;
    const uint64_t began_ns = clock_ns();

    remote_result_begin(result, block);
    leaving_begin(&leaving, remote, block->local_size);
    const enum answer answer = remote_ask_leaving(&leaving, &request, result, &done, error);
    if (answer == ANSWER_FAILED)
        return -1;
    if (answer != ANSWER_LOSS)
        result->duration_ns = clock_ns() - began_ns;
    remote_result_end(result,
                      &(struct observation){.outcome = done.outcome, .groups = block->groups, .code = done.code});
    return 0;
}

void remote_result_fini(struct remote_result *result)
{
    free(result->observations);
    free(result->tests);
    packed_fini(&result->packed_board);
    free(result->tried_bytes);
    free(result->proof);
    free(result->made_up);
    *result = (struct remote_result){0};
}

static int try_canary(struct remote *remote, uint32_t left_out, struct supervisor_end *end, struct error *error)
{
    const struct supervisor_request request = {.type = WIRE_CANARY, .left_out = left_out};

    *end = (struct supervisor_end){.reply = REPLY_DONE};
    if (remote_need_open(remote, error) != 0)
        return -1;
    const int outcome = remote_request(remote, &request, error);
    *end = remote->end;
    if (outcome == 0 || outcome == REMOTE_NO_WORKER)
        return outcome;
    remote_drop_worker(remote);
    return error_context(error, "%s: the canary failed", DEVICE_LABEL_OF(&remote->device));
}

int remote_canary(struct remote *remote, struct supervisor_end *end, struct error *error)
{
    struct leaving leaving;

    leaving_begin(&leaving, remote, 1);
    if (try_canary(remote, leaving.noted, end, error) == 0 ||
        (remote_is_worth_another(error) && try_canary(remote, leaving.may, end, error) == 0))
        return 0;
    if (signals_received() == 0)
        error->status = STATUS_WEDGED;
    return -1;
}

int remote_save_binary(struct remote *remote, const struct footprint *footprint, const char *path, struct error *error)
{
    struct wire_binary body = {.footprint = *footprint};
    if (snprintf(body.path, sizeof body.path, "%s", path) >= (int)sizeof body.path)
        return error_set(error, STATUS_USAGE, "the path %.64s... is too long", path);
    if (remote_need_open(remote, error) != 0)
        return -1;
    const struct supervisor_request request = {
        .type = WIRE_BINARY, .body = &body, .left_out = optional_noted(remote->probe.left_out, footprint->local_size)};
    return remote_request(remote, &request, error);
}

#include "worker/proof.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "device/cl_status.h"
#include "device/enqueuer.h"
#include "driver/model.h"
#include "judge/verdict.h"
#include "model/machine.h"
#include "proof/verdict.h"
#include "worker/launch.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    LOOK_NS = 20000000,
    JUDGING = 4, /* times the budget of exploring: a judgement that takes longer is ended as a driver's call would be */
    HURRY_PART = 20, /* of the time, if numbers are made up */
    WALK_PART = 4,   /* of time and memory this part is for launches by lot, if the rest does not suffice, */
    JUDGE_PART = 4,  /* and of time as much to judge what was found */
    MEMORY_PART = 8, /* of the machine's memory states take at most this part: there is more that judges them */
};

/* --- exploring --- */

static size_t memory_most(const struct proof_request *request)
{
    if (request->memory_bytes != 0)
        return request->memory_bytes;
    return (size_t)sysconf(_SC_PHYS_PAGES) / MEMORY_PART * (size_t)sysconf(_SC_PAGESIZE);
}

/* It lives as long as it can be looked at. */
static void wait_for_end(struct session *session, struct launch_end *end)
{
    uint64_t steps = 0;

    while (!enqueuer_wait(session->enqueuer, LOOK_NS, end)) {
        if (machine_steps() == steps)
            machine_look(); /* which ends what takes too long */
        steps = machine_steps();
        session_stage(session, STAGE_RUNNING);
    }
}

/* The launch's arguments are set. In which order groups start they note on the board, and do not read. */
static int explore_launch(const struct proof_launch *proving, const struct launch_plan *plan, struct explored *explored,
                          struct error *error)
{
    const struct proof_request *request = proving->request;
    const size_t walk_bytes = memory_most(request) / WALK_PART;
    const uint64_t budget_ns = request->budget_ns / (proving->hurries && proving->numbers > 0 ? HURRY_PART : 1);
    const uint64_t walk_ns = budget_ns / WALK_PART;
    struct explore_bounds bounds = {.bytes = memory_most(request) - walk_bytes,
                                    .until_ns = clock_ns() + budget_ns - walk_ns - budget_ns / JUDGE_PART,
                                    .alone_ns = request->alone_ns,
                                    .walk_bytes = walk_bytes,
                                    .walk_ns = walk_ns};
    struct launch_end end;

    if (proof_ignore(proving, &bounds, error) != 0)
        return -1;
    bounds.has_notes = proving->kernel == NULL;
    for (uint32_t i = 0; bounds.has_notes && i < request->trial.groups; ++i)
        bounds.ignored[bounds.ignored_count++] = (struct explore_ignored){
            0, (GL_CONTROL_WORDS + i * GL_ENTRY_WORDS + GL_TICKET) * sizeof(uint32_t), sizeof(uint32_t)};

    model_explore(&bounds, explored);
    session_stage(proving->session, STAGE_RUNNING);
    launch_enqueue(proving->session, plan);
    wait_for_end(proving->session, &end);
    model_explore(NULL, NULL);
    session_stage(proving->session, STAGE_READING);
    if (end.enqueue_code == CL_SUCCESS && end.finish_code == CL_SUCCESS)
        return proof_check_ignored(&bounds, explored, error);
    if (request->trial.groups * proof_group_items(&request->trial) > PROOF_ITEMS)
        return proof_refuse_size(&request->trial, error);
    return error_set(error, STATUS_UNSUPPORTED, "the launch cannot be explored: %s",
                     cl_status_name(end.enqueue_code != CL_SUCCESS ? end.enqueue_code : end.finish_code));
}

/* --- what follows --- */

/* Says that the worker lives while it judges, which calls no driver. */
struct pulse {
    struct session *session;
    uint64_t until_ns;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t ended;
    bool runs, ends;
};

static void *beat(void *context)
{
    struct pulse *pulse = context;

    pthread_mutex_lock(&pulse->mutex);
    while (!pulse->ends && clock_ns() < pulse->until_ns) {
        struct timespec at;
        session_stage(pulse->session, STAGE_READING);
        clock_gettime(CLOCK_MONOTONIC, &at);
        at.tv_sec += 1;
        pthread_cond_timedwait(&pulse->ended, &pulse->mutex, &at);
    }
    pthread_mutex_unlock(&pulse->mutex);
    return NULL;
}

static void pulse_begin(struct pulse *pulse)
{
    pthread_condattr_t attributes;

    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&pulse->mutex, NULL);
    pthread_cond_init(&pulse->ended, &attributes);
    pthread_condattr_destroy(&attributes);
    pulse->runs = pthread_create(&pulse->thread, NULL, beat, pulse) == 0;
}

static void pulse_end(struct pulse *pulse)
{
    pthread_mutex_lock(&pulse->mutex);
    pulse->ends = true;
    pthread_mutex_unlock(&pulse->mutex);
    pthread_cond_signal(&pulse->ended);
    if (pulse->runs)
        pthread_join(pulse->thread, NULL);
    pthread_cond_destroy(&pulse->ended);
    pthread_mutex_destroy(&pulse->mutex);
}

char *proof_name_line(const struct trial *trial, const char *line)
{
    static const char ours[] = "kernel.cl:";
    const char *file = trial->footprint.subject.file, *slash = strrchr(file, '/');

    if (strncmp(line, ours, sizeof ours - 1) != 0)
        return xstrdup(line);
    if (file[0] == '\0')
        return xasprintf("%s.cl:%s", trial->work.kernel, line + sizeof ours - 1);
    return xasprintf("%s:%s", slash != NULL ? slash + 1 : file, line + sizeof ours - 1);
}

/* Of the kernel's own, and of its arguments that are given: what else there is follows from the size. */
static uint64_t local_bytes(const struct proof_launch *proving)
{
    uint64_t bytes = proving->kernel->original.local_bytes;

    for (uint32_t i = 0; i < proving->request->argument_count; ++i)
        if (proving->request->arguments[i].kind == PROOF_ARGUMENT_LOCAL)
            bytes += proving->request->arguments[i].bytes;
    return bytes;
}

bool proof_is_for_one_size(const struct proof_launch *proving, const struct explored *explored)
{
    const bool is_made_up = proof_is_shape_made_up(proving) || proving->making.more;
    return is_made_up && proving->kernel != NULL && local_bytes(proving) > PROOF_VARIABLE_BYTES &&
           (explored->asked_any & (ASKED_IN_GROUP | ASKED_ITEM)) != 0 && (explored->asked_any & ASKED_GROUP_SIZE) == 0;
}

/* Some buffer is made up, of which more is read than words that others wait for, which are zero in the beginning. */
static bool is_for_other_values(const struct proof_launch *proving, const struct explored *explored)
{
    const struct proof_result *result = proving->result;
    return explored->fault_kind == FAULT_ENDLESS && explored->accessed && !explored_has_atomics(explored) &&
           result->texts[result->made_up][0] != '\0';
}

static void tell(const struct proof_launch *proving, cl_kernel kernel, const struct explored *explored)
{
    const struct trial *trial = &proving->request->trial;
    const uint32_t sites = explored->site_count;
    char(*lines)[MODEL_LINE] = xcalloc((size_t)sites + 1, sizeof *lines), fault_line[MODEL_LINE];
    char **named = xcalloc((size_t)sites + 1, sizeof *named);

    struct pulse pulse = {.session = proving->session, .until_ns = clock_ns() + JUDGING * proving->request->budget_ns};
    pulse_begin(&pulse);
    model_explored_lines(kernel, explored, lines, fault_line);
    for (uint32_t i = 0; i < sites; ++i)
        named[i] = proof_name_line(trial, lines[i]);
    char *fault = proof_name_line(trial, fault_line);
    proof_tell(&(struct proof_names){explored, trial, proving->kernel, named, fault, proving->check,
                                     proof_is_for_one_size(proving, explored), is_for_other_values(proving, explored)},
               proving->result);
    pulse_end(&pulse);
    free(fault);
    for (uint32_t i = 0; i < sites; ++i)
        free(named[i]);
    free(named);
    free(lines);
}

/* --- a kernel of the user's --- */

/* It is large, perhaps for numbers that are made up: what follows from a part of it is not asked. */
static bool is_given_up(const struct proof_launch *proving, const struct explored *explored)
{
    return proving->hurries && proving->numbers > 0 && explored->extent == PROOF_TO_TIME;
}

int proof_explore(struct proof_launch *proving, struct explored *explored, char **log, struct error *error)
{
    int outcome = proof_make(proving, log, error);

    if (outcome == 0)
        outcome = proof_expect(proving, error);
    if (outcome == 0) {
        struct program program = {.kernel = proving->made, .subject = proving->kernel};
        const struct launch_plan plan = {.trial = &proving->request->trial, .program = &program};
        outcome = explore_launch(proving, &plan, explored, error);
    }
    if (outcome == 0 && !is_given_up(proving, explored))
        tell(proving, proving->made, explored);
    proof_expect_no_more(proving);
    proof_unmake(proving);
    return outcome;
}

/* In the time that is left. */
static int explore_again(struct proof_launch *proving, struct explored *explored, uint64_t until_ns, char **log,
                         struct error *error)
{
    const struct proof_request *asked = proving->request;
    struct proof_request *request = xmalloc(sizeof *request);
    const uint64_t now_ns = clock_ns();

    *request = *asked;
    request->budget_ns = until_ns > now_ns ? until_ns - now_ns : 1;
    proof_result_fini(proving->result);
    explored_fini(explored);
    free(*log);
    *log = NULL;
    proof_result_text(proving->result, "");
    proving->request = request;
    const int outcome = proof_explore(proving, explored, log, error);
    proving->request = asked;
    free(request);
    return outcome;
}

static int explore_subject(struct proof_launch *proving, struct explored *explored, char **log, struct error *error)
{
    const uint64_t until_ns = clock_ns() + proving->request->budget_ns;
    proving->hurries = !proving->request->has_crashed;
    int outcome = proof_explore(proving, explored, log, error);
    const bool given_up = outcome == 0 && is_given_up(proving, explored);

    proving->hurries = false;
    if (proving->request->has_crashed)
        proving->result->unwritten = proof_result_text(proving->result, "with other values it crashes");
    const bool is_right = given_up && proof_try_numbers(proving, explored, until_ns);
    if (given_up && !is_right)
        outcome = explore_again(proving, explored, until_ns, log, error);
    if (outcome == 0 && !is_right && !proving->request->has_crashed)
        proof_make_up_again(proving, explored, until_ns);
    if (outcome == 0)
        proof_note_row(proving->request, explored, proving->result);
    return outcome;
}

/* --- a scenario's kernel --- */

struct scenario_check {
    struct proof_check check; /* which is this */
    struct session *session;
    struct trial trial;
    struct launch_plan plan;
    struct data data;
};

/* What is there now is judged as that of a launch is that has ended. */
static enum proof_answer judge_end(struct proof_check *check, struct proof_wrong *wrong)
{
    struct scenario_check *of = (struct scenario_check *)check;
    struct observation observation = {.outcome = OUTCOME_ENDED, .groups = of->trial.groups};
    struct error ignored;

    (void)wrong;
    for (uint32_t i = 0; i < of->trial.groups; ++i) /* in some order, which is no part of a state */
        if (board_memory_poke(of->session, &of->session->board, GL_CONTROL_WORDS + i * GL_ENTRY_WORDS + GL_TICKET,
                              i + 1, &ignored) != 0)
            return PROOF_IS_UNKNOWN;
    if (launch_read_end(of->session, &of->plan, &observation, &ignored) != 0 ||
        data_verify(of->session, &of->trial, &of->data, &observation, &ignored) != 0)
        return PROOF_IS_UNKNOWN;
    const enum verdict verdict = verdict_judge(&of->trial, &observation);
    if (verdict == VERDICT_PASS)
        return PROOF_IS_RIGHT;
    return verdict == VERDICT_INCONCLUSIVE || verdict_is_failure_of_the_device(verdict) ? PROOF_IS_UNKNOWN
                                                                                        : PROOF_IS_WRONG;
}

static int explore_scenario(struct proof_launch *proving, struct explored *explored, struct error *error)
{
    struct session *session = proving->session;
    struct scenario_check *check = xcalloc(1, sizeof *check);
    struct trial *trial = &check->trial;
    struct launch_plan *plan = &check->plan;
    cl_int code;

    *trial = proving->request->trial;
    trial->kind = TRIAL_WORK;
    check->check.judge = judge_end;
    check->session = session;
    *plan = (struct launch_plan){
        .trial = trial, .mode = GL_MODE_WORK, .data = &check->data, .seed = trial->work.numbers.seed};
    if (trial->work.launches <= 1) /* what is right is known of all of them together */
        proving->check = &check->check;
    int outcome = launch_possible(session, trial, error);
    if (outcome == 0)
        outcome = session_trial_kernel(session, trial, &plan->program, &code, error);
    if (outcome == 0)
        outcome = data_open(session, trial, &check->data, error);
    if (outcome == 0)
        outcome = launch_prepare(session, plan, error);
    if (outcome == 0)
        outcome = explore_launch(proving, plan, explored, error);
    if (outcome == 0)
        tell(proving, plan->program->kernel, explored);
    data_close(session, &check->data);
    free(check);
    return outcome;
}

static int prove(struct proof_launch *proving, char **log, struct error *error)
{
    struct explored explored = {.extent = PROOF_ALL};
    const int outcome = proving->request->trial.work.kernel[0] != '\0'
                            ? explore_scenario(proving, &explored, error)
                            : explore_subject(proving, &explored, log, error);

    explored_fini(&explored);
    return outcome;
}

/* The launch as it was asked for, where one of fewer groups is proved. True: so is it, and the result is of it now. */
static bool prove_all(const struct proof_launch *fewer, const struct proof_request *asked)
{
    struct proof_result result = {.groups = 0};
    struct proof_launch proving = {.session = fewer->session, .request = asked, .result = &result};
    struct error ignored;
    char *log = NULL;

    proof_result_text(&result, "");
    const bool is_proved = prove(&proving, &log, &ignored) == 0 && proof_judge(&result) == PROOF_PROVED &&
                           result.groups == asked->trial.groups;
    free(log);
    proof_result_fini(is_proved ? fewer->result : &result);
    if (is_proved)
        *fewer->result = result;
    return is_proved;
}

int proof_run(struct session *session, const struct proof_request *asked, struct proof_result *result, char **log,
              struct error *error)
{
    struct proof_request *request = xmalloc(sizeof *request);
    struct proof_launch proving = {.session = session, .request = request, .result = result};
    const uint64_t began_ns = clock_ns();

    *request = *asked;
    *result = (struct proof_result){.groups = 0};
    proof_result_text(result, "");
    *log = NULL;
    const bool is_less = proof_take_fewer(request);
    int outcome = proof_check_size(&request->trial, error);
    if (outcome == 0)
        outcome = prove(&proving, log, error);
    if (outcome == 0 && is_less && proof_judge(result) == PROOF_PROVED && !prove_all(&proving, asked))
        result->extent = PROOF_OF_LESS;
    result->duration_ns = clock_ns() - began_ns;
    free(request);
    return outcome;
}

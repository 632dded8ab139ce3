#include "worker/worker.h"

#include "act/promising.h"
#include "base/alloc.h"
#include "base/icd_folder.h"
#include "base/trace.h"
#include "device/cl_status.h"
#include "device/listing.h"
#include "device/session.h"
#include "device/subject.h"
#include "driver/model.h"
#include "worker/batch.h"
#include "worker/block.h"
#include "worker/proof.h"
#include "worker/try.h"

#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

struct worker {
    int socket;
    int folder; /* in which it was started */
    mode_t mask;
    const char *icd_folder;
    struct session session;
    bool other_loops; /* PoCL is told by POCL_METHOD to make others */
    bool open;
    struct wire_packet in;
    struct wire_packet out;
    struct wire_done done; /* what is to be said of the present request; and ... */
    struct error error;    /* ... why it failed */
};

static int send_packet(struct worker *worker, enum wire_type type)
{
    const size_t length = wire_seal(&worker->out, type, 0);
    const ssize_t sent = TEMP_FAILURE_RETRY(send(worker->socket, &worker->out, length, MSG_NOSIGNAL));
    return sent == (ssize_t)length ? 0 : -1;
}

static int serve_list(struct worker *worker)
{
    const struct device_info *model = &worker->in.body.list.model;
    struct listing listing;
    int outcome = listing_read(&listing, model->name[0] != '\0' ? model : NULL, &worker->error);

    icd_folder_remove(worker->icd_folder);
    for (size_t i = 0; outcome == 0 && i < listing.count; ++i) {
        worker->out.body.device = listing.devices[i].info;
        outcome = send_packet(worker, WIRE_DEVICE);
    }
    for (size_t i = 0; outcome == 0 && i < listing.platform_count; ++i) {
        worker->out.body.platform = listing.platforms[i];
        outcome = send_packet(worker, WIRE_PLATFORM);
    }
    listing_fini(&listing);
    return outcome;
}

static int serve_check(struct worker *worker)
{
    struct wire_check *request = &worker->in.body.check;
    request->library[sizeof request->library - 1] = '\0';
    return listing_check_library(request->library, &worker->error);
}

static int serve_open(struct worker *worker)
{
    const struct wire_open *request = &worker->in.body.open;
    const int outcome = session_open(&worker->session, &request->device, &request->probe, &worker->error);

    icd_folder_remove(worker->icd_folder);
    worker->open = outcome == 0;
    return outcome;
}

static int serve_probe(struct worker *worker)
{
    const int outcome = probe_step(&worker->session, worker->in.body.step, &worker->error);
    worker->out.body.probed = worker->session.probe;
    if (send_packet(worker, WIRE_PROBED) != 0)
        _exit(1);
    return outcome;
}

static int send_launch(void *context, bool suspected, const struct wire_launch *launch)
{
    struct worker *worker = context;
    worker->out.body.launch = *launch;
    return send_packet(worker, suspected ? WIRE_SUSPECT : WIRE_LAUNCH);
}

static int serve_trial(struct worker *worker)
{
    batch_run(&worker->session, &worker->in.body.trial, &(struct batch_sink){send_launch, worker}, &worker->done);
    return 0;
}

static int send_test(void *context, const struct test_outcome *outcome)
{
    struct worker *worker = context;
    worker->out.body.test = *outcome;
    return send_packet(worker, WIRE_TEST);
}

static int serve_block(struct worker *worker)
{
    block_run(&worker->session, &worker->in.body.block, &(struct block_sink){send_test, worker}, &worker->done);
    return 0;
}

static int serve_canary(struct worker *worker)
{
    return probe_canary(&worker->session, &worker->error);
}

static int serve_binary(struct worker *worker)
{
    struct wire_binary *request = &worker->in.body.binary;
    request->path[sizeof request->path - 1] = '\0';
    return session_save_binary(&worker->session, &request->footprint, request->path, &worker->error);
}

static int send_finding(void *context, const struct finding *finding, const struct promise_search *search)
{
    struct worker *worker = context;
    worker->out.body.finding = (struct wire_finding){*finding, *search};
    return send_packet(worker, WIRE_FINDING);
}

static int serve_promise(struct worker *worker)
{
    struct wire_promise *request = &worker->in.body.promise;
    request->name[sizeof request->name - 1] = '\0';
    struct promising promising = {.session = &worker->session,
                                  .promise = promise_find(request->name),
                                  .tries = request->tries != 0 ? request->tries : PROMISE_TRIES,
                                  .search = request->search,
                                  .tell = send_finding,
                                  .context = worker};
    trace("promise %s", request->name);
    if (promising.promise == NULL)
        return error_set(&worker->error, STATUS_HARNESS, "the worker knows no such promise");
    const int outcome = promise_measure(&promising, &worker->error);
    if (outcome == 0 && send_finding(worker, &promising.finding, &promising.search) != 0)
        _exit(1);
    worker->done.poisoned = promising.spent;
    if (promising.lost && !promising.spent)
        worker->done.outcome = OUTCOME_DEVICE_LOST;
    return promising.spent ? 0 : outcome;
}

static int send_log(struct worker *worker, const char *log)
{
    enum { MOST = WIRE_LOG_BYTES - 1 };
    for (const char *at = log; *at != '\0'; at += strnlen(at, MOST)) {
        worker->out.body.log = (struct wire_log){.text = ""};
        snprintf(worker->out.body.log.text, WIRE_LOG_BYTES, "%s", at);
        if (send_packet(worker, WIRE_LOG) != 0)
            return -1;
    }
    return 0;
}

static int send_kernels(struct worker *worker, const struct subject_file *file)
{
    for (uint32_t i = 0; i < file->kernel_count; ++i) {
        subject_inform(&file->kernels[i], &worker->out.body.kernel);
        if (send_packet(worker, WIRE_KERNEL) != 0)
            return -1;
    }
    return 0;
}

static int serve_source(struct worker *worker)
{
    struct subject_file *file;
    struct subject request = worker->in.body.source;
    char *log = NULL;

    request.file[sizeof request.file - 1] = request.options[sizeof request.options - 1] = '\0';
    const int outcome = subject_open(&worker->session, &request, &file, &log, &worker->error);
    if (outcome == 0 ? send_kernels(worker, file) != 0 : log != NULL && send_log(worker, log) != 0)
        _exit(1);
    free(log);
    return outcome;
}

static int send_result(struct worker *worker, const struct proof_result *result)
{
    struct wire_proved *proved = &worker->out.body.proved;
    size_t count, sent = 0;
    uint32_t *packed = proof_result_pack(result, &count);
    int outcome = 0;

    while (sent < count && outcome == 0) {
        proved->count = (uint32_t)(count - sent < WIRE_PART_WORDS ? count - sent : WIRE_PART_WORDS);
        memcpy(proved->words, packed + sent, proved->count * sizeof *packed);
        sent += proved->count;
        outcome = send_packet(worker, WIRE_PROVED);
    }
    free(packed);
    return outcome;
}

static int serve_proof(struct worker *worker)
{
    const struct proof_request request = worker->in.body.proof;
    struct proof_result result;
    char *log;

    if (!device_info_is_model(&worker->session.info))
        return error_set(&worker->error, STATUS_HARNESS, "only a model device explores launches");
    const int outcome = proof_run(&worker->session, &request, &result, &log, &worker->error);
    if (outcome == 0 ? send_result(worker, &result) != 0 : log != NULL && send_log(worker, log) != 0)
        _exit(1);
    free(log);
    proof_result_fini(&result);
    return outcome;
}

/* What became of the launch, where that is no plain end. */
static int tell_launch(const struct trial *trial, const struct observation *observation, struct error *error)
{
    if (observation->code == CL_SUCCESS)
        return 0;
    if (observation->outcome == OUTCOME_STOOD)
        return error_set(error, STATUS_HARNESS, "none of its work-items can do anything any more, which is proved");
    if (observation->outcome == OUTCOME_KILLED)
        return error_set(error, STATUS_HARNESS, "it neither ended nor stood still in as many steps as are taken");
    if (observation->outcome == OUTCOME_CL_ERROR && model_fault()[0] != '\0') {
        char *fault = proof_name_line(trial, model_fault());
        error_set(error, STATUS_HARNESS, "%s", fault);
        free(fault);
        return -1;
    }
    return error_set(error, STATUS_HARNESS, "the driver refused or lost the launch: %s",
                     cl_status_name(observation->code));
}

static void tell_text(void *context, const char *text)
{
    if (send_log(context, text) != 0)
        _exit(1);
}

static int serve_try(struct worker *worker)
{
    const struct proof_request request = worker->in.body.proof;
    const struct try_sink sink = {tell_text, worker};
    struct observation observation;

    if (try_run(&worker->session, &request, &sink, &observation, &worker->error) != 0)
        return -1;
    worker->out.body.launch = (struct wire_launch){.observation = observation};
    if (send_packet(worker, WIRE_LAUNCH) != 0)
        _exit(1);
    return observation.ended_total > 0 ? -1 : tell_launch(&request.trial, &observation, &worker->error);
}

/* Drivers may change what belongs to the whole process. */
static void undo_changes(const struct worker *worker)
{
    sigset_t none;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    umask(worker->mask);
    fesetenv(FE_DFL_ENV);
    if (worker->folder >= 0 && fchdir(worker->folder) != 0)
        _exit(1);
}

enum turn { ANY_TIME, BEFORE_OPEN, ONCE_OPEN };

static const struct {
    int (*serve)(struct worker *worker);
    enum turn turn;
    const char *name;
} services[WIRE_DONE + 1] = {
    [WIRE_LIST] = {serve_list, ANY_TIME, "list devices"},
    [WIRE_CHECK] = {serve_check, ANY_TIME, "load a driver"},
    [WIRE_OPEN] = {serve_open, BEFORE_OPEN, "open the device"},
    [WIRE_PROBE] = {serve_probe, ONCE_OPEN, "probe"},
    [WIRE_TRIAL] = {serve_trial, ONCE_OPEN, "trial"},
    [WIRE_BLOCK] = {serve_block, ONCE_OPEN, "block of litmus tests"},
    [WIRE_CANARY] = {serve_canary, ONCE_OPEN, "canary"},
    [WIRE_BINARY] = {serve_binary, ONCE_OPEN, "save a binary"},
    [WIRE_PROMISE] = {serve_promise, ONCE_OPEN, "promise"},
    [WIRE_PROOF] = {serve_proof, ONCE_OPEN, "explore a launch"},
    [WIRE_TRY] = {serve_try, ONCE_OPEN, "try a kernel"},
    [WIRE_SOURCE] = {serve_source, ONCE_OPEN, "read a file of kernels"},
};

static int answer(struct worker *worker)
{
    const uint16_t type = worker->in.header.type;
    const enum turn turn = services[type].turn;

    if (services[type].serve == NULL || (turn != ANY_TIME && (turn == ONCE_OPEN) != worker->open))
        return error_set(&worker->error, STATUS_HARNESS, "the worker got a request out of turn");
    trace("request: %s", services[type].name);
    return services[type].serve(worker);
}

/* Between requests no thread of the driver compiles. */
static void choose_loops(struct worker *worker)
{
    const bool other = !device_has_part(&worker->session.probe, OPTIONAL_LOOPS);

    if (other)
        setenv(POCL_METHOD, "cbs", 1);
    else if (worker->other_loops)
        unsetenv(POCL_METHOD);
    worker->other_loops = other;
}

static void serve(struct worker *worker)
{
    undo_changes(worker);
    session_text(&worker->session, TEXT_NONE);
    session_tried(&worker->session, NULL);
    session_subject(&worker->session, NULL);
    session_stage(&worker->session, STAGE_LOADING);
    calls_are_made("");
    worker->session.probe.without = worker->in.header.left_out;
    choose_loops(worker);
    worker->error = (struct error){0};
    worker->done = (struct wire_done){.status = STATUS_OK, .outcome = OUTCOME_ENDED};
    if (answer(worker) != 0)
        wire_fail(&worker->done, OUTCOME_CL_ERROR, &worker->error);
    trace("answer: %s%s%s", outcome_name(worker->done.outcome), worker->done.text[0] != '\0' ? ": " : "",
          worker->done.text);
    worker->out.body.done = worker->done;
    session_stage(&worker->session, STAGE_IDLE);
    if (send_packet(worker, WIRE_DONE) != 0)
        _exit(1); /* the supervisor is gone */
}

/* A parent that died before this call would not be noticed by it: hence the look at getppid. */
static void die_with_parent(long parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_PTRACER, parent, 0, 0, 0); /* its children may look at this one, where the system asks for leave */
    if (getppid() != (pid_t)parent)
        _exit(1);
}

static bool receive(struct worker *worker)
{
    struct error error;
    const ssize_t length = TEMP_FAILURE_RETRY(recv(worker->socket, &worker->in, sizeof worker->in, 0));
    return length > 0 && wire_check_packet(&worker->in, (size_t)length, &error) == 0;
}

static struct mirror *shared;

static void tell_out_of_memory(void)
{
    atomic_store(&shared->out_of_memory, 1);
}

_Noreturn void worker_main(const struct worker_arguments *arguments)
{
    struct worker *worker = xcalloc(1, sizeof *worker);

    die_with_parent(arguments->parent);
    worker->socket = arguments->socket;
    worker->icd_folder = arguments->icd_folder;
    worker->folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    worker->mask = umask(0);
    worker->session.kernel_folder = arguments->kernel_folder;
    worker->session.mirror =
        mmap(NULL, sizeof(struct mirror), PROT_READ | PROT_WRITE, MAP_SHARED, arguments->mirror, 0);
    worker->session.shared = arguments->mirror;
    fcntl(arguments->mirror, F_SETFD, FD_CLOEXEC);
    if (worker->session.mirror == MAP_FAILED)
        _exit(1);
    shared = worker->session.mirror;
    at_quick_exit(tell_out_of_memory);
    calls_open(&worker->session.mirror->calls);
    if (arguments->icd_count > 0 &&
        listing_use_icds(arguments->icd_folder, arguments->icds, arguments->icd_count, &worker->error) != 0) {
        fprintf(stderr, "%s\n", worker->error.text);
        _exit(1);
    }
    while (receive(worker))
        serve(worker);
    _exit(0);
}

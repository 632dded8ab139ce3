#include "worker/worker.h"

#include "act/promising.h"
#include "base/icd_folder.h"
#include "device/listing.h"
#include "device/session.h"
#include "device/subject.h"
#include "worker/batch.h"
#include "worker/block.h"

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
    bool open;
    struct wire_packet in;
    struct wire_packet out;
};

static int send_packet(struct worker *worker, enum wire_type type)
{
    size_t length = wire_seal(&worker->out, type);
    ssize_t sent;
    do
        sent = send(worker->socket, &worker->out, length, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)length ? 0 : -1;
}

static void send_done(struct worker *worker, const struct wire_done *done)
{
    worker->out.body.done = *done;
    session_stage(&worker->session, STAGE_IDLE);
    if (send_packet(worker, WIRE_DONE) != 0)
        _exit(1); /* the supervisor is gone */
}

static void send_outcome(struct worker *worker, int outcome, const struct error *error)
{
    struct wire_done done = {.status = STATUS_OK, .outcome = OUTCOME_ENDED};
    if (outcome != 0) {
        done.status = error->status;
        done.outcome = OUTCOME_CL_ERROR;
        snprintf(done.text, sizeof done.text, "%s", error->text);
    }
    send_done(worker, &done);
}

static void serve_list(struct worker *worker)
{
    struct error error = {0};
    struct listing listing;
    int outcome = listing_read(&listing, &error);

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
    send_outcome(worker, outcome, &error);
}

static void serve_check(struct worker *worker)
{
    struct error error = {0};
    worker->in.body.check.library[sizeof worker->in.body.check.library - 1] = '\0';
    int outcome = listing_check_library(worker->in.body.check.library, &error);
    send_outcome(worker, outcome, &error);
}

static void serve_open(struct worker *worker)
{
    struct error error = {0};
    const struct wire_open *request = &worker->in.body.open;
    int outcome = session_open(&worker->session, &request->device, &request->probe, &error);

    icd_folder_remove(worker->icd_folder);
    worker->open = outcome == 0;
    send_outcome(worker, outcome, &error);
}

static void serve_probe(struct worker *worker)
{
    struct error error = {0};
    int outcome = probe_step(&worker->session, worker->in.body.probe.step, &error);
    worker->out.body.probed = worker->session.probe;
    if (send_packet(worker, WIRE_PROBED) != 0)
        _exit(1);
    send_outcome(worker, outcome, &error);
}

static int send_launch(void *context, bool suspected, bool evidence, const struct observation *observation)
{
    struct worker *worker = context;
    worker->out.body.launch = (struct wire_launch){.evidence = evidence, .observation = *observation};
    return send_packet(worker, suspected ? WIRE_SUSPECT : WIRE_LAUNCH);
}

static void serve_trial(struct worker *worker)
{
    const struct trial trial = worker->in.body.trial;
    struct wire_done done;
    batch_run(&worker->session, &trial, &(struct batch_sink){send_launch, worker}, &done);
    send_done(worker, &done);
}

static int send_test(void *context, const struct test_outcome *outcome)
{
    struct worker *worker = context;
    worker->out.body.test = *outcome;
    return send_packet(worker, WIRE_TEST);
}

static void serve_block(struct worker *worker)
{
    const struct block block = worker->in.body.block;
    struct wire_done done;
    block_run(&worker->session, &block, &(struct block_sink){send_test, worker}, &done);
    send_done(worker, &done);
}

static void serve_canary(struct worker *worker)
{
    struct error error = {0};
    int outcome = probe_canary(&worker->session, &error);
    send_outcome(worker, outcome, &error);
}

static void serve_binary(struct worker *worker)
{
    struct error error = {0};
    struct wire_binary *request = &worker->in.body.binary;
    request->path[sizeof request->path - 1] = '\0';
    int outcome = session_save_binary(&worker->session, &request->footprint, request->path, &error);
    send_outcome(worker, outcome, &error);
}

static int send_finding(void *context, const struct finding *finding, const struct promise_search *search)
{
    struct worker *worker = context;
    worker->out.body.finding = (struct wire_finding){*finding, *search};
    return send_packet(worker, WIRE_FINDING);
}

static void serve_promise(struct worker *worker)
{
    struct error error = {0};
    struct wire_promise *request = &worker->in.body.promise;
    request->name[sizeof request->name - 1] = '\0';
    struct promising promising = {.session = &worker->session,
                                  .promise = promise_find(request->name),
                                  .search = request->search,
                                  .tell = send_finding,
                                  .context = worker};
    int outcome = promising.promise != NULL ? promise_measure(&promising, &error)
                                            : error_set(&error, STATUS_HARNESS, "the worker knows no such promise");
    if (outcome == 0 && send_finding(worker, &promising.finding, &promising.search) != 0)
        _exit(1);
    if (promising.spent)
        send_done(worker, &(struct wire_done){.status = STATUS_OK, .outcome = OUTCOME_ENDED, .poisoned = true});
    else if (promising.lost && outcome == 0)
        send_done(worker, &(struct wire_done){.status = STATUS_OK, .outcome = OUTCOME_DEVICE_LOST});
    else
        send_outcome(worker, outcome, &error);
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

static void serve_source(struct worker *worker)
{
    struct error error = {0};
    struct subject_file *file;
    struct subject request = worker->in.body.source;
    char *log = NULL;

    request.file[sizeof request.file - 1] = request.options[sizeof request.options - 1] = '\0';
    const int outcome = subject_open(&worker->session, &request, &file, &log, &error);
    if (outcome == 0 ? send_kernels(worker, file) != 0 : log != NULL && send_log(worker, log) != 0)
        _exit(1);
    free(log);
    send_outcome(worker, outcome, &error);
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

static void serve(struct worker *worker)
{
    const enum wire_type type = (enum wire_type)worker->in.header.type;

    undo_changes(worker);
    session_stage(&worker->session, STAGE_LOADING);
    if (type == WIRE_LIST)
        serve_list(worker);
    else if (type == WIRE_CHECK)
        serve_check(worker);
    else if (type == WIRE_OPEN && !worker->open)
        serve_open(worker);
    else if (type == WIRE_PROBE && worker->open)
        serve_probe(worker);
    else if (type == WIRE_TRIAL && worker->open)
        serve_trial(worker);
    else if (type == WIRE_BLOCK && worker->open)
        serve_block(worker);
    else if (type == WIRE_PROMISE && worker->open)
        serve_promise(worker);
    else if (type == WIRE_SOURCE && worker->open)
        serve_source(worker);
    else if (type == WIRE_CANARY && worker->open)
        serve_canary(worker);
    else if (type == WIRE_BINARY && worker->open)
        serve_binary(worker);
    else
        send_outcome(worker, -1, &(struct error){STATUS_HARNESS, "the worker got a request out of turn"});
}

/* A parent that died before this call would not be noticed by it: hence the look at getppid. */
static void die_with_parent(long parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != (pid_t)parent)
        _exit(1);
}

static struct mirror *map_mirror(int descriptor)
{
    void *memory = mmap(NULL, mirror_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    return memory == MAP_FAILED ? NULL : memory;
}

static bool receive(struct worker *worker)
{
    struct error error;
    ssize_t length;
    do
        length = recv(worker->socket, &worker->in, sizeof worker->in, 0);
    while (length < 0 && errno == EINTR);
    return length > 0 && wire_check_packet(&worker->in, (size_t)length, &error) == 0;
}

_Noreturn void worker_main(const struct worker_arguments *arguments)
{
    struct error error = {0};
    struct worker *worker = calloc(1, sizeof *worker);

    die_with_parent(arguments->parent);
    if (worker == NULL)
        _exit(1);
    worker->socket = arguments->socket;
    worker->icd_folder = arguments->icd_folder;
    worker->folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    worker->mask = umask(0);
    worker->session.kernel_folder = arguments->kernel_folder;
    worker->session.mirror = map_mirror(arguments->mirror);
    if (worker->session.mirror == NULL)
        _exit(1);
    if (arguments->icd_count > 0 &&
        listing_use_icds(arguments->icd_folder, arguments->icds, arguments->icd_count, &error) != 0) {
        fprintf(stderr, "%s\n", error.text);
        _exit(1);
    }
    while (receive(worker))
        serve(worker);
    _exit(0);
}

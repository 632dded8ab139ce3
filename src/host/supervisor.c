#include "host/supervisor.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/icd_folder.h"
#include "base/trace.h"
#include "core/text.h"
#include "host/orphans.h"
#include "host/signals.h"
#include "host/starting.h"
#include "host/watchdog.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 20 }; /* between looks for a worker that died without closing its socket */

struct supervisor {
    struct supervisor_options options;
    struct watchdog *watchdog;
    struct mirror *mirror;
    int mirror_descriptor;
    pid_t pid;   /* of the worker; 0: none */
    bool adopts; /* what a worker leaves behind is a child of this process then */
    int socket;
    uint32_t posted;                   /* requests that are not answered yet */
    char icd_folder[ICD_FOLDER_BYTES]; /* of the worker; "": none */
    struct wire_packet packet;
    supervisor_waiting *waiting; /* or NULL */
    void *context;
};

void supervisor_defaults(struct supervisor_options *options, uint64_t run_ns, uint64_t build_ns)
{
    const uint64_t second_ns = 1000000000u;
    *options = (struct supervisor_options){
        .budget_ns =
            {
                [STAGE_LOADING] = 30 * second_ns,
                [STAGE_BUILDING] = build_ns,
                [STAGE_RUNNING] = run_ns,
                [STAGE_STOPPING] = 10 * second_ns,
                [STAGE_READING] = 10 * second_ns,
            },
        .graces = {.stop_ns = second_ns, .sigterm_ns = second_ns / 4, .sigkill_ns = 5 * second_ns},
    };
}

int supervisor_open(const struct supervisor_options *options, struct supervisor **result, struct error *error)
{
    struct supervisor *supervisor = xcalloc(1, sizeof *supervisor);

    supervisor->options = *options;
    supervisor->adopts = orphans_adopt();
    supervisor->socket = -1;
    supervisor->mirror = MAP_FAILED;
    supervisor->mirror_descriptor = starting_raise(memfd_create("gridlock", MFD_CLOEXEC));
    if (supervisor->mirror_descriptor >= 0 && ftruncate(supervisor->mirror_descriptor, sizeof(struct mirror)) == 0)
        supervisor->mirror =
            mmap(NULL, sizeof(struct mirror), PROT_READ | PROT_WRITE, MAP_SHARED, supervisor->mirror_descriptor, 0);
    if (supervisor->mirror == MAP_FAILED) {
        error_set(error, STATUS_HARNESS, "cannot make a page to share with the worker: %s", strerror(errno));
    } else {
        atomic_store(&supervisor->mirror->running_ns, options->budget_ns[STAGE_RUNNING]);
        supervisor->watchdog = watchdog_start(options->budget_ns, &options->graces, error);
    }
    if (supervisor->watchdog == NULL) {
        supervisor_close(supervisor);
        return -1;
    }
    *result = supervisor;
    return 0;
}

void supervisor_close(struct supervisor *supervisor)
{
    struct supervisor_end end;
    if (supervisor == NULL)
        return;
    supervisor_end_worker(supervisor, true, &end);
    if (supervisor->adopts)
        orphans_end(); /* left behind by another supervisor's worker, which ended after this one's */
    watchdog_stop(supervisor->watchdog);
    if (supervisor->mirror != MAP_FAILED)
        munmap(supervisor->mirror, sizeof(struct mirror));
    if (supervisor->mirror_descriptor >= 0)
        close(supervisor->mirror_descriptor);
    free(supervisor);
}

const struct supervisor_options *supervisor_settings(const struct supervisor *supervisor)
{
    return &supervisor->options;
}

void supervisor_use_icds(struct supervisor *supervisor, char *const *icds, size_t count)
{
    struct supervisor_end end;
    supervisor_end_worker(supervisor, true, &end);
    supervisor->options.icds = icds;
    supervisor->options.icd_count = count;
}

void supervisor_tell(struct supervisor *supervisor, supervisor_waiting *waiting, void *context)
{
    supervisor->waiting = waiting;
    supervisor->context = context;
}

pid_t supervisor_worker(const struct supervisor *supervisor)
{
    return supervisor->pid;
}

void supervisor_kill(struct supervisor *supervisor)
{
    watchdog_climb(supervisor->watchdog, RUNG_SIGKILL);
}

bool supervisor_has_worker(const struct supervisor *supervisor)
{
    return supervisor->pid != 0;
}

struct mirror *supervisor_mirror(struct supervisor *supervisor)
{
    return supervisor->mirror;
}

/* A driver may have written to the page and its file. */
char *supervisor_tried(struct supervisor *supervisor, struct subject_tried *tried)
{
    const uint64_t size = atomic_load(&supervisor->mirror->tried_bytes);
    struct stat file;

    *tried = (struct subject_tried){.text = NULL};
    if (size == 0 || fstat(supervisor->mirror_descriptor, &file) != 0 ||
        size > (uint64_t)file.st_size - sizeof(struct mirror))
        return NULL;
    char *bytes = malloc(size); /* whatever a driver says */
    if (bytes != NULL && pread(supervisor->mirror_descriptor, bytes, size, sizeof(struct mirror)) == (ssize_t)size &&
        subject_tried_read(tried, bytes, size))
        return bytes;
    free(bytes);
    return NULL;
}

/* --- starting --- */

/* What earlier requests left there. The worker is idle, but for a thread that may be building what comes later. */
static void reset_mirror(struct mirror *mirror)
{
    atomic_store(&mirror->live_words, 0);
    atomic_store(&mirror->evidence_words, 0);
    atomic_store(&mirror->samples_words, 0);
    atomic_store(&mirror->turns, 0);
    atomic_store(&mirror->differs, SCHEDULE_TURNS);
    atomic_store(&mirror->stage_began_ns, clock_ns());
    atomic_store(&mirror->stage, STAGE_LOADING);
}

static int start_worker(struct supervisor *supervisor, struct error *error)
{
    struct starting starting = {
        .options = &supervisor->options, .icd_folder = supervisor->icd_folder, .mirror = supervisor->mirror_descriptor};

    supervisor->icd_folder[0] = '\0';
    if (supervisor->options.icd_count > 0 && icd_folder_make(supervisor->icd_folder, error) != 0)
        return -1;
    atomic_store(&supervisor->mirror->stop_requested, STOP_NOT);
    atomic_store(&supervisor->mirror->building, 0);
    atomic_store(&supervisor->mirror->text, TEXT_NONE);
    atomic_store(&supervisor->mirror->subject_known, 0);
    atomic_store(&supervisor->mirror->tried_bytes, 0);
    atomic_store(&supervisor->mirror->out_of_memory, 0);
    supervisor->mirror->calls = (struct calls){.when = ""};
    if (starting_start(&starting, error) != 0) {
        icd_folder_remove(supervisor->icd_folder);
        return -1;
    }
    supervisor->pid = starting.pid;
    supervisor->socket = starting.socket;
    supervisor->posted = 0;
    watchdog_watch(supervisor->watchdog, supervisor->pid, starting.output, supervisor->mirror);
    return 0;
}

/* --- ending --- */

static void note_rungs(struct supervisor *supervisor, struct supervisor_end *end)
{
    const enum rung reached = watchdog_rung(supervisor->watchdog);

    end->rungs[0] = '\0';
    for (enum rung rung = RUNG_STOP_WORD; rung <= reached; ++rung)
        text_list(end->rungs, sizeof end->rungs, " ", "%s", rung_name(rung));
}

/* The worker is gone, or given up. */
static void forget_worker(struct supervisor *supervisor, struct supervisor_end *end)
{
    end->stage = atomic_load(&supervisor->mirror->stage);
    end->text = (enum subject_text)atomic_load(&supervisor->mirror->text);
    end->out_of_memory = end->reply == REPLY_DIED && atomic_load(&supervisor->mirror->out_of_memory) != 0;
    calls_list(&supervisor->mirror->calls, end->calls);
    calls_when(&supervisor->mirror->calls, end->when);
    note_rungs(supervisor, end);
    trace("worker %ld is gone", (long)supervisor->pid);
    watchdog_release(supervisor->watchdog);
    watchdog_tail(supervisor->watchdog, end->stderr_tail, sizeof end->stderr_tail);
    icd_folder_remove(supervisor->icd_folder);
    close(supervisor->socket);
    supervisor->socket = -1;
    supervisor->pid = 0;
}

/* True if the worker has been reaped, or must be given up; *end is complete then. */
static bool reap(struct supervisor *supervisor, struct supervisor_end *end)
{
    int status = 0;
    pid_t reaped = waitpid(supervisor->pid, &status, WNOHANG);
    enum rung rung = watchdog_rung(supervisor->watchdog);

    if (reaped == 0 && rung != RUNG_UNKILLABLE)
        return false;
    if (reaped == 0) {
        end->reply = REPLY_UNKILLABLE;
    } else {
        orphans_disown(supervisor->pid);
        kill(-supervisor->pid, SIGKILL); /* whatever it started and left behind */
        end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        end->reply = ladder_has_ended(rung, end->signal) ? REPLY_KILLED : REPLY_DIED;
        end->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    }
    if (supervisor->adopts)
        orphans_end();
    forget_worker(supervisor, end);
    return true;
}

static void pause_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

/* A worker whose socket is closed ends by itself, and soon. */
static bool ends_soon(struct supervisor *supervisor, struct supervisor_end *end)
{
    for (int i = 0; i < 200; ++i) {
        if (reap(supervisor, end))
            return true;
        pause_ms(1);
    }
    return false;
}

void supervisor_end_worker(struct supervisor *supervisor, bool idle, struct supervisor_end *end)
{
    *end = (struct supervisor_end){.reply = REPLY_DONE};
    if (supervisor->pid == 0)
        return;
    if (idle) {
        shutdown(supervisor->socket, SHUT_RDWR);
        if (ends_soon(supervisor, end))
            return;
        watchdog_climb(supervisor->watchdog, RUNG_SIGKILL); /* it is not as idle as it seemed */
    }
    watchdog_climb(supervisor->watchdog, RUNG_STOP_WORD);
    while (!reap(supervisor, end))
        pause_ms(1); /* the ladder has a last rung, so this ends */
}

/* --- requests --- */

static void send_request(struct supervisor *supervisor, const struct supervisor_request *request)
{
    struct wire_packet *packet = &supervisor->packet;
    if (request->body != NULL)
        memcpy(packet->body.bytes, request->body, wire_body_bytes(request->type));
    const size_t length = wire_seal(packet, request->type, request->left_out);
    /* A worker that is gone shows when its answer is read. */
    TEMP_FAILURE_RETRY(send(supervisor->socket, packet, length, MSG_NOSIGNAL));
}

/* A signal asks the running kernel to stop; a second one does not wait for it. */
static void heed_signals(struct supervisor *supervisor)
{
    if (signals_count() > 0)
        watchdog_climb(supervisor->watchdog, RUNG_STOP_WORD);
    if (signals_count() > 1)
        watchdog_climb(supervisor->watchdog, RUNG_SIGKILL);
}

static void tell(const struct supervisor *supervisor)
{
    const uint64_t began_ns = atomic_load(&supervisor->mirror->stage_began_ns), now_ns = clock_ns();
    if (supervisor->waiting != NULL && now_ns > began_ns)
        supervisor->waiting(supervisor->context, atomic_load(&supervisor->mirror->stage), now_ns - began_ns);
}

enum received { RECEIVED_MESSAGE, RECEIVED_END, RECEIVED_NONSENSE };

/* The next whole message. A packet that is none came from a driver that wrote to our descriptor. */
static enum received receive(struct supervisor *supervisor, struct supervisor_end *end, struct error *error)
{
    for (;;) {
        struct pollfd readable = {.fd = supervisor->socket, .events = POLLIN};
        heed_signals(supervisor);
        if (poll(&readable, 1, LOOK_MS) == 0)
            tell(supervisor);
        ssize_t length = recv(supervisor->socket, &supervisor->packet, sizeof supervisor->packet, MSG_DONTWAIT);
        if (length > 0)
            return wire_check_packet(&supervisor->packet, (size_t)length, error) == 0 ? RECEIVED_MESSAGE
                                                                                      : RECEIVED_NONSENSE;
        if (length == 0 || (errno != EAGAIN && errno != EINTR)) {
            /* The socket is closed: the worker is dying, or lives on without it and must be ended. */
            if (ends_soon(supervisor, end))
                return RECEIVED_END;
            watchdog_climb(supervisor->watchdog, RUNG_STOP_WORD);
        }
        if (reap(supervisor, end))
            return RECEIVED_END;
    }
}

int supervisor_request(struct supervisor *supervisor, const struct supervisor_request *request, struct wire_done *done,
                       struct supervisor_end *end, struct error *error)
{
    *end = (struct supervisor_end){.reply = REPLY_DONE};
    if (supervisor->pid == 0 && start_worker(supervisor, error) != 0)
        return -1;
    reset_mirror(supervisor->mirror);
    watchdog_expect(supervisor->watchdog, true);
    send_request(supervisor, request);
    for (;;) {
        const enum received received = receive(supervisor, end, error);
        if (received == RECEIVED_END)
            return 0;
        if (received == RECEIVED_NONSENSE) {
            supervisor_end_worker(supervisor, false, end);
            if (end->reply != REPLY_UNKILLABLE)
                *end = (struct supervisor_end){.reply = REPLY_GARBLED, .stage = end->stage, .text = end->text};
            return 0;
        }
        if (supervisor->packet.header.type == WIRE_DONE) {
            watchdog_expect(supervisor->watchdog, false);
            *done = supervisor->packet.body.done;
            done->text[sizeof done->text - 1] = '\0';
            note_rungs(supervisor, end);
            return 0;
        }
        if (request->take != NULL)
            request->take(request->context, &supervisor->packet);
    }
}

/* --- requests that nobody waits for --- */

int supervisor_post(struct supervisor *supervisor, const struct supervisor_request *request, struct error *error)
{
    if (supervisor->pid == 0 && start_worker(supervisor, error) != 0)
        return -1;
    send_request(supervisor, request);
    supervisor->posted += 1;
    return 0;
}

int supervisor_posted(struct supervisor *supervisor)
{
    struct wire_packet *packet = &supervisor->packet;
    struct error ignored;
    ssize_t length = 1;

    while (supervisor->posted > 0 && (length = recv(supervisor->socket, packet, sizeof *packet, MSG_DONTWAIT)) > 0)
        if (wire_check_packet(packet, (size_t)length, &ignored) == 0 && packet->header.type == WIRE_DONE)
            supervisor->posted -= 1;
    return length == 0 ? -1 : (int)supervisor->posted;
}

void supervisor_dismiss(struct supervisor *supervisor)
{
    if (supervisor->pid != 0)
        shutdown(supervisor->socket, SHUT_RDWR);
}

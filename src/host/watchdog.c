#include "host/watchdog.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/trace.h"
#include "base/turns.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TICK_MS = 10 };

/* A worker may be stopped by a signal, as part of a machine that is paused, for as long as this in a stage. */
static const uint64_t forgiven_most_ns = UINT64_C(10000000000);

struct watchdog {
    pthread_t thread;
    pthread_mutex_t mutex; /* guards all below */
    bool quit;
    uint64_t budget_ns[STAGE_COUNT];
    struct ladder_graces graces;
    pid_t pid; /* 0: none */
    int output;
    struct mirror *mirror;
    struct ladder ladder;
    struct turns turns;        /* that its threads had since it was to be ended */
    enum stop_request request; /* that was made last */
    uint64_t ticked_ns;
    bool asked; /* the worker owes an answer */
    enum stage stage;
    uint64_t told_ns; /* when the stage began, as the shared page has it */
    uint64_t stage_began_ns;
    uint64_t overslept_ns; /* time that this thread did not get, in this stage: nobody's fault */
    uint64_t halted_ns;    /* how long the worker has been stopped by a signal, if it is */
    uint64_t forgiven_ns;  /* of such times, in this stage */
    char tail[WATCHDOG_TAIL_BYTES];
    size_t tail_bytes;
};

static void stand_on(struct watchdog *watchdog, enum rung rung)
{
    watchdog->ladder = (struct ladder){rung, clock_ns()};
    turns_fini(&watchdog->turns);
}

static void act(struct watchdog *watchdog, enum rung rung, enum stop_request request)
{
    stand_on(watchdog, rung);
    trace("worker %ld is to end: %s", (long)watchdog->pid, rung_name(rung));
    if (rung == RUNG_STOP_WORD) {
        watchdog->request = request;
        atomic_store_explicit(&watchdog->mirror->stop_requested, request, memory_order_release);
    }
    if (rung == RUNG_SIGTERM)
        kill(watchdog->pid, SIGTERM);
    if (rung == RUNG_SIGKILL) {
        kill(-watchdog->pid, SIGKILL); /* what it may have started, too */
        kill(watchdog->pid, SIGKILL);
    }
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* What a stop of this length counts for: nothing, if it is too long. */
static uint64_t within(uint64_t halted_ns)
{
    return halted_ns <= forgiven_most_ns ? halted_ns : 0;
}

/*
 * Of the time since the last tick, that in the present stage. The worker stores when a stage began before the stage. A
 * driver may write to the page as well: a stage that is none counts as a launch, and has begun by now, and after the
 * last.
 */
static uint64_t enter_stage(struct watchdog *watchdog, uint64_t now_ns, uint64_t since_ns)
{
    const uint32_t stage = atomic_load_explicit(&watchdog->mirror->stage, memory_order_acquire);
    const uint64_t told_ns = atomic_load_explicit(&watchdog->mirror->stage_began_ns, memory_order_relaxed);

    watchdog->stage = stage < STAGE_COUNT ? (enum stage)stage : STAGE_RUNNING;
    if (told_ns == watchdog->told_ns)
        return since_ns;
    watchdog->told_ns = told_ns;
    watchdog->stage_began_ns = told_ns > watchdog->stage_began_ns && told_ns < now_ns ? told_ns : now_ns;
    watchdog->overslept_ns = watchdog->halted_ns = watchdog->forgiven_ns = 0;
    return least(now_ns - watchdog->stage_began_ns, since_ns);
}

static uint64_t stage_budget_ns(const struct watchdog *watchdog)
{
    const uint64_t longest_ns = atomic_load_explicit(&watchdog->mirror->longest_ns, memory_order_relaxed);
    const uint64_t budget_ns = watchdog->budget_ns[watchdog->stage];

    if (watchdog->stage == STAGE_IDLE)
        return watchdog->budget_ns[STAGE_LOADING];
    if (watchdog->stage == STAGE_STOPPING && longest_ns > budget_ns && watchdog->budget_ns[STAGE_RUNNING] > budget_ns)
        return least(longest_ns, watchdog->budget_ns[STAGE_RUNNING]);
    return budget_ns;
}

/* The moment at which the present stage is overdue: who owes an answer is not idle for long. */
static uint64_t deadline_ns(const struct watchdog *watchdog)
{
    const uint64_t budget_ns = stage_budget_ns(watchdog);
    if (!watchdog->asked || budget_ns == 0)
        return UINT64_MAX;
    return watchdog->stage_began_ns + budget_ns + watchdog->overslept_ns + watchdog->forgiven_ns +
           within(watchdog->halted_ns);
}

static int state_of(pid_t pid)
{
    char path[64];
    long parent;

    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    return turns_state(path, &parent);
}

/* It was killed, and nothing keeps it from ending but that the machine is busy; it need not be believed for ever. */
static bool is_dying(const struct watchdog *watchdog, uint64_t now_ns)
{
    enum { LONGER = 12 };
    const int state = watchdog->ladder.rung == RUNG_SIGKILL ? state_of(watchdog->pid) : 0;
    return (state == 'R' || state == 'S' || state == 'Z') &&
           now_ns - watchdog->ladder.climbed_ns < LONGER * watchdog->graces.sigkill_ns;
}

/* Returns whether each of its threads had time to obey since its grace was over, or was waited for for long enough. */
static bool had_turns(struct watchdog *watchdog, uint64_t now_ns)
{
    enum { TURN_NS = 20 * 1000 * 1000, LONGER = 60 };
    watchdog->turns.process = watchdog->pid;
    return turns_had(&watchdog->turns, TURN_NS) ||
           now_ns - watchdog->ladder.climbed_ns > LONGER * watchdog->graces.stop_ns;
}

static void note_halt(struct watchdog *watchdog, uint64_t since_ns)
{
    if (state_of(watchdog->pid) == 'T') { /* a signal has stopped the worker, and nothing has continued it */
        watchdog->halted_ns += since_ns;
        return;
    }
    watchdog->forgiven_ns += within(watchdog->halted_ns);
    if (watchdog->forgiven_ns > forgiven_most_ns)
        watchdog->forgiven_ns = forgiven_most_ns;
    watchdog->halted_ns = 0;
}

/* The worker has taken up the stop word, which its launch may heed: that is a stage of its own. */
static bool has_obeyed(const struct watchdog *watchdog)
{
    return watchdog->ladder.rung == RUNG_STOP_WORD && watchdog->request != STOP_NOW &&
           watchdog->stage_began_ns >= watchdog->ladder.climbed_ns;
}

static void tick(struct watchdog *watchdog)
{
    const uint64_t now_ns = clock_ns();
    const uint64_t since_ns = now_ns - watchdog->ticked_ns;

    watchdog->ticked_ns = now_ns;
    if (watchdog->pid == 0)
        return;
    const uint64_t in_stage_ns = enter_stage(watchdog, now_ns, since_ns);
    if (since_ns > 2 * TICK_MS * 1000000u)
        watchdog->overslept_ns += in_stage_ns;
    else
        note_halt(watchdog, in_stage_ns);
    if (has_obeyed(watchdog))
        stand_on(watchdog, RUNG_NONE);
    enum rung rung = ladder_next(&watchdog->ladder, &watchdog->graces, now_ns, deadline_ns(watchdog));
    if (rung != watchdog->ladder.rung && !(rung == RUNG_SIGTERM && !had_turns(watchdog, now_ns)) &&
        !(rung == RUNG_UNKILLABLE && is_dying(watchdog, now_ns)))
        act(watchdog, rung, STOP_OVERDUE);
}

/* A byte of 0 is the worker's mark that what was written before it says nothing of what comes. */
static void keep_tail(struct watchdog *watchdog, const char *bytes, size_t count)
{
    const size_t room = sizeof watchdog->tail - 1;
    const char *mark = memrchr(bytes, '\0', count);
    if (mark != NULL) {
        count -= (size_t)(mark + 1 - bytes);
        bytes = mark + 1;
        watchdog->tail_bytes = 0;
    }
    if (count >= room) {
        bytes += count - room;
        count = room;
        watchdog->tail_bytes = 0;
    } else if (watchdog->tail_bytes + count > room) {
        size_t dropped = watchdog->tail_bytes + count - room;
        memmove(watchdog->tail, watchdog->tail + dropped, watchdog->tail_bytes - dropped);
        watchdog->tail_bytes -= dropped;
    }
    memcpy(watchdog->tail + watchdog->tail_bytes, bytes, count);
    watchdog->tail_bytes += count;
}

/* Reads what is there, without waiting; at most a megabyte at a time, so that a flood cannot hold it up. */
static void drain(struct watchdog *watchdog)
{
    char bytes[4096];
    for (int i = 0; i < 256 && watchdog->output >= 0; ++i) {
        ssize_t count = read(watchdog->output, bytes, sizeof bytes);
        if (count > 0) {
            keep_tail(watchdog, bytes, (size_t)count);
        } else if (count == 0 || errno != EINTR) {
            if (count == 0 || errno != EAGAIN) {
                close(watchdog->output);
                watchdog->output = -1;
            }
            return;
        }
    }
}

static void *serve(void *argument)
{
    struct watchdog *watchdog = argument;
    bool quit = false;

    while (!quit) {
        pthread_mutex_lock(&watchdog->mutex);
        tick(watchdog);
        drain(watchdog);
        quit = watchdog->quit;
        struct pollfd output = {.fd = watchdog->output, .events = POLLIN};
        pthread_mutex_unlock(&watchdog->mutex);
        poll(&output, 1, TICK_MS);
    }
    return NULL;
}

struct watchdog *watchdog_start(const uint64_t budget_ns[STAGE_COUNT], const struct ladder_graces *graces,
                                struct error *error)
{
    sigset_t all, before;
    struct watchdog *watchdog = xcalloc(1, sizeof *watchdog);

    memcpy(watchdog->budget_ns, budget_ns, sizeof watchdog->budget_ns);
    watchdog->graces = *graces;
    watchdog->output = -1;
    watchdog->ticked_ns = clock_ns();
    pthread_mutex_init(&watchdog->mutex, NULL);
    sigfillset(&all); /* signals are for the main thread, whose waits they interrupt */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(&watchdog->thread, NULL, serve, watchdog);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code != 0) {
        free(watchdog);
        return ERROR_NULL(error, STATUS_HARNESS, "cannot start the watchdog: %s", strerror(code));
    }
    return watchdog;
}

void watchdog_stop(struct watchdog *watchdog)
{
    if (watchdog == NULL)
        return;
    pthread_mutex_lock(&watchdog->mutex);
    watchdog->quit = true;
    pthread_mutex_unlock(&watchdog->mutex);
    pthread_join(watchdog->thread, NULL);
    if (watchdog->output >= 0)
        close(watchdog->output);
    pthread_mutex_destroy(&watchdog->mutex);
    turns_fini(&watchdog->turns);
    free(watchdog);
}

void watchdog_watch(struct watchdog *watchdog, pid_t pid, int output, struct mirror *mirror)
{
    pthread_mutex_lock(&watchdog->mutex);
    if (watchdog->output >= 0)
        close(watchdog->output);
    watchdog->pid = pid;
    watchdog->output = output;
    watchdog->mirror = mirror;
    stand_on(watchdog, RUNG_NONE);
    watchdog->overslept_ns = watchdog->halted_ns = watchdog->forgiven_ns = 0;
    watchdog->tail_bytes = 0;
    pthread_mutex_unlock(&watchdog->mutex);
}

void watchdog_release(struct watchdog *watchdog)
{
    pthread_mutex_lock(&watchdog->mutex);
    drain(watchdog);
    watchdog->pid = 0;
    watchdog->asked = false;
    pthread_mutex_unlock(&watchdog->mutex);
}

void watchdog_expect(struct watchdog *watchdog, bool answer)
{
    pthread_mutex_lock(&watchdog->mutex);
    watchdog->asked = answer;
    pthread_mutex_unlock(&watchdog->mutex);
}

void watchdog_climb(struct watchdog *watchdog, enum rung rung)
{
    pthread_mutex_lock(&watchdog->mutex);
    const bool sooner = rung == RUNG_STOP_WORD && watchdog->ladder.rung == rung && watchdog->request != STOP_NOW;
    if (watchdog->pid != 0 && (watchdog->ladder.rung < rung || sooner))
        act(watchdog, rung, STOP_NOW);
    pthread_mutex_unlock(&watchdog->mutex);
}

enum rung watchdog_rung(struct watchdog *watchdog)
{
    pthread_mutex_lock(&watchdog->mutex);
    enum rung rung = watchdog->ladder.rung;
    pthread_mutex_unlock(&watchdog->mutex);
    return rung;
}

void watchdog_tail(struct watchdog *watchdog, char *text, size_t size)
{
    pthread_mutex_lock(&watchdog->mutex);
    size_t count = watchdog->tail_bytes < size - 1 ? watchdog->tail_bytes : size - 1;
    memcpy(text, watchdog->tail + watchdog->tail_bytes - count, count);
    text[count] = '\0';
    pthread_mutex_unlock(&watchdog->mutex);
}

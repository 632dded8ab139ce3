#include "watch/watch.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "host/signals.h"
#include "look/process.h"
#include "watch/fitting.h"
#include "watch/sight.h"
#include "watch/started.h"
#include "watch/tell.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#define MS 1000000ull
static const uint64_t least_tick_ns = 5 * MS, most_tick_ns = 250 * MS;
static const uint64_t most_libraries_ns = 10000 * MS;
enum {
    YOUNG = 16 /* looks at a program are so many times closer than it is old, */,
    COST = 10 /* or than they take */
};
static const uint64_t core_ns = 60000 * MS; /* in which it leaves a core file */
static const uint64_t grace_ns = 3000 * MS; /* before SIGKILL */

struct watching {
    const struct watch_request *request;
    struct started started;
    struct watched_list list;
    struct passing passing;
    struct fitting fitting; /* of the first kernel that is proved to hang, */
    const struct watched *fitting_of;
    int64_t fitting_number; /* of what was told of it, by the keeper */
    bool unseen_told;       /* nothing is noted of a process */
    bool bits_told;         /* one has 32 bits */
    bool signalled;         /* it was asked to end */
    sigset_t signals;
    uint64_t begun_ns, tick_ns, looked_ns;
    uint64_t libraries_ns; /* when it is looked again what is mapped */
    pid_t core_of;         /* 0: none is to leave a core file */
    uint64_t kill_ns;      /* 0: it is not to be killed, */
    bool killed;           /* or was */
    int status;            /* as waitpid has it, */
    bool ended;            /* when it has ended */
};

/* --- signals --- */

static void wait_for(struct watching *watch)
{
    if (waitpid(watch->started.pid, &watch->status, WNOHANG) == watch->started.pid)
        watch->ended = true;
}

static void tell_fit(struct watching *watch)
{
    const struct watch_keeper *keeper = &watch->request->keeper;

    (watch->request->json ? tell_fit_json : tell_fit_text)(watch->request->log, watch->fitting_of, &watch->fitting);
    if (watch->fitting.fit > 0 && watch->fitting_number != 0)
        keeper->note_fit(keeper->context, watch->fitting_number, watch->fitting.fit);
}

static int64_t keep(const struct watching *watch, struct sighting *sighting)
{
    const struct watch_keeper *keeper = &watch->request->keeper;
    const int64_t number = keeper->keep(keeper->context, sighting);

    sighting_fini(sighting);
    return number;
}

static void measure(struct watching *watch, const struct watched *process, const struct account *account)
{
    watch->fitting_of = process;
    fitting_begin(&watch->fitting, account, watch->started.folder, watch->request->keep);
    if (watch->fitting.kernel[0] != '\0' && watch->fitting.aside.child == 0)
        tell_fit(watch);
}

static void tell(struct watching *watch, struct watched *process)
{
    struct account account;
    struct sighting sighting;
    const struct telling telling = {&account, &watch->passing};

    if (!process->gone)
        passing_look(&watch->passing, process->pid, process->page);
    account_take(&account, process, watch->request->deadline_ns);
    sight_stall(&sighting, &telling);
    const int64_t number = keep(watch, &sighting); /* whoever reads what is told finds it there */
    (watch->request->json ? tell_stall_json : tell_stall_text)(watch->request->log, &telling);
    if (account.verdict == WATCH_DEADLOCK && watch->fitting_of == NULL && watch->request->keep != NULL) {
        watch->fitting_number = number;
        measure(watch, process, &account);
    }
    account_fini(&account);
}

/* Once. */
static void tell_unseen(struct watching *watch)
{
    const struct watch_request *request = watch->request;
    const struct watched_list *list = &watch->list;

    if (list->unseen == 0 || watch->unseen_told)
        return;
    char *says = xasprintf("nothing is seen of process %ld, which goes on without: its page cannot be opened: %s",
                           list->unseen, list->why);
    (request->json ? tell_note_json : tell_note_text)(request->log, request->door, says, NULL);
    free(says);
    watch->unseen_told = true;
}

/* Once; `process` 0 is the program, as it was started. */
static void tell_32_bits(struct watching *watch, pid_t process)
{
    const struct watch_request *request = watch->request;
    const bool by_layer = request->door == DOOR_LAYER;

    if (watch->bits_told)
        return;
    char *says = process == 0 ? xasprintf("%s is a program of 32 bits: nothing of it is seen%s", request->words[0],
                                          by_layer ? "" : ", nor of what it starts, and it runs as without gridlock")
                              : xasprintf("process %ld is a program of 32 bits: nothing of it is seen%s", (long)process,
                                          by_layer ? ""
                                                   : ", and its OpenCL loader finds no driver: it does with "
                                                     "--door layer");
    (request->json ? tell_note_json : tell_note_text)(request->log, request->door, says, NULL);
    free(says);
    watch->bits_told = true;
}

static void look_at_libraries_of(pid_t process, void *context)
{
    struct watching *watch = context;
    const struct page *page = NULL;
    char path[PROCESS_PATH];

    process_path(process, "exe", path);
    if (program_has_32_bits(path))
        tell_32_bits(watch, process);
    for (size_t i = 0; i < watch->list.count; ++i)
        if (watch->list.items[i]->pid == process && !watch->list.items[i]->gone)
            page = watch->list.items[i]->page;
    passing_look(&watch->passing, process, page);
}

static void tell_all(struct watching *watch)
{
    const struct ending so_far = {.program = watch->request->words[0],
                                  .door = watch->request->door,
                                  .list = &watch->list,
                                  .passing = &watch->passing};

    watched_find(&watch->list, watch->started.folder);
    for (size_t i = 0; i < watch->list.count; ++i)
        tell(watch, watch->list.items[i]);
    if (watch->list.count > 0)
        return;
    started_each(&watch->started, look_at_libraries_of, watch);
    (watch->request->json ? tell_none_json : tell_end_text)(watch->request->log, &so_far);
}

/* What comes of a terminal has come to the program as well. */
static void pass_on(struct watching *watch, const siginfo_t *signal)
{
    watch->signalled = true;
    if (signal->si_code != SI_KERNEL && !watch->ended)
        kill(watch->started.pid, signal->si_signo);
}

/* A program that ends soon has been looked at, too. */
static void set_tick(struct watching *watch)
{
    const uint64_t young_ns = (clock_ns() - watch->begun_ns) / YOUNG, wanted_ns = watch->request->deadline_ns / 8;

    watch->tick_ns = young_ns < wanted_ns ? young_ns : wanted_ns;
    watch->tick_ns = watch->tick_ns < least_tick_ns ? least_tick_ns : watch->tick_ns;
    watch->tick_ns = watch->tick_ns > most_tick_ns ? most_tick_ns : watch->tick_ns;
}

static void take_signal(struct watching *watch)
{
    const struct timespec tick = {.tv_nsec = (long)watch->tick_ns};
    siginfo_t signal;
    const int number = sigtimedwait(&watch->signals, &signal, &tick);

    if (number == SIGUSR1)
        tell_all(watch);
    else if (number > 0 && number != SIGCHLD)
        pass_on(watch, &signal);
    wait_for(watch);
}

/* --- what is done about it --- */

static void act(struct watching *watch, pid_t process)
{
    const enum on_stall action = watch->request->on_stall;

    if (action == ON_STALL_REPORT || watch->kill_ns != 0)
        return;
    if (action == ON_STALL_CORE)
        watch->core_of = process;
    else
        started_signal(&watch->started, SIGTERM);
    watch->kill_ns = clock_ns() + (action == ON_STALL_CORE ? core_ns : grace_ns);
}

static void look_at_one(struct watching *watch, struct watched *process, uint64_t passed_ns)
{
    const enum watch_verdict verdict = watched_look(process, passed_ns, watch->request->deadline_ns);

    const struct look *look = looking_seen(&process->looking);
    const enum look_reason reason = look != NULL ? look->reason : LOOK_REASONS;

    if (verdict < process->told || verdict == WATCH_NOTHING || (verdict == process->told && reason == process->reason))
        return;
    process->told = verdict;
    process->reason = reason;
    tell(watch, process);
    if (verdict > WATCH_LONG)
        act(watch, process->pid);
}

/* Libraries come and go; a look at them costs more than one at a page. */
static void look_at_libraries(struct watching *watch)
{
    if (watch->looked_ns < watch->libraries_ns)
        return;
    started_each(&watch->started, look_at_libraries_of, watch);
    const uint64_t now_ns = clock_ns(), young_ns = (now_ns - watch->begun_ns) / YOUNG;
    const uint64_t cost_ns = (now_ns - watch->looked_ns) * COST, pause_ns = young_ns > cost_ns ? young_ns : cost_ns;
    watch->libraries_ns = now_ns + (pause_ns < most_libraries_ns ? pause_ns : most_libraries_ns);
}

/* A tick that took too long is one in which this process did not run: who knows whether the other did. */
static void look(struct watching *watch)
{
    const uint64_t now_ns = clock_ns(), gap_ns = now_ns - watch->looked_ns;
    const uint64_t passed_ns = gap_ns > 2 * watch->tick_ns ? watch->tick_ns : gap_ns;

    if (gap_ns < watch->tick_ns / 2)
        return; /* a signal came */
    watch->looked_ns = now_ns;
    watched_find(&watch->list, watch->started.folder);
    tell_unseen(watch);
    look_at_libraries(watch);
    for (size_t i = 0; i < watch->list.count; ++i)
        look_at_one(watch, watch->list.items[i], passed_ns);
    if (fitting_step(&watch->fitting))
        tell_fit(watch);
    if (watch->core_of != 0)
        kill(watch->core_of, SIGABRT); /* a handler of LLVM's takes the first one */
    if (watch->kill_ns != 0 && now_ns >= watch->kill_ns) {
        started_signal(&watch->started, SIGKILL);
        watch->kill_ns = now_ns + grace_ns;
        watch->killed = true;
    }
}

/* It has ended, or is to end with all that it has started, which takes its time. */
static bool has_ended(const struct watching *watch)
{
    const bool ends_all = watch->request->on_stall == ON_STALL_END && watch->kill_ns != 0 && !watch->killed;

    return watch->ended && !(ends_all && !watch->signalled && started_count(&watch->started) > 0);
}

/* --- from its beginning to its end --- */

static int status_of(const struct watching *watch)
{
    return WIFEXITED(watch->status) ? WEXITSTATUS(watch->status) : 128 + WTERMSIG(watch->status);
}

/* Each process that has launched something; or that none has come. */
static void keep_end(const struct watching *watch, const struct ending *ending)
{
    struct sighting sighting;

    for (size_t i = 0; i < watch->list.count; ++i) {
        const struct watched *process = watch->list.items[i];
        if (!watch->request->keeper.ends && ending_runs(process) == NULL)
            continue;
        sight_end(&sighting, ending, process);
        keep(watch, &sighting);
    }
    if (watch->list.count == 0 && watch->request->keeper.ends) {
        sight_end(&sighting, ending, NULL);
        keep(watch, &sighting);
    }
}

static void tell_end(struct watching *watch)
{
    const struct watch_request *request = watch->request;
    const struct ending ending = {
        .program = request->words[0],
        .door = request->door,
        .status = status_of(watch),
        .list = &watch->list,
        .passing = &watch->passing,
        .whole = request->summary,
    };

    watched_find(&watch->list, watch->started.folder);
    tell_unseen(watch);
    for (size_t i = 0; i < watch->list.count; ++i) {
        watched_end(watch->list.items[i]);
        passing_settle(&watch->passing, watch->list.items[i]->pid, watch->list.items[i]->page);
    }
    keep_end(watch, &ending);
    (request->json ? tell_end_json : tell_end_text)(request->log, &ending);
}

/* What was begun before the program ended is told, unless somebody has no time for that. */
static void end_fitting(struct watching *watch)
{
    const struct timespec tick = {.tv_nsec = (long)watch->tick_ns};
    siginfo_t signal;

    while (!watch->signalled && watch->fitting.aside.child != 0) {
        const int number = sigtimedwait(&watch->signals, &signal, &tick);
        watch->signalled = number > 0 && number != SIGCHLD && number != SIGUSR1;
        if (fitting_step(&watch->fitting))
            tell_fit(watch);
    }
    fitting_fini(&watch->fitting);
}

static void block_signals(struct watching *watch)
{
    static const int numbers[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

    sigemptyset(&watch->signals);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        sigaddset(&watch->signals, numbers[i]);
    sigprocmask(SIG_BLOCK, &watch->signals, NULL);
}

int watched_run(const struct watch_request *request, struct error *error)
{
    struct watching watch = {.request = request, .passing.door = request->door};

    block_signals(&watch);
    const int started = started_begin(&watch.started, request->door, request->words, error);
    watch.begun_ns = watch.looked_ns = clock_ns();
    if (started == 0 && watch.started.has_32_bits)
        tell_32_bits(&watch, 0);
    while (started == 0 && !has_ended(&watch)) {
        set_tick(&watch);
        take_signal(&watch);
        look(&watch);
    }
    end_fitting(&watch);
    if (started == 0)
        tell_end(&watch);
    started_end(&watch.started);
    watched_fini(&watch.list);
    passing_fini(&watch.passing);
    return started == 0 ? status_of(&watch) : -1;
}

#include "host/jobs.h"

#include "base/alloc.h"
#include "host/load.h"
#include "host/orphans.h"
#include "host/signals.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 10 };

struct running {
    const struct jobs *jobs;
    struct job_end *ends; /* of all jobs; shared with them */
    pid_t *pids;          /* 0: it does not run */
    size_t count, ended;  /* of those that run, and of those that have */
    int forwarded;        /* signals */
    bool alone;           /* one that runs wants no other beside it */
    bool failed;
};

/* --- in the job's process --- */

/* A terminal's signals come to the parent alone, which hands them on: else each would count twice. */
static void settle(pid_t parent)
{
    setpgid(0, 0);
    signal(SIGTTOU, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(STATUS_HARNESS); /* it died before it could be noticed */
    load_is_of(parent);
}

static _Noreturn void run_job(const struct running *running, size_t job, pid_t parent)
{
    struct job_end *end = &running->ends[job];

    settle(parent);
    end->outcome = running->jobs->run(running->jobs->context, job, &end->error);
    _exit(STATUS_OK); /* without the ends of what belongs to the parent */
}

/* --- in this process --- */

static void begin(struct running *running, size_t job)
{
    const pid_t parent = getpid();

    fflush(NULL);
    running->ends[job].begun = true;
    running->pids[job] = fork();
    if (running->pids[job] == 0)
        run_job(running, job, parent);
    if (running->pids[job] < 0) {
        running->pids[job] = 0;
        running->ends[job].outcome = error_set(&running->ends[job].error, STATUS_HARNESS,
                                               "no process for the measurement of a device: %s", strerror(errno));
        running->ended += 1;
        running->failed = true;
        return;
    }
    running->count += 1;
    running->alone = running->jobs->is_alone(running->jobs->context, job);
}

static bool may_begin(const struct running *running, size_t job)
{
    if (running->ends[job].begun || running->failed || signals_received() != 0)
        return false;
    if (running->count == 0)
        return true;
    return !running->alone && running->count < running->jobs->most &&
           !running->jobs->is_alone(running->jobs->context, job);
}

static void begin_jobs(struct running *running)
{
    for (size_t job = 0; job < running->jobs->count; ++job)
        if (may_begin(running, job))
            begin(running, job);
}

static void note_end(struct running *running, size_t job, int status)
{
    struct job_end *end = &running->ends[job];

    running->pids[job] = 0;
    running->count -= 1;
    running->ended += 1;
    running->alone = false;
    if (WIFSIGNALED(status))
        end->outcome = error_set(&end->error, STATUS_HARNESS,
                                 "the process that measured a device was ended by signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status) != STATUS_OK)
        end->outcome = error_set(&end->error, STATUS_HARNESS,
                                 "the process that measured a device left with exit status %d", WEXITSTATUS(status));
    running->failed = running->failed || (end->outcome != 0 && end->error.status == STATUS_HARNESS);
}

static void reap(struct running *running)
{
    for (size_t job = 0; job < running->jobs->count; ++job) {
        int status;
        if (running->pids[job] != 0 && waitpid(running->pids[job], &status, WNOHANG) == running->pids[job])
            note_end(running, job, status);
    }
}

static void forward_signals(struct running *running)
{
    for (; running->forwarded < signals_count(); ++running->forwarded)
        for (size_t job = 0; job < running->jobs->count; ++job)
            if (running->pids[job] != 0)
                kill(running->pids[job], signals_received());
}

/* It ends because each job has its deadlines, and because the third signal ends this process at once. */
static void run_all(struct running *running)
{
    for (;;) {
        begin_jobs(running);
        if (running->count == 0)
            return;
        nanosleep(&(struct timespec){.tv_nsec = LOOK_MS * 1000000}, NULL);
        forward_signals(running);
        reap(running);
        running->jobs->waiting(running->jobs->context, running->ended);
    }
}

void *jobs_share(size_t bytes)
{
    void *memory = mmap(NULL, bytes > 0 ? bytes : 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        out_of_memory(bytes);
    return memory;
}

void jobs_run(const struct jobs *jobs, struct job_end *ends)
{
    const size_t bytes = jobs->count * sizeof *ends;
    struct running running = {
        .jobs = jobs,
        .ends = jobs_share(bytes),
        .pids = xcalloc(jobs->count, sizeof *running.pids),
    };
    const bool adopts = orphans_adopt();

    run_all(&running);
    if (adopts)
        orphans_end();
    memcpy(ends, running.ends, bytes);
    munmap(running.ends, bytes);
    free(running.pids);
}

#include "look/stop.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "look/pages.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { VECTOR_BYTES_MOST = 1 << 14, ROUNDS_MOST = 16 };
static const uint64_t stop_ns = UINT64_C(5000000000);
static const struct timespec pause_short = {.tv_nsec = 100000};

static struct stopped_thread *find_thread(struct stopped *stopped, pid_t id)
{
    for (size_t i = 0; i < stopped->count; ++i)
        if (stopped->threads[i].id == id)
            return &stopped->threads[i];
    return NULL;
}

/* It returns from the call with one of these, which nobody sees, if the stop has ended its sleep (linux/errno.h). */
static bool was_asleep(const struct user_regs_struct *registers)
{
    const int64_t result = (int64_t)registers->rax;
    return (int64_t)registers->orig_rax >= 0 && result <= -512 && result >= -516;
}

static void read_vectors(struct stopped_thread *thread)
{
    struct iovec room = {xmalloc(VECTOR_BYTES_MOST), VECTOR_BYTES_MOST};

    thread->vectors = room.iov_base;
    if (ptrace(PTRACE_GETREGSET, thread->id, (void *)NT_X86_XSTATE, &room) == 0)
        thread->vectors_bytes = room.iov_len;
}

static void read_registers(struct stopped_thread *thread)
{
    struct user_regs_struct *const registers = &thread->registers;

    if (ptrace(PTRACE_GETREGS, thread->id, NULL, registers) != 0)
        return;
    thread->state.call = -1;
    thread->state.state = 'R';
    if (!was_asleep(registers)) {
        read_vectors(thread);
        return;
    }
    const uint64_t arguments[] = {registers->rdi, registers->rsi, registers->rdx,
                                  registers->r10, registers->r8,  registers->r9};
    thread->state.state = 'S';
    thread->state.call = (int64_t)registers->orig_rax;
    memcpy(thread->state.arguments, arguments, sizeof arguments);
}

/* Leaves it alone if a stop would be noticed. */
static bool may_hold(const struct thread_state *state)
{
    return state->state == 'R' || state->call == -1 || system_call_goes_on(state->call);
}

/* 1: there is a new thread; 0: there is none; -1 with errno: it cannot be looked at. */
static int begin_stop(struct stopped *stopped, pid_t id)
{
    struct stopped_thread thread = {.id = id};

    if (find_thread(stopped, id) != NULL || !thread_state_read(&thread.state, stopped->process, id) ||
        thread.state.state == 'Z' || thread.state.state == 'X')
        return 0;
    thread.registers.rsp = thread.state.sp;
    thread.registers.rip = thread.state.pc;
    if (may_hold(&thread.state)) {
        if (ptrace(PTRACE_SEIZE, id, NULL, NULL) != 0)
            return errno == ESRCH ? 0 : -1;
        thread.held = ptrace(PTRACE_INTERRUPT, id, NULL, NULL) == 0;
    }
    GROW(stopped->threads, stopped->count);
    stopped->threads[stopped->count++] = thread;
    return 1;
}

static void remove_thread(struct stopped *stopped, struct stopped_thread *thread)
{
    const size_t at = (size_t)(thread - stopped->threads);

    memmove(thread, thread + 1, (--stopped->count - at) * sizeof *thread);
}

/* 0: it has stopped, or ended; -1: it does neither until then. */
static int await_stop(struct stopped *stopped, struct stopped_thread *thread, uint64_t until_ns)
{
    int status;

    for (;;) {
        const pid_t got = waitpid(thread->id, &status, __WALL | WNOHANG);
        if (got == thread->id && WIFSTOPPED(status)) {
            thread->signal = status >> 16 == PTRACE_EVENT_STOP ? 0 : WSTOPSIG(status);
            read_registers(thread);
            return 0;
        }
        if (got == thread->id || (got < 0 && errno == ECHILD)) {
            remove_thread(stopped, thread);
            return 0;
        }
        if (clock_ns() > until_ns)
            return -1;
        nanosleep(&pause_short, NULL);
    }
}

/*
 * One that was woken after it had been stopped, by another that was not yet, goes on: the word that it slept at is
 * another one now.
 */
static void find_woken(struct stopped *stopped)
{
    for (size_t i = 0; i < stopped->count; ++i) {
        struct thread_state *const state = &stopped->threads[i].state;
        uint64_t address;
        uint32_t slept_at, word;
        if (stopped->threads[i].held && thread_sleeps_at(state, &address, &slept_at) &&
            (!pages_read(stopped->process, address, &word, sizeof word) || word != slept_at))
            state->call = -1;
    }
}

/* Stops those that are there now. The same as begin_stop. */
static int stop_more(struct stopped *stopped, uint64_t until_ns, struct error *error)
{
    pid_t *ids;
    const size_t count = process_threads(stopped->process, &ids), before = stopped->count;
    int outcome = 0;

    for (size_t i = 0; i < count && outcome >= 0; ++i)
        if ((outcome = begin_stop(stopped, ids[i])) < 0)
            error_set(error, STATUS_USAGE, "the system forbids to look at process %d: %s", (int)stopped->process,
                      strerror(errno));
    free(ids);
    const bool more = stopped->count > before;
    for (size_t i = stopped->count; i-- > before && outcome >= 0;) {
        struct stopped_thread *const thread = &stopped->threads[i];
        const pid_t id = thread->id;
        if (thread->held && await_stop(stopped, thread, until_ns) != 0)
            outcome = error_set(error, STATUS_HARNESS,
                                "thread %d of process %d cannot be stopped: it is in the system, in state %c%s",
                                (int)id, (int)stopped->process, thread->state.state,
                                thread->state.state == 'R' ? ", or other programs have all processors" : "");
    }
    return outcome < 0 ? -1 : more;
}

int stop_process(struct stopped *stopped, pid_t process, struct error *error)
{
    const uint64_t until_ns = clock_ns() + stop_ns;
    int more = 1;

    *stopped = (struct stopped){.process = process};
    for (int round = 0; more > 0 && round < ROUNDS_MOST; ++round)
        more = stop_more(stopped, until_ns, error);
    if (more == 0 && stopped->count == 0)
        more = error_set(error, STATUS_USAGE, "process %d has ended", (int)process);
    if (more > 0)
        more =
            error_set(error, STATUS_HARNESS, "process %d begins threads faster than they can be stopped", (int)process);
    if (more == 0) {
        find_woken(stopped);
        return 0;
    }
    stop_release(stopped);
    stop_fini(stopped);
    return -1;
}

/* One that was killed meanwhile: its process ends only when this one has taken notice. */
static void await_end(pid_t thread, uint64_t until_ns)
{
    while (waitpid(thread, NULL, __WALL | WNOHANG) == 0 && clock_ns() < until_ns)
        nanosleep(&pause_short, NULL);
}

void stop_release(struct stopped *stopped)
{
    const uint64_t until_ns = clock_ns() + stop_ns;

    for (size_t i = stopped->count; i-- > 0;) { /* the first thread of a process ends after the others */
        struct stopped_thread *const thread = &stopped->threads[i];
        if (thread->held && syscall(SYS_ptrace, PTRACE_DETACH, thread->id, 0, thread->signal) != 0)
            await_end(thread->id, until_ns);
    }
}

void stop_fini(struct stopped *stopped)
{
    for (size_t i = 0; i < stopped->count; ++i)
        free(stopped->threads[i].vectors);
    free(stopped->threads);
    *stopped = (struct stopped){0};
}

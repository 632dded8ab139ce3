#include "look/process.h"

#include "base/alloc.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef FUTEX_LOCK_PI2
#define FUTEX_LOCK_PI2 13
#endif

/* Reads at most size - 1 bytes; false: it cannot be read. */
static bool read_text(char *text, size_t size, const char *format, pid_t process, pid_t thread)
{
    char path[96];

    snprintf(path, sizeof path, format, (int)process, (int)thread);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t got = file < 0 ? -1 : read(file, text, size - 1);
    const int failure = errno;
    if (file >= 0)
        close(file);
    errno = failure;
    if (got < 0)
        return false;
    text[got] = '\0';
    return true;
}

/* Of a line of /proc/PID/status. */
static long status_number(const char *status, const char *name)
{
    const char *const line = strstr(status, name);
    return line != NULL ? strtol(line + strlen(name), NULL, 10) : 0;
}

static int refuse_right(pid_t process, const char *status, struct error *error)
{
    const long owner = status_number(status, "\nUid:");
    char yama[8] = "";

    if (status_number(status, "\nTracerPid:") != 0)
        return error_set(error, STATUS_USAGE,
                         "process %d is looked at by another one already, process %ld: end that first", (int)process,
                         status_number(status, "\nTracerPid:"));
    if (owner != (long)geteuid() && geteuid() != 0)
        return error_set(error, STATUS_USAGE,
                         "process %d is of another user, %ld: run gridlock watch as that user, or as root",
                         (int)process, owner);
    if (read_text(yama, sizeof yama, "/proc/sys/kernel/yama/ptrace_scope", 0, 0) && yama[0] > '0')
        return error_set(
            error, STATUS_USAGE,
            "the system forbids to look at process %d (kernel.yama.ptrace_scope is %c): run gridlock watch as "
            "root, or set it to 0",
            (int)process, yama[0]);
    return error_set(
        error, STATUS_USAGE,
        "the system forbids to look at process %d, which may be of a program with more rights: run gridlock "
        "watch as root",
        (int)process);
}

/* How much of its head was read; -1 and errno. */
static ssize_t read_head(const char *path, unsigned char head[EI_NIDENT])
{
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const ssize_t got = file < 0 ? -1 : read(file, head, EI_NIDENT);

    if (file >= 0)
        close(file);
    return got;
}

bool program_has_32_bits(const char *path)
{
    unsigned char head[EI_NIDENT];

    return read_head(path, head) == EI_NIDENT && memcmp(head, ELFMAG, SELFMAG) == 0 && head[EI_CLASS] == ELFCLASS32;
}

/* 0, or why the file of the program cannot be looked at. */
static int check_class(pid_t process, const char *status, struct error *error)
{
    unsigned char head[EI_NIDENT];
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/exe", (int)process);
    const ssize_t got = read_head(path, head);
    if (got < 0 && errno == ENOENT)
        return error_set(error, STATUS_USAGE, "process %d is of the system itself, and has no program", (int)process);
    if (got < 0)
        return refuse_right(process, status, error);
    if (got == EI_NIDENT && head[EI_CLASS] != ELFCLASS64)
        return error_set(error, STATUS_UNSUPPORTED,
                         "process %d is a program of 32 bits; only those of 64 bits can be looked at", (int)process);
    return 0;
}

int process_check(pid_t process, struct error *error)
{
    char status[4096], text[256];

    if (!read_text(status, sizeof status, "/proc/%d/status", process, 0))
        return error_set(error, STATUS_USAGE, "there is no process %d", (int)process);
    if (status_number(status, "\nTgid:") != process)
        return error_set(error, STATUS_USAGE, "%d is a thread of process %ld: name that", (int)process,
                         status_number(status, "\nTgid:"));
    if (process == getpid())
        return error_set(error, STATUS_USAGE, "process %d is gridlock watch itself", (int)process);
    const pid_t thread = process_living(process);
    if (thread == 0)
        return error_set(error, STATUS_USAGE, "process %d has ended, and only waits for its parent to take notice",
                         (int)process);
    if (check_class(thread, status, error) != 0)
        return -1;
    if (status_number(status, "\nTracerPid:") != 0 ||
        !read_text(text, sizeof text, "/proc/%d/task/%d/syscall", process, thread))
        return refuse_right(process, status, error);
    return 0;
}

/* "CALL ARGUMENT... SP PC", "-1 SP PC" or "running" */
static void parse_call(struct thread_state *state, const char *text)
{
    uint64_t *const numbers[] = {&state->arguments[0], &state->arguments[1], &state->arguments[2], &state->arguments[3],
                                 &state->arguments[4], &state->arguments[5], &state->sp,           &state->pc};
    char *next;
    const int64_t call = strtoll(text, &next, 10);

    if (next == text || call < 0)
        return;
    state->call = call;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        *numbers[i] = strtoull(next, &next, 16);
}

bool thread_state_read(struct thread_state *state, pid_t process, pid_t thread)
{
    char text[1024];

    *state = (struct thread_state){.call = -1};
    if (!read_text(text, sizeof text, "/proc/%d/task/%d/stat", process, thread))
        return false;
    const char *const name = strchr(text, '('), *const end = strrchr(text, ')');
    if (name == NULL || end == NULL || end[1] == '\0')
        return false;
    snprintf(state->name, sizeof state->name, "%.*s", (int)(end - name - 1), name + 1);
    state->state = end[2];
    if (read_text(text, sizeof text, "/proc/%d/task/%d/syscall", process, thread))
        parse_call(state, text);
    return true;
}

uint64_t thread_sleeps(pid_t process, pid_t thread)
{
    char status[4096];

    if (!read_text(status, sizeof status, "/proc/%d/task/%d/status", process, thread))
        return 0;
    return (uint64_t)status_number(status, "\nvoluntary_ctxt_switches:");
}

bool thread_is_bound(const struct thread_state *state, const struct maps *maps, bool timed)
{
    const uint64_t *const arguments = state->arguments;
    const uint64_t what = arguments[1] & (uint64_t)FUTEX_CMD_MASK;
    const struct map *const map = maps_find(maps, arguments[0]);

    return state->state == 'S' && state->call == SYS_futex && (arguments[3] == 0 || timed) && map != NULL &&
           ((arguments[1] & FUTEX_PRIVATE_FLAG) != 0 || !map->shared) &&
           (what == FUTEX_WAIT || what == FUTEX_WAIT_BITSET || what == FUTEX_LOCK_PI || what == FUTEX_LOCK_PI2);
}

bool thread_sleeps_at(const struct thread_state *state, uint64_t *address, uint32_t *value)
{
    const uint64_t what = state->arguments[1] & (uint64_t)FUTEX_CMD_MASK;

    *address = state->arguments[0];
    *value = (uint32_t)state->arguments[2];
    return state->call == SYS_futex && (what == FUTEX_WAIT || what == FUTEX_WAIT_BITSET);
}

size_t process_threads(pid_t process, pid_t **threads)
{
    char path[64];
    size_t count = 0;

    *threads = NULL;
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *const folder = opendir(path);
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        const pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);
        if (thread <= 0)
            continue;
        GROW(*threads, count);
        (*threads)[count++] = thread;
    }
    if (folder != NULL)
        closedir(folder);
    return count;
}

static bool is_living(pid_t process, pid_t thread)
{
    struct thread_state state;

    return thread_state_read(&state, process, thread) && state.state != 'Z' && state.state != 'X';
}

pid_t process_living(pid_t process)
{
    pid_t *threads, living = 0;

    if (is_living(process, process))
        return process;
    const size_t count = process_threads(process, &threads);
    for (size_t i = 0; i < count && living == 0; ++i)
        if (is_living(process, threads[i]))
            living = threads[i];
    free(threads);
    return living;
}

void process_path(pid_t process, const char *name, char path[PROCESS_PATH])
{
    snprintf(path, PROCESS_PATH, "/proc/%d/%s", (int)process_living(process), name);
}

bool process_uses_gpu(pid_t process)
{
    char path[64], link[PATH_MAX];
    bool found = false;

    snprintf(path, sizeof path, "/proc/%d/fd", (int)process);
    DIR *const folder = opendir(path);
    for (const struct dirent *entry; folder != NULL && !found && (entry = readdir(folder)) != NULL;) {
        const ssize_t length = readlinkat(dirfd(folder), entry->d_name, link, sizeof link - 1);
        if (length <= 0)
            continue;
        link[length] = '\0';
        found = strncmp(link, "/dev/nvidia", 11) == 0 || strncmp(link, "/dev/dri/", 9) == 0 ||
                strcmp(link, "/dev/kfd") == 0;
    }
    if (folder != NULL)
        closedir(folder);
    return found;
}

/* --- system calls --- */

static const struct {
    int64_t call;
    const char *name;
    bool goes_on; /* by signal(7), "Interruption of system calls by stop signals", and restart_syscall(2) */
} calls[] = {
    {SYS_futex, "futex", true},
    {SYS_restart_syscall, "restart_syscall", true},
    {SYS_ppoll, "ppoll", true},
    {SYS_pselect6, "pselect6", true},
    {SYS_nanosleep, "nanosleep", true},
    {SYS_clock_nanosleep, "clock_nanosleep", true},
    {SYS_wait4, "wait4", true},
    {SYS_waitid, "waitid", true},
    {SYS_sched_yield, "sched_yield", true},
    {SYS_epoll_pwait, "epoll_pwait", false},
    {SYS_read, "read", false},
    {SYS_write, "write", false},
    {SYS_ioctl, "ioctl", false},
    {SYS_recvfrom, "recvfrom", false},
    {SYS_recvmsg, "recvmsg", false},
    {SYS_accept, "accept", false},
    {SYS_accept4, "accept4", false},
    {SYS_rt_sigtimedwait, "rt_sigtimedwait", false},
    {SYS_rt_sigsuspend, "rt_sigsuspend", false},
#if defined(SYS_poll) /* newer processors have only those above in their stead */
    {SYS_poll, "poll", true},
    {SYS_select, "select", true},
    {SYS_pause, "pause", true},
    {SYS_epoll_wait, "epoll_wait", false},
#endif
};

const char *system_call_name(int64_t call)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i)
        if (calls[i].call == call)
            return calls[i].name;
    return NULL;
}

bool system_call_goes_on(int64_t call)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i)
        if (calls[i].call == call)
            return calls[i].goes_on;
    return false;
}

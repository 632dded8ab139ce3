#include "base/turns.h"

#include "base/alloc.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define UNKNOWN UINT64_MAX

/* Linux: the clock of the time that a thread of this process has run. 0: it is gone. */
static uint64_t own_ran_ns(pid_t thread)
{
    enum { PER_THREAD_SCHEDULED = 6 };
    const clockid_t clock = (clockid_t)(~(unsigned)thread << 3 | PER_THREAD_SCHEDULED);
    struct timespec time;

    return clock_gettime(clock, &time) == 0 ? (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec : 0;
}

/* A short file of /proc; "" if it cannot be read. */
static void read_text(const char *path, char *text, size_t size)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t length = file < 0 ? -1 : read(file, text, size - 1);

    if (file >= 0)
        close(file);
    text[length > 0 ? length : 0] = '\0';
}

/* Of another process no such clock can be read, but the time up to its last turn, or a little later. */
static uint64_t ran_ns(const struct turns *turns, pid_t thread)
{
    char path[64], text[128];

    if (turns->process == 0)
        return own_ran_ns(thread);
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/schedstat", (long)turns->process, (long)thread);
    read_text(path, text, sizeof text);
    return text[0] != '\0' ? strtoull(text, NULL, 10) : UNKNOWN;
}

/* It comes behind the name, which may have any characters. */
int turns_state(const char *path, long *parent)
{
    char text[512];

    read_text(path, text, sizeof text);
    const char *end = strrchr(text, ')');
    if (end == NULL || strlen(end) < sizeof ") R 1" - 1)
        return 0;
    *parent = strtol(end + 4, NULL, 10);
    return end[2];
}

static long process_of(const struct turns *turns)
{
    return turns->process != 0 ? (long)turns->process : (long)getpid();
}

static bool is_runnable(const struct turns *turns, pid_t thread)
{
    char path[64];
    long parent;

    snprintf(path, sizeof path, "/proc/%ld/task/%ld/stat", process_of(turns), (long)thread);
    return turns_state(path, &parent) == 'R';
}

static void begin(struct turns *turns)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%ld/task", process_of(turns));
    DIR *threads = opendir(path);
    turns->begun = true;
    if (threads == NULL)
        return;
    for (const struct dirent *entry = readdir(threads); entry != NULL; entry = readdir(threads)) {
        const pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);
        if (thread <= 0 || thread == (pid_t)syscall(SYS_gettid))
            continue;
        const struct turn turn = {thread, ran_ns(turns, thread)};
        if (turn.ran_ns == UNKNOWN)
            continue;
        GROW(turns->waiting, turns->count);
        turns->waiting[turns->count++] = turn;
    }
    closedir(threads);
}

bool turns_had(struct turns *turns, uint64_t least_ns)
{
    size_t left = 0;

    if (!turns->begun)
        begin(turns);
    for (size_t i = 0; i < turns->count; ++i) {
        const struct turn turn = turns->waiting[i];
        if (ran_ns(turns, turn.thread) - turn.ran_ns < least_ns && is_runnable(turns, turn.thread))
            turns->waiting[left++] = turn;
    }
    turns->count = left;
    return left == 0;
}

void turns_fini(struct turns *turns)
{
    free(turns->waiting);
    *turns = (struct turns){.process = turns->process};
}

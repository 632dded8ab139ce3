#include "model/clang.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum {
    VERSION_FIRST = 14, /* with which this has been tried; the last one is 21, and newer ones are looked for */
    VERSION_LAST = 40,
    SECONDS_MOST = 60,     /* of its own time, */
    IDLE_SECONDS_MOST = 5, /* and without any: a pipe that a kernel includes never ends */
};

static const rlim_t memory_most = (rlim_t)2 << 30;

char *clang_in_path(const char *name)
{
    const char *path = getenv("PATH");

    while (path != NULL && *path != '\0') {
        const size_t length = strcspn(path, ":");
        char *file = xasprintf("%.*s/%s", (int)length, path, name);
        if (*file == '/' && access(file, X_OK) == 0)
            return file;
        free(file);
        path += length + (path[length] == ':');
    }
    return NULL;
}

/* The program of this version. */
static char *versioned(int version)
{
    char *name = xasprintf("clang-%d", version);
    char *file = clang_in_path(name);

    free(name);
    if (file == NULL) {
        file = xasprintf("/usr/lib/llvm-%d/bin/clang", version);
        if (access(file, X_OK) != 0) {
            free(file);
            file = NULL;
        }
    }
    return file;
}

char *clang_find(struct error *error)
{
#if !defined(__x86_64__)
    return ERROR_NULL(error, STATUS_UNSUPPORTED, "model devices run kernels on x86-64 only");
#endif
    const char *given = getenv("GRIDLOCK_CLANG");

    if (given != NULL && *given != '\0') {
        char *file = strchr(given, '/') == NULL ? clang_in_path(given) : xstrdup(given);
        if (file != NULL && access(file, X_OK) == 0)
            return file;
        free(file);
        return ERROR_NULL(error, STATUS_UNSUPPORTED, "GRIDLOCK_CLANG is no program: %s", given);
    }
    char *file = clang_in_path("clang");
    for (int version = VERSION_LAST; file == NULL && version >= VERSION_FIRST; --version)
        file = versioned(version);
    if (file == NULL)
        error_set(error, STATUS_UNSUPPORTED, "model devices need clang (Debian: apt install clang)");
    return file;
}

char *clang_find_linker(struct error *error)
{
    char *file = clang_in_path("ld");
    if (file == NULL)
        file = clang_in_path("ld.lld");
    if (file == NULL)
        error_set(error, STATUS_UNSUPPORTED, "model devices need a linker, ld (Debian: apt install binutils)");
    return file;
}

pid_t clang_start(const char *log, char *const *arguments)
{
    const struct rlimit memory = {memory_most, memory_most}, time = {SECONDS_MOST, SECONDS_MOST};
    posix_spawn_file_actions_t files;
    pid_t pid = 0;

    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    if (posix_spawn(&pid, arguments[0], &files, NULL, arguments, environ) != 0)
        pid = 0;
    posix_spawn_file_actions_destroy(&files);
    if (pid != 0) {
        prlimit(pid, RLIMIT_AS, &memory, NULL);
        prlimit(pid, RLIMIT_CPU, &time, NULL);
    }
    return pid;
}

/* It had time of a processor since it was last asked. */
static bool works(pid_t pid, struct timespec *used)
{
    const struct timespec before = *used;
    clockid_t clock;

    return clock_getcpuclockid(pid, &clock) == 0 && clock_gettime(clock, used) == 0 &&
           (used->tv_sec != before.tv_sec || used->tv_nsec != before.tv_nsec);
}

/* It has ended, or is ended. */
static void await(pid_t pid)
{
    struct timespec used = {0};
    const int descriptor = (int)syscall(SYS_pidfd_open, pid, 0);
    struct pollfd end = {.fd = descriptor, .events = POLLIN};
    int found = 0;

    if (descriptor < 0)
        return; /* its own limit of time ends it */
    do
        found = poll(&end, 1, IDLE_SECONDS_MOST * 1000);
    while ((found < 0 && errno == EINTR) || (found == 0 && works(pid, &used)));
    if (found == 0)
        kill(pid, SIGKILL);
    close(descriptor);
}

int clang_wait(pid_t pid)
{
    int status = 0;

    if (pid == 0)
        return -1;
    await(pid);
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

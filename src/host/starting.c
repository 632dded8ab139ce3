#include "host/starting.h"

#include "base/icd_folder.h"
#include "base/trace.h"
#include "host/orphans.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    WORKER_SOCKET = 3, /* descriptors in the worker */
    WORKER_MIRROR = 4,
    WORKER_TRACE = 5,
    OWN_ARGUMENTS = 5, /* of the worker, before the driver libraries */
    MAX_ARGUMENTS = OWN_ARGUMENTS + ICD_FOLDER_FILES + 1,
};

extern char **environ;

int starting_raise(int descriptor)
{
    int high = fcntl(descriptor, F_DUPFD_CLOEXEC, WORKER_TRACE + 1);
    close(descriptor);
    return high;
}

/* Returns 0 and sets starting->pid, or returns what went wrong. */
static int spawn(struct starting *starting, int socket, int output)
{
    const char *kernels = starting->options->kernel_folder;
    char parent[32];
    char *arguments[MAX_ARGUMENTS] = {"gridlock", "worker", parent, (char *)(kernels != NULL ? kernels : ""),
                                      starting->icd_folder};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;

    snprintf(parent, sizeof parent, "%ld", (long)getpid());
    for (size_t i = 0; i < starting->options->icd_count; ++i)
        arguments[OWN_ARGUMENTS + i] = starting->options->icds[i];
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_init(&attributes);
    /* In a session of its own: Linux first divides processors between sessions, and the user's may be busy. */
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (trace_is_on())
        posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, WORKER_TRACE);
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    posix_spawn_file_actions_adddup2(&actions, output, 2);
    posix_spawn_file_actions_adddup2(&actions, socket, WORKER_SOCKET);
    posix_spawn_file_actions_adddup2(&actions, starting->mirror, WORKER_MIRROR);
    int code = posix_spawn(&starting->pid, "/proc/self/exe", &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (code == 0)
        orphans_own(starting->pid);
    trace("started worker %ld", code == 0 ? (long)starting->pid : 0L);
    return code;
}

/* Both, or errno says why none of them. */
static int make_descriptors(int sockets[2], int output[2])
{
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0)
        return -1;
    if (pipe2(output, O_CLOEXEC | O_NONBLOCK) == 0)
        return 0;
    const int code = errno;
    close(sockets[0]);
    close(sockets[1]);
    errno = code;
    return -1;
}

int starting_start(struct starting *starting, struct error *error)
{
    int sockets[2], output[2];

    if (make_descriptors(sockets, output) != 0)
        return error_set(error, STATUS_HARNESS, "cannot make a socket for the worker: %s", strerror(errno));
    sockets[1] = starting_raise(sockets[1]);
    output[1] = starting_raise(output[1]);
    fcntl(output[1], F_SETFL, 0); /* the worker's writes may wait: the watchdog drains them */
    const int code = spawn(starting, sockets[1], output[1]);
    close(sockets[1]);
    close(output[1]);
    starting->socket = sockets[0];
    starting->output = output[0];
    if (code == 0)
        return 0;
    close(sockets[0]);
    close(output[0]);
    return error_set(error, STATUS_HARNESS, "cannot start a worker: %s", strerror(code));
}

#include "model/clang.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NEWEST = 23, OLDEST = 14, PROGRAM_BYTES = 512 };
static const rlim_t seconds_most = 60, memory_most = (rlim_t)8 << 30, file_most = (rlim_t)256 << 20;
static const uint64_t deadline_ns = UINT64_C(120) * 1000000000;

extern char **environ;

/* --- the program --- */

static bool is_in_path(const char *name, char path[PROGRAM_BYTES])
{
    const char *at = getenv("PATH");

    while (at != NULL && *at != '\0') {
        const size_t length = strcspn(at, ":");
        snprintf(path, PROGRAM_BYTES, "%.*s/%s", (int)length, at, name);
        if (length > 0 && access(path, X_OK) == 0)
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

static bool find(char path[PROGRAM_BYTES])
{
    const char *given = getenv("GRIDLOCK_CLANG");
    char name[32];

    if (given != NULL && given[0] != '\0') {
        snprintf(path, PROGRAM_BYTES, "%s", given);
        return access(path, X_OK) == 0;
    }
    if (is_in_path("clang", path))
        return true;
    for (int version = NEWEST; version >= OLDEST; --version) {
        snprintf(name, sizeof name, "clang-%d", version);
        if (is_in_path(name, path))
            return true;
        snprintf(path, PROGRAM_BYTES, "/usr/lib/llvm-%d/bin/clang", version);
        if (access(path, X_OK) == 0)
            return true;
    }
    return false;
}

const char *clang_program(struct error *error)
{
    static char path[PROGRAM_BYTES];

    if (path[0] != '\0' || find(path))
        return path;
    path[0] = '\0';
    return ERROR_NULL(error, STATUS_UNSUPPORTED,
                      "model devices compile kernels with clang, and there is none%s (Debian: apt install clang)",
                      getenv("GRIDLOCK_CLANG") != NULL ? " where GRIDLOCK_CLANG says" : "");
}

/* --- running it --- */

void clang_add(struct clang_command *command, const char *word)
{
    if (command->count < CLANG_WORDS)
        command->words[command->count++] = word;
    command->words[command->count] = NULL;
}

static void bound(pid_t child)
{
    const struct rlimit time = {seconds_most, seconds_most}, memory = {memory_most, memory_most},
                        file = {file_most, file_most};

    prlimit(child, RLIMIT_CPU, &time, NULL);
    prlimit(child, RLIMIT_AS, &memory, NULL);
    prlimit(child, RLIMIT_FSIZE, &file, NULL);
}

static int start(const struct clang_command *command, const char *output, pid_t *child)
{
    posix_spawn_file_actions_t actions;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    const int code = posix_spawn(child, command->words[0], &actions, NULL, (char *const *)command->words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

/* False: it did not end in time, and was killed. */
static bool wait_for(pid_t child, int *status)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    const uint64_t until_ns = clock_ns() + deadline_ns;
    pid_t ended;

    while ((ended = waitpid(child, status, WNOHANG)) == 0 && clock_ns() < until_ns)
        nanosleep(&pause, NULL);
    if (ended != 0)
        return true;
    kill(child, SIGKILL);
    waitpid(child, status, 0);
    return false;
}

static char *read_log(const char *path)
{
    FILE *file = fopen(path, "re");
    char *text = file != NULL ? xcalloc(1, CLANG_LOG_MOST) : NULL;

    if (file == NULL)
        return NULL;
    const size_t length = fread(text, 1, CLANG_LOG_MOST - 1, file);
    fclose(file);
    if (length > 0)
        return text;
    free(text);
    return NULL;
}

int clang_run(const struct clang_command *command, const char *folder, char **log, struct error *error)
{
    char output[PROGRAM_BYTES];
    pid_t child;
    int status = 0;

    *log = NULL;
    snprintf(output, sizeof output, "%s/log", folder);
    const int code = start(command, output, &child);
    if (code != 0)
        return error_set(error, STATUS_HARNESS, "cannot run %s: %s", command->words[0], strerror(code));
    bound(child);
    if (!wait_for(child, &status))
        return error_set(error, STATUS_HARNESS, "%s did not end", command->words[0]);
    *log = read_log(output);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return 0;
    if (WIFEXITED(status))
        return 1;
    return error_set(error, STATUS_HARNESS, "%s died of signal %d", command->words[0], WTERMSIG(status));
}

#include "explain/filter.h"

#include "base/clock.h"
#include "core/text.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

FILE *filter_file(struct error *error)
{
    const int descriptor = memfd_create("gridlock", MFD_CLOEXEC);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w+") : NULL;

    if (file == NULL) {
        error_set(error, STATUS_HARNESS, "no memory for a file: %s", strerror(errno));
        if (descriptor >= 0)
            close(descriptor);
    }
    return file;
}

/* Starts the program with three files; its errno if it could not be started. */
static int start(char *const *arguments, FILE *const files[3], pid_t *child)
{
    posix_spawn_file_actions_t actions;
    int code = posix_spawn_file_actions_init(&actions);

    if (code != 0)
        return code;
    for (int i = 0; code == 0 && i < 3; ++i)
        code = posix_spawn_file_actions_adddup2(&actions, fileno(files[i]), i);
    if (code == 0)
        code = posix_spawnp(child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

/* Waits for the program's end, and brings it about once the deadline has passed: false. */
static bool await(pid_t child, uint64_t deadline_ms, int *status)
{
    const struct timespec pause = {.tv_nsec = 2000000};
    const uint64_t deadline_ns = clock_ns() + deadline_ms * 1000000;
    pid_t ended;

    while ((ended = waitpid(child, status, WNOHANG)) == 0 && clock_ns() < deadline_ns)
        nanosleep(&pause, NULL);
    if (ended == 0) {
        kill(child, SIGKILL);
        (void)waitpid(child, status, 0);
    }
    return ended != 0;
}

static int copy(FILE *from, FILE *to, struct error *error)
{
    char buffer[16384];
    size_t size;

    rewind(from);
    while ((size = fread(buffer, 1, sizeof buffer, from)) > 0)
        if (fwrite(buffer, 1, size, to) != size && errno != EPIPE) /* whoever read it has seen enough */
            return error_set(error, STATUS_HARNESS, "cannot write: %s", strerror(errno));
    return 0;
}

/* The program failed; its first words say why. */
static int report(const char *program, int status, FILE *words, struct error *error)
{
    char line[200] = "";

    rewind(words);
    if (fgets(line, sizeof line, words) != NULL)
        line[strcspn(line, "\n")] = '\0';
    text_make_plain(line);
    return error_set(error, STATUS_HARNESS, "%s failed, with %s %d%s%s", program,
                     WIFSIGNALED(status) ? "signal" : "exit status",
                     WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), line[0] != '\0' ? ": " : "", line);
}

static int run(char *const *arguments, FILE *const files[3], FILE *out, uint64_t deadline_ms, struct error *error)
{
    pid_t child;
    int status = 0;
    const int code = start(arguments, files, &child);

    if (code == ENOENT)
        return 1;
    if (code != 0)
        return error_set(error, STATUS_HARNESS, "cannot start %s: %s", arguments[0], strerror(code));
    if (!await(child, deadline_ms, &status))
        return error_set(error, STATUS_HARNESS, "%s did not end within %llu s and was killed", arguments[0],
                         (unsigned long long)(deadline_ms / 1000));
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return report(arguments[0], status, files[2], error);
    return copy(files[1], out, error);
}

int filter_run(char *const *arguments, FILE *input, FILE *out, uint64_t deadline_ms, struct error *error)
{
    FILE *printed = filter_file(error);
    FILE *words = printed != NULL ? filter_file(error) : NULL;
    int result = -1;

    if (words == NULL)
        goto out;
    if (fflush(input) != 0 || fseek(input, 0, SEEK_SET) != 0) {
        error_set(error, STATUS_HARNESS, "cannot write the input of %s: %s", arguments[0], strerror(errno));
        goto out;
    }
    result = run(arguments, (FILE *const[3]){input, printed, words}, out, deadline_ms, error);
out:
    if (words != NULL)
        fclose(words);
    if (printed != NULL)
        fclose(printed);
    return result;
}

#include "watch/started.h"

#include "base/alloc.h"
#include "core/text.h"
#include "door/page.h"
#include "host/signals.h"
#include "look/process.h"
#include "watch/watch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- the door --- */

/* Beside the program where it was built, else where it is installed. */
static char *find_door(struct error *error)
{
    static const char *const places[] = {"", "/../lib/gridlock"};
    char program[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);

    program[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(program, '/');
    if (slash != NULL)
        *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
        char *path = xasprintf("%s%s/" DOOR_LIBRARY, program, places[i]);
        char *real = realpath(path, NULL);
        free(path);
        if (real != NULL)
            return real;
    }
    return ERROR_NULL(error, STATUS_HARNESS,
                      "cannot find " DOOR_LIBRARY " beside the program, nor where it is installed");
}

static int make_folder(struct started *started, struct error *error)
{
    static const char *const roots[] = {"/dev/shm", "/tmp"};
    char *door = find_door(error), path[STARTED_FOLDER + 16];

    if (door == NULL)
        return -1;
    for (size_t i = 0; i < sizeof roots / sizeof *roots; ++i) {
        snprintf(started->folder, sizeof started->folder, "%s/gridlock-watch-%d-XXXXXX", roots[i], (int)getpid());
        if (mkdtemp(started->folder) != NULL)
            break;
        started->folder[0] = '\0';
    }
    snprintf(path, sizeof path, "%s/door.icd", started->folder);
    FILE *icd = started->folder[0] == '\0' ? NULL : fopen(path, "wxe");
    const bool written = icd != NULL && fprintf(icd, "%s\n", door) > 0;
    snprintf(started->library, sizeof started->library, "%s", door);
    free(door);
    if (icd != NULL && fclose(icd) == 0 && written)
        return 0;
    return error_set(error, STATUS_HARNESS, "cannot make a folder in /dev/shm or /tmp for what the program does: %s",
                     strerror(errno));
}

static void keep(const char *name, const char *as)
{
    const char *value = getenv(name);

    if (value != NULL && value[0] != '\0')
        setenv(as, value, 1);
    else
        unsetenv(as);
}

static void name_driver(const struct started *started)
{
    keep("OCL_ICD_VENDORS", DOOR_VENDORS);
    keep("OPENCL_VENDOR_PATH", DOOR_VENDOR_PATH);
    unsetenv("OPENCL_VENDOR_PATH");
    setenv("OCL_ICD_VENDORS", started->folder, 1);
}

/* Behind the others: it is the first that the program meets. */
static void name_layer(const struct started *started)
{
    const char *others = getenv("OPENCL_LAYERS");
    const bool none = others == NULL || others[0] == '\0';
    char *layers = xasprintf("%s%s%s", none ? "" : others, none ? "" : ":", started->library);

    setenv("OPENCL_LAYERS", layers, 1);
    free(layers);
}

static void name_door(const struct started *started)
{
    (started->door == DOOR_LAYER ? name_layer : name_driver)(started);
    setenv(DOOR_FOLDER, started->folder, 1);
    setenv(DOOR_WATCH, started->watch, 1);
}

/* --- the program --- */

/* Where execvp finds it; false: nowhere. */
static bool find_program(const char *name, char path[PATH_MAX])
{
    const char *folders = getenv("PATH");
    bool found = strchr(name, '/') != NULL;

    snprintf(path, PATH_MAX, "%s", name);
    for (const char *at = folders != NULL ? folders : "/bin:/usr/bin"; !found && at != NULL;) {
        const int length = (int)strcspn(at, ":");
        snprintf(path, PATH_MAX, "%.*s%s%s", length, at, length > 0 ? "/" : "", name);
        found = access(path, X_OK) == 0;
        at = at[length] == ':' ? at + length + 1 : NULL;
    }
    return found;
}

/* main.c has opened those of 0, 1 and 2 that were closed, in the direction in which they cannot be used. */
static void close_what_was_closed(void)
{
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; ++i) {
        struct stat found, null;
        const int flags = fcntl(i, F_GETFL);
        if (flags >= 0 && (flags & O_ACCMODE) == (i == STDIN_FILENO ? O_WRONLY : O_RDONLY) && fstat(i, &found) == 0 &&
            stat("/dev/null", &null) == 0 && found.st_rdev == null.st_rdev && S_ISCHR(found.st_mode))
            close(i);
    }
}

static _Noreturn void become(char *const *words, int tell, const struct started *started)
{
    signals_restore();
    close_what_was_closed();
    /* A loader of 32 bits would find the door in the place of its drivers, and could not load it. */
    if (!started->has_32_bits || started->door == DOOR_LAYER)
        name_door(started);
    execvp(words[0], words);
    const int why = errno;
    const ssize_t written = write(tell, &why, sizeof why);
    _exit(written == (ssize_t)sizeof why ? 127 : 126);
}

/* The loader, and ld.so, drop what the environment says where a program has more rights than who starts it. */
static int refuse_setuid(const char *path, struct error *error)
{
    struct stat status;

    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || (status.st_mode & (S_ISUID | S_ISGID)) == 0)
        return 0;
    return error_set(error, STATUS_USAGE,
                     "%s is setuid or setgid: its OpenCL loader does not go by the environment, so nothing of it could "
                     "be seen",
                     path);
}

static int fail_to_start(const char *name, int why, struct error *error)
{
    const bool missing = why == ENOENT;

    return error_set(error, (enum status)(missing ? WATCH_NOT_FOUND : WATCH_CANNOT_RUN), "cannot run %s: %s", name,
                     strerror(why));
}

int started_begin(struct started *started, enum door by, char *const *words, struct error *error)
{
    int tell[2], why = 0;
    char path[PATH_MAX];

    *started = (struct started){.pid = -1, .door = by};
    snprintf(started->watch, sizeof started->watch, "%ld", (long)getpid());
    const bool found = find_program(words[0], path);
    if ((found && refuse_setuid(path, error) != 0) || make_folder(started, error) != 0)
        return -1;
    started->has_32_bits = found && program_has_32_bits(path);
    if (pipe2(tell, O_CLOEXEC) != 0)
        return error_set(error, STATUS_HARNESS, "cannot make a pipe: %s", strerror(errno));
    fflush(NULL);
    started->pid = fork();
    if (started->pid == 0)
        become(words, tell[1], started);
    close(tell[1]);
    const ssize_t length = started->pid < 0 ? -1 : read(tell[0], &why, sizeof why);
    close(tell[0]);
    if (started->pid < 0)
        return error_set(error, STATUS_HARNESS, "cannot start a process: %s", strerror(errno));
    return length == (ssize_t)sizeof why ? fail_to_start(words[0], why, error) : 0;
}

/* --- all that it has started --- */

/* The process has this folder in the environment that it was started with. */
static bool has_folder(pid_t process, const char *folder)
{
    char path[PROCESS_PATH], wanted[STARTED_FOLDER + 32];
    char *text = NULL;
    size_t size = 0;
    bool found = false;

    process_path(process, "environ", path);
    const int length = snprintf(wanted, sizeof wanted, DOOR_FOLDER "=%s", folder);
    FILE *file = fopen(path, "re");
    while (file != NULL && !found && getdelim(&text, &size, '\0', file) > 0)
        found = strncmp(text, wanted, (size_t)length + 1) == 0;
    free(text);
    if (file != NULL)
        fclose(file);
    return found;
}

size_t started_each(const struct started *started, void (*act)(pid_t process, void *context), void *context)
{
    DIR *processes = opendir("/proc");
    size_t count = 0;

    if (processes == NULL)
        return 0;
    for (const struct dirent *entry = readdir(processes); entry != NULL; entry = readdir(processes)) {
        const pid_t process = (pid_t)strtol(entry->d_name, NULL, 10);
        if (process <= 0 || !has_folder(process, started->folder))
            continue;
        ++count;
        act(process, context);
    }
    closedir(processes);
    return count;
}

static void send_signal(pid_t process, void *signal)
{
    kill(process, *(const int *)signal);
}

static void leave_alone(pid_t process, void *nothing)
{
    (void)process;
    (void)nothing;
}

void started_signal(const struct started *started, int signal)
{
    if (started_each(started, send_signal, &signal) == 0)
        kill(started->pid, signal);
}

size_t started_count(const struct started *started)
{
    return started_each(started, leave_alone, NULL);
}

void started_end(const struct started *started)
{
    DIR *files = started->folder[0] == '\0' || started_count(started) > 0 ? NULL : opendir(started->folder);

    if (files == NULL)
        return;
    for (const struct dirent *entry = readdir(files); entry != NULL; entry = readdir(files))
        if (entry->d_name[0] != '.')
            unlinkat(dirfd(files), entry->d_name, 0);
    closedir(files);
    rmdir(started->folder);
}

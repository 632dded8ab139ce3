#include "engine/run_file.h"

#include "base/alloc.h"
#include "base/words.h"
#include "engine/origin.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* Variables that change which devices there are, or what they do. */
static const char *const variables[] = {
    "OCL_ICD_VENDORS",
    "OCL_ICD_FILENAMES",
    "OPENCL_LAYERS",
    "POCL_DEVICES",
    "POCL_MAX_PTHREAD_COUNT",
    "POCL_CPU_MAX_CU_COUNT",
    "POCL_CACHE_DIR",
    "OCLGRIND_NUM_THREADS",
    "OPENCL_VENDOR_PATH",
    "RUSTICL_ENABLE",
    "LP_NUM_THREADS",
    "CUDA_VISIBLE_DEVICES",
    "LD_PRELOAD",
    "LD_AUDIT",
};

static int make_folders(char *path, struct error *error)
{
    for (char *at = path + 1;; ++at) {
        if (*at != '/' && *at != '\0')
            continue;
        const char kept = *at;
        *at = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            return error_set(error, STATUS_USAGE, "cannot make folder %s for the run file: %s (choose one with -o)",
                             path, strerror(errno));
        *at = kept;
        if (kept == '\0')
            return 0;
    }
}

/* "gridlock limits" is what the command calls itself. */
static const char *command_name(const char *argument)
{
    const char *blank = strrchr(argument, ' ');
    return blank != NULL ? blank + 1 : argument;
}

/* Where run files are put unless a path is given; the folder need not be there. */
static int state_folder(char *folder, size_t size, struct error *error)
{
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");

    if (state != NULL && state[0] == '/')
        snprintf(folder, size, "%s/gridlock", state);
    else if (home != NULL && home[0] == '/')
        snprintf(folder, size, "%s/.local/state/gridlock", home);
    else
        return error_set(error, STATUS_USAGE,
                         "neither XDG_STATE_HOME nor HOME is set: name the run file, with -o where one is written");
    return 0;
}

int run_file_folder(char *folder, size_t size, struct error *error)
{
    return state_folder(folder, size, error) != 0 ? -1 : make_folders(folder, error);
}

static int default_path(const char *command, char *path, size_t size, struct error *error)
{
    char folder[3072] = "";
    char stamp[32];
    struct tm now;
    time_t seconds = time(NULL);

    if (run_file_folder(folder, sizeof folder, error) != 0)
        return -1;
    gmtime_r(&seconds, &now);
    strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &now);
    snprintf(path, size, "%s/%s-%s-%ld.gridlock", folder, command, stamp, (long)getpid());
    return 0;
}

static char *environment(void)
{
    char *text = NULL;
    FILE *out = xopen_memstream(&text, NULL);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; ++i)
        if (getenv(variables[i]) != NULL)
            fprintf(out, "%s=%s\n", variables[i], getenv(variables[i]));
    return xclose_memstream(out, &text);
}

/* Version 4, random (RFC 9562). */
static int make_uuid(char uuid[37], struct error *error)
{
    unsigned char bytes[16];

    if (getentropy(bytes, sizeof bytes) != 0)
        return error_set(error, STATUS_HARNESS, "no random bytes for the run's name: %s", strerror(errno));
    bytes[6] = (unsigned char)((bytes[6] & 0x0f) | 0x40);
    bytes[8] = (unsigned char)((bytes[8] & 0x3f) | 0x80);
    for (int i = 0, at = 0; i < 16; ++i)
        at += snprintf(uuid + at, (size_t)(37 - at), "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
                       bytes[i]);
    return 0;
}

/* The command's name is plain words, so that a shell takes the line as it is. Allocated. */
static char *join_command(int count, char **arguments)
{
    char *rest = words_join(arguments + 1, (size_t)count - 1);
    char *line = xasprintf("%s%s%s", arguments[0], rest[0] != '\0' ? " " : "", rest);

    free(rest);
    return line;
}

int run_file_create(const char *path, const struct run_asked *asked, const struct shard *shard, char *chosen,
                    size_t size, struct store **store, struct error *error)
{
    struct utsname system = {0};
    char host[512], origin[ORIGIN_TEXT];
    struct timespec now;
    int outcome = -1;
    struct store_run run = {
        .tool_version = GRIDLOCK_VERSION, .sharded = shard->count > 0, .host = host, .origin = origin};
    char *command_line = join_command(asked->count, asked->arguments);
    char *variable_lines = environment();
    char *folder = getcwd(NULL, 0);

    if (path != NULL)
        snprintf(chosen, size, "%s", path);
    else if (default_path(command_name(asked->arguments[0]), chosen, size, error) != 0)
        goto out;
    if (make_uuid(run.uuid, error) != 0)
        goto out;
    uname(&system);
    snprintf(host, sizeof host, "%.100s %.100s %.100s", system.sysname, system.release, system.machine);
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(run.command, sizeof run.command, "%s", command_name(asked->arguments[0]));
    run.command_line = command_line;
    run.asked = (struct store_asked *)asked->items;
    run.asked_count = asked->item_count;
    run.folder = folder != NULL ? folder : "";
    run.environment = variable_lines;
    origin_make(&run, origin);
    run.started_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    run.shard = shard->index;
    run.shards = shard->count;
    snprintf(run.shard_by, sizeof run.shard_by, "%s", shard->by != NULL ? shard->by : "");
    outcome = store_create(chosen, &run, store, error);
out:
    free(folder);
    free(variable_lines);
    free(command_line);
    return outcome;
}

static int take_shard(void *context, const struct store_run *run)
{
    struct shard *shard = context;
    *shard = run->sharded ? (struct shard){run->shard, run->shards, NULL} : (struct shard){.count = 0};
    return 1;
}

int run_file_continue(const char *path, struct store **store, struct shard *shard, struct error *error)
{
    if (store_continue(path, store, error) != 0)
        return -1;
    return store_each_run(*store, take_shard, shard, error) < 0 ? -1 : 0;
}

/* --- those that are there --- */

static bool is_named_like_one(const char *name)
{
    static const char suffix[] = ".gridlock";
    const size_t length = strlen(name);
    return length >= sizeof suffix && strcmp(name + length - (sizeof suffix - 1), suffix) == 0;
}

static void add_file(struct run_files *files, int folder, const char *name)
{
    struct stat status;

    if (!is_named_like_one(name) || fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(status.st_mode))
        return;
    GROW(files->files, files->count);
    struct run_file *file = &files->files[files->count++];
    *file = (struct run_file){
        .written_ns = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec,
        .bytes = (uint64_t)status.st_size,
        .device = status.st_dev,
        .inode = status.st_ino,
    };
    snprintf(file->name, sizeof file->name, "%s", name);
}

static int newest_first(const void *a, const void *b)
{
    const struct run_file *one = a, *other = b;

    if (one->written_ns != other->written_ns)
        return one->written_ns > other->written_ns ? -1 : 1;
    return strcmp(other->name, one->name);
}

int run_files_read(struct run_files *files, struct error *error)
{
    *files = (struct run_files){.count = 0};
    if (state_folder(files->folder, sizeof files->folder, error) != 0)
        return -1;
    DIR *folder = opendir(files->folder);
    if (folder == NULL)
        return errno == ENOENT
                   ? 0
                   : error_set(error, STATUS_USAGE, "cannot read folder '%s': %s", files->folder, strerror(errno));
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        add_file(files, dirfd(folder), entry->d_name);
    closedir(folder);
    if (files->count > 0)
        qsort(files->files, files->count, sizeof *files->files, newest_first);
    return 0;
}

void run_files_fini(struct run_files *files)
{
    free(files->files);
    *files = (struct run_files){.count = 0};
}

int run_files_newest(char *path, size_t size, struct error *error)
{
    struct run_files files;
    int result = run_files_read(&files, error);

    if (result == 0 && files.count == 0)
        result = error_set(error, STATUS_USAGE, "no run file in '%s'; name one", files.folder);
    else if (result == 0)
        snprintf(path, size, "%s/%s", files.folder, files.files[0].name);
    run_files_fini(&files);
    return result;
}

/* --- removal --- */

/* Processes of other users do not show what they have open; they do not write here either. */
static bool has_open(int processes, const char *process, const struct run_file *file)
{
    char path[300];
    struct stat status;
    bool found = false;

    snprintf(path, sizeof path, "%s/fd", process);
    const int descriptor = openat(processes, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = descriptor >= 0 ? fdopendir(descriptor) : NULL;
    if (folder == NULL) {
        if (descriptor >= 0)
            close(descriptor);
        return false;
    }
    for (const struct dirent *entry; !found && (entry = readdir(folder)) != NULL;)
        found = fstatat(descriptor, entry->d_name, &status, 0) == 0 && status.st_dev == file->device &&
                status.st_ino == file->inode;
    closedir(folder);
    return found;
}

int run_file_find_users(const struct run_file *file, bool *in_use, struct error *error)
{
    DIR *processes = opendir("/proc");

    if (processes == NULL)
        return error_set(error, STATUS_HARNESS, "cannot find out which run files are in use: /proc: %s",
                         strerror(errno));
    *in_use = false;
    for (const struct dirent *entry; !*in_use && (entry = readdir(processes)) != NULL;)
        *in_use = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && has_open(dirfd(processes), entry->d_name, file);
    closedir(processes);
    return 0;
}

int run_file_remove(const struct run_files *files, const struct run_file *file, struct error *error)
{
    char path[sizeof files->folder + sizeof file->name + 16];

    snprintf(path, sizeof path, "%s/%s", files->folder, file->name);
    if (unlink(path) != 0)
        return error_set(error, STATUS_HARNESS, "cannot remove '%s': %s", path, strerror(errno));
    snprintf(path, sizeof path, "%s/%s-journal", files->folder, file->name);
    if (unlink(path) != 0 && errno != ENOENT)
        return error_set(error, STATUS_HARNESS, "cannot remove '%s': %s", path, strerror(errno));
    return 0;
}

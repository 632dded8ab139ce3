#include "engine/run_files.h"

#include "base/grow.h"
#include "engine/run_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_named_like_one(const char *name)
{
    static const char suffix[] = ".gridlock";
    const size_t length = strlen(name);
    return length >= sizeof suffix && strcmp(name + length - (sizeof suffix - 1), suffix) == 0;
}

static int add_file(struct run_files *files, int folder, const char *name, struct error *error)
{
    struct stat status;

    if (!is_named_like_one(name) || fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(status.st_mode))
        return 0;
    if (GROW(files->files, files->count) != 0)
        return error_set(error, STATUS_HARNESS, "no memory for a list of run files");
    struct run_file *file = &files->files[files->count++];
    *file = (struct run_file){
        .written_ns = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec,
        .bytes = (uint64_t)status.st_size,
        .device = status.st_dev,
        .inode = status.st_ino,
    };
    snprintf(file->name, sizeof file->name, "%s", name);
    return 0;
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
    int result = 0;

    *files = (struct run_files){.count = 0};
    if (run_file_folder(files->folder, sizeof files->folder, error) != 0)
        return -1;
    DIR *folder = opendir(files->folder);
    if (folder == NULL)
        return errno == ENOENT
                   ? 0
                   : error_set(error, STATUS_USAGE, "cannot read folder '%s': %s", files->folder, strerror(errno));
    for (const struct dirent *entry; result == 0 && (entry = readdir(folder)) != NULL;)
        result = add_file(files, dirfd(folder), entry->d_name, error);
    closedir(folder);
    if (files->count > 0)
        qsort(files->files, files->count, sizeof *files->files, newest_first);
    return result;
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

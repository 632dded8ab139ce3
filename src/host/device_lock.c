#include "host/device_lock.h"

#include "base/clock.h"
#include "base/tally.h"
#include "host/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { TRY_NS = 50000000 };

static void name_in(const char *folder, const struct device_info *device, char *path, size_t size)
{
    char key[1024];

    snprintf(key, sizeof key, "%s|%s|%s|%s|%s|%" PRIu32, device->platform, device->name, device->vendor, device->uuid,
             device->pci, device->ordinal);
    snprintf(path, size, "%s/gridlock-%016" PRIx64 ".lock", folder, tally_hash(key));
}

/* A lock file, or -1 with errno. */
static int open_lock(const char *path)
{
    struct stat status;
    int descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);

    if (descriptor < 0 && errno == EACCES)
        descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC); /* another user's */
    if (descriptor >= 0 && fstat(descriptor, &status) == 0 && !S_ISREG(status.st_mode)) {
        close(descriptor);
        errno = EEXIST;
        return -1;
    }
    if (descriptor >= 0)
        fchmod(descriptor, 0666); /* whatever the umask; fails where it is another user's */
    return descriptor;
}

/*
 * Another user can put there what no lock can be made of. That must not stop us for ever, so there is no lock then: a
 * file of our own, which nobody else has.
 */
static int go_without(const char *path)
{
    struct stat status;
    const int reason = errno;

    if (lstat(path, &status) != 0 || status.st_uid == geteuid()) {
        errno = reason;
        return -1;
    }
    fprintf(stderr, "gridlock: %s is of user %ju, and no lock can be made of it: going on without\n", path,
            (uintmax_t)status.st_uid);
    return memfd_create("gridlock-lock", MFD_CLOEXEC);
}

/*
 * GRIDLOCK_LOCK_DIR, for those who know better; else /run/lock, which is of this host and forgets with it, or, where
 * that cannot be written, /tmp, which its users share, too.
 */
static int open_file(const struct device_info *device, struct error *error)
{
    const char *const given = getenv("GRIDLOCK_LOCK_DIR");
    const char *const folders[] = {given != NULL ? given : "/run/lock", given != NULL ? given : "/tmp"};
    char path[4096];
    int descriptor = -1;

    for (size_t i = 0; i < 2 && descriptor < 0; ++i) {
        name_in(folders[i], device, path, sizeof path);
        descriptor = open_lock(path);
    }
    if (descriptor < 0)
        descriptor = go_without(path);
    if (descriptor < 0)
        return error_set(error, STATUS_HARNESS, "cannot lock %s: no file in %s%.200s: %s", DEVICE_LABEL_OF(device),
                         given != NULL ? "the folder of GRIDLOCK_LOCK_DIR, " : "",
                         given != NULL ? given : "/run/lock or /tmp", strerror(errno));
    return descriptor;
}

/* The process that holds it, as far as it wrote so there. */
static long holder(int descriptor)
{
    char text[32] = "";
    return pread(descriptor, text, sizeof text - 1, 0) > 0 ? strtol(text, NULL, 10) : 0;
}

int device_lock(const struct device_info *device, uint64_t wait_ns, bool quiet, struct error *error)
{
    const struct timespec pause = {.tv_nsec = TRY_NS};
    const uint64_t began_ns = clock_ns();
    bool said = quiet && !isatty(STDERR_FILENO); /* nobody should sit before it and wonder for an hour */
    const char *label = DEVICE_LABEL_OF(device);
    int descriptor = open_file(device, error);

    if (descriptor < 0)
        return -1;
    while (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        const long pid = holder(descriptor);
        if (signals_received() != 0 || clock_ns() - began_ns >= wait_ns) {
            close(descriptor);
            if (signals_received() != 0)
                return error_set(error, (enum status)(128 + signals_received()), "interrupted while waiting for %s",
                                 label);
            return error_set(error, STATUS_STOPPED,
                             "%s is in use by another run, process %ld; use --device-wait S to wait longer", label,
                             pid);
        }
        if (!said)
            fprintf(stderr,
                    "gridlock: waiting for %s, which process %ld is using, for up to %" PRIu64 " s (--device-wait)\n",
                    label, pid, wait_ns / 1000000000);
        said = true;
        nanosleep(&pause, NULL);
    }
    if (ftruncate(descriptor, 0) == 0)
        dprintf(descriptor, "%ld\n", (long)getpid());
    return descriptor;
}

void device_unlock(int descriptor)
{
    if (descriptor >= 0)
        close(descriptor);
}

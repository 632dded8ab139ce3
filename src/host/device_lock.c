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
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { TRY_NS = 50000000 };

/* A lock file in the folder, or -1 with errno. */
static int open_in(const char *folder, const struct device_info *device)
{
    char key[1024], path[4096];

    snprintf(key, sizeof key, "%s|%s|%s|%s|%s|%" PRIu32, device->platform, device->name, device->vendor, device->uuid,
             device->pci, device->ordinal);
    snprintf(path, sizeof path, "%s/gridlock-%016" PRIx64 ".lock", folder, tally_hash(key));
    int descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno == EACCES)
        descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC); /* another user's */
    if (descriptor >= 0)
        fchmod(descriptor, 0666); /* whatever the umask; fails where it is another user's */
    return descriptor;
}

/*
 * GRIDLOCK_LOCK_DIR, for those who know better; else /run/lock, which is of this host and forgets with it, or, where that
 * cannot be written, /tmp, which its users share, too.
 */
static int open_file(const struct device_info *device, struct error *error)
{
    const char *const given = getenv("GRIDLOCK_LOCK_DIR");
    int descriptor = open_in(given != NULL ? given : "/run/lock", device);

    if (descriptor < 0 && given == NULL)
        descriptor = open_in("/tmp", device);
    if (descriptor < 0)
        return error_set(error, STATUS_HARNESS, "cannot lock %s: no file in %.200s: %s", device->name,
                         given != NULL ? given : "/run/lock or /tmp", strerror(errno));
    return descriptor;
}

/* Whose process holds it, as far as it said. */
static long holder(int descriptor)
{
    char text[32] = "";
    return pread(descriptor, text, sizeof text - 1, 0) > 0 ? strtol(text, NULL, 10) : 0;
}

static void sign(int descriptor)
{
    if (ftruncate(descriptor, 0) == 0)
        dprintf(descriptor, "%ld\n", (long)getpid());
}

int device_lock(const struct device_info *device, uint64_t wait_ns, bool quiet, struct error *error)
{
    const struct timespec pause = {.tv_nsec = TRY_NS};
    const uint64_t began_ns = clock_ns();
    bool said = quiet;
    int descriptor = open_file(device, error);

    if (descriptor < 0)
        return -1;
    while (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        const long pid = holder(descriptor);
        if (signals_received() != 0 || clock_ns() - began_ns >= wait_ns) {
            close(descriptor);
            if (signals_received() != 0)
                return error_set(error, (enum status)(128 + signals_received()), "interrupted while waiting for %s",
                                 device->name);
            return error_set(error, STATUS_STOPPED,
                             "%s is in use by another run, process %ld; use --device-wait S to wait longer",
                             device->name, pid);
        }
        if (!said)
            fprintf(stderr, "gridlock: waiting for %s, which process %ld is using\n", device->name, pid);
        said = true;
        nanosleep(&pause, NULL);
    }
    sign(descriptor);
    return descriptor;
}

void device_unlock(int descriptor)
{
    if (descriptor >= 0)
        close(descriptor);
}

#include "door/marks.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* Whole pages of memory of any machine, so that a file can take their place. */
static struct room {
    struct page page;
} __attribute__((aligned(65536))) room;
extern struct page door_page __attribute__((alias("room")));

/* An address that is fixed needs no word that says where the page is, which a forked child would have to change. */
static bool place(int file)
{
    const int flags = MAP_FIXED | (file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED);

    return mmap(&room, sizeof room, PROT_READ | PROT_WRITE, flags, file, 0) != MAP_FAILED;
}

/* The child of a fork has no page: its parent's is not its own. If it calls exec, it opens one. */
static void leave(void)
{
    place(-1);
    threads_forget();
    queues_forget();
    helper_forget();
    marks_forget();
}

/*
 * The program ends. What still runs is asked for once more, by the helper alone: this may be a callback, in which a
 * driver can be called no more.
 */
static void end(void)
{
    const uint32_t wanted = atomic_fetch_add(&door_page.request, 1) + 1;
    const struct timespec moment = {.tv_nsec = 1000000};

    atomic_store(&door_page.ending, 1);
    helper_wake();
    for (int i = 0; i < 500 && queues_are_open(); ++i) {
        if (atomic_load(&door_page.answer) == wanted)
            return;
        nanosleep(&moment, NULL);
    }
}

bool page_may_write(size_t bytes)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= bytes;
}

static int make_file(void)
{
    const char *folder = getenv(DOOR_FOLDER);
    char path[PATH_MAX], shown[PATH_MAX];

    errno = EFBIG;
    for (int i = 0; folder != NULL && page_may_write(sizeof room) && i < 1000; ++i) {
        snprintf(path, sizeof path, "%s/%ld-%d.new", folder, (long)getpid(), i);
        snprintf(shown, sizeof shown, "%s/%ld-%d.page", folder, (long)getpid(), i);
        if (access(shown, F_OK) == 0)
            continue; /* of what this process was before exec */
        const int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (file < 0)
            return -1;
        errno = posix_fallocate(file, 0, sizeof room);
        if (errno == 0 && place(file) && rename(path, shown) == 0)
            return file;
        const int why = errno;
        unlink(path);
        close(file);
        errno = why;
        return -1;
    }
    return -1;
}

/* The program is not told that nothing of it is seen; the watchdog is, by a name that costs no descriptor. */
static void say_nothing_is_noted(void)
{
    const char *folder = getenv(DOOR_FOLDER);
    const char *why = strerror(errno);
    char path[PATH_MAX];

    if (folder == NULL)
        return;
    snprintf(path, sizeof path, "%s/%ld" PAGE_NONE, folder, (long)getpid());
    if (symlink(why, path) != 0)
        return; /* then nobody knows */
}

/* Where the system lets a process be looked at only by one that it has named. */
static void let_watch_look(void)
{
    const char *watch = getenv(DOOR_WATCH);

    if (watch != NULL)
        prctl(PR_SET_PTRACER, strtoul(watch, NULL, 10), 0, 0, 0);
}

void page_open(void)
{
    const int before = errno, file = make_file();

    if (file < 0)
        say_nothing_is_noted();
    let_watch_look();
    door_page.version = PAGE_VERSION;
    door_page.size = sizeof(struct page);
    snprintf(door_page.program, sizeof door_page.program, "%s", program_invocation_short_name);
    atomic_store(&door_page.pid, (uint32_t)getpid());
    atomic_thread_fence(memory_order_seq_cst);
    door_page.magic = PAGE_MAGIC;
    pthread_atfork(NULL, NULL, leave);
    if (file >= 0) {
        close(file);
        marks_open();
    }
    errno = before;
}

void page_watch_exit(void)
{
    atexit(end);
}

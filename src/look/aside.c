#include "look/aside.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const uint64_t grace_ns = 5000000000ull; /* for children to end theirs */

bool aside_begin(struct aside *aside, aside_function *does, const void *what)
{
    const pid_t self = getpid();
    int ends[2];

    aside_forget(aside);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() == self)
            does(what, ends[1]);
        _exit(1);
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return false;
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    *aside = (struct aside){.child = child, .from = ends[0], .begun_ns = clock_ns()};
    return true;
}

static bool is_reaped(const struct aside *aside, int options)
{
    pid_t ended;

    while ((ended = waitpid(aside->child, NULL, options)) < 0 && errno == EINTR)
        continue;
    return ended != 0;
}

/* A child that has children of its own gets time to end them. */
static bool ends_itself(const struct aside *aside)
{
    static const struct timespec pause = {.tv_nsec = 1000000};
    const uint64_t until_ns = clock_ns() + grace_ns;

    if (!aside->has_children || kill(aside->child, SIGTERM) != 0)
        return false;
    while (clock_ns() < until_ns) {
        if (is_reaped(aside, WNOHANG))
            return true;
        nanosleep(&pause, NULL);
    }
    return false;
}

/* The child is at its end, or is brought to it. */
static void leave(struct aside *aside)
{
    close(aside->from);
    if (!ends_itself(aside)) {
        kill(aside->child, SIGKILL);
        is_reaped(aside, 0);
    }
    aside->child = 0;
}

bool aside_ended(struct aside *aside, uint64_t most_ns)
{
    char part[65536];
    ssize_t got;

    while ((got = read(aside->from, part, sizeof part)) > 0) {
        aside->bytes = xrealloc(aside->bytes, aside->count + (size_t)got + 1);
        memcpy(aside->bytes + aside->count, part, (size_t)got);
        aside->count += (size_t)got;
        aside->bytes[aside->count] = '\0';
    }
    if (got < 0 && (errno == EAGAIN || errno == EINTR) && clock_ns() - aside->begun_ns < most_ns)
        return false;
    leave(aside);
    return true;
}

void aside_forget(struct aside *aside)
{
    if (aside->child != 0)
        leave(aside);
    free(aside->bytes);
    *aside = (struct aside){.child = 0};
}

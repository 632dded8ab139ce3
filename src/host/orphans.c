#include "host/orphans.h"

#include "base/clock.h"
#include "base/turns.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const uint64_t WAIT_NS = 1000000000;

bool orphans_adopt(void)
{
    siginfo_t child;
    const bool childless = waitid(P_ALL, 0, &child, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD;
    return childless && getpid() != 1 && prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

/* Its parent is this process, and it has not ended yet. */
static bool is_child(long pid)
{
    char path[64];
    long parent;

    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    const int state = turns_state(path, &parent);
    return state != 0 && state != 'Z' && parent == (long)getpid();
}

/* How many there were. */
static int kill_children(pid_t spared)
{
    int count = 0;
    const struct dirent *entry;
    DIR *folder = opendir("/proc");

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        const long pid = strtol(entry->d_name, NULL, 10);
        if (pid <= 0 || pid == (long)spared || !is_child(pid))
            continue;
        kill((pid_t)pid, SIGKILL);
        ++count;
    }
    if (folder != NULL)
        closedir(folder);
    return count;
}

void orphans_end(pid_t spared)
{
    const uint64_t began_ns = clock_ns();

    for (;;) {
        pid_t ended;
        while ((ended = waitpid(-1, NULL, WNOHANG)) > 0)
            ;
        if (ended < 0 || kill_children(spared) == 0 || clock_ns() - began_ns > WAIT_NS)
            return;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

#include "host/orphans.h"

#include "base/clock.h"
#include "base/turns.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const uint64_t WAIT_NS = 1000000000;

enum { OWN_MOST = 8 }; /* at a time: two that run, and those that could not be ended */

static pid_t own[OWN_MOST];

/* For want of memory: nobody is left who would end them. */
static void end_all(void)
{
    memset(own, 0, sizeof own);
    orphans_end();
}

bool orphans_adopt(void)
{
    siginfo_t child;
    const bool childless = waitid(P_ALL, 0, &child, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD;
    const bool adopts = childless && getpid() != 1 && prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;

    if (adopts)
        at_quick_exit(end_all);
    return adopts;
}

static void replace_own(pid_t from, pid_t to)
{
    for (int i = 0; i < OWN_MOST; ++i)
        if (own[i] == from) {
            own[i] = to;
            return;
        }
}

void orphans_own(pid_t child)
{
    replace_own(0, child);
}

void orphans_disown(pid_t child)
{
    replace_own(child, 0);
}

static bool is_own(pid_t child)
{
    for (int i = 0; i < OWN_MOST; ++i)
        if (own[i] == child)
            return true;
    return false;
}

/* The state in which it is; 0: it is none. */
static int orphan_state(pid_t pid)
{
    char path[64];
    long parent = 0;

    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    const int state = pid > 0 && !is_own(pid) ? turns_state(path, &parent) : 0;
    return parent == (long)getpid() ? state : 0;
}

/* How many lived: each may leave others behind. */
static int kill_orphans(void)
{
    int count = 0;
    const struct dirent *entry;
    DIR *folder = opendir("/proc");

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        const pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        const int state = orphan_state(pid);
        if (state == 0)
            continue;
        kill(pid, SIGKILL);
        (void)waitpid(pid, NULL, WNOHANG);
        count += state != 'Z';
    }
    if (folder != NULL)
        closedir(folder);
    return count;
}

void orphans_end(void)
{
    const uint64_t began_ns = clock_ns();

    while (kill_orphans() != 0 && clock_ns() - began_ns < WAIT_NS)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* What a spoiled call does to the process that makes it. */
#include "spoil_icd.h"

#include <fenv.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void flood(void)
{
    char line[1024];
    memset(line, 'x', sizeof line);
    line[sizeof line - 1] = '\n';
    for (int i = 0; i < 10 * 1024; ++i)
        if (write(2, line, sizeof line) < 0)
            return;
}

static void write_everywhere(void)
{
    static const char nonsense[300] = "nonsense";
    for (int descriptor = 3; descriptor < 64; ++descriptor) {
        struct stat about;
        if (fstat(descriptor, &about) == 0 && (S_ISSOCK(about.st_mode) || S_ISFIFO(about.st_mode)) &&
            write(descriptor, nonsense, sizeof nonsense) < 0)
            continue; /* it is closed at the other end, or for reading only */
    }
}

static void never_return(void)
{
    for (;;)
        pause();
}

__attribute__((destructor)) static void unloaded(void)
{
    const char *end = getenv("SPOIL_END");

    if (end != NULL)
        spoil_process(end);
}

/* Two processes that nobody waits for: one heeds no signal that can be ignored. */
static void leave_orphans(void)
{
    for (int i = 0; i < 2; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            setsid();
            if (fork() != 0)
                _exit(0);
            setsid();
            if (i == 0)
                signal(SIGTERM, SIG_IGN);
            never_return();
        }
        waitpid(child, NULL, 0);
    }
}

static void change_state(void)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    umask(0077); /* what PoCL puts into its cache stays of use to other tests */
    fesetround(FE_UPWARD);
    if (chdir("/") != 0)
        abort();
}

static void heed_nothing(int number)
{
    (void)number;
}

/* As drivers that want to clean up, or to print a stack. */
static void take_signals(void)
{
    for (int number = 1; number < SIGRTMIN; ++number)
        signal(number, heed_nothing);
}

static void be_deaf(void)
{
    take_signals();
    never_return();
}

/* The head of the page that the worker shares with the supervisor. */
static void damage_page(const char *fault)
{
    enum { HEAD = 4096 };
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "re");
    uintptr_t begin = 0;

    while (maps != NULL && begin == 0 && fgets(line, sizeof line, maps) != NULL)
        if (strstr(line, "/memfd:gridlock") != NULL)
            begin = strtoul(line, NULL, 16);
    if (begin == 0)
        abort();
    fclose(maps);
    memset((void *)begin, atoi(strchr(fault, '=') + 1), HEAD);
    if (strstr(fault, "hang") != NULL)
        never_return();
}

/* A signal that is merely sent would be taken by a handler that the driver may have installed. */
static void crash(void)
{
    static int *volatile nowhere = (int *)8;
    *nowhere = 1;
}

void spoil_process(const char *fault)
{
    if (strcmp(fault, "crash") == 0)
        crash();
    else if (strcmp(fault, "abort") == 0)
        abort();
    else if (strcmp(fault, "exit") == 0)
        _exit(0);
    else if (strcmp(fault, "leave") == 0)
        exit(0);
    else if (strcmp(fault, "kill") == 0)
        kill(getpid(), SIGKILL);
    else if (strcmp(fault, "hang") == 0)
        never_return();
    else if (strcmp(fault, "slow") == 0)
        nanosleep(&(struct timespec){.tv_sec = 3}, NULL);
    else if (strcmp(fault, "lag") == 0)
        nanosleep(&(struct timespec){.tv_nsec = 100 * 1000 * 1000}, NULL);
    else if (strcmp(fault, "flood") == 0)
        flood();
    else if (strcmp(fault, "socket") == 0)
        write_everywhere();
    else if (strcmp(fault, "orphans") == 0)
        leave_orphans();
    else if (strcmp(fault, "state") == 0)
        change_state();
    else if (strcmp(fault, "handlers") == 0)
        take_signals();
    else if (strcmp(fault, "deaf") == 0)
        be_deaf();
    else if (strncmp(fault, "page=", 5) == 0)
        damage_page(fault);
    else if (strcmp(fault, "spin") == 0)
        for (const volatile bool on = true; on;)
            ;
}

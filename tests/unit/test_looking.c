#include "look/looking.h"

#include "harness.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const struct looking_pace at_once = {1, 0, LOOK_QUICK};
enum { THREADS = 4 };

static void pause_us(long us)
{
    nanosleep(&(struct timespec){.tv_nsec = us * 1000}, NULL);
}

static void *spin(void *unused)
{
    for (;;)
        __asm__ volatile("" ::: "memory");
    return unused;
}

/* A child with threads that go round; it only loads the loader, of which nothing is called. */
static pid_t start(void)
{
    const pid_t parent = getpid(), child = fork();
    pthread_t thread;

    if (child != 0)
        return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_PTRACER, parent, 0, 0, 0);
    if (dlopen("libOpenCL.so.1", RTLD_NOW) == NULL)
        _exit(1);
    for (int i = 0; i < THREADS; ++i)
        if (pthread_create(&thread, NULL, spin, NULL) != 0)
            _exit(2);
    for (;;)
        pause();
}

/* It has not loaded the loader yet, or not begun all of its threads. */
static bool is_early(const struct looking *looking)
{
    const struct look *look = looking_seen(looking);

    return look != NULL ? look->count < 1 + THREADS : strstr(looking->failure.text, "uses no OpenCL") != NULL;
}

START_TEST(what_it_sees)
{
    struct looking looking = {.done = false};
    struct error error;
    const pid_t child = start();

    while (!looking.done || is_early(&looking)) {
        ck_assert_int_eq(waitpid(child, NULL, WNOHANG), 0);
        looking_step(&looking, child, &at_once);
    }
    if (look_available(&error) != 0)
        ck_assert_int_eq(looking.failure.status, STATUS_UNSUPPORTED);
    else
        ck_assert_msg(looking_seen(&looking) != NULL, "%s", looking.failure.text);
    looking_forget(&looking);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}
END_TEST

/* Whoever started it learns how it ended. */
START_TEST(one_that_is_killed_meanwhile)
{
    for (long at_us = 0; at_us < 20000; at_us += 200 + at_us / 10) {
        struct looking looking = {.done = false};
        int status = 0;
        const pid_t child = start();

        pause_us(2000); /* most have begun their threads */
        looking_step(&looking, child, &at_once);
        pause_us(at_us);
        kill(child, SIGKILL);
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        looking_forget(&looking);
        ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    }
}
END_TEST

HARNESS_MAIN("looking", what_it_sees, one_that_is_killed_meanwhile)

#include "host/signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

enum { PATIENCE = 3 };

static _Atomic int first;
static _Atomic int count;
static _Atomic int deferred;

/* How they were handled, by which signals_restore goes. */
static const int handled[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ};
static struct sigaction came[sizeof handled / sizeof *handled];
static sigset_t mask;

/* Lock-free atomics may be used in a handler. */
static void note(int number)
{
    int none = 0;
    atomic_compare_exchange_strong(&first, &none, number);
    if (atomic_fetch_add(&count, 1) + 1 >= PATIENCE || atomic_load(&deferred) == 0)
        _exit(128 + number);
}

void signals_install(void)
{
    struct sigaction action = {.sa_handler = note}, before;
    for (size_t i = 0; i < sizeof handled / sizeof *handled; ++i)
        sigaction(handled[i], NULL, &came[i]);
    sigprocmask(SIG_SETMASK, NULL, &mask);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (sigaction(SIGHUP, NULL, &before) != 0 || before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL);
}

void signals_defer(void)
{
    atomic_store(&deferred, 1);
}

int signals_received(void)
{
    return atomic_load(&first);
}

int signals_count(void)
{
    return atomic_load(&count);
}

void signals_restore(void)
{
    for (size_t i = 0; i < sizeof handled / sizeof *handled; ++i)
        sigaction(handled[i], &came[i], NULL);
    sigprocmask(SIG_SETMASK, &mask, NULL);
}

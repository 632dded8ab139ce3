#include "door/marks.h"

#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * Only a thread in the program can ask its driver whether a command is complete. It sleeps until the watchdog wants to
 * know, which it does of commands that are open for long. If the driver does not answer, only this thread is stuck.
 */
static atomic_flag begun = ATOMIC_FLAG_INIT;

static void *help(void *none)
{
    uint32_t seen = 0;

    atomic_store(&door_page.helper, (uint32_t)syscall(SYS_gettid));
    while (atomic_load(&door_page.ending) == 0 || atomic_load(&door_page.request) != seen) {
        syscall(SYS_futex, &door_page.request, FUTEX_WAIT, seen, NULL, NULL, 0);
        const uint32_t wanted = atomic_load(&door_page.request);
        if (wanted == seen)
            continue;
        queues_ask();
        marks_copy(wanted);
        atomic_store(&door_page.answer, seen = wanted);
    }
    return none;
}

void helper_wake(void)
{
    syscall(SYS_futex, &door_page.request, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void begin(void)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    pthread_t thread;

    if (pthread_attr_init(&attributes) != 0)
        return;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigfillset(&all); /* the program's signals are for its own threads */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    (void)pthread_create(&thread, &attributes, help, NULL); /* without it, nothing is asked */
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

void helper_begin(void)
{
    if (atomic_load_explicit(&door_page.helper, memory_order_relaxed) == 0 && !atomic_flag_test_and_set(&begun))
        begin();
}

void helper_forget(void)
{
    atomic_flag_clear(&begun);
}

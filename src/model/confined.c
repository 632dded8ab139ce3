#include "model/confined.h"

#include "model/fiber.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static void (*present)(void *context);
static void *present_context;
static bool started;
static pthread_t thread;

/* --- what the thread may ask of the system --- */

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ALLOW(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* Memory and locks, and what is printed. Sanitizers ask for more, at moments of their own. */
static void confine(void)
{
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    static struct sock_filter filter[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
        ALLOW(futex),
        ALLOW(mmap),
        ALLOW(munmap),
        ALLOW(mremap),
        ALLOW(mprotect),
        ALLOW(madvise),
        ALLOW(brk),
        ALLOW(write),
        ALLOW(clock_gettime),
        ALLOW(sched_yield),
        ALLOW(rt_sigprocmask),
        ALLOW(rt_sigreturn),
        ALLOW(restart_syscall),
        ALLOW(exit),
        ALLOW(exit_group),
        /* The C library asks for a setting when it gives memory back, and does without the answer. */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    static const struct sock_fprog program = {sizeof filter / sizeof *filter, filter};

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
#endif
}

/* No more than the machine has: a launch may have half of it (machine.c), what it was given and our own the rest. */
static void limit_memory(void)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    const rlim_t most = (rlim_t)sysconf(_SC_PHYS_PAGES) * (rlim_t)sysconf(_SC_PAGESIZE);
    const struct rlimit data = {most, most};

    setrlimit(RLIMIT_DATA, &data);
#endif
}

/* --- looks --- */

enum { LOOK = SIGURG, LOOK_STACK = 1 << 16 };

static void look(int number, siginfo_t *info, void *context)
{
    (void)number, (void)info;
    fiber_look(context);
}

/* On a stack of its own: those of work-items have no room for it. */
static void allow_looks(void)
{
    static unsigned char stack[LOOK_STACK];
    const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    sigset_t signals;

    action.sa_sigaction = look;
    sigemptyset(&action.sa_mask);
    sigemptyset(&signals);
    sigaddset(&signals, LOOK);
    sigaltstack(&alternate, NULL);
    sigaction(LOOK, &action, NULL);
    pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

void confined_look(void)
{
    pthread_mutex_lock(&mutex);
    if (started && present != NULL)
        pthread_kill(thread, LOOK);
    pthread_mutex_unlock(&mutex);
}

/* --- the thread --- */

static void *serve(void *unused)
{
    (void)unused;
    allow_looks();
    confine();
    pthread_mutex_lock(&mutex);
    for (;;) {
        while (present == NULL)
            pthread_cond_wait(&changed, &mutex);
        pthread_mutex_unlock(&mutex);
        present(present_context);
        pthread_mutex_lock(&mutex);
        present = NULL;
        pthread_cond_broadcast(&changed);
    }
    return NULL;
}

static int start(struct error *error)
{
    if (started)
        return 0;
    limit_memory();
    const int code = pthread_create(&thread, NULL, serve, NULL);
    if (code != 0)
        return error_set(error, STATUS_HARNESS, "cannot start the thread that runs kernels: %s", strerror(code));
    pthread_detach(thread);
    started = true;
    return 0;
}

int confined_run(void (*work)(void *context), void *context, struct error *error)
{
    pthread_mutex_lock(&one_at_a_time);
    const int outcome = start(error);
    if (outcome == 0) {
        pthread_mutex_lock(&mutex);
        present_context = context;
        present = work;
        pthread_cond_broadcast(&changed);
        while (present != NULL)
            pthread_cond_wait(&changed, &mutex);
        pthread_mutex_unlock(&mutex);
    }
    pthread_mutex_unlock(&one_at_a_time);
    return outcome;
}

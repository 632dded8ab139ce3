/* Promises about memory that host and kernels share (SVM) while a kernel runs. */
#include "act/held.h"
#include "base/clock.h"

#include <stdatomic.h>

enum { HOLD_MS = 300, BEGIN_NS = 20000000, ADDS_MOST = 1 << 30, ADDS_LOOK = 4096, BETWEEN = 1000 };

/* On a busy machine the host need not see the kernel for as long; then nothing is decided. */
static const uint64_t LOOK_NS = 2000000000, ADD_NS = 1000000000;

/* Memory that the device can share in this way, or NULL. */
static void *allocate(struct promising *promising, cl_svm_mem_flags flags, size_t bytes)
{
    return clSVMAlloc(promising->session->context, CL_MEM_READ_WRITE | flags, bytes, 0);
}

static bool has_atomics(const struct promising *promising)
{
    return (promising->session->info.svm & CL_DEVICE_SVM_ATOMICS) != 0;
}

/* What is tried without atomics is more than was promised. 0: there is nothing to try. */
static int open_shared(struct held *held, struct promising *promising, struct error *error)
{
    if ((promising->session->info.svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) == 0)
        return 0;
    if (held_open(held, promising, HOLD_MS, error) != 0)
        return -1;
    held->svm = allocate(promising, CL_MEM_SVM_FINE_GRAIN_BUFFER | (has_atomics(promising) ? CL_MEM_SVM_ATOMICS : 0),
                         HELD_WORDS * sizeof *held->svm);
    if (held->svm == NULL)
        return error_set(error, STATUS_HARNESS, "clSVMAlloc failed");
    return 1;
}

/* Looks until the kernel is seen to run, it has ended, or time is up; `gap_ns`: the longest time without a look. */
static bool look_for_beginning(struct held *held, uint64_t most_ns, uint64_t *gap_ns)
{
    const uint64_t began_ns = clock_ns();
    uint64_t last_ns = began_ns;

    *gap_ns = 0;
    while (!held_has_ended(held) && last_ns - began_ns <= most_ns) {
        if (held_read(held, HELD_BEGAN) != 0)
            return !held_has_ended(held);
        const uint64_t now_ns = clock_ns();
        *gap_ns = now_ns - last_ns > *gap_ns ? now_ns - last_ns : *gap_ns;
        last_ns = now_ns;
    }
    return false;
}

/* 1: it runs. 2: the call that launched it returned at its end, when there is nothing left to look at. */
static int start(struct held *held, struct error *error)
{
    if (held_clear(held, error) != 0 || held_start(held, error) != 0)
        return -1;
    if (!held_has_ended(held))
        return 1;
    return held_end(held, error) == 0 ? 2 : -1;
}

/* The host is to see that the kernel runs. It has to look often enough for that. */
static int try_host_sees(void *context, struct error *error)
{
    struct held *held = context;
    const int started = start(held, error);
    uint64_t gap_ns;

    if (started != 1)
        return started;
    const uint64_t began_ns = clock_ns();
    const bool seen = look_for_beginning(held, UINT64_MAX, &gap_ns);
    const uint64_t lasted_ns = clock_ns() - began_ns;
    if (held_let_go(held, error) != 0 || held_end(held, error) != 0)
        return -1;
    if (seen)
        return 1;
    if (gap_ns > lasted_ns / 8)
        return 2;
    return promising_says(held->promising,
                          "A kernel of %u turns ended without the host seeing the word that it wrote first.",
                          held->bound);
}

/*
 * The kernel is to see the host's word. It does not, if most of its turns came after that had been written; or, where
 * the host does not see its turns, if it ended long after that.
 */
static int try_kernel_sees(void *context, struct error *error)
{
    struct held *held = context;
    const int started = start(held, error);
    uint64_t gap_ns;

    if (started != 1)
        return started;
    const uint64_t began_ns = clock_ns();
    const bool seen = look_for_beginning(held, BEGIN_NS, &gap_ns);
    const uint32_t turn = held_read(held, HELD_TURN);
    const uint64_t written_ns = clock_ns();
    if (held_let_go(held, error) != 0 || held_end(held, error) != 0)
        return -1;
    if (held_read(held, HELD_LET_GO) != 0)
        return held_read(held, HELD_TURNS) > 0 ? 1 : 2;
    if (seen ? turn > held->bound / 2 : clock_ns() - written_ns < 4 * (written_ns - began_ns))
        return 2;
    return promising_says(held->promising,
                          "A kernel of %u turns, which had made %u, did not see the word that the host wrote then.",
                          held->bound, turn);
}

/* Adds until the kernel was often seen to add in between, or has ended. Returns how often the host has added. */
static uint32_t add_between(const struct held *held, uint32_t *between)
{
    _Atomic uint32_t *sum = held_shared(held, HELD_SUM);
    const uint64_t began_ns = clock_ns();
    uint32_t adds = 0, last = 0;

    *between = 0;
    do {
        const uint32_t old = atomic_fetch_add(sum, 1);
        *between += adds > 0 && old != last + 1;
        last = old;
        adds += 1;
    } while (*between < BETWEEN && adds < ADDS_MOST &&
             (adds % ADDS_LOOK != 0 || (!held_has_ended(held) && clock_ns() - began_ns < ADD_NS)));
    return adds;
}

/* Host and kernel add to the same word; the kernel does so until the host has ended. */
static int try_adds(void *context, struct error *error)
{
    struct held *held = context;
    const int started = start(held, error);
    uint64_t gap_ns;
    uint32_t between;

    if (started != 1)
        return started;
    look_for_beginning(held, LOOK_NS, &gap_ns);
    const uint32_t adds = add_between(held, &between);
    if (held_let_go(held, error) != 0 || held_end(held, error) != 0)
        return -1;
    const uint32_t turns = held_read(held, HELD_TURNS), sum = held_read(held, HELD_SUM);
    if (sum == turns + adds)
        return between == BETWEEN ? 1 : 2;
    return promising_says(held->promising, "The host added %u and the kernel %u times, and the sum is %u.", adds, turns,
                          sum);
}

/* Without atomics it is not promised, and tried all the same. */
static int measure_shared(struct held *held, promise_try *once, struct error *error)
{
    struct promising *promising = held->promising;
    struct finding *finding = &promising->finding;
    int outcome;

    if (has_atomics(promising))
        outcome = promising_try(promising, once, held, error);
    else
        outcome = promising_decided(promising, error) == 0
                      ? promising_count(promising, once, held, "it was as if that were offered", error)
                      : -1;
    finding->offered = has_atomics(promising);
    if (outcome == 0 && finding->undecided)
        promising_undecided(promising, "The kernel was not seen while it ran, or not for long enough.");
    return outcome;
}

int promise_svm_shared(struct promising *promising, struct error *error)
{
    static promise_try *const tries[] = {
        [SHARED_HOST_SEES] = try_host_sees, [SHARED_KERNEL_SEES] = try_kernel_sees, [SHARED_ADDS] = try_adds};
    const uint32_t number = promising->promise->of[0];
    struct held held = {.event = NULL};
    const int opened = open_shared(&held, promising, error);

    if (opened != 1)
        return opened;
    held.adds = number == SHARED_ADDS;
    held.groups = held.adds ? 4 : 1;
    const int outcome = measure_shared(&held, tries[number], error);
    clSVMFree(promising->session->context, held.svm);
    return outcome;
}

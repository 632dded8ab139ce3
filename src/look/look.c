#include "look/look.h"

#include "base/alloc.h"
#include "look/role.h"
#include "look/stop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS_MOST = 8,
    STEPS_FEW = 5000,    /* once it is known that another one moves */
    STACK_BYTES = 32768, /* that are copied of each thread; kernels have 128 below the pointer, too */
    RED_ZONE = 128,
};

/* What is known of the process at one moment. */
struct moment {
    struct maps maps;
    struct stopped stopped;
    struct pages pages; /* of all moments that there were */
};

static void moment_fini(struct moment *moment)
{
    stop_fini(&moment->stopped);
    maps_fini(&moment->maps);
}

static int moment_take(struct moment *moment, pid_t process, struct error *error)
{
    moment_fini(moment);
    pages_reset(&moment->pages);
    if (stop_process(&moment->stopped, process, error) != 0)
        return -1;
    int outcome = maps_read(&moment->maps, process, error);
    moment->pages.maps = &moment->maps;
    pages_refresh(&moment->pages);
    for (size_t i = 0; outcome == 0 && i < moment->stopped.count; ++i) {
        const uint64_t sp = moment->stopped.threads[i].registers.rsp;
        pages_add(&moment->pages, sp - RED_ZONE, sp + STACK_BYTES);
    }
    stop_release(&moment->stopped);
    return outcome;
}

/* --- threads --- */

static void describe_threads(struct look *look, const struct moment *moment)
{
    struct stacks *const stacks = stacks_new(&moment->pages);

    look_fini(look);
    for (size_t i = 0; i < moment->stopped.count; ++i) {
        const struct stopped_thread *const stopped = &moment->stopped.threads[i];
        GROW(look->threads, look->count);
        struct looked_thread *const thread = &look->threads[look->count++];
        *thread = (struct looked_thread){.id = stopped->id, .state = stopped->state};
        thread->bound = thread_is_bound(&stopped->state, &moment->maps, false);
        stacks_find(stacks, &stopped->registers, &thread->stack);
    }
    for (size_t i = 0; i < look->count; ++i) /* they refer to themselves, and are moved no more */
        role_find(&look->threads[i]);
    stacks_free(stacks);
}

static int follow_kernel(struct standin *standin, const struct stopped_thread *stopped, struct looked_thread *thread,
                         uint32_t most, struct error *error)
{
    const struct course_start start = {.registers = &stopped->registers,
                                       .vectors = stopped->vectors,
                                       .vectors_bytes = stopped->vectors_bytes,
                                       .owns_stack = thread->stack.whole && thread->call == NULL,
                                       .most = most};

    return stopped->vectors == NULL ? 0 : course_find(standin, &start, &thread->recurrence, error);
}

/* *moves: not all of them only go round. */
static int follow_kernels(struct look *look, struct moment *moment, enum look_depth depth, bool *moves,
                          struct error *error)
{
    struct standin standin = {0};
    int outcome = 0;

    *moves = false;
    for (size_t i = 0; outcome == 0 && i < look->count; ++i) {
        struct looked_thread *const thread = &look->threads[i];
        if (thread->role != ROLE_KERNEL)
            continue;
        if (standin.id == 0)
            outcome = standin_open(&standin, &moment->pages, error);
        if (outcome == 0)
            outcome = follow_kernel(&standin, &moment->stopped.threads[i], thread, *moves ? STEPS_FEW : (uint32_t)depth,
                                    error);
        *moves = *moves || thread->recurrence.course != COURSE_ROUND;
    }
    standin_close(&standin);
    return outcome;
}

/* --- the whole --- */

static int check_opencl(pid_t process, pid_t thread, struct error *error)
{
    struct maps maps;
    bool found = false;

    if (maps_read(&maps, thread, error) != 0)
        return -1;
    for (size_t i = 0; i < maps.count; ++i)
        found = found || maps.all[i].kind == MAP_OPENCL;
    maps_fini(&maps);
    return found ? 0
                 : error_set(error, STATUS_USAGE,
                             "process %d uses no OpenCL: it has loaded neither a loader nor a driver of it",
                             (int)process);
}

/* Nothing is known of when it will go on. */
static bool is_stopped(struct look *look, pid_t thread)
{
    struct thread_state state;

    if (!thread_state_read(&state, look->process, thread))
        return false;
    snprintf(look->name, sizeof look->name, "%s", state.name);
    if (state.state != 'T' && state.state != 't')
        return false;
    look->verdict = LOOK_INCONCLUSIVE;
    look->reason = LOOK_REASON_STOPPED;
    return true;
}

int look_available(struct error *error)
{
    (void)error;
    return 0;
}

int look_at(struct look *look, pid_t process, enum look_depth depth, struct error *error)
{
    bool moves = false;

    *look = (struct look){.process = process};
    if (process_check(process, error) != 0)
        return -1;
    const pid_t thread = process_living(process); /* of a first one that has ended, nothing can be read */
    struct moment moment = {.pages.process = thread};
    if (check_opencl(process, thread, error) != 0)
        return -1;
    if (is_stopped(look, thread))
        return 0;
    look->gpu = process_uses_gpu(thread);
    int outcome = moment_take(&moment, thread, error);
    for (int round = 0; outcome == 0; ++round) {
        describe_threads(look, &moment);
        outcome = follow_kernels(look, &moment, depth, &moves, error);
        if (outcome != 0 || moves || moment.pages.late == 0 || round == ROUNDS_MOST)
            break;
        outcome = moment_take(&moment, thread, error);
    }
    if (outcome == 0)
        look_judge(look, moment.pages.late > 0);
    pages_fini(&moment.pages);
    moment_fini(&moment);
    return outcome;
}

void look_fini(struct look *look)
{
    for (size_t i = 0; i < look->count; ++i)
        stack_fini(&look->threads[i].stack);
    free(look->threads);
    look->threads = NULL;
    look->count = 0;
}

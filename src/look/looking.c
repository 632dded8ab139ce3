#include "look/looking.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define S 1000000000ull
static const uint64_t look_most_ns = 20 * S, pause_most_ns = 600 * S;
enum { THREADS_MOST = 1 << 16 };

/* --- the child --- */

/* Both are of the same binary, so values go as they are; addresses mean nothing to the other. */
static void write_look(FILE *out, const struct look *look)
{
    fwrite(look, sizeof *look, 1, out);
    for (size_t i = 0; i < look->count; ++i) {
        const struct looked_thread *const thread = &look->threads[i];
        const size_t call = thread->call != NULL ? (size_t)(thread->call - thread->stack.frames) : SIZE_MAX;
        fwrite(thread, sizeof *thread, 1, out);
        fwrite(&call, sizeof call, 1, out);
        if (thread->stack.count > 0)
            fwrite(thread->stack.frames, sizeof *thread->stack.frames, thread->stack.count, out);
    }
}

struct task {
    pid_t process;
    enum look_depth depth;
};

static void take(const void *what, int to)
{
    const struct task *const task = what;
    struct error failure = {.text = ""};
    struct look look = {.count = 0};
    FILE *const out = fdopen(to, "w");

    if (look_available(&failure) != 0 || look_at(&look, task->process, task->depth, &failure) != 0)
        look_fini(&look);
    else
        failure.text[0] = '\0';
    if (out == NULL || fwrite(&failure, sizeof failure, 1, out) != 1)
        _exit(1);
    write_look(out, &look);
    _exit(fflush(out) != 0);
}

/* --- its answer --- */

struct answer {
    const char *at;
    size_t left;
};

static bool get(struct answer *answer, void *value, size_t count)
{
    if (answer->left < count)
        return false;
    if (count > 0)
        memcpy(value, answer->at, count);
    answer->at += count;
    answer->left -= count;
    return true;
}

static bool get_thread(struct answer *answer, struct looked_thread *thread)
{
    struct stack stack;
    size_t call;

    if (!get(answer, thread, sizeof *thread) || !get(answer, &call, sizeof call)) {
        *thread = (struct looked_thread){.id = 0};
        return false;
    }
    stack = thread->stack;
    thread->stack.frames = NULL;
    thread->call = NULL;
    if (answer->left / sizeof *stack.frames < stack.count)
        return false;
    thread->stack.frames = xcalloc(stack.count + 1, sizeof *stack.frames);
    if (call < stack.count)
        thread->call = &thread->stack.frames[call];
    return get(answer, thread->stack.frames, stack.count * sizeof *stack.frames);
}

static bool get_look(struct answer *answer, struct look *look)
{
    struct look head;
    bool whole = get(answer, &head, sizeof head) && head.count <= THREADS_MOST;

    if (!whole)
        return false;
    *look = head;
    look->threads = xcalloc(head.count + 1, sizeof *look->threads);
    look->count = 0;
    for (size_t i = 0; whole && i < head.count; ++i)
        whole = get_thread(answer, &look->threads[look->count++]);
    return whole;
}

static void drop(struct looking *looking)
{
    for (size_t i = 0; i < looking->look.count; ++i)
        free(looking->look.threads[i].stack.frames);
    free(looking->look.threads);
    looking->look = (struct look){.count = 0};
    looking->done = false;
}

static void finish(struct looking *looking, uint64_t took_ns, uint32_t share)
{
    struct answer answer = {looking->aside.bytes, looking->aside.count};

    drop(looking);
    if (!get(&answer, &looking->failure, sizeof looking->failure) || !get_look(&answer, &looking->look)) {
        drop(looking);
        error_set(&looking->failure, STATUS_HARNESS,
                  "the process that looks at it ended, took too long, or could not be started");
    }
    looking->done = true;
    aside_forget(&looking->aside);
    looking->pause_ns = looking->pause_ns < share * took_ns ? share * took_ns : 2 * looking->pause_ns;
    if (looking->pause_ns > pause_most_ns)
        looking->pause_ns = pause_most_ns;
    looking->next_ns = clock_ns() + looking->pause_ns;
}

void looking_step(struct looking *looking, pid_t process, const struct looking_pace *pace)
{
    const struct task task = {process, looking->done ? LOOK_THOROUGH : pace->first};

    if (looking->pause_ns == 0)
        looking->pause_ns = pace->pause_ns;
    if (looking->aside.child != 0) {
        if (aside_ended(&looking->aside, look_most_ns))
            finish(looking, clock_ns() - looking->aside.begun_ns, pace->share);
    } else if (clock_ns() >= looking->next_ns && !aside_begin(&looking->aside, take, &task))
        finish(looking, 0, pace->share);
}

const struct look *looking_seen(const struct looking *looking)
{
    return looking->done && looking->failure.text[0] == '\0' ? &looking->look : NULL;
}

void looking_forget(struct looking *looking)
{
    aside_forget(&looking->aside);
    drop(looking);
    *looking = (struct looking){.next_ns = looking->next_ns};
}

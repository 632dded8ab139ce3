#include "watch/watched.h"

#include "base/alloc.h"

#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* --- how long things are as they are --- */

static uint64_t age(const struct watched *process, const struct since *since)
{
    return since->what == 0 ? 0 : process->now_ns - since->when_ns;
}

/* `what` 0 is nothing. */
static void note(const struct watched *process, struct since *since, uint64_t what)
{
    if (since->what != what)
        *since = (struct since){what, process->now_ns};
}

/* The thread is in a call that waits. */
static bool waits(const struct page_thread *thread)
{
    return atomic_load(&thread->tid) != 0 && atomic_load(&thread->call) != CALL_NONE &&
           atomic_load(&thread->blocks) != 0;
}

static void note_threads(struct watched *process)
{
    for (size_t i = 0; i < PAGE_THREADS; ++i) {
        const struct page_thread *thread = &process->page->threads[i];
        const bool calls = atomic_load(&thread->tid) != 0 && atomic_load(&thread->call) != CALL_NONE;
        note(process, &process->threads[i], calls ? atomic_load(&thread->sequence) + 1 : 0);
    }
}

static void note_queues(struct watched *process)
{
    uint64_t oldest[PAGE_QUEUES] = {0}, complete = 1;

    for (size_t i = 0; i < PAGE_COMMANDS; ++i) {
        const struct page_command *command = &process->page->commands[i];
        if (atomic_load(&command->state) == SLOT_OPEN && command->queue < PAGE_QUEUES &&
            (oldest[command->queue] == 0 || command->sequence < oldest[command->queue]))
            oldest[command->queue] = command->sequence;
    }
    for (size_t i = 0; i < PAGE_QUEUES; ++i) {
        note(process, &process->queues[i], oldest[i]);
        complete += atomic_load(&process->page->queues[i].complete);
    }
    note(process, &process->progress, complete);
}

/* Something has waited for so long: a call, while nothing became complete, or the oldest command of a queue. */
static bool is_over(const struct watched *process, uint64_t limit_ns)
{
    bool over = false;

    for (size_t i = 0; i < PAGE_THREADS && age(process, &process->progress) >= limit_ns; ++i)
        over = over || (waits(&process->page->threads[i]) && age(process, &process->threads[i]) >= limit_ns);
    for (size_t i = 0; i < PAGE_QUEUES; ++i)
        over = over || age(process, &process->queues[i]) >= limit_ns;
    return over;
}

/* Has the driver asked which commands are complete, four times in a deadline at most. */
static void ask(struct watched *process, uint64_t deadline_ns)
{
    if (process->requested != 0 && process->now_ns - process->requested_ns < deadline_ns / 4)
        return;
    process->requested = atomic_fetch_add(&process->page->request, 1) + 1;
    process->requested_ns = process->now_ns;
    syscall(SYS_futex, &process->page->request, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static bool has_answered(const struct watched *process)
{
    return atomic_load(&process->page->answer) == process->requested;
}

/* --- what that comes to --- */

/* A command that was flushed has waited for so long, or a thread has. */
static bool is_flushed(const struct watched *process, uint64_t limit_ns)
{
    bool found = false;

    for (size_t i = 0; i < PAGE_THREADS; ++i)
        found = found || (waits(&process->page->threads[i]) && age(process, &process->threads[i]) >= limit_ns);
    for (size_t i = 0; i < PAGE_QUEUES; ++i)
        found = found || (age(process, &process->queues[i]) >= limit_ns &&
                          process->queues[i].what <= atomic_load(&process->page->queues[i].flushed));
    return found;
}

/* Returns whether another look may show it. */
static bool note_sleep(struct watched *process)
{
    const struct page *page = process->page;
    const struct asleep before = process->asleep;
    struct asleep_known known[PAGE_THREADS + 1] = {{atomic_load(&page->helper), true}};
    size_t count = 1;
    struct gated gated;

    process->calls = 0;
    gated_find(&gated, page);
    for (size_t i = 0; i < PAGE_THREADS; ++i)
        if (waits(&page->threads[i])) {
            known[count++] = (struct asleep_known){page->threads[i].tid, gated_thread(&gated, page, &page->threads[i])};
            process->calls = (process->calls + page->threads[i].sequence + i) * 1099511628211u;
        }
    process->asleep = asleep_look(process->pid, known, count);
    process->asleep.states += process->calls;
    process->dead = process->dead || (before.all && process->asleep.all && before.states == process->asleep.states);
    return process->asleep.all && !before.all;
}

/* It waits for such a user event; the first that something waits for. */
static bool find_gate(const struct page *page, size_t *index)
{
    const struct page_user_event *gate = NULL;

    for (size_t i = 0; i < PAGE_COMMANDS && gate == NULL; ++i)
        for (uint32_t k = 0; page->commands[i].state == SLOT_OPEN && k < page->commands[i].wait_count && k < PAGE_WAITS;
             ++k)
            gate = gate != NULL ? gate : page_gate(page, page->commands[i].waits[k]);
    for (size_t i = 0; i < PAGE_THREADS && gate == NULL; ++i)
        for (uint32_t k = 0; page->threads[i].tid != 0 && k < page->threads[i].waits && k < PAGE_WAITS; ++k)
            gate = gate != NULL ? gate : page_gate(page, page->threads[i].waited[k]);
    *index = gate != NULL ? (size_t)(gate - page->user_events) : 0;
    return gate != NULL;
}

static bool find_unflushed(const struct page *page, size_t *index)
{
    for (size_t i = 0; i < PAGE_COMMANDS; ++i) {
        const struct page_command *command = &page->commands[i];
        if (command->state == SLOT_OPEN && command->sequence > page->queues[command->queue].flushed) {
            *index = command->queue;
            return true;
        }
    }
    return false;
}

static bool goes_round(const struct watched *process)
{
    const struct look *look = looking_seen(&process->looking);
    return look != NULL && look->verdict == LOOK_DEADLOCK;
}

static void judge(struct account *account)
{
    account->verdict = account->process->dead ? WATCH_HOST : WATCH_LONG;
    account->reason = WATCH_REASON_LONG;
    if (goes_round(account->process)) {
        account->verdict = WATCH_DEADLOCK;
        account->reason = WATCH_REASON_ROUND;
    } else if (!account->process->dead) {
        return;
    } else if (find_gate(account->page, &account->decided)) {
        account->reason = WATCH_REASON_USER_EVENT;
    } else if (find_unflushed(account->page, &account->decided)) {
        account->reason = WATCH_REASON_FLUSH;
    } else {
        account->verdict = WATCH_DEADLOCK;
        account->reason = WATCH_REASON_ASLEEP;
    }
}

static const struct page_thread *find_thread(const struct page *page, pid_t thread)
{
    for (size_t i = 0; i < PAGE_THREADS; ++i)
        if ((pid_t)atomic_load(&page->threads[i].tid) == thread)
            return &page->threads[i];
    return NULL;
}

/* A driver's own thread does nothing for the program but what commands are for, and to call it back. */
static bool thread_is_held(const struct page *page, const struct gated *gated, const struct looked_thread *thread)
{
    const struct page_thread *const of = find_thread(page, thread->id);

    if (thread->role == ROLE_CALL)
        return of != NULL && gated_thread(gated, page, of);
    return thread->role == ROLE_DRIVER ? thread->stack.whole && !thread->builds
                                       : thread->role == ROLE_DOOR || thread->bound;
}

/* Each thread waits for a user event, or for another one, whatever the driver's own do. */
static bool is_held(const struct watched *process)
{
    const struct look *const look = looking_seen(&process->looking);
    struct gated gated;

    gated_find(&gated, process->page);
    bool held = look != NULL && process->looked_calls == process->calls && gated_all(&gated, process->page);
    for (size_t i = 0; held && i < look->count; ++i)
        held = thread_is_held(process->page, &gated, &look->threads[i]);
    return held;
}

static void take_look(struct watched *process, uint64_t pause_ns)
{
    const struct looking_pace pace = {pause_ns, 20, LOOK_QUICK}; /* the program may be right: it is to lose little */
    struct looking *const looking = &process->looking;
    const bool begun = looking->aside.child != 0;

    looking_step(looking, process->pid, &pace);
    if (!begun)
        process->looked_calls = process->calls;
    else if (looking->aside.child == 0)
        process->dead = process->dead || is_held(process) || looking->look.verdict == LOOK_HOST;
}

/* Nothing is said before the threads were looked at once. */
static enum watch_verdict look_closer(struct watched *process, enum watch_verdict verdict, uint64_t pause_ns)
{
    if (!goes_round(process) && (!process->looking.done || !process->dead))
        take_look(process, pause_ns);
    if (!process->looking.done)
        return WATCH_NOTHING;
    return goes_round(process) ? WATCH_DEADLOCK : process->dead ? WATCH_HOST : verdict;
}

/* It is for so long in a call that is to come back at once, in which some drivers run what they are given. */
static bool is_held_up(const struct watched *process, uint64_t limit_ns)
{
    bool found = false;

    for (size_t i = 0; i < PAGE_THREADS && !found; ++i) {
        const struct page_thread *thread = &process->page->threads[i];
        const uint32_t call = atomic_load(&thread->call);
        found = age(process, &process->threads[i]) >= limit_ns && call < CALL_COUNT &&
                call_facts[call].kind != PAGE_BUILDS && !waits(thread);
    }
    return found;
}

/* Whether it is a kernel that takes so long, and no compiler, only its threads tell. */
static enum watch_verdict look_for_kernel(struct watched *process, uint64_t pause_ns)
{
    if (!goes_round(process))
        take_look(process, pause_ns);
    const struct look *const look = looking_seen(&process->looking);
    bool runs = false;

    for (size_t i = 0; look != NULL && i < look->count; ++i)
        runs = runs || look->threads[i].role == ROLE_KERNEL;
    return goes_round(process) ? WATCH_DEADLOCK : process->dead ? WATCH_HOST : runs ? WATCH_LONG : WATCH_NOTHING;
}

enum watch_verdict watched_look(struct watched *process, uint64_t passed_ns, uint64_t deadline_ns)
{
    const int state = asleep_state(process->pid);

    process->gone = process->gone || state == 0 || state == 'Z' || state == 'X';
    if (process->gone || state == 'T' || state == 't')
        return WATCH_NOTHING;
    process->now_ns += passed_ns;
    note_threads(process);
    note_queues(process);
    if (is_over(process, deadline_ns / 2))
        ask(process, deadline_ns);
    if (!is_over(process, deadline_ns) && is_held_up(process, deadline_ns))
        return look_for_kernel(process, deadline_ns);
    if (!is_over(process, deadline_ns)) {
        process->told = WATCH_NOTHING;
        process->asleep.all = process->dead = false;
        looking_forget(&process->looking);
        return WATCH_NOTHING;
    }
    if (!has_answered(process) && process->now_ns - process->requested_ns < deadline_ns / 8)
        return WATCH_NOTHING;
    if (note_sleep(process) && !process->dead)
        return WATCH_NOTHING;
    if (!process->dead && !is_flushed(process, deadline_ns))
        return WATCH_NOTHING;
    return look_closer(process, process->dead ? WATCH_HOST : WATCH_LONG, deadline_ns);
}

/* What was open then is known only if the door was there at the exit, and could ask. */
void watched_end(struct watched *process)
{
    const struct page *page = process->page;

    process->gone = true;
    looking_forget(&process->looking);
    note_queues(process);
    if (atomic_load(&page->ending) == 0 || atomic_load(&page->answer) != atomic_load(&page->request))
        memset(process->queues, 0, sizeof process->queues);
}

/* --- an account --- */

void account_take(struct account *account, struct watched *process, uint64_t deadline_ns)
{
    *account =
        (struct account){.process = process, .page = xcalloc(1, sizeof *account->page), .deadline_ns = deadline_ns};
    memcpy((void *)account->page, process->page, sizeof *account->page);
    if (process->marks != NULL) {
        account->marks = xmalloc((size_t)PAGE_LANES * PAGE_LANE);
        memcpy(account->marks, process->marks, (size_t)PAGE_LANES * PAGE_LANE);
    }
    account->asked = has_answered(process);
    account->look = looking_seen(&process->looking);
    account->unlooked = process->looking.done && account->look == NULL ? process->looking.failure.text : NULL;
    for (size_t i = 0; i < PAGE_COMMANDS; ++i) {
        const struct page_command *now = &process->page->commands[i];
        struct page_command *copy = &account->page->commands[i];
        if (now->state != SLOT_OPEN || now->sequence != copy->sequence || copy->queue >= PAGE_QUEUES ||
            copy->call >= CALL_COUNT)
            copy->state = SLOT_FREE; /* it changed meanwhile */
        copy->kernel[PAGE_NAME - 1] = '\0';
        copy->dimensions = copy->dimensions > 3 ? 3 : copy->dimensions;
        if (copy->argument_count > PAGE_ARGUMENTS)
            copy->argument_count = PAGE_ARGUMENTS;
    }
    for (size_t i = 0; i < PAGE_QUEUES; ++i)
        account->page->queues[i].device[PAGE_NAME - 1] = '\0';
    for (size_t i = 0; i < PAGE_THREADS; ++i)
        if (account->page->threads[i].call >= CALL_COUNT)
            account->page->threads[i].call = CALL_NONE;
    judge(account);
}

void account_fini(struct account *account)
{
    free(account->page);
    free(account->marks);
}

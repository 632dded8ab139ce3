#include "watch/sight.h"

#include "base/alloc.h"
#include "core/text.h"
#include "watch/tell_look.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS_NAMED = 8 }; /* of those that run a kernel */

/* --- a stream into a text of fixed size --- */

static void fill(FILE *stream, char *const *text, char *to, size_t size)
{
    xclose_memstream(stream, text);
    snprintf(to, size, "%s", *text);
    free(*text);
}

/* --- threads, commands and events --- */

static struct sighted *add(struct sighting *sighting, enum sighting_kind kind)
{
    GROW(sighting->items, sighting->count);
    struct sighted *item = &sighting->items[sighting->count++];
    *item = (struct sighted){.kind = kind};
    return item;
}

static void name_command(char *text, size_t size, const struct page_command *command)
{
    snprintf(text, size, "command %" PRIu64 " of queue %" PRIu32, command->sequence, command->queue + 1);
}

static void wait_for(struct sighted *item, const char *name)
{
    text_list(item->waits, sizeof item->waits, ", ", "%s", name);
}

static void wait_for_command(struct sighted *item, const struct page_command *command)
{
    char name[sizeof item->name];

    name_command(name, sizeof name, command);
    wait_for(item, name);
}

static void wait_for_events(struct sighted *item, const struct page *page, const uint64_t *events, uint32_t count)
{
    for (uint32_t i = 0; i < count && i < PAGE_WAITS; ++i) {
        const struct page_command *command = page_command_of(page, events[i]);
        const struct page_user_event *gate = page_gate(page, events[i]);
        char name[sizeof item->name];
        if (command != NULL) {
            wait_for_command(item, command);
        } else if (gate != NULL) {
            snprintf(name, sizeof name, "user event 0x%" PRIx64, (uint64_t)gate->handle);
            wait_for(item, name);
        }
    }
}

/* The open command that comes last in a queue before `sequence`, or NULL. */
static const struct page_command *last_before(const struct page *page, uint32_t queue, uint64_t sequence)
{
    const struct page_command *last = NULL;

    for (uint32_t i = 0; i < PAGE_COMMANDS; ++i) {
        const struct page_command *command = &page->commands[i];
        if (command->state == SLOT_OPEN && command->queue == queue && command->sequence < sequence &&
            (last == NULL || command->sequence > last->sequence))
            last = command;
    }
    return last;
}

static void add_thread(struct sighting *sighting, const struct account *account, const struct page_thread *thread)
{
    const struct page *page = account->page;
    const struct looked_thread *looked = account_thread(account, thread->tid);
    struct sighted *item = add(sighting, SIGHTED_THREAD);
    char *text;

    snprintf(item->name, sizeof item->name, "thread %" PRIu32, (uint32_t)thread->tid);
    FILE *out = xopen_memstream(&text, NULL);
    tell_thread(out, account, thread);
    fill(out, &text, item->says, sizeof item->says);
    if (looked != NULL && looked->role == ROLE_KERNEL)
        return;
    wait_for_events(item, page, (const uint64_t *)(const void *)thread->waited, thread->waits);
    for (uint32_t k = 0; k < PAGE_QUEUES && thread->call != CALL_NONE && thread->object != 0; ++k) {
        const struct page_command *last =
            page->queues[k].handle == thread->object ? last_before(page, k, UINT64_MAX) : NULL;
        if (last != NULL && thread->waits == 0 && thread->blocks != 0)
            wait_for_command(item, last);
    }
}

static void add_command(struct sighting *sighting, const struct account *account, const struct page_command *command)
{
    const struct page *page = account->page;
    const struct page_command *before = last_before(page, command->queue, command->sequence);
    struct sighted *item = add(sighting, SIGHTED_COMMAND);
    char *text;
    char name[sizeof item->name];
    int named = 0;

    name_command(item->name, sizeof item->name, command);
    FILE *out = xopen_memstream(&text, NULL);
    tell_command(out, command);
    tell_marks(out, account, command);
    fill(out, &text, item->says, sizeof item->says);
    wait_for_events(item, page, command->waits, command->wait_count);
    if (before != NULL && page->queues[command->queue].out_of_order == 0)
        wait_for_command(item, before);
    for (size_t i = 0; account->look != NULL && i < account->look->count && named < THREADS_NAMED; ++i) {
        const struct looked_thread *thread = &account->look->threads[i];
        if (thread->role != ROLE_KERNEL || command->kernel[0] == '\0' || strcmp(thread->kernel, command->kernel) != 0)
            continue;
        snprintf(name, sizeof name, "thread %ld", (long)thread->id);
        wait_for(item, name);
        named += 1;
    }
}

static void add_event(struct sighting *sighting, const struct page_user_event *event)
{
    struct sighted *item = add(sighting, SIGHTED_EVENT);
    char name[sizeof item->name];

    snprintf(item->name, sizeof item->name, "user event 0x%" PRIx64, (uint64_t)event->handle);
    snprintf(name, sizeof name, "thread %" PRIu32, (uint32_t)event->tid);
    snprintf(item->says, sizeof item->says, "a user event that nobody has set, made by %s", name);
    wait_for(item, name);
}

static bool is_among(const uint64_t *events, uint32_t count, uint64_t handle)
{
    for (uint32_t i = 0; i < count && i < PAGE_WAITS; ++i)
        if (events[i] == handle)
            return true;
    return false;
}

/* By a thread's call, or an open command. */
static bool is_waited_for(const struct page *page, const struct page_user_event *event)
{
    for (uint32_t i = 0; i < PAGE_THREADS; ++i)
        if (page->threads[i].tid != 0 &&
            is_among((const uint64_t *)(const void *)page->threads[i].waited, page->threads[i].waits, event->handle))
            return true;
    for (uint32_t i = 0; i < PAGE_COMMANDS; ++i)
        if (page->commands[i].state == SLOT_OPEN &&
            is_among(page->commands[i].waits, page->commands[i].wait_count, event->handle))
            return true;
    return false;
}

static void add_kernel_thread(struct sighting *sighting, const struct looked_thread *thread)
{
    struct sighted *item = add(sighting, SIGHTED_THREAD);
    char *text;

    snprintf(item->name, sizeof item->name, "thread %ld", (long)thread->id);
    FILE *out = xopen_memstream(&text, NULL);
    tell_look_kernel(out, thread);
    fill(out, &text, item->says, sizeof item->says);
}

static void add_items(struct sighting *sighting, const struct account *account)
{
    const struct page *page = account->page;
    int named = 0;

    for (uint32_t i = 0; i < PAGE_THREADS; ++i)
        if (page->threads[i].tid != 0)
            add_thread(sighting, account, &page->threads[i]);
    for (uint32_t i = 0; i < PAGE_QUEUES; ++i) {
        size_t count;
        uint32_t *commands = page_commands(page, i, &count);
        for (size_t k = 0; k < count; ++k)
            add_command(sighting, account, &page->commands[commands[k]]);
        free(commands);
    }
    for (uint32_t i = 0; i < PAGE_USER_EVENTS; ++i)
        if (page->user_events[i].state == SLOT_OPEN && is_waited_for(page, &page->user_events[i]))
            add_event(sighting, &page->user_events[i]);
    for (size_t i = 0; account->look != NULL && i < account->look->count && named < THREADS_NAMED; ++i)
        if (account->look->threads[i].role == ROLE_KERNEL) {
            add_kernel_thread(sighting, &account->look->threads[i]);
            named += 1;
        }
}

/* --- the launch --- */

static void take_launch(struct sighting *sighting, const struct page_command *launch)
{
    char *text;
    FILE *out = xopen_memstream(&text, NULL);

    snprintf(sighting->kernel, sizeof sighting->kernel, "%s", launch->kernel);
    sighting->groups = command_groups(launch);
    tell_sizes(out, launch);
    fill(out, &text, sighting->sizes, sizeof sighting->sizes);
    out = xopen_memstream(&text, NULL);
    tell_arguments(out, launch);
    fill(out, &text, sighting->arguments, sizeof sighting->arguments);
}

/* Where a thread that runs the kernel turns; if no launch is known, which kernel that is. */
static void take_line(struct sighting *sighting, const struct look *look)
{
    for (size_t i = 0; look != NULL && i < look->count && sighting->line[0] == '\0'; ++i) {
        const struct looked_thread *thread = &look->threads[i];
        if (thread->role != ROLE_KERNEL)
            continue;
        if (sighting->kernel[0] == '\0')
            snprintf(sighting->kernel, sizeof sighting->kernel, "%.63s", thread->kernel);
        const struct frame *frame = look_line(thread);
        if (strcmp(thread->kernel, sighting->kernel) == 0 && frame != NULL)
            snprintf(sighting->line, sizeof sighting->line, "%s:%d", frame->file, frame->line);
    }
}

static void take_call(struct sighting *sighting, const struct page *page)
{
    for (uint32_t i = 0; i < PAGE_THREADS && sighting->call[0] == '\0'; ++i)
        if (page->threads[i].tid != 0 && page->threads[i].call != CALL_NONE && page->threads[i].blocks != 0)
            snprintf(sighting->call, sizeof sighting->call, "%s", call_facts[page->threads[i].call].name);
}

static void take_process(struct sighting *sighting, const struct watched *process, const struct page *page)
{
    sighting->process = (uint32_t)process->pid;
    snprintf(sighting->program, sizeof sighting->program, "%s", process->name);
    snprintf(sighting->door, sizeof sighting->door, "%s", page->layer != 0 ? "layer" : "driver");
    sighting->launches = page->launches;
    for (uint32_t i = 0; i < PAGE_QUEUES && sighting->device[0] == '\0'; ++i)
        if (page->queues[i].handle != 0)
            snprintf(sighting->device, sizeof sighting->device, "%.63s", page->queues[i].device);
}

static void take_age(struct sighting *sighting, const struct account *account)
{
    const struct watched *process = account->process;

    for (uint32_t i = 0; i < PAGE_QUEUES; ++i)
        if (process->queues[i].what != 0 && process->now_ns - process->queues[i].when_ns > sighting->for_ns)
            sighting->for_ns = process->now_ns - process->queues[i].when_ns;
}

void sight_stall(struct sighting *sighting, const struct telling *telling)
{
    const struct account *account = telling->account;
    const struct page_command *launch = account_launch(account);
    char *why = account_why(account), *told;

    *sighting = (struct sighting){.verdict = account->verdict};
    if (launch != NULL)
        snprintf(sighting->device, sizeof sighting->device, "%.63s", account->page->queues[launch->queue].device);
    take_process(sighting, account->process, account->page);
    snprintf(sighting->why, sizeof sighting->why, "%s", account->verdict != WATCH_NOTHING ? why : "");
    free(why);
    if (launch != NULL)
        take_launch(sighting, launch);
    take_line(sighting, account->look);
    take_call(sighting, account->page);
    take_age(sighting, account);
    add_items(sighting, account);
    FILE *out = xopen_memstream(&told, NULL);
    tell_stall_text(out, telling);
    sighting->told = xclose_memstream(out, &told);
}

static void add_looked(struct sighting *sighting, const struct looked_thread *thread)
{
    struct sighted *item = add(sighting, SIGHTED_THREAD);
    char *text;

    snprintf(item->name, sizeof item->name, "thread %ld", (long)thread->id);
    FILE *out = xopen_memstream(&text, NULL);
    tell_look_thread(out, thread);
    fill(out, &text, item->says, sizeof item->says);
}

/* Those that are in OpenCL, the first ones that run a kernel, and the one that decided. */
static void take_threads(struct sighting *sighting, const struct look *look)
{
    int named = 0;

    for (size_t i = 0; i < look->count; ++i) {
        const struct looked_thread *thread = &look->threads[i];
        const bool runs = thread->role == ROLE_KERNEL && named < THREADS_NAMED;
        named += runs;
        if (runs || thread->call != NULL || (i == look->decided && tell_look_why(look) == NULL))
            add_looked(sighting, thread);
        if (thread->call != NULL && sighting->call[0] == '\0')
            snprintf(sighting->call, sizeof sighting->call, "%.63s", thread->call->called);
        if (thread->role == ROLE_KERNEL && sighting->sizes[0] == '\0' && thread->sizes[0] != '\0')
            snprintf(sighting->sizes, sizeof sighting->sizes, "work-groups of %.63s", thread->sizes);
    }
    snprintf(sighting->device, sizeof sighting->device, "%s", named > 0 ? "CPU" : look->gpu ? "GPU" : "");
}

void sight_look(struct sighting *sighting, const struct look *look)
{
    static const enum watch_verdict verdicts[LOOK_VERDICTS] = {[LOOK_DEADLOCK] = WATCH_DEADLOCK,
                                                               [LOOK_HOST] = WATCH_HOST,
                                                               [LOOK_LONG] = WATCH_LONG,
                                                               [LOOK_INCONCLUSIVE] = WATCH_NOTHING};
    char *text, *told;

    *sighting = (struct sighting){.verdict = verdicts[look->verdict], .process = (uint32_t)look->process};
    snprintf(sighting->program, sizeof sighting->program, "%s", look->name);
    FILE *out = xopen_memstream(&text, NULL);
    tell_look_account(out, look);
    fill(out, &text, sighting->why, sizeof sighting->why);
    take_threads(sighting, look);
    take_line(sighting, look);
    out = xopen_memstream(&told, NULL);
    tell_look_text(out, look);
    sighting->told = xclose_memstream(out, &told);
}

void sight_end(struct sighting *sighting, const struct ending *ending, const struct watched *process)
{
    const struct page_command *runs = process != NULL ? ending_runs(process) : NULL;

    *sighting = (struct sighting){.verdict = WATCH_NOTHING};
    if (process != NULL)
        take_process(sighting, process, process->page);
    else
        snprintf(sighting->program, sizeof sighting->program, "%.63s", ending->program);
    if (sighting->door[0] == '\0')
        snprintf(sighting->door, sizeof sighting->door, "%s", ending->door == DOOR_LAYER ? "layer" : "driver");
    if (runs != NULL) {
        take_launch(sighting, runs);
        snprintf(sighting->why, sizeof sighting->why, "it ended before a kernel was complete; ");
    }
    sighting->told = xasprintf("%s ended with status %d; %" PRIu64 " launches were seen\n", sighting->program,
                               ending->status, sighting->launches);
}

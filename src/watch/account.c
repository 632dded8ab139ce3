/* What follows from an account, in whichever form it is told. */
#include "base/alloc.h"
#include "watch/tell.h"
#include "watch/tell_look.h"

#include <string.h>

static const char *const sentences[WATCH_REASONS] = {
    [WATCH_REASON_LONG] = "nothing has become complete for so long; more is not known",
    [WATCH_REASON_USER_EVENT] =
        "it waits for a user event that nobody can set any more: each of its threads waits for that, or until "
        "another one wakes it",
    [WATCH_REASON_FLUSH] =
        "it waits for a command of a queue that nobody can flush any more: each of its threads sleeps until "
        "another one wakes it",
    [WATCH_REASON_ASLEEP] = "each of its threads sleeps until another one wakes it",
    [WATCH_REASON_ROUND] = "its kernels only go round, and each other thread sleeps until one of them wakes it",
};

/* A look says more of what takes long, unless it came too early. */
char *account_why(const struct account *account)
{
    const struct look *look = account->look;

    if (account->verdict != WATCH_LONG || look == NULL || look->reason == LOOK_REASON_CLOSED ||
        look->reason == LOOK_REASON_NOTHING)
        return xstrdup(sentences[account->reason]);
    const char *why = tell_look_why(look);
    return why != NULL
               ? xstrdup(why)
               : xasprintf("it waits for the program: thread %d is outside of OpenCL, and may still do something",
                           (int)look->threads[look->decided].id);
}

const struct looked_thread *account_thread(const struct account *account, uint32_t thread)
{
    for (size_t i = 0; account->look != NULL && i < account->look->count; ++i)
        if (account->look->threads[i].id == (pid_t)thread)
            return &account->look->threads[i];
    return NULL;
}

bool account_runs(const struct account *account, const char *kernel)
{
    for (size_t i = 0; account->look != NULL && i < account->look->count; ++i)
        if (account->look->threads[i].role == ROLE_KERNEL && strcmp(account->look->threads[i].kernel, kernel) == 0)
            return true;
    return false;
}

static bool is_better(const struct account *account, const struct page_command *command,
                      const struct page_command *best)
{
    return best == NULL || (account_runs(account, command->kernel) && !account_runs(account, best->kernel)) ||
           (account_runs(account, command->kernel) == account_runs(account, best->kernel) &&
            command->queue == best->queue && command->sequence < best->sequence);
}

const struct page_command *account_launch(const struct account *account)
{
    const struct page_command *best = NULL;

    for (size_t i = 0; i < PAGE_COMMANDS; ++i) {
        const struct page_command *command = &account->page->commands[i];
        if (command->state == SLOT_OPEN && command->kernel[0] != '\0' && page_is_free(account->page, command) &&
            is_better(account, command, best))
            best = command;
    }
    return best;
}

uint64_t command_groups(const struct page_command *command)
{
    uint64_t groups = 1;

    for (uint32_t i = 0; i < command->dimensions; ++i)
        groups *= command->local[i] == 0 ? 0 : (command->global[i] + command->local[i] - 1) / command->local[i];
    return groups;
}

uint64_t ending_launches(const struct ending *ending)
{
    uint64_t launches = 0;

    for (size_t i = 0; i < ending->list->count; ++i)
        launches += atomic_load(&ending->list->items[i]->page->launches);
    return launches;
}

const struct page_command *ending_runs(const struct watched *process)
{
    for (size_t i = 0; i < PAGE_COMMANDS; ++i) {
        const struct page_command *command = &process->page->commands[i];
        if (command->state == SLOT_OPEN && command->kernel[0] != '\0' && command->queue < PAGE_QUEUES &&
            command->sequence == process->queues[command->queue].what)
            return command;
    }
    return NULL;
}

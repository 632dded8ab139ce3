#include "watch/watched.h"

#include <string.h>

/* What each thing waits for is known only as far as the page has it: what is not known does not hold anything. */
static bool is_held(const struct page *page, const struct gated *gated, uint64_t event)
{
    const struct page_command *command = page_command_of(page, event);
    const bool doubtful = page->foreign_count > 0; /* functions that are not seen may have made one of this handle */

    return command != NULL ? gated->commands[command - page->commands] : !doubtful && page_gate(page, event) != NULL;
}

static bool has_held_before(const struct page *page, const struct gated *gated, uint32_t queue, uint64_t sequence)
{
    for (uint32_t i = 0; i < PAGE_COMMANDS; ++i)
        if (page->commands[i].state == SLOT_OPEN && gated->commands[i] && page->commands[i].queue == queue &&
            page->commands[i].sequence < sequence)
            return true;
    return false;
}

static bool command_is_held(const struct page *page, const struct gated *gated, const struct page_command *command)
{
    const struct page_queue *queue = &page->queues[command->queue];
    bool held = false;

    for (uint32_t i = 0; i < command->wait_count && i < PAGE_WAITS && !held; ++i)
        held = is_held(page, gated, command->waits[i]);
    return held || (queue->out_of_order == 0 && has_held_before(page, gated, command->queue, command->sequence));
}

void gated_find(struct gated *gated, const struct page *page)
{
    bool more = true;

    memset(gated, 0, sizeof *gated);
    while (more) {
        more = false;
        for (uint32_t i = 0; i < PAGE_COMMANDS; ++i)
            if (page->commands[i].state == SLOT_OPEN && page->commands[i].queue < PAGE_QUEUES && !gated->commands[i] &&
                command_is_held(page, gated, &page->commands[i]))
                more = gated->commands[i] = true;
    }
}

bool gated_thread(const struct gated *gated, const struct page *page, const struct page_thread *thread)
{
    const uint64_t object = thread->object;
    bool held = false;

    if (thread->tid == 0 || thread->call == CALL_NONE || thread->blocks == 0)
        return false;
    for (uint32_t i = 0; i < thread->waits && i < PAGE_WAITS; ++i)
        held = held || is_held(page, gated, thread->waited[i]);
    for (uint32_t i = 0; i < PAGE_QUEUES && object != 0 && !held; ++i)
        held = page->queues[i].handle == object && has_held_before(page, gated, i, UINT64_MAX);
    return held;
}

/*
 * A callback may end what holds others. Those of contexts, of memory and of single commands are not noted: they come of
 * commands that run or end, and none does.
 */
static bool callbacks_are_held(const struct page *page, const struct gated *gated)
{
    bool held = atomic_load(&page->built_callbacks) == 0;

    for (uint32_t i = 0; i < PAGE_CALLBACKS && held; ++i)
        held = atomic_load(&page->callbacks[i].state) == SLOT_FREE || is_held(page, gated, page->callbacks[i].event);
    return held;
}

bool gated_all(const struct gated *gated, const struct page *page)
{
    bool held = page->foreign_count == 0 && page->short_of == 0 && callbacks_are_held(page, gated);

    for (uint32_t i = 0; i < PAGE_COMMANDS && held; ++i)
        held = (page->commands[i].state != SLOT_OPEN && page->commands[i].state != SLOT_FILLING) || gated->commands[i];
    for (uint32_t i = 0; i < PAGE_QUEUES && held; ++i)
        held = page->queues[i].lost == 0;
    return held;
}

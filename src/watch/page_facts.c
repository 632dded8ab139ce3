/* What is read from a copy of a page. */
#include "watch/watched.h"

#include "base/alloc.h"

#include <stdlib.h>

#define FACT(name, kind, does) [CALL_##name] = {#name, does, kind},
const struct call_fact call_facts[CALL_COUNT] = {{"", "", PAGE_PASSES}, PAGE_CALLS(FACT)};

#define MARKS_FACT(number, name, says) [number] = {name, says},
const struct marks_fact marks_facts[PAGE_MARKS_COUNT] = {PAGE_MARKS(MARKS_FACT)};

static const struct page *sorted;

static int by_sequence(const void *left, const void *right)
{
    const uint64_t first = sorted->commands[*(const uint32_t *)left].sequence;
    const uint64_t second = sorted->commands[*(const uint32_t *)right].sequence;

    return (first > second) - (first < second);
}

uint32_t *page_commands(const struct page *page, uint32_t queue, size_t *count)
{
    uint32_t *found = xcalloc(PAGE_COMMANDS, sizeof *found);

    *count = 0;
    for (uint32_t i = 0; i < PAGE_COMMANDS; ++i)
        if (page->commands[i].state == SLOT_OPEN && page->commands[i].queue == queue)
            found[(*count)++] = i;
    sorted = page;
    qsort(found, *count, sizeof *found, by_sequence);
    return found;
}

const struct page_command *page_command_of(const struct page *page, uint64_t event)
{
    for (uint32_t i = 0; i < PAGE_COMMANDS; ++i)
        if (page->commands[i].state == SLOT_OPEN && page->commands[i].event == event)
            return &page->commands[i];
    return NULL;
}

const struct page_user_event *page_gate(const struct page *page, uint64_t event)
{
    for (uint32_t i = 0; i < PAGE_USER_EVENTS; ++i)
        if (page->user_events[i].state == SLOT_OPEN && page->user_events[i].handle == event)
            return &page->user_events[i];
    return NULL;
}

bool page_is_free(const struct page *page, const struct page_command *command)
{
    for (uint32_t i = 0; i < command->wait_count && i < PAGE_WAITS; ++i)
        if (page_command_of(page, command->waits[i]) != NULL || page_gate(page, command->waits[i]) != NULL)
            return false;
    return true;
}

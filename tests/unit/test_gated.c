#include "watch/watched.h"

#include "harness.h"

#include <string.h>

enum { GATE = 0x10, FIRST = 0x20, SECOND = 0x30 };

static struct page page;

static struct page_command *command(int slot, uint32_t queue, uint64_t sequence, uint64_t event)
{
    struct page_command *added = &page.commands[slot];

    *added = (struct page_command){.state = SLOT_OPEN, .queue = queue, .sequence = sequence, .event = event};
    return added;
}

/* A launch that waits for a user event, one behind it, and one of another queue that waits for it. */
static void setup(void)
{
    memset(&page, 0, sizeof page);
    page.user_events[0] = (struct page_user_event){.state = SLOT_OPEN, .handle = GATE};
    page.queues[0] = (struct page_queue){.handle = 1};
    page.queues[1] = (struct page_queue){.handle = 2, .out_of_order = 1};
    struct page_command *const first = command(0, 0, 1, FIRST);
    first->wait_count = 1;
    first->waits[0] = GATE;
    command(1, 0, 2, SECOND);
    struct page_command *const third = command(2, 1, 1, 0x40);
    third->wait_count = 1;
    third->waits[0] = SECOND;
}

static bool all_held(void)
{
    struct gated gated;

    gated_find(&gated, &page);
    return gated_all(&gated, &page);
}

static void call_back(int slot, uint64_t event)
{
    page.callbacks[slot] = (struct page_callback){.state = SLOT_OPEN, .event = event};
}

START_TEST(all_wait_for_the_user_event)
{
    setup();
    ck_assert(all_held());
    call_back(0, SECOND);
    call_back(1, GATE);
    ck_assert(all_held());
    page.user_events[0].state = SLOT_DONE;
    ck_assert(!all_held());
}
END_TEST

/* Each of these may end by itself, and what the program does then nobody knows. */
START_TEST(one_command_does_not_wait)
{
    setup();
    page.queues[0].out_of_order = 1;
    ck_assert(!all_held());
    setup();
    command(3, 1, 2, 0x50);
    ck_assert(!all_held());
    page.commands[3].state = SLOT_DONE;
    ck_assert(all_held());
}
END_TEST

START_TEST(a_callback_may_come)
{
    setup();
    call_back(0, 0);
    ck_assert(!all_held());
    setup();
    call_back(0, 0x60); /* of a command that is complete: it has not returned */
    ck_assert(!all_held());
    setup();
    page.built_callbacks = 1;
    ck_assert(!all_held());
}
END_TEST

START_TEST(not_all_is_known)
{
    setup();
    page.short_of = 1;
    ck_assert(!all_held());
    setup();
    page.foreign_count = 1;
    ck_assert(!all_held());
    setup();
    page.queues[1].lost = 1;
    ck_assert(!all_held());
}
END_TEST

HARNESS_MAIN("gated", all_wait_for_the_user_event, one_command_does_not_wait, a_callback_may_come, not_all_is_known)

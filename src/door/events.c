#include "door/door.h"

#include <stdint.h>
#include <stdlib.h>

static _Atomic uint32_t open_count;

/* One that is set, or whose handle comes again, has a slot for the next. */
static struct page_user_event *find(cl_event event)
{
    for (int i = 0; i < PAGE_USER_EVENTS; ++i)
        if (atomic_load_explicit(&door_page.user_events[i].handle, memory_order_relaxed) == (uintptr_t)event)
            return &door_page.user_events[i];
    return NULL;
}

static struct page_user_event *take_slot(void)
{
    for (int i = 0; i < PAGE_USER_EVENTS; ++i)
        for (uint32_t state = SLOT_FREE; state <= SLOT_DONE; state += SLOT_DONE) {
            uint32_t expected = state;
            if (atomic_compare_exchange_strong(&door_page.user_events[i].state, &expected, SLOT_FILLING))
                return &door_page.user_events[i];
        }
    return NULL;
}

void user_event_made(cl_event event)
{
    struct page_user_event *slot = find(event);

    if (slot == NULL)
        slot = take_slot();
    if (slot == NULL) {
        atomic_store(&door_page.short_of, 1);
        return;
    }
    atomic_store(&slot->tid, own_tid());
    atomic_store(&slot->handle, (uintptr_t)event);
    if (atomic_exchange(&slot->state, SLOT_OPEN) != SLOT_OPEN)
        atomic_fetch_add(&open_count, 1);
}

void user_event_set(cl_event event)
{
    struct page_user_event *slot = find(event);

    if (slot != NULL && atomic_exchange(&slot->state, SLOT_DONE) == SLOT_OPEN)
        atomic_fetch_sub(&open_count, 1);
}

/* The user event that had this handle was released without having been set. */
void command_event_made(cl_event event)
{
    if (event != NULL && atomic_load_explicit(&open_count, memory_order_relaxed) != 0)
        user_event_set(event);
}

/* --- callbacks --- */

struct notice {
    event_function *function;
    void *data;
    struct page_callback *slot; /* NULL: there was no room */
};

static struct page_callback *callback_begin(uint64_t event)
{
    for (int i = 0; i < PAGE_CALLBACKS; ++i) {
        struct page_callback *slot = &door_page.callbacks[i];
        uint32_t expected = SLOT_FREE;
        if (!atomic_compare_exchange_strong(&slot->state, &expected, SLOT_FILLING))
            continue;
        atomic_store(&slot->event, event);
        atomic_store(&slot->state, SLOT_OPEN);
        return slot;
    }
    atomic_store(&door_page.short_of, 1);
    return NULL;
}

static void callback_end(struct notice *notice)
{
    if (notice->slot != NULL)
        atomic_store(&notice->slot->state, SLOT_FREE);
    free(notice);
}

static void CL_CALLBACK call_back(cl_event event, cl_int status, void *data)
{
    struct notice *const notice = data;

    notice->function(event, status, notice->data);
    callback_end(notice);
}

cl_int event_callback(cl_event event, cl_int status, event_function *function, void *data)
{
    struct notice *const notice = function != NULL ? malloc(sizeof *notice) : NULL;

    if (notice == NULL) {
        if (function != NULL)
            atomic_store(&door_page.short_of, 1);
        return REAL(event)->clSetEventCallback(event, status, function, data);
    }
    *notice = (struct notice){function, data, callback_begin(status == CL_COMPLETE ? (uintptr_t)event : 0)};
    const cl_int outcome = REAL(event)->clSetEventCallback(event, status, call_back, notice);
    if (outcome != CL_SUCCESS)
        callback_end(notice);
    return outcome;
}

#include "door/door.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Thread_local struct page_thread *own;
static _Thread_local bool refused;
static pthread_key_t at_end;
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void give_back(void *slot)
{
    struct page_thread *thread = slot;

    own = NULL;
    refused = true; /* what other destructors call is not noted */
    atomic_store(&thread->call, CALL_NONE);
    atomic_store(&thread->tid, 0);
}

static bool has_key;

static void make_key(void)
{
    has_key = pthread_key_create(&at_end, give_back) == 0;
}

uint32_t own_tid(void)
{
    return own != NULL ? atomic_load_explicit(&own->tid, memory_order_relaxed) : (uint32_t)syscall(SYS_gettid);
}

void threads_forget(void)
{
    if (own != NULL)
        pthread_setspecific(at_end, NULL);
    own = NULL;
}

static struct page_thread *take_slot(void)
{
    const uint32_t tid = (uint32_t)syscall(SYS_gettid);

    pthread_once(&made, make_key);
    for (int i = 0; has_key && i < PAGE_THREADS; ++i) {
        uint32_t none = 0;
        if (!atomic_compare_exchange_strong(&door_page.threads[i].tid, &none, tid))
            continue;
        own = &door_page.threads[i];
        pthread_setspecific(at_end, own);
        return own;
    }
    refused = true;
    atomic_store(&door_page.short_of, 1);
    return NULL;
}

struct call call_begin(enum page_call number, const void *object, bool blocks)
{
    struct page_thread *thread = own != NULL || refused ? own : take_slot();
    struct call call = {.thread = thread};

    if (thread == NULL)
        return call;
    call.before = atomic_load_explicit(&thread->call, memory_order_relaxed);
    call.blocked = atomic_load_explicit(&thread->blocks, memory_order_relaxed);
    call.waited = atomic_load_explicit(&thread->waits, memory_order_relaxed);
    call.object = atomic_load_explicit(&thread->object, memory_order_relaxed);
    atomic_store_explicit(&thread->sequence, thread->sequence + 1, memory_order_relaxed);
    atomic_store_explicit(&thread->blocks, blocks, memory_order_relaxed);
    atomic_store_explicit(&thread->waits, 0, memory_order_relaxed);
    atomic_store_explicit(&thread->object, (uintptr_t)object, memory_order_relaxed);
    atomic_store_explicit(&thread->call, number, memory_order_release);
    return call;
}

void call_waits(const struct call *call, cl_uint count, const cl_event *list)
{
    if (call->thread == NULL || list == NULL)
        return;
    for (cl_uint i = 0; i < count && i < PAGE_WAITS; ++i)
        atomic_store_explicit(&call->thread->waited[i], (uintptr_t)list[i], memory_order_relaxed);
    atomic_store_explicit(&call->thread->waits, count, memory_order_release);
}

void call_end(const struct call *call)
{
    struct page_thread *thread = call->thread;

    if (thread == NULL)
        return;
    atomic_store_explicit(&thread->sequence, thread->sequence + 1, memory_order_relaxed);
    atomic_store_explicit(&thread->blocks, call->blocked, memory_order_relaxed);
    atomic_store_explicit(&thread->waits, call->waited, memory_order_relaxed);
    atomic_store_explicit(&thread->object, call->object, memory_order_relaxed);
    atomic_store_explicit(&thread->call, call->before, memory_order_release);
}

#include "look/pages.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum { PAGES_MOST = 4096 };

struct iovec pages_there(uint64_t address, size_t count)
{
    struct iovec there = {.iov_len = count};

    memcpy(&there.iov_base, &address, sizeof there.iov_base);
    return there;
}

bool pages_read(pid_t process, uint64_t address, void *bytes, size_t count)
{
    const struct iovec here = {bytes, count}, there = pages_there(address, count);
    return process_vm_readv(process, &here, 1, &there, 1, 0) == (ssize_t)count;
}

static struct memory_page **bucket(const struct pages *pages, uint64_t address)
{
    return (struct memory_page **)&pages->buckets[address / PAGE % PAGES_BUCKETS];
}

struct memory_page *pages_find(const struct pages *pages, uint64_t address)
{
    const uint64_t at = address / PAGE * PAGE;
    struct memory_page *page = *bucket(pages, at);

    while (page != NULL && page->at != at)
        page = page->next;
    return page;
}

struct memory_page *pages_get(struct pages *pages, uint64_t address)
{
    const struct map *const map = maps_find(pages->maps, address);
    struct memory_page *page = pages_find(pages, address);

    if (page != NULL || map == NULL || !map->readable || pages->count >= PAGES_MOST)
        return page;
    page = xcalloc(1, sizeof *page);
    page->at = address / PAGE * PAGE;
    page->map = map;
    page->late = true;
    if (!pages_read(pages->process, page->at, page->bytes, PAGE)) {
        free(page);
        return NULL;
    }
    page->next = *bucket(pages, page->at);
    *bucket(pages, page->at) = page;
    ++pages->count;
    ++pages->late;
    return page;
}

/* One that is no longer there is not known any more. */
void pages_refresh(struct pages *pages)
{
    for (size_t i = 0; i < PAGES_BUCKETS; ++i)
        for (struct memory_page **link = &pages->buckets[i]; *link != NULL;) {
            struct memory_page *const page = *link;
            page->map = maps_find(pages->maps, page->at);
            page->late = false;
            if (page->map != NULL && pages_read(pages->process, page->at, page->bytes, PAGE)) {
                link = &page->next;
                continue;
            }
            *link = page->next;
            free(page);
            --pages->count;
        }
    pages->late = 0;
}

void pages_add(struct pages *pages, uint64_t from, uint64_t to)
{
    for (uint64_t at = from / PAGE * PAGE; at < to; at += PAGE) {
        struct memory_page *const page = pages_get(pages, at);
        if (page == NULL || !page->late)
            continue;
        page->late = false;
        --pages->late;
    }
}

void pages_reset(struct pages *pages)
{
    for (size_t i = 0; i < PAGES_BUCKETS; ++i)
        for (struct memory_page *page = pages->buckets[i]; page != NULL; page = page->next)
            page->present = page->dirty = false;
    pages->dirty = NULL;
}

void pages_fini(struct pages *pages)
{
    for (size_t i = 0; i < PAGES_BUCKETS; ++i)
        while (pages->buckets[i] != NULL) {
            struct memory_page *const page = pages->buckets[i];
            pages->buckets[i] = page->next;
            free(page);
        }
    *pages = (struct pages){0};
}

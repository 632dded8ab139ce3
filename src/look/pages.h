/*
 * Pages of the memory of a process, as they were at one moment; and what a stand-in (standin.h) has made of them since.
 * Which are needed shows only when somebody uses them: those that come late are not of that moment.
 */
#pragma once

#include "look/maps.h"

#include <sys/uio.h>

enum { PAGE = 4096 };

struct memory_page {
    uint64_t at;
    const struct map *map;
    struct memory_page *next; /* of those with the same hash */
    struct memory_page *next_dirty;
    bool late;            /* was read after the moment */
    bool present;         /* in the stand-in, */
    bool dirty;           /* which has written to it; */
    size_t changed_to;    /* behind what its last instruction changed of it; 0: nothing */
    uint8_t bytes[PAGE];  /* of the process */
    uint8_t now[PAGE];    /* of the stand-in, if it is dirty, */
    uint8_t marked[PAGE]; /* and when it was marked last (course.c) */
};

enum { PAGES_BUCKETS = 1024 };

struct pages {
    pid_t process;
    const struct maps *maps;
    struct memory_page *buckets[PAGES_BUCKETS];
    size_t count;
    struct memory_page *dirty; /* a list */
    size_t late;               /* how many are */
};

/* The page of an address, if it is known; or NULL. */
struct memory_page *pages_find(const struct pages *pages, uint64_t address);

/* The same; reads it, late, if it is not known. NULL: it cannot be read, or there are too many. */
struct memory_page *pages_get(struct pages *pages, uint64_t address);

/* Reads all of them again, and those from `from` to `to`, while the process is stopped: none is late. */
void pages_refresh(struct pages *pages);
void pages_add(struct pages *pages, uint64_t from, uint64_t to);

/* Forgets what a stand-in has made of them. */
void pages_reset(struct pages *pages);
void pages_fini(struct pages *pages);

/* What process_vm_readv(2) is told of the memory of the other process. */
struct iovec pages_there(uint64_t address, size_t count);

/* Reads memory of the process as it is now; false: not all of it is there. */
bool pages_read(pid_t process, uint64_t address, void *bytes, size_t count);

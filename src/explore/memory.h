/*
 * The memory of a launch that is explored: which of its bytes several work-items share, and all of its contents as one
 * number. It is kept in lines; one that never changes costs nothing.
 */
#pragma once

#include "explore/interned.h"
#include "model/machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MEMORY_LINE = 64 }; /* bytes: a bit each below */

struct memory_line {
    unsigned char *at;
    uint32_t bytes;
    uint32_t slot;    /* in the strings of contents; MEMORY_NEVER: it never changed */
    uint32_t content; /* that it was loaded with: 1 + its number, or 0: as the launch began */
    bool touched;     /* since it was loaded */
    bool hidden;      /* memory of a work-group, which nobody sees afterwards, or notes, which are no result */
    uint64_t written; /* by anybody, */
    uint64_t many;    /* accessed by several work-items, */
    uint64_t shared;  /* and both */
    uint64_t ignored; /* bytes that nobody has read yet, and that are no part of a state */
    uint8_t owner[MEMORY_LINE]; /* 1 + the work-item that accessed it; 0: none has */
    unsigned char initial[MEMORY_LINE];
};

#define MEMORY_NEVER UINT32_MAX

/* All zero is empty. */
struct memory {
    struct memory_line *lines;
    uint32_t line_count;
    uint32_t *slots; /* a hash table of lines: 1 + a line, or 0 */
    uint32_t mask;
    uint32_t *changing; /* the line of each slot of the strings */
    uint32_t changing_count;
    uint32_t *loaded, *next; /* strings: of each slot the content; as loaded, and room for another one */
    uint32_t *touched;       /* lines */
    uint32_t touched_count;
    struct interned contents; /* of lines */
    struct interned strings;  /* of numbers of contents, without zeros at the end */
    uint32_t last;            /* the line that was looked up */
    bool atomics;             /* there was an atomic access, whoever could notice it */
    bool outdated; /* a byte became shared, or is not ignored any more, since memory_begin or memory_restart */
    const struct machine_region *ignored; /* where bytes are ignored as long as nobody reads them */
    size_t ignored_count;
    bool ignores_read;           /* or even then, */
    bool ignored_read;           /* and somebody did */
    struct machine_region notes; /* for the host, which are no result; or none */
};

/*
 * Begins with the memory of the launch that runs as it is (model/run.h); its contents have number 0. The regions stay
 * where they are.
 */
void memory_begin(struct memory *memory, const struct machine_region *ignored, size_t ignored_count);

/* Sets it back to that, and forgets all contents, but not what is shared. */
void memory_restart(struct memory *memory);
void memory_fini(struct memory *memory);

/* What a work-item is about to access, and how. */
struct memory_access {
    uint32_t item;
    const volatile void *at;
    size_t bytes;
    bool reads, writes, atomic;
};

/* Notes an access that is about to be made. True: it shares some byte with another one, and somebody writes that. */
bool memory_take_access(struct memory *memory, const struct memory_access *access);

/* Notes that these bytes may change now. */
void memory_touch(struct memory *memory, const volatile void *at, size_t bytes);

/* Hashes what was touched, and what is there. */
uint64_t memory_touched_hash(const struct memory *memory);

/* Returns the number of the present contents. */
uint32_t memory_number(struct memory *memory);

/* Sets back what has changed since it was loaded; or loads these contents, after that. */
void memory_undo(struct memory *memory);
void memory_load(struct memory *memory, uint32_t number);

/* Returns the number of these contents without what is hidden; equal numbers are equal contents, too. */
uint32_t memory_visible(struct memory *memory, uint32_t number);

/* Returns how many bytes all that takes. */
size_t memory_size(const struct memory *memory);

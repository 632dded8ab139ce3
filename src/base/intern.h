/* Keeps each value once: a report of many points repeats few of them. A zeroed struct is an empty pool. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct intern {
    void *entries; /* a tree of tsearch() */
    size_t used;
};

/* The pool's copy of these bytes, aligned for any type; equal bytes have one copy. */
const void *intern_bytes(struct intern *pool, const void *bytes, size_t size);
const char *intern_text(struct intern *pool, const char *text);

/* A number that the caller may keep with a value of a pool; 0 at first. */
uint32_t *intern_number(const void *value);

void intern_fini(struct intern *pool);

/* Arrays that grow one by one. */
#pragma once

#include <stddef.h>

/*
 * Makes room for one more item in an array of `count` items that grows by nothing else; it begins as NULL. 0, or -1 if
 * memory is short; then the array is as it was.
 */
#define GROW(items, count) grow(&(items), (count), sizeof *(items))

/* The same of items of `size` bytes; `items` is the address of the pointer to them. */
int grow(void *items, size_t count, size_t size);

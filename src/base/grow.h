/* Arrays that grow one by one. */
#ifndef GRIDLOCK_BASE_GROW_H
#define GRIDLOCK_BASE_GROW_H

#include <stddef.h>

/*
 * Room for one more item in an array of `count` items of `size` bytes: the array, which may have moved, or NULL if memory
 * is short; then it is as it was.
 */
void *grow(void *items, size_t count, size_t *capacity, size_t size);

#endif

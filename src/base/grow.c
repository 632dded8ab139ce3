#include "base/grow.h"

#include <stdlib.h>

void *grow(void *items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return items;
    const size_t larger = *capacity == 0 ? 16 : 2 * *capacity;
    items = realloc(items, larger * size);
    if (items != NULL)
        *capacity = larger;
    return items;
}

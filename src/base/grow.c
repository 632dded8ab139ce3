#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

/* There is room for the next power of two, so nothing needs to note how much it is. */
int grow(void *items, size_t count, size_t size)
{
    void *old, *larger;

    if ((count & (count - 1)) != 0)
        return 0;
    memcpy(&old, items, sizeof old);
    larger = realloc(old, (count == 0 ? 1 : 2 * count) * size);
    if (larger == NULL)
        return -1;
    memcpy(items, &larger, sizeof larger);
    return 0;
}

/* Programs that have been built, in the user's folder of such: $XDG_CACHE_HOME/gridlock/model, or ~/.cache. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Where a program of this content is or may be put; "": nowhere. Allocated. */
char *kept_path(const char *content, size_t length);

/* What is kept there, *size bytes; NULL: nothing is. Allocated. */
void *kept_get(const char *path, size_t *size);

/*
 * Puts it there as a whole, if it can; other processes may do the same. Of all that is kept, what was used last stays,
 * up to half a GiB.
 */
void kept_put(const char *path, const void *bytes, size_t size);

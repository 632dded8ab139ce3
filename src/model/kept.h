/* Programs that have been built, in the user's folder of such: $XDG_CACHE_HOME/gridlock/model, or ~/.cache. */
#pragma once

#include <stddef.h>

/* Returns where a program of this content is kept, or may be; allocated; "" if nowhere. */
char *kept_path(const char *content, size_t length);

/* Reads what is kept there, *size bytes, allocated; NULL if nothing is. */
void *kept_get(const char *path, size_t *size);

/*
 * Keeps these bytes there as a whole, if it can; other processes may do the same. Deletes what was used longest ago,
 * beyond half a GiB.
 */
void kept_put(const char *path, const void *bytes, size_t size);

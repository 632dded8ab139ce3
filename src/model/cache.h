/* Where compiled programs are kept, by the hash of what they were compiled of. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* The hash of what a file was made of grows by such parts. Begin with 0. */
unsigned long cache_hash(unsigned long hash, const char *text, size_t length);

/* Copies the kept file of this hash and ending ("so") to `path`. False: there is none, or it cannot be read. */
bool cache_fetch(unsigned long hash, const char *ending, const char *path);

/* Keeps a copy of the file, if there is a folder for it: $XDG_CACHE_HOME/gridlock, or ~/.cache/gridlock. */
void cache_keep(unsigned long hash, const char *ending, const char *path);

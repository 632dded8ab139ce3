/* Counts how often each name has come. A zeroed struct is an empty tally. */
#pragma once

#include "base/intern.h"

#include <stddef.h>
#include <stdint.h>

struct tally {
    struct intern names;
};

/* Counts the name; returns how often it had come before. */
uint32_t tally_count(struct tally *tally, const char *name);
void tally_fini(struct tally *tally);

/* FNV-1a, 64 bits: the same on every machine and in every version. */
uint64_t tally_hash(const char *name);
uint64_t tally_hash_bytes(const char *bytes, size_t length);

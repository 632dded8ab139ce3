/* The scenarios that a command works with: named on the command line, or all that the binary carries. */
#pragma once

#include "base/error.h"
#include "scenario/scenario.h"

#include <stdbool.h>
#include <stddef.h>

/* A zeroed one is empty; free with catalog_fini. */
struct catalog {
    struct scenario **scenarios;
    size_t count;
};

/*
 * Loads those named: a name with a slash or ending in .ini is a file, * and ? stand for any text and any
 * character in other names. No name: all. `kernel_folder` is where kernels are looked for first, or NULL.
 * STATUS_USAGE if one cannot be read, or a name matches nothing.
 */
int catalog_load(struct catalog *catalog, char *const *names, size_t count, const char *kernel_folder,
                 struct error *error);

/* The name is that of a file. */
bool catalog_is_file(const char *name);

/* Puts them in an order drawn by lot. */
void catalog_shuffle(struct catalog *catalog, uint32_t seed);

void catalog_fini(struct catalog *catalog);

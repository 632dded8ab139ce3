/* Kernels of the user's files as footprints of a limits campaign. */
#pragma once

#include "engine/executor.h"
#include "search/footprints.h"

/* Behind the name of a file without kernels: it may show some to its reader, which the preprocessor leaves out. */
#define SUBJECTS_NO_KERNEL " as it is built: one between #if and #endif may need --build-options -DNAME"

enum { SUBJECT_FILES = 1024, SUBJECT_NAMES = 256, SUBJECT_GIVEN_LOCALS = 64 };

/* The size of a local argument that was given: of this kernel, or, if that is "", of each that has such an argument. */
struct given_local {
    const char *text; /* as it was given */
    char kernel[SUBJECT_KERNEL];
    char argument[SUBJECT_ARGUMENT]; /* its number from 0, or its name */
    uint64_t bytes;
};

struct subject_request {
    const char *files[SUBJECT_FILES];
    size_t file_count; /* 0: no kernels of the user's are asked for */
    char kernels[SUBJECT_NAMES][SUBJECT_KERNEL];
    size_t kernel_count;   /* 0: all of the files */
    const char *options;   /* of the build */
    enum entry_way wanted; /* as in struct subject */
    struct nd_range sizes[FOOTPRINTS_LIST];
    size_t size_count; /* 0: a ladder */
    struct given_local locals[SUBJECT_GIVEN_LOCALS];
    size_t local_count;
    /*
     * Told what the driver says of a file that it does not build, and what may help (engine/hint.h) or ""; NULL: it
     * builds, but has no kernel.
     */
    void (*log)(const char *file, const char *log, const char *hint);
};

/*
 * Reads the files by the executor, whose device must be open. A kernel has its required size, else those that were
 * given, else a ladder. A file that does not build is a footprint without a kernel, so that it has a row; one without
 * kernels has none. On success *footprints is allocated (free it). -1: STATUS_USAGE if what was asked for is not there,
 * naming what is.
 */
int subjects_plan(const struct subject_request *request, const struct executor *executor,
                  const struct device_info *device, struct footprint **footprints, size_t *count, struct error *error);

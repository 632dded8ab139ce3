/* The OpenCL platforms and devices that the loader offers. */
#ifndef GRIDLOCK_DEVICE_LISTING_H
#define GRIDLOCK_DEVICE_LISTING_H

#include "base/error.h"
#include "base/icd_folder.h"
#include "core/device_info.h"
#include "core/wire.h"

#include <CL/cl.h>
#include <stddef.h>

struct listed_device {
    struct device_info info;
    cl_platform_id platform;
    cl_device_id device;
};

/* Lists all devices; *devices is allocated (free it). No platform at all is no error: *count is 0. */
int listing_read(struct listed_device **devices, size_t *count, struct error *error);

/* Writes the names of platforms that have no device; returns how many, at most `room`. */
size_t listing_empty_platforms(struct wire_platform *platforms, size_t room);

/*
 * Tries to load one driver library the way the loader would: 0, or -1 with the reason. The library's
 * constructors run, so it is called in a worker that does nothing else.
 */
int listing_check_library(const char *library, struct error *error);

/*
 * Makes the loader see only these libraries (at most ICD_FOLDER_FILES): a private folder with an .icd file
 * for each, named in OCL_ICD_VENDORS. To be called before anything of OpenCL; the folder may be
 * removed with icd_folder_remove once the loader has read it.
 */
int listing_use_icds(char *const *libraries, size_t count, struct error *error);

#endif

/* The OpenCL platforms and devices that the loader offers, and model devices. */
#pragma once

#include "base/error.h"
#include "core/device_info.h"
#include "device/calls.h"
#include "wire/wire.h"

#include <stddef.h>

enum { LISTING_FAILURE = sizeof((struct wire_platform *)0)->failure };

struct listed_device {
    struct device_info info;
    cl_device_id device;
    char failure[LISTING_FAILURE]; /* of the first query that should not have failed, or what it does not say; or "" */
};

struct listing {
    struct listed_device *devices; /* owned; free with listing_fini */
    size_t count;
    struct wire_platform platforms[WIRE_PLATFORMS]; /* without a device, and what could not be listed */
    size_t platform_count;
};

/*
 * Lists the model device of this name, which says what `model` says if it is like another; or with NULL all devices of
 * all drivers. No platform at all is no error. What
 * calls go to from now on (device/calls.h) is where they are. Call listing_fini even on failure.
 */
int listing_read(struct listing *listing, const struct device_info *model, struct error *error);
void listing_fini(struct listing *listing);

/*
 * Tries to load one driver library the way the loader would: 0, or -1 with the reason. The library's
 * constructors run, so it is called in a worker that does nothing else.
 */
int listing_check_library(const char *library, struct error *error);

/*
 * Makes the loader see only these libraries (at most ICD_FOLDER_FILES): the private folder gets an .icd file
 * for each, named in OCL_ICD_VENDORS. To be called before anything of OpenCL; the folder may be
 * removed with icd_folder_remove once the loader has read it.
 */
int listing_use_icds(const char *folder, char *const *libraries, size_t count, struct error *error);

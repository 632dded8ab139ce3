/* The registry of OpenCL drivers, as the ICD loader reads it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct icd_entry {
    char file[512];     /* the .icd file, or the library if it has no such file */
    char library[1024]; /* its first line; empty: the file is empty or cannot be read */
    char problem[256];  /* why there is no library to try, or "" */
    bool may_block;     /* it, or its library, is a pipe or a device: whoever opens it may wait for ever */
};

/* Notes why `entry->library` cannot be one, where that is seen without loading it. */
void icds_check_library(struct icd_entry *entry);

/*
 * The drivers that the loader would try: OCL_ICD_VENDORS (a library, an .icd file or a folder), else
 * /etc/OpenCL/vendors. *entries is allocated (free it). A folder that is not there is no error: *count is 0.
 */
void icds_read(struct icd_entry **entries, size_t *count);

/* Where icds_read looks, for messages. */
const char *icds_place(void);

/* The folder in which driver libraries are named to the OpenCL loader of a worker. */
#pragma once

#include "base/error.h"

enum { ICD_FOLDER_FILES = 16, ICD_FOLDER_BYTES = 64 };

/* Makes one that is ours alone, for .icd files that are called by numbers. 0, or -1 with STATUS_HARNESS and no name. */
int icd_folder_make(char folder[ICD_FOLDER_BYTES], struct error *error);

/*
 * Removes it with its files, unless its name is empty. The worker does so once the loader has read it, and its
 * supervisor does, in case it died before. What somebody else has put there since stays.
 */
void icd_folder_remove(const char *folder);

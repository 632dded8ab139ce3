/* The point of a stored trial, found again. */
#pragma once

#include "report/evidence.h"

/*
 * Sets *trial to the one that was run, with all of its workload: a run file names the scenario, and not each buffer.
 * The scenario and its kernel are looked for where the run found them, and have to be what they were; `kernel_folder`
 * (freed by the caller) is where kernels were looked for first, or NULL. -1 with STATUS_USAGE if a file is gone or
 * has changed, STATUS_HARNESS when memory is short.
 */
int point_restore(struct store *store, const struct evidence *evidence, struct trial *trial, char **kernel_folder,
                  struct error *error);

/* The files of a reproducer: in a folder that may be new, and never in place of others. */
#pragma once

#include "base/error.h"

#include <stdio.h>

/* A descriptor of the folder, which is made if it is missing; a link is none. -1 with STATUS_USAGE. */
int reproducer_open_folder(const char *folder, struct error *error);

/* A stream to a file that was not there before; NULL with STATUS_USAGE if it was, even as a link. */
FILE *reproducer_create(int descriptor, const char *folder, const char *name, struct error *error);

/* Closes it. -1 with STATUS_HARNESS if not all was written. */
int reproducer_finish(FILE *out, const char *folder, const char *name, struct error *error);

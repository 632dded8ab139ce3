/* Kernel sources: embedded in the binary, or read from a folder that overrides them. */
#pragma once

#include "base/error.h"

#include <stdbool.h>

struct source_file {
    const char *name; /* NULL ends the table */
    const char *text;
};

/* Generated at build time from the kernels folder. */
extern const struct source_file source_files[];

/* Generated at build time: what `gridlock help NAME` prints. */
extern const struct source_file help_pages[];

/* What limits_header writes behind its constants; only formats have it. */
extern const struct source_file header_texts[];

/* The page of a run, without its data; only formats have it. */
extern const struct source_file html_pages[];

/* Folders that are looked in before what the program carries, in this order. NULL and "" are no folder. */
struct source_folders {
    const char *own;   /* that of the scenario file */
    const char *given; /* by --kernel-dir */
};

/*
 * The text of kernel file `name` ("limits.cl") with its includes put in place, in allocated memory; names with a slash
 * are refused. NULL on failure, with STATUS_USAGE for a file that cannot be found or read.
 */
char *source_load(struct source_folders folders, const char *name, struct error *error);

/* The same without putting includes in place. */
char *source_read(struct source_folders folders, const char *name, struct error *error);

/* The line is one of those by which source_load says what line of which file comes next. */
bool source_is_place(const char *line);

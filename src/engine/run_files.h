/* The run files in the folder where runs put them unless another place is named. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct run_file {
    char name[256];
    int64_t written_ns; /* last, since the epoch */
    uint64_t bytes;
    dev_t device;
    ino_t inode;
};

/* The newest first; a folder that is not there has none. */
struct run_files {
    char folder[3072];
    struct run_file *files;
    size_t count;
};

/* -1 with STATUS_USAGE if there is no such folder by the environment, or it cannot be read. To be freed in any case. */
int run_files_read(struct run_files *files, struct error *error);
void run_files_fini(struct run_files *files);

/* Writes the path of the newest one. STATUS_USAGE: there is none. */
int run_files_newest(char *path, size_t size, struct error *error);

/* Sets *in_use: a process has it open. -1: that cannot be found out. */
int run_file_find_users(const struct run_file *file, bool *in_use, struct error *error);

/* Removes it, with what a killed run may have left beside it. */
int run_file_remove(const struct run_files *files, const struct run_file *file, struct error *error);

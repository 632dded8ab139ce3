/*
 * Run files: where they are put, what they say about the run, and those that runs have put where they do by themselves.
 */
#pragma once

#include "base/error.h"
#include "base/shard.h"
#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The command that makes a run: its words, the first of which is "gridlock run", and what they ask for. */
struct run_asked {
    int count;
    char **arguments;
    const struct store_asked *items;
    size_t item_count;
};

/*
 * Creates the run file: at `path`, or, if it is NULL, under the user's state directory
 * ($XDG_STATE_HOME/gridlock, or ~/.local/state/gridlock). `chosen` receives the path.
 */
int run_file_create(const char *path, const struct run_asked *asked, const struct shard *shard, char *chosen,
                    size_t size, struct store **store, struct error *error);

/* The folder where they are put by themselves, which is made if it is not there. */
int run_file_folder(char *folder, size_t size, struct error *error);

/* Opens one to go on with it; *shard is then as it was. */
int run_file_continue(const char *path, struct store **store, struct shard *shard, struct error *error);

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

/*
 * Reads the folder that the environment names; -1 with STATUS_USAGE if it names none, or the folder cannot be read.
 * Call run_files_fini even on failure.
 */
int run_files_read(struct run_files *files, struct error *error);
void run_files_fini(struct run_files *files);

/* Writes the path of the newest run file; -1 with STATUS_USAGE if no run file exists. */
int run_files_newest(char *path, size_t size, struct error *error);

/* Sets *in_use: a process has it open. -1: that cannot be found out. */
int run_file_find_users(const struct run_file *file, bool *in_use, struct error *error);

/* Removes it, with what a killed run may have left beside it. */
int run_file_remove(const struct run_files *files, const struct run_file *file, struct error *error);

/* Runs clang, which compiles kernels for this machine. */
#pragma once

#include "base/error.h"

enum { CLANG_WORDS = 64, CLANG_LOG_MOST = 1 << 20 };

/* A command line that grows; words are not copied. */
struct clang_command {
    const char *words[CLANG_WORDS + 1];
    unsigned count;
};

/* The program: $GRIDLOCK_CLANG, or the first of clang, clang-21 ... clang-14 that is found. STATUS_UNSUPPORTED: none. */
const char *clang_program(struct error *error);

void clang_add(struct clang_command *command, const char *word);

/*
 * Runs it, within bounds of time and memory. *log is what it printed, by way of the folder; to be freed, or NULL.
 * 0: it succeeded; 1: it did not, and the log says why; -1 with STATUS_HARNESS: it could not be run, or did not end.
 */
int clang_run(const struct clang_command *command, const char *folder, char **log, struct error *error);

/* The compiler of OpenCL C that model devices need: found, and run with bounds. */
#pragma once

#include "base/error.h"

#include <sys/types.h>

/* Finds the program of this name in one of PATH's folders; allocated, or NULL if no folder has it. */
char *clang_in_path(const char *name);

/*
 * The path of clang, allocated: what GRIDLOCK_CLANG names, or the first that is installed. NULL with
 * STATUS_UNSUPPORTED.
 */
char *clang_find(struct error *error);

/* Finds a linker, ld, and returns its path, allocated; NULL with STATUS_UNSUPPORTED. */
char *clang_find_linker(struct error *error);

/*
 * Starts a program, which reads nothing, and adds what it says to the file `log`. `arguments` ends with NULL; its first
 * is the path. 0: it could not be started.
 */
pid_t clang_start(const char *log, char *const *arguments);

/* Waits for it, three minutes at most. Returns its exit status, or -1 if it was ended by a signal, or never started. */
int clang_wait(pid_t pid);

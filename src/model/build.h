/* The steps from a text of OpenCL C to a shared object, in a folder for the time being. */
#pragma once

#include "base/error.h"
#include "model/clang_options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct build {
    char *clang, *linker;
    char *folder;               /* private, until build_fini */
    struct clang_words options; /* the user's, for clang */
    bool sub_groups;            /* programs may have them: to be set, or not, before any step */
};

/*
 * Returns -1 and STATUS_UNSUPPORTED without clang, STATUS_USAGE for options, else STATUS_HARNESS. Call build_fini
 * even on failure.
 */
int build_begin(struct build *build, const char *options, struct error *error);

/* Prints all options, a line each: ours and the user's. */
void build_print_options(const struct build *build, FILE *out);

/* Compiles the program to text of LLVM's language, allocated; NULL if it failed or took long: build_log says why. */
char *build_front(const struct build *build, const char *source);

/* Makes a shared object of such text, *size bytes, allocated; NULL under the same conditions. */
char *build_back(const struct build *build, const char *text, size_t *size);

/* Returns what clang has said so far, allocated. */
char *build_log(const struct build *build);
void build_fini(struct build *build);

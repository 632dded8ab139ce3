/* The steps from a text of OpenCL C to a shared object, in a folder for the time being. */
#pragma once

#include "base/error.h"
#include "model/clang_options.h"

#include <stddef.h>
#include <stdio.h>

struct build {
    char *clang, *linker;
    char *folder;               /* private, until build_fini */
    struct clang_words options; /* the user's, for clang */
};

/* -1 and STATUS_UNSUPPORTED without clang, STATUS_USAGE for options, STATUS_HARNESS else. build_fini in each case. */
int build_begin(struct build *build, const char *options, struct error *error);

/* All options, a line each: ours and the user's. */
void build_print_options(const struct build *build, FILE *out);

/* The program as a module of LLVM's language; NULL: it is none, or no time was left; build_log says why. Allocated. */
char *build_front(const struct build *build, const char *source);

/* The shared object of such a module, *size bytes; NULL likewise. Allocated. */
char *build_back(const struct build *build, const char *text, size_t *size);

/* What was said so far. Allocated. */
char *build_log(const struct build *build);
void build_fini(struct build *build);

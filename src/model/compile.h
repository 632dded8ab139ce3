/*
 * Builds programs of OpenCL C for this machine, with clang, and loads them. What was built is kept in a folder of the
 * user's by its content, so that the same program is built once.
 */
#pragma once

#include "base/error.h"
#include "model/image.h"

#include <stdbool.h>
#include <stddef.h>

struct model_program {
    void *handle; /* of dlopen */
    int descriptor;
    struct gl_image *image;
};

/* Looks for clang and a linker. STATUS_UNSUPPORTED: says which one is missing, and the package that has it. */
int model_compile_check(struct error *error);

struct model_source {
    const char *text, *options;
    bool sub_groups; /* it may have them */
};

/*
 * Builds a text, and loads it: a copy of its own, variables at their first values. *log becomes
 * what the compiler says of the program, which the caller frees, or NULL. -1 if it does not build: *log says why, and
 * `error` its first line; *log is NULL if the program is not to blame. STATUS_UNSUPPORTED: there is no clang.
 */
int model_compile(const struct model_source *source, struct model_program *program, char **log, struct error *error);

enum { MODEL_LINE = 160 };

/*
 * Of `count` places, of each of which there are `each` addresses: the line of the source ("kernel.cl:14") that the
 * first of them belongs to that is of it; "": none is.
 */
void model_lines(const struct model_program *program, const void *const *addresses, size_t each, size_t count,
                 char (*lines)[MODEL_LINE]);

void model_program_fini(struct model_program *program);

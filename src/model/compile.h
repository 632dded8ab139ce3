/*
 * Compiles OpenCL C for this machine: clang's front end makes the text of a program of it (model/ir.h), and its back end
 * a shared object as model/image.h says, together with those of OpenCL's functions that the program calls
 * (model/library). What was compiled is kept, by its content, in $XDG_CACHE_HOME/gridlock, or ~/.cache/gridlock.
 */
#pragma once

#include "base/error.h"
#include "model/image.h"

#include <stddef.h>

struct model_program {
    void *handle; /* of dlopen */
    const struct gl_image *image;
    char *file; /* the shared object, */
    size_t file_bytes;
};

/*
 * The options are those of clBuildProgram. *log is what the compiler said, to be freed, or NULL. -1 with STATUS_USAGE if
 * the text or an option cannot be compiled, STATUS_UNSUPPORTED if there is no clang, STATUS_HARNESS for what else fails.
 */
int model_compile(const char *source, const char *options, struct model_program *program, char **log,
                  struct error *error);

enum { MODEL_LINE = 160 };

/* The line of the source ("kernel.cl:14") that the first of these addresses belongs to that is of it; "": none is. */
void model_line(const struct model_program *program, const void *const *addresses, size_t count, char line[MODEL_LINE]);

void model_program_fini(struct model_program *program);

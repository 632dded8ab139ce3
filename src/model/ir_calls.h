/* Which functions of a module name which, and what they keep in private memory. */
#pragma once

#include "base/intern.h"

#include <stdbool.h>
#include <stdint.h>

/* Newer compilers make a function of a kernel's body, with this before its name; what calls the kernel calls that. */
#define IR_KERNEL_BODY "__clang_ocl_kern_imp_"

/* Zeroed: none. */
struct ir_calls {
    struct intern names; /* their numbers: of a function that is defined, its place, from 1 */
    struct ir_function {
        const char *name;
        bool kernel;
        size_t first_call, call_end; /* of those below */
        int seen;
        uint64_t kept_bytes; /* of its arrays */
        uint64_t most_bytes; /* with those of what it calls, where that is the most; 0: not known yet */
    } * functions;
    size_t function_count;
    const char **calls; /* names */
    size_t call_count;
};

/* Notes that a function begins; then each line of it. Names have `length` bytes. */
void ir_calls_function(struct ir_calls *calls, const char *name, size_t length, bool kernel);
void ir_calls_line(struct ir_calls *calls, const char *line);
void ir_calls_array(struct ir_calls *calls, uint64_t bytes);

/* Returns the name of a function that comes back to itself, or NULL. */
const char *ir_calls_circle(struct ir_calls *calls);

/*
 * Returns the most bytes of arrays that a kernel and what it calls have at a time. No function may come back to
 * itself.
 */
uint64_t ir_calls_array_bytes(struct ir_calls *calls, const char *kernel);

/* Returns whether a kernel is called, and not just its body by itself. */
bool ir_calls_kernel_is_called(const struct ir_calls *calls);

void ir_calls_fini(struct ir_calls *calls);

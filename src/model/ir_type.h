/* Types of LLVM's language, as text: how many bytes a value has in memory, and where it may lie. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A module's own types: lines "%name = type ...". */
struct ir_types {
    const char **lines;
    size_t count;
};

struct ir_layout {
    uint64_t bytes; /* with what is behind it in an array */
    uint64_t align;
};

/* Passes over the type at *text. Returns false if the type is not known, or is a function's. */
bool ir_type_layout(const struct ir_types *types, const char **text, struct ir_layout *layout);

/* Passes over anything up to the comma, bracket or end that is beyond brackets and quotes; returns it. */
const char *ir_item_end(const char *text);

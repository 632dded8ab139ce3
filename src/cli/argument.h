/* --arg of commands that launch, or explore, a kernel of the user's; others read back what a run was given. */
#pragma once

#include "proof/request.h"

/* What its help says. */
#define ARGUMENT_HELP                                                                                                  \
    "What an argument is, by its number from 0 or its name: buffer:BYTES, with =zero, =seq or =file:PATH behind it "   \
    "for what it begins with; local:BYTES; a number; or file:PATH, which has the bytes of a value. What is not given " \
    "is made up: 65536 zero bytes each, local memory of an element for each work-item, 0"

/* Takes "NAME=buffer:4". -1 with STATUS_USAGE. */
int argument_add(struct proof_request *request, const char *text, struct error *error);

/* The same, and "NAME=grid" or "NAME=grid:FUSE". */
int argument_add_grid(struct proof_request *request, const char *text, struct error *error);

/* What the file of a library, or of a program, has to do with OpenCL. */
#pragma once

#include "door/page.h"

#include <stdbool.h>

struct library {
    bool offers;        /* functions of OpenCL: it is a loader, or a driver, or takes the place of one; */
    bool finds_drivers; /* as a loader does, */
    bool leads;         /* by the variable of the door; */
    bool may_hand_on;   /* no loader finds it as a driver, so others may call it in the place of a loader */
    bool asks;          /* by a layer: offers none, but knows the name by which loaders ask drivers */
    char *name;         /* by which others are linked to it; NULL: it has none */
    char *linked;       /* "NAME\n..." to which it is linked; NULL: it calls no function of OpenCL by its name */
};

/* One that cannot be read has nothing to do with it. */
void library_read(struct library *library, const char *path, enum door door);

/* Answers whether `caller` is linked to `called`, and calls functions of OpenCL. */
bool library_calls(const struct library *caller, const struct library *called);
void library_fini(struct library *library);

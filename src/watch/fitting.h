/*
 * Whether the groups of a launch that hangs fit on its device: `gridlock limits --source` measures it, in the
 * environment and the folder of the program, with the source that the door has kept.
 */
#pragma once

#include "look/aside.h"
#include "watch/watched.h"

struct fitting {
    struct aside aside;
    char kernel[PAGE_NAME], device[PAGE_NAME]; /* kernel "": there is nothing to be known */
    uint64_t groups, items;                    /* of the launch; items of a group */
    uint64_t fit;                              /* groups that fit at once; 0: not known */
    char *command;                             /* that measures it; NULL: the source is not known. Owned */
    char *run;                                 /* the run file that it makes; owned, or NULL */
};

/* Begins with the kernel that an account proves to hang; `folder` has the sources, and a copy is put into `keep`. */
void fitting_begin(struct fitting *fitting, const struct account *account, const char *folder, const char *keep);

/* Answers whether something is to be told now: what came of it. */
bool fitting_step(struct fitting *fitting);
void fitting_fini(struct fitting *fitting);

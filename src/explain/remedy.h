/* Why a device allows a launch to fail, and what would make it pass. */
#ifndef GRIDLOCK_EXPLAIN_REMEDY_H
#define GRIDLOCK_EXPLAIN_REMEDY_H

#include "explain/story.h"

/* Adds to the story what follows from the cause; the smallest change comes first. */
void remedy_tell(const struct evidence *evidence, struct story *story);

#endif

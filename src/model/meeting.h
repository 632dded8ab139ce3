/* Where work-items of a group, or of a sub-group, meet: who waits there, who goes on, and who never will. */
#pragma once

#include "model/run.h"

enum { MEETING_TEXT = 160 };

/* Returns whether both are the flags of one barrier, and of one turn of the loops around it. */
bool meeting_is_same(uint32_t flags, uint32_t other_flags);

/* Says of a work-item that waits at one barrier, with these flags, that another one of its group waits at another. */
const char *meeting_apart(uint32_t flags, const struct run_item *other, uint32_t other_flags, char text[MEETING_TEXT]);

/* Makes what is known of the sub-groups of all places, if the launch's device has any. */
void meeting_begin(void);
void meeting_end(void);

/* A group takes this place: all of its work-items run. */
void meeting_place(uint32_t at);

/*
 * A work-item waits for the others of its group, or of its sub-group, as the flags say: when all are there, they are
 * ready. What it did that no kernel may, valid until the next one does, and then where *whose stands; NULL: nothing.
 */
const char *meeting_come(struct run_item *item, uint32_t flags, const struct run_item **whose);

/* The same of one that has ended. */
const char *meeting_leave(struct run_item *item, const struct run_item **whose);

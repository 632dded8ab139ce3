/* What a work-item does that no kernel may: a sentence, and where that is. */
#pragma once

#include "explore/stepping.h"

/* Writes "work-item (0, 0, 0) of group 1 ...". */
void fault_tell(const struct run_item *item, const char *what, char text[sizeof stepping.explored->fault]);

/* Notes that of where the work-item stands. */
void fault_note(const struct run_item *item, const char *what);

/* Notes that it reads, or writes, outside of what the kernel was given. */
void fault_note_outside(const struct run_item *item, bool writes);

/* For struct fiber_user: a loop without an access that never ends is a fault. */
bool fault_look(const struct fiber_interrupted *interrupted);

/* Whether a work-item that computes for long is left, and nothing said of it; else it is taken to be in such a loop. */
void fault_hurry(bool hurries);

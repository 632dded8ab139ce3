/* Local memory that nobody has written: which bytes of it have a value is part of a state, as what they hold is. */
#pragma once

#include "explore/memory.h"
#include "model/run.h"

/* An access is made now. Returns whether it reads, and nobody of the group has written any of its bytes. */
bool unwritten_is_read(struct memory *memory, const struct run_item *item, const struct memory_access *access,
                       uint32_t how);

/* What a thread of a program is there for, by the functions that it is in. */
#pragma once

#include "look/look.h"

/* Finds role, kernel and call of a thread from its stack. */
void role_find(struct looked_thread *thread);

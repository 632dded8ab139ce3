/* The compute unit that a work-group runs on. */
#ifndef GRIDLOCK_UNIT_H
#define GRIDLOCK_UNIT_H

#include "self.h"

/* %smid modulo `units` in dialect ptx; no other dialect can tell, and the group's id stands for it. */
static uint unit_of(const struct gl_self *self, uint units)
{
#if defined(GL_DIALECT_PTX)
    uint unit;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(unit));
    return unit % units;
#else
    return self->group % units;
#endif
}

#endif

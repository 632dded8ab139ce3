/* The part of litmus_emulate that is of machines of lanes (litmus/lanes.h). */
#pragma once

#include "litmus/emulate.h"

/* As litmus_emulate, at a level at which the machine says what lanes do. */
int litmus_emulate_lanes(enum lanes_machine machine, const struct block *block, const struct emulate_sink *sink);

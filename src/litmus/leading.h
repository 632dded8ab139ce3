/* Which instances of a launch are led to a trap, and which groups start. The scheduler asks for it. */
#pragma once

#include "litmus/scheduler.h"

/* A launch begins. */
void leading_begin(struct scheduler *scheduler);

/* Nothing goes on by itself: lets something. False: nothing may, the launch has ended or stalled. */
bool leading_go_on(struct scheduler *scheduler);

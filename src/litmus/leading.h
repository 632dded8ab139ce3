/* Which instances of a launch are led to a trap, and which groups start. The scheduler asks for it. */
#ifndef GRIDLOCK_LITMUS_LEADING_H
#define GRIDLOCK_LITMUS_LEADING_H

#include "litmus/scheduler.h"

/* A launch begins. */
void leading_begin(struct scheduler *scheduler);

/* Nothing goes on by itself: lets something. False: nothing may, the launch has ended or stalled. */
bool leading_go_on(struct scheduler *scheduler);

/* --- what the scheduler knows of the launch --- */

bool scheduler_has_started(const struct scheduler *scheduler, uint32_t group);

/* The threads of an instance that have fair execution in the launch; a bit for each rank. */
unsigned scheduler_fair_threads(const struct scheduler *scheduler, uint32_t instance);

/* The device has a place for so many more groups, of which this one is the next. */
bool scheduler_may_start(const struct scheduler *scheduler, uint32_t group, uint32_t count);

/* The ways to a target, of those that a plan may have. */
const uint8_t *scheduler_ways(const struct scheduler *scheduler, unsigned target);

void scheduler_step(struct scheduler *scheduler, uint32_t instance, unsigned rank);

/* The instance may be able to go on. */
void scheduler_enqueue(struct scheduler *scheduler, uint32_t instance);

#endif

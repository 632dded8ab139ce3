/*
 * Launches with very many states, or with more work-items than a state may have: what may be known of them without all
 * states.
 */
#pragma once

#include "explore/exploring.h"

/* Notes whether all keep apart, before the search begins, and changes nothing else. */
void large_look(struct exploring *exploring);

/*
 * Whether the search ends with this state: large_settle is enough then, or a launch by lot went wrong. It ends as well
 * if a byte turned out to be shared.
 */
bool large_is_enough(struct exploring *exploring, uint32_t state);

/* Takes one schedule, and has that be all, if it shows that all come to the same, or that two race; else refuses. */
void large_settle(struct exploring *exploring);

/* Launches by lot, if the search has used up its memory or its time. */
void large_walk_on(struct exploring *exploring);

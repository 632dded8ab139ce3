/*
 * What boards say of groups, apart from when. Launches of a barrier on an idle GPU end with boards that differ only in
 * times, in the units on which groups ran, and in the order in which they came there. Each of these takes as much room
 * as all the rest a hundred times; a run file keeps it of one of them (store/board.c).
 */
#pragma once

#include "core/board.h"

/*
 * A code of all that the board says but that: its seed, fuses and clocks, its groups' clocks, units, polls, and the
 * numbers of their tickets. That a group has them counts, and whether tickets ascend with the groups' ids, descend, or
 * neither. For a census, how many had come when a group saw it closed does not count.
 */
uint64_t board_likeness(const struct board *board);

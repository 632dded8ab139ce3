/*
 * kernel:  promise_sub_progress
 * purpose: one sub-group of a group waits until another one has told it something, the first or the last one
 * needs:   nothing: the wait ends after `patience` looks
 * fails:   a sub-group that waits keeps the other one from running
 * source:  gridlock
 *
 * board[0] is told, board[1] is 1 more than what the waiting one saw, and board[2] the number of sub-groups.
 */
#include "promise_sub_group.h"

kernel void promise_sub_progress(global uint *board, uint waits_for_last, uint patience)
{
    volatile global uint *flag = board;
    const uint last = get_num_sub_groups() - 1;
    const uint teller = waits_for_last ? last : 0;
    const uint waiter = last - teller;

    if (get_sub_group_local_id() != 0)
        return;
    if (get_sub_group_id() == teller)
        atomic_xchg(flag, 1u);
    if (get_sub_group_id() == waiter) {
        uint told = atomic_or(flag, 0u);
        for (uint looks = 0; looks < patience && told == 0; ++looks)
            told = atomic_or(flag, 0u);
        board[1] = 1 + told;
        board[2] = last + 1;
    }
}

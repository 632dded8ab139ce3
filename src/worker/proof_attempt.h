/* Other launches than the one that was asked for, where what is made up of it may be why something is wrong. */
#pragma once

#include "explore/explore.h"
#include "worker/proof.h"

/* Of a group, in place of 2: where two work-items add in a tree, each adds what it has written itself. */
enum { PROOF_MORE_ITEMS = 4 };

/* Another launch than that of the result. */
struct proof_attempt {
    struct proof_request *request;
    struct proof_result result;
    struct proof_launch launch;
    struct explored found;
};

/*
 * Explores a launch with what is made up this way. Returns false if that could not be explored, or there is no time for
 * it. Call proof_attempt_end in any case.
 */
bool proof_attempt_begin(struct proof_attempt *attempt, const struct proof_launch *launch,
                         const struct proof_making *making, uint64_t until_ns);

/* If it is taken, the launch's result, and *explored, are of it from now on. Else *explored may be NULL. */
void proof_attempt_end(struct proof_attempt *attempt, bool is_taken, struct proof_launch *launch,
                       struct explored *explored);

/* Adds to what was made up what was so of the launch itself. */
void proof_note_launch(const struct proof_making *making, struct proof_result *result);

/* Something is wrong with it, whatever was made up. */
bool proof_is_wrong(const struct proof_result *result);

/* With what was made up, no work-item got to an access: nothing is known of the kernel. */
bool proof_does_nothing(const struct explored *explored);
bool proof_has_buffers(const struct proof_launch *launch);

/* Makes up other numbers until some work-item gets to an access; if none does, nothing is proved. */
void proof_do_something(struct proof_launch *launch, struct explored *explored, uint64_t until_ns);

enum { PROOF_ROOM = 1 << 14 }; /* of local memory, with numbers that are not 0 */

/* Of a launch with which something is wrong: makes up arguments, and how it is launched, until nothing is. */
void proof_make_right(struct proof_launch *launch, struct explored *explored, uint64_t until_ns);

/* That, or if nothing is wrong, makes up arguments that may show more. */
void proof_make_up(struct proof_launch *launch, struct explored *explored, uint64_t until_ns);

/*
 * Only numbers that are made up may be why it races: if it does so with others in the same lines, or leaves its
 * buffers with them, they are not. Groups are in dimension `column` then.
 */
void proof_try_other_numbers(struct proof_launch *launch, uint32_t column, uint64_t until_ns);

/*
 * If it never ends, in any schedule, and never asks how many groups there are, it may be for more, which are tried, or
 * for a word that is not zero in the beginning.
 */
void proof_try_more_groups(struct proof_launch *launch, struct explored *explored, uint64_t until_ns);

/*
 * If something is wrong for certain so far: what leaves its buffers may be for larger ones, or other contents, or a
 * global offset; and what races, for one group, or one work-item.
 */
void proof_doubt(struct proof_launch *launch, const struct explored *explored, uint64_t until_ns);

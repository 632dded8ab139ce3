/*
 * What a work-item may access from each of its own states on, as far as that is known: by the steps of single
 * work-items that were ever seen. If nobody else may access what it is about to access in a way that conflicts, its
 * step comes to the same whenever it is taken (a confluent step: Groote, Sellink: "Confluence for process
 * verification", TCS 170, 1996). Others of its group count only with what they may access up to their next barrier:
 * they do not pass that before this one has come there, too.
 *
 * Two sums of one word (struct proof_access) do not conflict: in either order memory comes to the same, and each
 * work-item goes on in the same way, for it does not use what was there. (Operations are told apart by what they come
 * to, and not just by what they access: Godefroid, Pirottin: "Refining dependencies improves partial-order
 * verification methods", CAV 1993.) Nor does anybody know more in one of the orders, as long as there is no release
 * fence in the launch: a relaxed update without one hands over nothing itself, and ends no release sequence. With one,
 * sums are as other updates. Whoever else may access the word, or adds to it in another size, or wants to know what was
 * there, conflicts as always. Updates that may or may not change a word, as a maximum, are no sums: which of two counts
 * as a write, and so may race with plain accesses, depends on their order. Pure.
 */
#pragma once

#include "explore/interned.h"
#include "proof/graph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FUTURES_WORDS_MOST = 1 << 12 }; /* of four bytes, which are told apart; with more nothing is confluent */

/* All zero is empty. */
struct futures {
    struct interned words; /* addresses */
    uint64_t *edges;       /* a hash table of from << 32 | to, and 1 added; 0: free */
    uint32_t edge_count, edge_mask;
    /* By own state: words that it may read or write, those that it may write, those that it may access by more than
       sums, and all three again up to the next barrier of its group; a bit each. */
    uint64_t *sets;
    uint32_t owns;   /* that have sets, */
    uint32_t chunks; /* of so many 64 bits, each of the six */
    bool crowded;
    bool fenced; /* somebody makes a release fence */
};

/* Notes that a work-item went from one own state to the other in one step. */
void futures_note(struct futures *futures, uint32_t from, uint32_t to);

/* Makes the sets of all own states of the graph anew. Returns whether they are other ones than before. */
bool futures_learn(struct futures *futures, const struct proof_graph *graph);

/* Returns whether, in a state with these own states, the step of this work-item is confluent. */
bool futures_allow(const struct futures *futures, const struct proof_graph *graph, const uint32_t *selves,
                   uint32_t item);

void futures_fini(struct futures *futures);
size_t futures_size(const struct futures *futures);

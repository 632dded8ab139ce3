/*
 * Accesses for which it matters that the graph was made as if all were sequentially consistent. Pure.
 *
 * Words count that are contended: of two atomic accesses that conflict, either may come first (proof/race.h). The rule:
 * where a work-item accesses one such word and later another one, and others lead from the second word back to the
 * first, each of them by an access of one word and a later one of the next, each of its accesses of both words that is
 * weaker than memory_order_seq_cst may show what no interleaving does. (After Shasha and Snir: "Efficient and correct
 * execution of parallel programs that share memory", ACM TOPLAS 10, 1988: without such a circle, none can.)
 *
 * That is more than can really happen: acquire and release keep some such circles in order (a message, but not a store
 * before a load of another word), and so do fences; neither is asked for.
 */
#pragma once

#include "proof/graph.h"

/*
 * Marks these accesses, of `access_count`; returns how many. If more than `most` states would have to be searched to
 * know which words are contended, all are taken to be; if more than 64 are, each of them is taken to be in a circle.
 */
uint32_t proof_relies_on_sc(const struct proof_graph *graph, uint32_t most, bool *relies);

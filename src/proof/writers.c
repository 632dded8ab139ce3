#include "proof/writers.h"

#include "base/alloc.h"

#include <stdlib.h>

enum { STATES_MOST = 1 << 20 }; /* that are looked at */

struct writer_search {
    const struct proof_graph *graph;
    uint64_t at;
    uint32_t bytes;
    uint32_t *queue;
    bool *met; /* of each state */
    uint32_t count;
};

static bool changes(const struct writer_search *search, uint32_t state, uint32_t item, uint32_t next)
{
    const struct proof_graph *graph = search->graph;
    const struct proof_access *access = &graph->accesses[proof_self(graph, state, item)];
    const bool overlaps = access->at < search->at + search->bytes && search->at < access->at + access->bytes;

    return overlaps && (access->kind == PROOF_STORE || access->kind == PROOF_UPDATE) &&
           graph->memories[state] != graph->memories[next];
}

static void look(struct writer_search *search, uint32_t state, struct proof_writers *writers)
{
    const struct proof_graph *graph = search->graph;

    for (uint32_t item = 0; item < proof_items(graph); ++item) {
        const uint32_t next = proof_step(graph, state, item);
        if (next == PROOF_NOWHERE)
            continue;
        if (changes(search, state, item, next)) {
            writers->groups |= UINT32_C(1) << item / graph->items;
            if (writers->access == PROOF_NOWHERE)
                writers->access = proof_self(graph, state, item);
        } else if (!search->met[next]) {
            search->met[next] = true;
            search->queue[search->count++] = next;
        }
    }
}

void proof_writers_find(const struct proof_graph *graph, uint32_t state, uint64_t at, uint32_t bytes,
                        struct proof_writers *writers)
{
    struct writer_search search = {.graph = graph, .at = at, .bytes = bytes};
    uint32_t looked = 0;

    *writers = (struct proof_writers){.access = PROOF_NOWHERE};
    search.queue = xcalloc(graph->count, sizeof *search.queue);
    search.met = xcalloc(graph->count, sizeof *search.met);
    search.met[state] = true;
    search.queue[search.count++] = state;
    for (; looked < search.count && looked < STATES_MOST; ++looked)
        look(&search, search.queue[looked], writers);
    writers->all = looked == search.count;
    free(search.met);
    free(search.queue);
}

#include "explore/explore.h"
#include "explore/explored.h"

enum { SAMPLES = 1 << 12 /* states */, MUCH = 16 };

static uint32_t word_at(const struct explored *explored, uint32_t state, uint64_t at)
{
    uint32_t word = 0;

    explored_read(explored, explored->graph.memories[state], at, &word, sizeof word);
    return word;
}

/* How much it has grown between the least and the greatest; 0: in some step it became less. */
static uint32_t growth(const struct explored *explored, uint64_t at)
{
    const struct proof_graph *graph = &explored->graph;
    const uint32_t stride = 1 + explored->known / SAMPLES;
    uint32_t least = UINT32_MAX, most = 0;

    for (uint32_t state = 0; state < explored->known; state += stride) {
        const uint32_t before = word_at(explored, state, at);
        least = before < least ? before : least;
        most = before > most ? before : most;
        for (uint32_t item = 0; item < proof_items(graph); ++item) {
            const uint32_t next = proof_step(graph, state, item);
            if (next != PROOF_NOWHERE && word_at(explored, next, at) < before)
                return 0;
        }
    }
    return least < most ? most - least : 0;
}

/* What --ignore can name. */
static bool is_named(const struct explored *explored, uint64_t at)
{
    for (uint32_t i = 0; i < explored->object_count; ++i)
        if (at - explored->objects[i].base < explored->objects[i].bytes)
            return explored->objects[i].kind != OBJECT_LOCAL;
    return false;
}

bool explored_grows(const struct explored *explored, uint64_t *at)
{
    uint32_t best = MUCH - 1;
    uint64_t line;
    uint32_t bytes;

    for (uint32_t i = 0; explored_changing(explored, i, &line, &bytes); ++i)
        for (uint64_t word = (line + 3) / 4 * 4; word + 4 <= line + bytes; word += 4) {
            const uint32_t grew = is_named(explored, word) ? growth(explored, word) : 0;
            if (grew <= best)
                continue;
            best = grew;
            *at = word;
        }
    return best >= MUCH;
}

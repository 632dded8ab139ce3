#include "explore/futures.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_EDGES = 1 << 12, WORD = 4, SETS_MOST = 1 << 28 /* bytes */ };

enum { ACCESSED, WRITTEN, NOT_SUMMED, KINDS, SETS = 2 * KINDS /* of each own state */ };

/* --- steps that were seen --- */

static uint32_t edge_slot(const struct futures *futures, uint64_t edge)
{
    uint32_t slot = (uint32_t)(edge * UINT64_C(0x9e3779b97f4a7c15) >> 32) & futures->edge_mask;

    while (futures->edges[slot] != 0 && futures->edges[slot] != edge + 1)
        slot = (slot + 1) & futures->edge_mask;
    return slot;
}

static void widen(struct futures *futures)
{
    const uint64_t *old = futures->edges;
    const uint32_t slots = old == NULL ? 0 : futures->edge_mask + 1;

    futures->edge_mask = old == NULL ? FIRST_EDGES - 1 : 2 * futures->edge_mask + 1;
    futures->edges = xcalloc(futures->edge_mask + (size_t)1, sizeof *futures->edges);
    for (uint32_t i = 0; i < slots; ++i)
        if (old[i] != 0)
            futures->edges[edge_slot(futures, old[i] - 1)] = old[i];
    free((void *)old);
}

void futures_note(struct futures *futures, uint32_t from, uint32_t to)
{
    const uint64_t edge = (uint64_t)from << 32 | to;

    if (futures->edges == NULL || futures->edge_count >= futures->edge_mask / 2)
        widen(futures);
    uint64_t *place = &futures->edges[edge_slot(futures, edge)];
    futures->edge_count += *place == 0;
    *place = edge + 1;
}

/* --- sets --- */

/* For another group; `far` is false: for another item of its group, whose next barrier it does not pass before. */
static uint64_t *set_of(const struct futures *futures, uint32_t own, bool far)
{
    return futures->sets + ((size_t)own * SETS + (far ? 0 : KINDS)) * futures->chunks;
}

static bool is_access(const struct proof_access *access)
{
    return access->kind != PROOF_MEETING && access->bytes > 0;
}

static bool is_sum(const struct futures *futures, const struct proof_access *access)
{
    return access->is_sum && !futures->fenced;
}

static uint32_t word_at(struct futures *futures, uint64_t at)
{
    const uint64_t word = at / WORD;
    return interned_add(&futures->words, &word, sizeof word);
}

/* The words of an access; false: it has none. *word goes on from 0. */
static bool next_word(struct futures *futures, const struct proof_access *access, uint32_t *offset, uint32_t *word)
{
    const uint64_t first = access->at / WORD, last = (access->at + access->bytes - 1) / WORD;

    if (!is_access(access) || first + *offset > last)
        return false;
    *word = word_at(futures, (first + (*offset)++) * WORD);
    return true;
}

static void name_words(struct futures *futures, const struct proof_graph *graph)
{
    for (uint32_t own = 0; own < graph->access_count && futures->words.count <= FUTURES_WORDS_MOST; ++own) {
        uint32_t word;
        for (uint32_t offset = 0;
             futures->words.count <= FUTURES_WORDS_MOST && next_word(futures, &graph->accesses[own], &offset, &word);)
            ;
    }
    futures->chunks = futures->words.count / 64 + 1;
    futures->crowded = futures->words.count > FUTURES_WORDS_MOST ||
                       (size_t)graph->access_count * SETS * futures->chunks * sizeof *futures->sets > SETS_MOST;
}

static void add_own_accesses(struct futures *futures, const struct proof_graph *graph)
{
    for (uint32_t own = 0; own < graph->access_count; ++own) {
        const struct proof_access *access = &graph->accesses[own];
        uint64_t *far = set_of(futures, own, true), *near = set_of(futures, own, false);
        uint32_t word;
        for (uint32_t offset = 0; next_word(futures, access, &offset, &word);) {
            far[word / 64] |= UINT64_C(1) << word % 64;
            if (access->kind != PROOF_LOAD)
                far[WRITTEN * futures->chunks + word / 64] |= UINT64_C(1) << word % 64;
            if (!is_sum(futures, access))
                far[NOT_SUMMED * futures->chunks + word / 64] |= UINT64_C(1) << word % 64;
        }
        memcpy(near, far, KINDS * futures->chunks * sizeof *near);
    }
}

static bool join(uint64_t *to, const uint64_t *from, uint32_t chunks)
{
    uint64_t new = 0;

    for (uint32_t i = 0; i < chunks; ++i) {
        new |= from[i] & ~to[i];
        to[i] |= from[i];
    }
    return new != 0;
}

/* Own states that each leads to: those of `own` from first[own] up to first[own + 1]. */
static uint32_t *sort_edges(const struct futures *futures, uint32_t *first)
{
    uint32_t *to = xcalloc((size_t)futures->edge_count + 1, sizeof *to);

    for (uint32_t i = 0; i <= futures->edge_mask; ++i)
        if (futures->edges[i] != 0)
            ++first[(futures->edges[i] - 1) >> 32];
    for (uint32_t own = 1; own <= futures->owns; ++own)
        first[own] += first[own - 1];
    for (uint32_t i = 0; i <= futures->edge_mask; ++i)
        if (futures->edges[i] != 0)
            to[--first[(futures->edges[i] - 1) >> 32]] = (uint32_t)(futures->edges[i] - 1);
    return to;
}

/* True: this own state may access what it was not known to. */
static bool follow_edge(struct futures *futures, const struct proof_graph *graph, uint32_t own, uint32_t next)
{
    const uint32_t chunks = KINDS * futures->chunks;
    const bool far = join(set_of(futures, own, true), set_of(futures, next, true), chunks);

    if (graph->accesses[own].kind == PROOF_MEETING)
        return far;
    return join(set_of(futures, own, false), set_of(futures, next, false), chunks) || far;
}

/* Who comes later is looked at first: most steps lead to own states that were found later. */
static void follow_edges(struct futures *futures, const struct proof_graph *graph)
{
    if (futures->edges == NULL)
        return;
    uint32_t *first = xcalloc((size_t)futures->owns + 1, sizeof *first);
    uint32_t *to = sort_edges(futures, first);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t own = futures->owns; own-- > 0;)
            for (uint32_t i = first[own]; i < first[own + 1]; ++i)
                changed = follow_edge(futures, graph, own, to[i]) || changed;
    }
    free(first);
    free(to);
}

static void find_fences(struct futures *futures, const struct proof_graph *graph)
{
    futures->fenced = false;
    for (uint32_t own = 0; own < graph->access_count; ++own)
        futures->fenced = futures->fenced || (graph->accesses[own].fences & PROOF_FENCES_RELEASE) != 0;
}

bool futures_learn(struct futures *futures, const struct proof_graph *graph)
{
    const struct futures old = *futures;

    find_fences(futures, graph);
    name_words(futures, graph);
    if (futures->crowded) {
        futures->owns = 0;
        return !old.crowded && old.owns > 0;
    }
    const size_t bytes = (size_t)graph->access_count * SETS * futures->chunks * sizeof *futures->sets;
    futures->sets = xcalloc(1, bytes + 1);
    futures->owns = graph->access_count;
    add_own_accesses(futures, graph);
    follow_edges(futures, graph);
    const bool same = old.owns == futures->owns && old.chunks == futures->chunks &&
                      (bytes == 0 || memcmp(old.sets, futures->sets, bytes) == 0);
    free(old.sets);
    return !same;
}

/* --- confluent steps --- */

static bool conflict(const struct futures *futures, const struct proof_access *a, const struct proof_access *b)
{
    return is_access(a) && is_access(b) && (a->kind != PROOF_LOAD || b->kind != PROOF_LOAD) &&
           !(is_sum(futures, a) && is_sum(futures, b)) && a->at / WORD <= (b->at + b->bytes - 1) / WORD &&
           b->at / WORD <= (a->at + a->bytes - 1) / WORD;
}

enum { WORDS_OF_ACCESS = 17 };

/* Numbers of the access's words that anybody was ever seen to access. Returns how many; there is room for all. */
static uint32_t known_words(const struct futures *futures, const struct proof_access *access,
                            uint32_t words[WORDS_OF_ACCESS])
{
    const uint64_t last = (access->at + access->bytes - 1) / WORD;
    uint32_t count = 0;

    for (uint64_t at = access->at / WORD; at <= last; ++at) {
        const uint32_t word = interned_find(&futures->words, &at, sizeof at);
        if (word < futures->chunks * 64)
            words[count++] = word;
    }
    return count;
}

static bool has_any(const uint64_t *set, const uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
        if ((set[words[i] / 64] >> words[i] % 64 & 1) != 0)
            return true;
    return false;
}

bool futures_allow(const struct futures *futures, const struct proof_graph *graph, const uint32_t *selves,
                   uint32_t item)
{
    const struct proof_access *access = &graph->accesses[selves[item]];
    const uint32_t kind = access->kind == PROOF_LOAD ? WRITTEN : is_sum(futures, access) ? NOT_SUMMED : ACCESSED;
    uint32_t words[WORDS_OF_ACCESS];

    if (futures->crowded || !is_access(access) || access->bytes > (WORDS_OF_ACCESS - 1) * WORD)
        return false;
    const uint32_t count = known_words(futures, access, words);
    for (uint32_t other = 0; other < proof_items(graph); ++other) {
        const uint32_t own = selves[other];
        const bool far = other / graph->items != item / graph->items;
        if (other == item || own == PROOF_ENDED)
            continue;
        /* Of one that is new it is known what it is about to do. */
        if (own < futures->owns ? has_any(set_of(futures, own, far) + kind * futures->chunks, words, count)
                                : conflict(futures, access, &graph->accesses[own]))
            return false;
    }
    return true;
}

void futures_fini(struct futures *futures)
{
    interned_fini(&futures->words);
    free(futures->edges);
    free(futures->sets);
    *futures = (struct futures){.owns = 0};
}

size_t futures_size(const struct futures *futures)
{
    return (futures->edges == NULL ? 0 : (futures->edge_mask + (size_t)1) * sizeof *futures->edges) +
           (size_t)futures->owns * SETS * futures->chunks * sizeof *futures->sets;
}

#include "proof/reliance.h"

#include "proof/knowledge.h"
#include "proof/race.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = 64 };

struct reliance {
    const struct proof_graph *graph;
    uint32_t *words;  /* of each access: its number; WORDS: it does not count */
    uint64_t *before; /* of each access of an item, and of each state in which it waits: words accessed earlier */
    uint64_t later[PROOF_ITEMS][WORDS]; /* of each word: others that the item accesses later, a bit each */
};

/* --- words --- */

static int compare(const void *a, const void *b)
{
    const struct proof_access *x = *(const struct proof_access *const *)a, *y = *(const struct proof_access *const *)b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Returns how many there are. */
static uint32_t number_words(struct reliance *reliance)
{
    const struct proof_graph *graph = reliance->graph;
    const struct proof_access **sorted = xcalloc((size_t)graph->access_count + 1, sizeof(const struct proof_access *));
    uint32_t count = 0;

    for (uint32_t i = 0; i < graph->access_count; ++i)
        sorted[i] = &graph->accesses[i];
    qsort(sorted, graph->access_count, sizeof(const struct proof_access *), compare);
    for (uint32_t i = 0; i < graph->access_count; ++i) {
        count += i == 0 || compare(&sorted[i - 1], &sorted[i]) != 0;
        reliance->words[sorted[i] - graph->accesses] = count - 1;
    }
    free(sorted);
    return count;
}

/* Keeps the contended words only. False: there are more than bits. */
static bool keep_contended(struct reliance *reliance, uint32_t most)
{
    const struct proof_graph *graph = reliance->graph;
    const uint32_t count = number_words(reliance);
    bool *contended = xcalloc((size_t)count + 1, sizeof *contended);
    uint32_t *numbers = xcalloc((size_t)count + 1, sizeof *numbers), kept = 0;
    const bool known = proof_find_contention(graph, reliance->words, most, contended);

    for (uint32_t i = 0; i < count; ++i)
        numbers[i] = known && !contended[i] ? WORDS : kept++ % WORDS;
    for (uint32_t i = 0; i < graph->access_count; ++i)
        reliance->words[i] = graph->accesses[i].atomic ? numbers[reliance->words[i]] : WORDS;
    free(contended);
    free(numbers);
    return kept <= WORDS;
}

/* --- what comes before what --- */

/* Where in `before` that of the item in this state is; NULL: it has ended. */
static uint64_t *before_of(const struct reliance *reliance, uint32_t state, uint32_t item)
{
    const uint32_t self = proof_self(reliance->graph, state, item);

    if (self == PROOF_ENDED)
        return NULL;
    return &reliance->before[self == PROOF_WAITS ? reliance->graph->access_count + state : self];
}

/* A step leads from the one state to the other. True if more is known to have come before. */
static bool hand_on(const struct reliance *reliance, uint32_t state, uint32_t next, uint32_t item, bool its)
{
    const uint32_t self = proof_self(reliance->graph, state, item);
    const uint64_t *before = before_of(reliance, state, item);
    uint64_t *after = before_of(reliance, next, item);

    if (before == NULL || after == NULL)
        return false;
    const uint64_t all =
        *after | *before | (its && reliance->words[self] < WORDS ? (uint64_t)1 << reliance->words[self] : 0);
    const bool is_more = all != *after;
    *after = all;
    return is_more;
}

/* Until nothing more is known. */
static void find_before(struct reliance *reliance, uint32_t item)
{
    const struct proof_graph *graph = reliance->graph;
    bool is_more = true;

    memset(reliance->before, 0, ((size_t)graph->access_count + graph->count) * sizeof *reliance->before);
    while (is_more) {
        is_more = false;
        for (uint32_t state = 0; state < graph->count; ++state)
            for (uint32_t other = 0; other < proof_items(graph); ++other) {
                const uint32_t next = proof_step(graph, state, other);
                const bool its = other == item;
                if (next != PROOF_NOWHERE && (its || proof_self(graph, state, item) == PROOF_WAITS))
                    is_more = hand_on(reliance, state, next, item, its) || is_more;
            }
    }
}

static void find_later(struct reliance *reliance, uint32_t item)
{
    const struct proof_graph *graph = reliance->graph;

    find_before(reliance, item);
    for (uint32_t i = 0; i < graph->access_count; ++i)
        for (uint64_t rest = reliance->before[i]; rest != 0 && reliance->words[i] < WORDS; rest &= rest - 1)
            reliance->later[item][__builtin_ctzll(rest)] |= (uint64_t)1 << reliance->words[i];
}

/* --- circles --- */

/* Words that the others lead to from this one. */
static uint64_t led_to(const struct reliance *reliance, uint32_t word, uint32_t item)
{
    uint64_t found = 0, more = (uint64_t)1 << word;

    while ((more & ~found) != 0) {
        const int from = __builtin_ctzll(more & ~found);
        found |= (uint64_t)1 << from;
        for (uint32_t other = 0; other < proof_items(reliance->graph); ++other)
            if (other != item)
                more |= reliance->later[other][from];
    }
    return found;
}

/* Words of the item's that are in such a circle. */
static uint64_t in_circles(const struct reliance *reliance, uint32_t item)
{
    uint64_t found = 0;

    for (uint32_t word = 0; word < WORDS; ++word)
        for (uint64_t rest = reliance->later[item][word] & ~((uint64_t)1 << word); rest != 0; rest &= rest - 1) {
            const uint32_t next = (uint32_t)__builtin_ctzll(rest);
            if ((led_to(reliance, next, item) >> word & 1) != 0)
                found |= (uint64_t)1 << word | (uint64_t)1 << next;
        }
    return found;
}

/* The item's accesses of these words, those that are weaker. */
static void mark(const struct reliance *reliance, uint32_t item, uint64_t words, bool *relies)
{
    const struct proof_graph *graph = reliance->graph;

    for (uint32_t state = 0; state < graph->count; ++state) {
        const uint32_t self = proof_self(graph, state, item);
        if (proof_is_access(self) && reliance->words[self] < WORDS && (words >> reliance->words[self] & 1) != 0)
            relies[self] = relies[self] || graph->accesses[self].order != PROOF_SEQ_CST;
    }
}

static bool has_weaker(const struct proof_graph *graph)
{
    for (uint32_t i = 0; i < graph->access_count; ++i)
        if (graph->accesses[i].atomic && graph->accesses[i].order != PROOF_SEQ_CST)
            return true;
    return false;
}

uint32_t proof_relies_on_sc(const struct proof_graph *graph, uint32_t most, bool *relies)
{
    memset(relies, 0, graph->access_count * sizeof *relies);
    if (!has_weaker(graph))
        return 0;
    struct reliance *reliance = xcalloc(1, sizeof *reliance);
    uint32_t count = 0;

    reliance->graph = graph;
    reliance->words = xcalloc((size_t)graph->access_count + 1, sizeof *reliance->words);
    reliance->before = xcalloc((size_t)graph->access_count + graph->count + 1, sizeof *reliance->before);
    const bool fits = keep_contended(reliance, most);
    for (uint32_t item = 0; fits && item < proof_items(graph); ++item)
        find_later(reliance, item);
    for (uint32_t item = 0; item < proof_items(graph); ++item)
        mark(reliance, item, fits ? in_circles(reliance, item) : UINT64_MAX, relies);
    for (uint32_t i = 0; i < graph->access_count; ++i)
        count += relies[i];
    free(reliance->words);
    free(reliance->before);
    free(reliance);
    return count;
}

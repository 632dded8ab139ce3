#include "proof/knowledge.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* How far it reaches what is handed over: to the work-items of the group, or to all, and then to these as well. */
enum reach { NEAR, FAR, REACHES };

/* Knowledge is numbers of a bit for each item; behind these, HANDED and those of each relay. */
enum {
    KNOWN,               /* knows it */
    FENCED,              /* has made a release fence since it knows it; for each reach */
    FOUND = 1 + REACHES, /* will know it by an acquire fence; for each reach that the fence must have */
    HANDED = 1 + 2 * REACHES,
};

struct proof_relay {
    uint64_t at;
    uint32_t bytes;
    bool released, read, is_local;
};

struct proof_span {
    uint32_t own; /* the word itself, if the access is atomic */
    uint32_t first, end;
};

static bool has_reach(unsigned scope, enum reach reach)
{
    return scope >= (reach == NEAR ? PROOF_SCOPE_GROUP : PROOF_SCOPE_DEVICE);
}

static uint64_t bit(uint32_t item)
{
    return (uint64_t)1 << item;
}

/* --- words that hand over --- */

static int compare(const void *a, const void *b)
{
    const struct proof_relay *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static bool has_release_fence(const struct proof_knowledge *rules)
{
    const struct proof_graph *graph = rules->graph;

    for (uint32_t i = 0; i < graph->access_count; ++i)
        if ((graph->accesses[i].fences & PROOF_FENCES_RELEASE) != 0 || (rules->is_wide && graph->accesses[i].meets > 0))
            return true;
    return false;
}

/* Those that are released and read. */
static void find_relays(struct proof_knowledge *rules)
{
    const struct proof_graph *graph = rules->graph;
    const bool fence = has_release_fence(rules);
    struct proof_relay *relays = xcalloc((size_t)graph->access_count + 1, sizeof *relays);
    uint32_t count = 0, kept = 0;

    for (uint32_t i = 0; i < graph->access_count; ++i) {
        const struct proof_access *access = &graph->accesses[i];
        if (access->atomic)
            relays[count++] = (struct proof_relay){
                access->at, access->bytes, access->kind != PROOF_LOAD && (fence || proof_releases(access->order)),
                access->kind != PROOF_STORE, access->is_local};
    }
    qsort(relays, count, sizeof *relays, compare);
    for (uint32_t i = 0, next; i < count; i = next) {
        struct proof_relay relay = relays[i];
        for (next = i + 1; next < count && compare(&relay, &relays[next]) == 0; ++next) {
            relay.released = relay.released || relays[next].released;
            relay.read = relay.read || relays[next].read;
        }
        if (relay.released && relay.read)
            relays[kept++] = relay;
    }
    rules->relays = relays;
    rules->relay_count = kept;
}

static bool overlap(const struct proof_relay *relay, const struct proof_access *access)
{
    return relay->at < access->at + access->bytes && access->at < relay->at + relay->bytes;
}

/* The first relay that is at or behind the address. */
static uint32_t relay_from(const struct proof_knowledge *rules, uint64_t at)
{
    uint32_t low = 0, high = rules->relay_count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (rules->relays[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct proof_span span_of(const struct proof_knowledge *rules, const struct proof_access *access)
{
    enum { WIDEST = 8 }; /* atomic access */
    struct proof_span span = {.own = NONE};

    span.first = relay_from(rules, access->at < WIDEST ? 0 : access->at - WIDEST + 1);
    span.end = relay_from(rules, access->at + access->bytes);
    for (uint32_t i = span.first; i < span.end; ++i)
        if (access->atomic && rules->relays[i].at == access->at && rules->relays[i].bytes == access->bytes)
            span.own = i;
    return span;
}

void proof_knowledge_init(struct proof_knowledge *rules, const struct proof_graph *graph, bool is_wide)
{
    *rules = (struct proof_knowledge){.graph = graph, .space = PROOF_GLOBAL, .is_wide = is_wide};
    find_relays(rules);
    rules->spans = xcalloc((size_t)graph->access_count + 1, sizeof *rules->spans);
    for (uint32_t i = 0; i < graph->access_count; ++i)
        rules->spans[i] = span_of(rules, &graph->accesses[i]);
    rules->size = HANDED + REACHES * rules->relay_count;
}

void proof_knowledge_fini(struct proof_knowledge *rules)
{
    free(rules->relays);
    free(rules->spans);
    *rules = (struct proof_knowledge){0};
}

/* --- reading and writing --- */

static uint64_t group_of(const struct proof_graph *graph, uint32_t item)
{
    const uint64_t members = graph->items == PROOF_ITEMS ? UINT64_MAX : bit(graph->items) - 1;
    return members << (item / graph->items * graph->items);
}

/* An acquire of this reach, by the item, finds the event handed over in what the access reads. */
static bool finds(const struct proof_knowledge *rules, uint32_t self, uint32_t item, enum reach reach,
                  const uint64_t *knowledge)
{
    const uint32_t relay = rules->spans[self].own;

    if (relay == NONE || rules->graph->accesses[self].kind == PROOF_STORE ||
        (rules->is_wide && rules->graph->accesses[self].is_sum))
        return false;
    const uint64_t *handed = &knowledge[HANDED + REACHES * relay];
    return (handed[NEAR] & group_of(rules->graph, item)) != 0 || (reach == FAR && handed[FAR] != 0);
}

/* The access, which is atomic, orders memory of the event's kind by itself. */
static bool counts(const struct proof_knowledge *rules, const struct proof_access *access, unsigned order)
{
    return order == PROOF_SEQ_CST || access->is_local == (rules->space == PROOF_LOCAL);
}

/* A fence before the access, or barriers that count as such, acquires or releases, and reaches so far. */
static bool has_fence(const struct proof_knowledge *rules, const struct proof_access *access, bool releases,
                      enum reach reach)
{
    const enum proof_reach far = rules->is_wide ? PROOF_OWN : reach == NEAR ? PROOF_NEAR : PROOF_FAR;

    return (access->fences & proof_fence_bit(rules->space, releases, far)) != 0 ||
           (rules->is_wide && access->meets > 0 && (access->spaces & rules->space) != 0);
}

bool proof_knows(const struct proof_knowledge *rules, uint32_t state, uint32_t item, const uint64_t *knowledge)
{
    const uint32_t self = proof_self(rules->graph, state, item);
    const struct proof_access *access = &rules->graph->accesses[self];
    const unsigned order = proof_fails(rules->graph, state, item) ? access->failure : access->order;

    if ((knowledge[KNOWN] & bit(item)) != 0)
        return true;
    for (enum reach reach = NEAR; reach < REACHES; ++reach)
        if (proof_acquires(order) && counts(rules, access, order) && has_reach(access->scope, reach) &&
            finds(rules, self, item, reach, knowledge))
            return true;
    return false;
}

static void read_word(const struct proof_knowledge *rules, uint32_t state, uint32_t item, uint64_t *knowledge)
{
    const uint32_t self = proof_self(rules->graph, state, item);

    for (enum reach reach = NEAR; reach < REACHES; ++reach)
        if (finds(rules, self, item, reach, knowledge))
            knowledge[FOUND + reach] |= bit(item);
    if (proof_knows(rules, state, item, knowledge))
        knowledge[KNOWN] |= bit(item);
}

static void write_words(const struct proof_knowledge *rules, uint32_t self, uint32_t item, uint64_t *knowledge)
{
    const struct proof_access *access = &rules->graph->accesses[self];
    const struct proof_span span = rules->spans[self];
    const uint64_t known = proof_releases(access->order) && counts(rules, access, access->order) ? knowledge[KNOWN] : 0;

    for (uint32_t i = span.first; i < span.end; ++i)
        for (enum reach reach = NEAR; reach < REACHES; ++reach) {
            uint64_t *handed = &knowledge[HANDED + REACHES * i + reach];
            if (i == span.own) {
                if (access->kind == PROOF_STORE)
                    *handed &= bit(item);
                *handed |= bit(item) & ((has_reach(access->scope, reach) ? known : 0) | knowledge[FENCED + reach]);
            } else if (overlap(&rules->relays[i], access))
                *handed = 0;
        }
}

/* --- fences and barriers --- */

/* NULL: by one that reaches all. */
static void acquire_by_fence(const struct proof_knowledge *rules, const struct proof_access *access, uint32_t item,
                             uint64_t *knowledge)
{
    for (enum reach reach = NEAR; reach < REACHES; ++reach)
        if (access == NULL || has_fence(rules, access, false, reach))
            knowledge[KNOWN] |= knowledge[FOUND + reach] & bit(item);
}

/* What the item has done since its last access, but barriers. Nobody asks any more what one knows that has ended. */
static void settle(const struct proof_knowledge *rules, uint32_t self, uint32_t item, uint64_t *knowledge)
{
    if (self == PROOF_ENDED)
        for (int i = 0; i < HANDED; ++i)
            knowledge[i] |= bit(item);
    if (!proof_is_access(self))
        return;
    const struct proof_access *access = &rules->graph->accesses[self];
    acquire_by_fence(rules, access, item, knowledge);
    for (enum reach reach = NEAR; reach < REACHES; ++reach) {
        if (has_fence(rules, access, true, reach))
            knowledge[FENCED + reach] |= knowledge[KNOWN] & bit(item);
        knowledge[FOUND + reach] |= knowledge[KNOWN] & bit(item); /* it learns nothing new */
    }
}

/* In this step the last one of the group has come to a barrier: it goes on by it, or another one that was there. */
static bool has_met(const struct proof_graph *graph, uint32_t state, uint32_t next, uint32_t item)
{
    const uint32_t first = item / graph->items * graph->items;
    const uint32_t self = proof_self(graph, next, item);

    if (proof_is_access(self) && graph->accesses[self].meets > 0)
        return true;
    for (uint32_t i = first; i < first + graph->items; ++i)
        if (proof_self(graph, state, i) == PROOF_WAITS && proof_self(graph, next, i) != PROOF_WAITS)
            return true;
    return false;
}

/* What the barriers are for that the group passes in this step; where that is not told, for all. */
static uint8_t ordered(const struct proof_graph *graph, uint32_t next, uint32_t first)
{
    uint8_t spaces = 0;
    bool is_told = false;

    for (uint32_t i = first; i < first + graph->items; ++i) {
        const uint32_t self = graph->selves[(size_t)next * proof_items(graph) + i];
        if (!proof_is_access(self) || graph->accesses[self].meets == 0)
            continue;
        is_told = true;
        spaces |= graph->accesses[self].spaces;
    }
    return is_told ? spaces : PROOF_LOCAL | PROOF_GLOBAL;
}

static void meet(const struct proof_knowledge *rules, uint32_t state, uint32_t next, uint32_t item, uint64_t *knowledge)
{
    const struct proof_graph *graph = rules->graph;
    const uint32_t first = item / graph->items * graph->items;
    uint64_t members = 0;

    for (uint32_t i = first; i < first + graph->items; ++i) {
        const uint32_t self = proof_self(graph, next, i);
        if (proof_self(graph, state, i) == PROOF_ENDED)
            continue;
        members |= bit(i);
        acquire_by_fence(rules, proof_is_access(self) ? &graph->accesses[self] : NULL, i, knowledge);
    }
    if ((knowledge[KNOWN] & members) != 0 && (ordered(graph, next, first) & rules->space) != 0)
        knowledge[KNOWN] |= members;
    for (uint32_t i = first; i < first + graph->items; ++i)
        settle(rules, proof_self(graph, next, i), i, knowledge);
}

/* --- steps --- */

void proof_knowledge_begin(const struct proof_knowledge *rules, uint32_t state, uint32_t item, uint64_t *knowledge)
{
    memset(knowledge, 0, rules->size * sizeof *knowledge);
    for (uint32_t i = 0; i < proof_items(rules->graph); ++i)
        if (proof_self(rules->graph, state, i) == PROOF_ENDED)
            settle(rules, PROOF_ENDED, i, knowledge);
    knowledge[KNOWN] |= bit(item);
}

void proof_knowledge_step(const struct proof_knowledge *rules, uint32_t state, uint32_t item, uint64_t *knowledge)
{
    const struct proof_graph *graph = rules->graph;
    const uint32_t next = proof_step(graph, state, item), self = proof_self(graph, state, item);

    if (graph->accesses[self].kind != PROOF_STORE)
        read_word(rules, state, item, knowledge);
    if (graph->accesses[self].kind != PROOF_LOAD && !proof_fails(graph, state, item))
        write_words(rules, self, item, knowledge);
    if (has_met(graph, state, next, item))
        meet(rules, state, next, item, knowledge);
    else
        settle(rules, proof_self(graph, next, item), item, knowledge);
}

uint64_t proof_knowing(const uint64_t *knowledge)
{
    return knowledge[KNOWN];
}

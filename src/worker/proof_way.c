/* Ways of a proof, step by step. */
#include "base/alloc.h"
#include "proof/graph.h"
#include "proof/result.h"
#include "proof/writers.h"
#include "worker/proof_telling.h"

/* --- what work-items wait for on the circle of a stall --- */

/* What the step that was told last looks at was looked at before on this circle; NULL: it was not. */
static const struct proof_wait *find_known_wait(const struct telling *telling)
{
    const struct proof_result *result = telling->result;
    const struct proof_told *told = &result->told[result->told_count - 1];

    for (uint32_t i = result->wait_count; i-- > 0 && result->waits[i].step >= telling->circle;) {
        const struct proof_told *other = &result->told[result->waits[i].step];
        if (other->object == told->object && other->offset == told->offset && other->bytes == told->bytes)
            return &result->waits[i];
    }
    return NULL;
}

static struct proof_wait find_wait(const struct telling *telling, const struct graph_move *move)
{
    const struct proof_graph *graph = telling->graph;
    const struct proof_access *access = &graph->accesses[proof_self(graph, move->state, move->thread)];
    struct proof_writers writers;

    proof_writers_find(graph, move->state, access->at, access->bytes, &writers);
    const char *line =
        writers.access == PROOF_NOWHERE ? "" : telling->names->lines[graph->accesses[writers.access].site];
    return (struct proof_wait){.writers = writers.groups, .line = proof_result_text(telling->result, line)};
}

/* If the step, which was told last, changes nothing, adds to the result who could change what it looks at. */
static void add_wait(const struct telling *telling, const struct graph_move *move)
{
    struct proof_result *result = telling->result;
    const struct proof_told *told = &result->told[result->told_count - 1];

    if (told->bytes == 0 || told->kind == PROOF_MEETING || told->before != told->after)
        return;
    const struct proof_wait *known = find_known_wait(telling);
    struct proof_wait wait = known != NULL ? *known : find_wait(telling, move);
    wait.step = result->told_count - 1;
    GROW(result->waits, result->wait_count);
    result->waits[result->wait_count++] = wait;
}

/* --- steps --- */

uint32_t telling_object(const struct telling *telling, uint64_t at, uint64_t *offset)
{
    char name[PROOF_OBJECT_NAME];

    proof_name_object(telling->names, at, offset, name);
    return proof_result_text(telling->result, name);
}

uint64_t telling_value(const struct telling *telling, uint32_t memory, uint64_t at, uint32_t bytes)
{
    uint64_t value = 0;

    explored_read(telling->explored, memory, at, &value, bytes < sizeof value ? bytes : sizeof value);
    return value;
}

struct proof_told telling_step(const struct telling *telling, uint32_t state, uint32_t item)
{
    const struct proof_graph *graph = telling->graph;
    const struct proof_access *access = &graph->accesses[proof_self(graph, state, item)];
    const uint32_t next = proof_step(graph, state, item);
    struct proof_told told = {.item = item,
                              .line = proof_result_text(telling->result, telling->names->lines[access->site]),
                              .bytes = access->bytes,
                              .kind = access->kind,
                              .order = access->order,
                              .scope = access->scope,
                              .atomic = access->atomic};

    if (access->bytes == 0)
        return told;
    told.object = telling_object(telling, access->at, &told.offset);
    told.before = telling_value(telling, graph->memories[state], access->at, access->bytes);
    told.after =
        next == PROOF_NOWHERE ? told.before : telling_value(telling, graph->memories[next], access->at, access->bytes);
    return told;
}

void telling_add(struct proof_result *result, struct proof_told told)
{
    GROW(result->told, result->told_count);
    result->told[result->told_count++] = told;
}

static void add_step(const struct telling *telling, const struct graph_move *move)
{
    telling_add(telling->result, telling_step(telling, move->state, move->thread));
    if (telling->circles)
        add_wait(telling, move);
}

/* Goes to the confluent step behind this one. False: there is none, or ways do not pass over them. */
static bool passes_on(const struct telling *telling, struct graph_move *move)
{
    const struct explored *explored = telling->explored;
    const uint32_t state = proof_step(telling->graph, move->state, move->thread);

    if (!telling->passes || state >= explored->known || explored->confluent[state] == 0)
        return false;
    *move = (struct graph_move){state, explored->confluent[state] - 1u};
    return true;
}

/* With the steps that the lasso passes over. */
static struct graph_lasso unfold(const struct telling *telling, const struct graph_lasso *lasso)
{
    struct graph_lasso all = {0};

    for (size_t i = 0; i < lasso->count; ++i) {
        struct graph_move move = lasso->moves[i];
        if (i == lasso->circle)
            all.circle = all.count;
        do {
            GROW(all.moves, all.count);
            all.moves[all.count++] = move;
        } while (passes_on(telling, &move));
    }
    if (lasso->circle == lasso->count)
        all.circle = all.count;
    return all;
}

uint32_t telling_way(const struct telling *telling, const struct graph_lasso *lasso)
{
    struct proof_result *result = telling->result;
    struct graph_lasso all = unfold(telling, lasso);
    const size_t left_out = all.count > TELLING_STEPS ? all.count - TELLING_STEPS : 0;
    const size_t circle = all.circle > left_out ? all.circle : left_out;
    struct telling each = *telling;

    GROW(result->ways, result->way_count);
    result->ways[result->way_count] = (struct proof_way){.first = result->told_count,
                                                         .count = (uint32_t)(all.count - left_out),
                                                         .circle = (uint32_t)(all.count - circle),
                                                         .left_out = (uint32_t)left_out};
    for (size_t i = left_out; i < all.count; ++i) {
        if (i == circle) {
            each.circles = true;
            each.circle = result->told_count;
        }
        add_step(&each, &all.moves[i]);
    }
    graph_lasso_fini(&all);
    return result->way_count++;
}

uint32_t telling_way_to(const struct telling *telling, uint32_t state)
{
    const struct graph steps = {telling->graph->count, proof_items(telling->graph), telling->graph->steps, NULL, NULL};
    struct telling each = *telling;
    struct graph_lasso lasso = {0};

    each.passes = false; /* this way goes through all states */
    graph_lasso_find_way(&lasso, &steps, state);
    const uint32_t way = telling_way(&each, &lasso);
    graph_lasso_fini(&lasso);
    return way;
}

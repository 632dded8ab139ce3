#include "litmus/trap.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* --- memory --- */

/* Cuts the steps backwards, and the queue, from one block of memory. */
static void reserve_steps(struct trap_map *map)
{
    const size_t capacity = map->judge.space.capacity;

    if (map->capacity == capacity)
        return;
    free(map->first);
    map->first = xmalloc((capacity + 2 + capacity * TRAP_THREADS + capacity) * sizeof *map->first);
    map->capacity = (uint32_t)capacity;
    map->from = map->first + capacity + 2;
    map->queue = map->from + capacity * TRAP_THREADS;
}

/* Cuts the tables, of a byte for each state, from one block of memory. */
static void reserve_tables(struct trap_map *map, unsigned threads)
{
    const size_t bytes = (size_t)map->count * (3 + threads + TRAP_SHAPES);

    if (bytes > map->table_bytes) {
        map->tables = xrealloc(map->tables, 2 * bytes);
        map->table_bytes = 2 * bytes;
    }
    uint8_t *table = map->tables;
    map->strength = table;
    map->any = table += map->count;
    map->without_start = table += map->count;
    for (unsigned thread = 0; thread < threads; ++thread)
        map->rounds[thread] = table += map->count;
    for (unsigned shape = 0; shape < TRAP_SHAPES; ++shape)
        map->shapes[shape].ways = table += map->count;
}

/* --- ways --- */

/* Which steps a way may have. */
struct rule {
    bool within;      /* a component of all steps */
    bool nobody;      /* starts */
    bool lower;       /* a place for each with a lower id than one that has started */
    bool keeps;       /* a place for the lowest thread that has not ended */
    unsigned at_most; /* threads have started and not ended when one has just started; 0: any number */
};

/* A thread may start. */
static bool has_place(const struct rule *rule, const struct litmus_state *at, unsigned thread)
{
    const unsigned lowest = (unsigned)__builtin_ctz(~(unsigned)at->ended);
    const unsigned held = (unsigned)__builtin_popcount(at->started & ~at->ended) + 1;
    const unsigned reached = 32 - (unsigned)__builtin_clz(at->started | 1u << thread);

    if (rule->nobody)
        return false;
    if (rule->at_most == 0)
        return true;
    if (rule->lower)
        return reached - (unsigned)__builtin_popcount(at->ended) <= rule->at_most;
    return held < rule->at_most ||
           (held == rule->at_most && (!rule->keeps || thread == lowest || (at->started >> lowest & 1) != 0));
}

/* The states are of one component of all steps. */
static bool stays_within(const struct trap_map *map, uint32_t state, uint32_t next)
{
    return graph_component_number(&map->judge.all, state) == graph_component_number(&map->judge.all, next);
}

static bool is_allowed(const struct trap_map *map, const struct rule *rule, uint32_t state, unsigned thread,
                       uint32_t next)
{
    const struct litmus_state *at = &map->judge.space.states[state];

    if (rule->within && !stays_within(map, state, next))
        return false;
    return (at->started >> thread & 1) != 0 || has_place(rule, at, thread);
}

/* All steps, by the state that they lead to. */
static void reverse_steps(struct trap_map *map)
{
    const struct litmus_space *space = &map->judge.space;
    const uint32_t all = space->count * space->program->threads;

    memset(map->first, 0, ((size_t)space->count + 2) * sizeof *map->first);
    for (uint32_t i = 0; i < all; ++i)
        if (space->steps[i] != LITMUS_NOWHERE)
            ++map->first[space->steps[i] + 2];
    for (uint32_t state = 0; state < space->count; ++state)
        map->first[state + 2] += map->first[state + 1];
    for (uint32_t i = 0; i < all; ++i)
        if (space->steps[i] != LITMUS_NOWHERE)
            map->from[map->first[space->steps[i] + 1]++] = i;
}

/* Some states are marked WAY_THERE in the table, all others WAY_NONE: fills in the shortest ways to the former. */
static void find_ways(struct trap_map *map, const struct rule *rule, uint8_t *ways)
{
    const unsigned threads = map->judge.space.program->threads;
    uint32_t end = 0;

    for (uint32_t state = 0; state < map->count; ++state)
        if (ways[state] == WAY_THERE)
            map->queue[end++] = state;
    for (uint32_t at = 0; at < end; ++at) {
        const uint32_t next = map->queue[at];
        for (uint32_t i = map->first[next]; i < map->first[next + 1]; ++i) {
            const uint32_t state = map->from[i] / threads;
            const unsigned thread = map->from[i] % threads;
            if (ways[state] != WAY_NONE || !is_allowed(map, rule, state, thread, next))
                continue;
            ways[state] = (uint8_t)thread;
            map->queue[end++] = state;
        }
    }
}

/* --- traps --- */

static enum trap_strength strength_of(const struct trap_map *map, enum litmus_model model, uint32_t state)
{
    const struct litmus_judge *judge = &map->judge;

    if (map->device->unfair)
        return graph_component_of(&judge->all, state)->threads != 0 ? STRONG_TRAP : NO_TRAP;
    if (graph_is_trap(&judge->some, state))
        return STRONG_TRAP;
    return litmus_is_left_in_turn(judge, model, state) ? NO_TRAP : WEAK_TRAP;
}

/* Finds the ways to traps: to all, or to those in which the same threads as in `like` have started and ended. */
static void find_ways_to_traps(struct trap_map *map, const struct litmus_state *like, const struct rule *rule,
                               uint8_t *ways)
{
    for (uint32_t state = 0; state < map->count; ++state) {
        const struct litmus_state *at = &map->judge.space.states[state];
        const bool is_like = like == NULL || (at->started == like->started && at->ended == like->ended);
        ways[state] = is_like && trap_holds(map, state) ? WAY_THERE : WAY_NONE;
    }
    find_ways(map, rule, ways);
}

/* Ways within components to where a step of the thread stays within. */
static void find_rounds(struct trap_map *map, unsigned thread)
{
    uint8_t *ways = map->rounds[thread];

    for (uint32_t state = 0; state < map->count; ++state) {
        const uint32_t next = litmus_space_step(&map->judge.space, state, thread);
        const bool stays = next != LITMUS_NOWHERE && stays_within(map, state, next);
        ways[state] = stays ? WAY_THERE : WAY_NONE;
    }
    find_ways(map, &(struct rule){.within = true}, ways);
}

/* --- shapes --- */

/* Steps that are looked at, about, before no more shapes are tried: programs of many threads have very many. */
enum { SHAPE_STEPS = 1 << 25, SHAPES_TRIED = 64 };

struct shape_search {
    struct trap_map *map;
    uint32_t tried[SHAPES_TRIED]; /* the threads that have started, and above them those that have ended */
    unsigned count;
    uint64_t steps;
};

/* Adds a shape, unless there is no way to it that the device has room for. */
static void add_shape(struct shape_search *search, const struct litmus_state *at, bool keeps)
{
    struct trap_map *map = search->map;
    struct trap_shape *shape = &map->shapes[map->shape_count];
    struct rule rule = {.lower = map->device->model == LITMUS_LOBE, .keeps = keeps};
    const unsigned threads = map->judge.space.program->threads;
    const unsigned held = (unsigned)__builtin_popcount(at->started & ~at->ended);
    const unsigned most = threads < map->device->resident ? threads : map->device->resident;

    for (rule.at_most = held; rule.at_most <= most && map->shape_count < TRAP_SHAPES; ++rule.at_most) {
        find_ways_to_traps(map, at, &rule, shape->ways);
        search->steps += (uint64_t)map->count * threads;
        if (shape->ways[0] == WAY_NONE)
            continue;
        shape->started = at->started;
        shape->held = held;
        shape->peak = rule.at_most;
        ++map->shape_count;
        return;
    }
}

static bool is_new_shape(struct shape_search *search, const struct litmus_state *at)
{
    const uint32_t shape = at->started | (uint32_t)at->ended << 16;

    for (unsigned i = 0; i < search->count; ++i)
        if (search->tried[i] == shape)
            return false;
    search->tried[search->count++] = shape;
    return true;
}

static void find_shapes(struct trap_map *map)
{
    struct shape_search search = {.map = map};

    for (uint32_t state = 0; state < map->count; ++state) {
        const struct litmus_state *at = &map->judge.space.states[state];
        if (!trap_holds(map, state) || !is_new_shape(&search, at))
            continue;
        if (map->device->model == LITMUS_HSA_OBE)
            add_shape(&search, at, true);
        add_shape(&search, at, false);
        if (map->shape_count == TRAP_SHAPES || search.count == SHAPES_TRIED || search.steps > SHAPE_STEPS)
            return;
    }
}

/* --- all of it --- */

int trap_map_find(struct trap_map *map, const struct litmus_program *program, const struct model_device *device,
                  struct error *error)
{
    struct litmus_judge *judge = &map->judge;
    const enum litmus_model model = device->resident > 0 ? LITMUS_OBE : device->model;

    if (litmus_space_explore(&judge->space, program, error) != 0)
        return -1;
    litmus_components_find(&judge->all, &judge->space, LITMUS_FAIR);
    litmus_components_find(&judge->some, &judge->space, model);
    map->device = device;
    map->count = judge->space.count;
    reserve_steps(map);
    reserve_tables(map, program->threads);
    reverse_steps(map);
    for (uint32_t state = 0; state < map->count; ++state)
        map->strength[state] = (uint8_t)strength_of(map, model, state);
    find_ways_to_traps(map, NULL, &(struct rule){.nobody = false}, map->any);
    find_ways_to_traps(map, NULL, &(struct rule){.nobody = true}, map->without_start);
    for (unsigned thread = 0; thread < program->threads; ++thread)
        find_rounds(map, thread);
    map->shape_count = 0;
    if (device->resident > 0)
        find_shapes(map);
    return 0;
}

void trap_map_fini(struct trap_map *map)
{
    litmus_judge_fini(&map->judge);
    free(map->tables);
    free(map->first);
    *map = (struct trap_map){.count = 0};
}

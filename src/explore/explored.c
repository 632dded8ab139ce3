#include "explore/explored.h"

#include "base/alloc.h"
#include "explore/memory.h"
#include "explore/stepping.h"
#include "explore/walks.h"

#include <stdlib.h>
#include <string.h>

struct explored_memory {
    struct memory memory;
};

/* --- what a launch may access --- */

static void add_object(struct explored *explored, struct explored_object object)
{
    if (object.bytes == 0)
        return;
    GROW(explored->objects, explored->object_count);
    explored->objects[explored->object_count++] = object;
}

/* The memory that an argument is for; NULL: it is for none, or for local memory. */
static const void *memory_of(const struct machine_launch *launch, unsigned argument)
{
    const unsigned kind = launch->kernel->arguments[argument].kind;
    const void *at = NULL;

    if ((kind == GL_ARGUMENT_GLOBAL || kind == GL_ARGUMENT_CONSTANT || kind == GL_ARGUMENT_IMAGE) &&
        launch->arguments[argument] != NULL)
        memcpy(&at, launch->arguments[argument], sizeof at);
    return at != NULL && kind == GL_ARGUMENT_IMAGE ? ((const struct gl_picture *)at)->bytes : at;
}

/* The argument that points there; of several that do, the first. */
static uint32_t argument_at(const struct machine_launch *launch, const void *base)
{
    for (unsigned i = 0; i < launch->kernel->argument_count; ++i)
        if (memory_of(launch, i) == base)
            return i;
    return UINT32_MAX;
}

void explored_describe(struct explored *explored)
{
    const struct machine_launch *launch = run.launch;

    for (size_t i = 0; i < launch->region_count; ++i)
        add_object(explored, (struct explored_object){OBJECT_ARGUMENT, argument_at(launch, launch->regions[i].base),
                                                      (uintptr_t)launch->regions[i].base, launch->regions[i].bytes});
    add_object(explored, (struct explored_object){OBJECT_VARIABLES, 0, (uintptr_t)launch->image->variables,
                                                  launch->image->variable_bytes});
    for (uint32_t i = 0; i < run.order.places; ++i)
        add_object(explored, (struct explored_object){OBJECT_LOCAL, i, (uintptr_t)run.places[i].parts.local,
                                                      run.space.local_bytes});
}

/* --- what was found --- */

/* A confluent step leads to a state behind: where the last one of a chain leads is known before the first is asked. */
static void make_whole(struct explored *explored)
{
    const struct proof_graph *graph = &explored->graph;
    const uint32_t items = proof_items(graph);
    uint32_t *ends = xmalloc(((size_t)graph->count + 1) * sizeof *ends);

    explored->whole = xmalloc(((size_t)graph->count * items + 1) * sizeof *explored->whole);
    for (uint32_t state = graph->count; state-- > 0;) {
        const bool passes = state < explored->known && explored->confluent[state] != 0;
        ends[state] = passes ? ends[proof_step(graph, state, explored->confluent[state] - 1u)] : state;
    }
    for (size_t i = 0; i < (size_t)graph->count * items; ++i)
        explored->whole[i] = graph->steps[i] == PROOF_NOWHERE ? PROOF_NOWHERE : ends[graph->steps[i]];
    free(ends);
}

/* Of states that were found alone nothing is known. */
static void end_unknown(struct explored *explored)
{
    struct proof_graph *graph = &explored->graph;
    const uint32_t items = proof_items(graph);

    for (uint32_t state = explored->known; state < graph->count; ++state) {
        graph->ended[state] = graph->started[state] = (uint32_t)((UINT64_C(1) << graph->groups) - 1);
        for (uint32_t i = 0; i < items; ++i)
            graph->steps[(size_t)state * items + i] = PROOF_NOWHERE;
    }
}

void explored_keep(struct explored *explored)
{
    end_unknown(explored);
    make_whole(explored);
    memcpy(explored->asked, run.asked, sizeof explored->asked);
    explored->asked_any = run.asked[0] | run.asked[1] | run.asked[2];
    explored->accessed = stepping.alone > 0 || explored->graph.access_count > 0;
    explored->ignored_read = stepping.memory.ignores_read && stepping.memory.ignored_read;
    explored->site_count = stepping.sites.count;
    explored->frames = xcalloc((size_t)explored->site_count + 1, sizeof *explored->frames);
    if (explored->site_count > 0)
        memcpy(explored->frames, stepping.sites.memory, explored->site_count * sizeof *explored->frames);
    memory_undo(&stepping.memory);
    memory_load(&stepping.memory, 0);
    explored->memory = xmalloc(sizeof *explored->memory);
    explored->memory->memory = stepping.memory;
    stepping.memory = (struct memory){0};
}

void explored_fini(struct explored *explored)
{
    proof_graph_fini(&explored->graph);
    free(explored->frames);
    free(explored->objects);
    free(explored->confluent);
    free(explored->whole);
    walks_forget(explored);
    if (explored->memory != NULL)
        memory_fini(&explored->memory->memory);
    free(explored->memory);
    *explored = (struct explored){.extent = PROOF_ALL};
}

/* --- what memory holds --- */

static const struct memory_line *line_at(const struct memory *memory, uint64_t at)
{
    for (uint32_t i = 0; i < memory->line_count; ++i)
        if (at - (uintptr_t)memory->lines[i].at < memory->lines[i].bytes)
            return &memory->lines[i];
    return NULL;
}

/* The line's bytes in that memory. */
static const unsigned char *line_bytes(const struct memory *memory, const struct memory_line *line, uint32_t number)
{
    uint32_t bytes;
    const uint32_t *string = interned_at(&memory->strings, number, &bytes);

    if (line->slot == MEMORY_NEVER || line->slot >= bytes / sizeof *string || string[line->slot] == 0)
        return line->initial;
    return interned_at(&memory->contents, string[line->slot] - 1, &bytes);
}

bool explored_is_alike(const struct explored *explored)
{
    const struct memory *memory = &explored->memory->memory;

    for (uint32_t i = 0; i < memory->line_count; ++i)
        for (uint32_t byte = 0; byte < memory->lines[i].bytes; ++byte)
            if (!memory->lines[i].hidden && memory->lines[i].owner[byte] != 0 &&
                (memory->lines[i].many >> byte & 1) == 0)
                return false;
    return true;
}

uint32_t explored_visible(const struct explored *explored, uint32_t memory)
{
    return memory_visible(&explored->memory->memory, memory);
}

void explored_load(const struct explored *explored, uint32_t memory)
{
    memory_load(&explored->memory->memory, memory);
}

bool explored_changing(const struct explored *explored, uint32_t number, uint64_t *at, uint32_t *bytes)
{
    const struct memory *memory = &explored->memory->memory;

    if (number >= memory->changing_count)
        return false;
    *at = (uintptr_t)memory->lines[memory->changing[number]].at;
    *bytes = memory->lines[memory->changing[number]].bytes;
    return true;
}

size_t explored_read(const struct explored *explored, uint32_t number, uint64_t at, void *copy, size_t bytes)
{
    const struct memory *memory = &explored->memory->memory;
    const struct memory_line *line = line_at(memory, at);

    if (line == NULL)
        return 0;
    const size_t from = at - (uintptr_t)line->at;
    const size_t count = bytes < line->bytes - from ? bytes : line->bytes - from;
    memcpy(copy, line_bytes(memory, line, number) + from, count);
    return count;
}

bool explored_differ(const struct explored *explored, uint32_t a, uint32_t b, uint64_t *at)
{
    const struct memory *memory = &explored->memory->memory;

    for (uint32_t i = 0; i < memory->changing_count; ++i) {
        const struct memory_line *line = &memory->lines[memory->changing[i]];
        const unsigned char *of_a = line_bytes(memory, line, a), *of_b = line_bytes(memory, line, b);
        for (uint32_t byte = 0; byte < line->bytes; ++byte)
            if (of_a[byte] != of_b[byte]) {
                *at = (uintptr_t)line->at + byte;
                return true;
            }
    }
    return false;
}

bool explored_has_atomics(const struct explored *explored)
{
    return explored->memory->memory.atomics || explored->updates;
}

#include "model/ir_turns.h"

#include "base/alloc.h"
#include "base/intern.h"
#include "graph/component.h"
#include "model/image.h"
#include "model/ir_barrier.h"
#include "model/ir_meets.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    WAYS = GRAPH_THREADS, /* out of a block; of a function with more of them nothing is known */
    TURNS_MOST = 3,       /* that are counted, so that there are few states */
    TURNS = 3,            /* the bits that have how many, */
    ENTERED = 4,          /* and whether it was entered since */
    NO_LOOP = 0,          /* others are indices of `loops`, and 1 added */
};

struct loop {
    uint32_t head, around; /* its first block, and the loop that it is in */
};

struct block {
    uint32_t loop; /* the innermost */
    bool meets;    /* it has a barrier, or calls what has one */
};

struct ir_turns {
    struct ir_meets *meets;
    const char *pointer; /* "i32*", or "ptr" */
    bool told;           /* it is told in which turns of its caller it is, */
    bool calls;          /* and calls what is */
    struct block *blocks;
    uint32_t *ways; /* of each block so many: blocks */
    struct loop *loops;
    uint32_t block_count, loop_count;
    uint32_t serial; /* of names */
    /* Where it prints: */
    uint32_t at;     /* the block; */
    bool declared;   /* the counts are there; */
    bool has_turned; /* that of the loop that begins here has grown */
};

/* --- blocks --- */

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

/* "14:        ; preds = %26, %1" begins a block. */
static bool is_label(const char *line)
{
    return *line != ' ' && *line != ';' && *line != '\n' && *line != '}' && line[strcspn(line, ":\n")] == ':';
}

static uint32_t *number_of(struct intern *names, const char *name, size_t length)
{
    char *copy = xstrndup(name, length);
    uint32_t *number = intern_number(intern_text(names, copy));
    free(copy);
    return number;
}

/* Numbers the blocks by their names, from 1. The first has none. */
static void name_blocks(struct ir_turns *turns, const char *text, struct intern *names)
{
    uint32_t count = 0;

    for (const char *line = next_line(text); *line != '}' && *line != '\0'; line = next_line(line))
        if (is_label(line) || count == 0) {
            ++count;
            if (is_label(line))
                *number_of(names, line, strcspn(line, ":")) = count;
        }
    turns->block_count = count;
}

/* "br i1 %18, label %21, label %19": false if there are too many. */
static bool add_ways(struct ir_turns *turns, uint32_t at, const char *line, struct intern *names)
{
    static const char word[] = "label %";
    const char *end = line + strcspn(line, "\n");
    uint32_t *ways = &turns->ways[(size_t)at * WAYS];

    for (const char *name = line; (name = memmem(name, (size_t)(end - name), word, strlen(word))) != NULL;) {
        name += strlen(word);
        const uint32_t number = *number_of(names, name, strcspn(name, " ,]\n"));
        uint32_t i = 0;
        while (i < WAYS && ways[i] != GRAPH_NOWHERE && ways[i] != number - 1)
            ++i;
        if (number == 0 || i == WAYS)
            return false;
        ways[i] = number - 1;
    }
    return true;
}

static bool has_line(struct ir_turns *turns, const char *text, bool (*is)(struct ir_turns *turns, const char *line))
{
    for (const char *line = next_line(text); *line != '}' && *line != '\0'; line = next_line(line))
        if (is(turns, line))
            return true;
    return false;
}

static bool calls(struct ir_turns *turns, const char *line)
{
    return ir_meets_calls(turns->meets, line);
}

static bool meets(struct ir_turns *turns, const char *line)
{
    return ir_barrier_is(line) || calls(turns, line);
}

static bool read_blocks(struct ir_turns *turns, const char *text, struct intern *names)
{
    uint32_t at = 0;
    bool begun = false;

    name_blocks(turns, text, names);
    turns->blocks = xcalloc(turns->block_count + 1, sizeof *turns->blocks);
    turns->ways = xmalloc(((size_t)turns->block_count + 1) * WAYS * sizeof *turns->ways);
    for (size_t i = 0; i < (size_t)turns->block_count * WAYS; ++i)
        turns->ways[i] = GRAPH_NOWHERE;
    for (const char *line = next_line(text); *line != '}' && *line != '\0'; line = next_line(line)) {
        at += is_label(line) && begun;
        begun = true;
        if (meets(turns, line))
            turns->blocks[at].meets = true;
        if (!is_label(line) && !add_ways(turns, at, line, names))
            return false;
    }
    return true;
}

/* --- loops --- */

struct loop_search {
    struct ir_turns *turns;
    struct graph_components components;
    uint32_t *left; /* ways that lead on, without those back to the head of a loop that was found */
};

/* The only block of the component that ways from outside lead to; GRAPH_NOWHERE: there are several. */
static uint32_t find_head(const struct loop_search *search, uint32_t component)
{
    const struct ir_turns *turns = search->turns;
    uint32_t head = GRAPH_NOWHERE;

    for (uint32_t from = 0; from < turns->block_count; ++from)
        for (uint32_t i = 0; i < WAYS; ++i) {
            const uint32_t to = turns->ways[(size_t)from * WAYS + i];
            if (to == GRAPH_NOWHERE)
                break;
            if (graph_component_number(&search->components, to) != component || to == head ||
                graph_component_number(&search->components, from) == component)
                continue;
            if (head != GRAPH_NOWHERE)
                return GRAPH_NOWHERE;
            head = to;
        }
    return head;
}

static bool meets_in(const struct loop_search *search, uint32_t component)
{
    for (uint32_t i = 0; i < search->turns->block_count; ++i)
        if (search->turns->blocks[i].meets && graph_component_number(&search->components, i) == component)
            return true;
    return false;
}

static void add_loop(struct loop_search *search, uint32_t component, uint32_t head)
{
    struct ir_turns *turns = search->turns;

    GROW(turns->loops, turns->loop_count);
    turns->loops[turns->loop_count++] = (struct loop){.head = head, .around = turns->blocks[head].loop};
    for (uint32_t i = 0; i < turns->block_count; ++i) {
        if (graph_component_number(&search->components, i) != component)
            continue;
        turns->blocks[i].loop = turns->loop_count;
        for (uint32_t *way = &search->left[(size_t)i * WAYS]; way < &search->left[((size_t)i + 1) * WAYS]; ++way)
            if (*way == head)
                *way = GRAPH_NOWHERE;
    }
}

/* Those that are in no loop but such as were found before. */
static bool find_more(struct loop_search *search)
{
    struct ir_turns *turns = search->turns;
    const struct graph graph = {.count = turns->block_count, .threads = WAYS, .steps = search->left};
    const uint32_t before = turns->loop_count;

    graph_components_find(&search->components, &graph);
    for (uint32_t component = 0; component < search->components.count; ++component) {
        if (search->components.all[component].threads == 0 || !meets_in(search, component))
            continue;
        const uint32_t head = find_head(search, component);
        if (head != GRAPH_NOWHERE)
            add_loop(search, component, head);
    }
    return turns->loop_count > before;
}

static void find_loops(struct ir_turns *turns)
{
    const size_t bytes = (size_t)turns->block_count * WAYS * sizeof *turns->ways;
    struct loop_search search = {.turns = turns, .left = xmalloc(bytes)};

    memcpy(search.left, turns->ways, bytes);
    while (find_more(&search))
        ;
    free(search.left);
    graph_components_fini(&search.components);
}

struct ir_turns *ir_turns_read(const char *text, bool opaque, struct ir_meets *told)
{
    struct intern names = {0};

    struct ir_turns *turns = xcalloc(1, sizeof *turns);
    turns->meets = told;
    turns->pointer = opaque ? "ptr" : "i32*";
    turns->told = ir_meets_is(told, text);
    turns->calls = has_line(turns, text, calls);
    if (has_line(turns, text, meets) && read_blocks(turns, text, &names))
        find_loops(turns);
    intern_fini(&names);
    if (turns->loop_count > 0 || turns->told || turns->calls)
        return turns;
    ir_turns_free(turns);
    return NULL;
}

void ir_turns_free(struct ir_turns *turns)
{
    if (turns == NULL)
        return;
    free(turns->blocks);
    free(turns->ways);
    free(turns->loops);
    free(turns);
}

/* --- text --- */

static void print_count(const struct ir_turns *turns, uint32_t loop, int count, FILE *out)
{
    fprintf(out, "  store i32 %d, %s %%gl.turns.%" PRIu32 "\n", count, turns->pointer, loop);
}

static void print_turn(struct ir_turns *turns, uint32_t loop, FILE *out)
{
    const uint32_t serial = turns->serial++;

    fprintf(out, "  %%gl.turned.%" PRIu32 " = load i32, %s %%gl.turns.%" PRIu32 "\n", serial, turns->pointer, loop);
    fprintf(out, "  %%gl.count.%" PRIu32 " = and i32 %%gl.turned.%" PRIu32 ", %d\n", serial, serial, TURNS);
    fprintf(out, "  %%gl.few.%" PRIu32 " = icmp ult i32 %%gl.count.%" PRIu32 ", %d\n", serial, serial, TURNS_MOST);
    fprintf(out, "  %%gl.one.%" PRIu32 " = zext i1 %%gl.few.%" PRIu32 " to i32\n", serial, serial);
    fprintf(out, "  %%gl.turns.now.%" PRIu32 " = add i32 %%gl.turned.%" PRIu32 ", %%gl.one.%" PRIu32 "\n", serial,
            serial, serial);
    fprintf(out, "  store i32 %%gl.turns.now.%" PRIu32 ", %s %%gl.turns.%" PRIu32 "\n", serial, turns->pointer, loop);
}

static bool is_in(const struct ir_turns *turns, uint32_t block, uint32_t loop)
{
    uint32_t at = turns->blocks[block].loop;
    while (at != NO_LOOP && at != loop)
        at = turns->loops[at - 1].around;
    return at == loop;
}

static bool leads_to(const struct ir_turns *turns, uint32_t block, uint32_t to)
{
    const uint32_t *ways = &turns->ways[(size_t)block * WAYS];
    uint32_t i = 0;
    while (i < WAYS && ways[i] != GRAPH_NOWHERE && ways[i] != to)
        ++i;
    return i < WAYS && ways[i] == to;
}

/* At the end of a block: into which loops it may lead. */
static void print_entered(const struct ir_turns *turns, FILE *out)
{
    for (uint32_t loop = 1; loop <= turns->loop_count; ++loop)
        if (!is_in(turns, turns->at, loop) && leads_to(turns, turns->at, turns->loops[loop - 1].head))
            print_count(turns, loop, ENTERED, out);
}

/* At the beginning of one, behind what must be first there. */
static void print_begun(struct ir_turns *turns, FILE *out)
{
    for (uint32_t loop = 1; !turns->declared && loop <= turns->loop_count; ++loop)
        fprintf(out, "  %%gl.turns.%" PRIu32 " = alloca i32, align 4\n", loop);
    if (!turns->declared && turns->calls)
        fputs("  %gl.own = alloca i32, align 4\n", out);
    turns->declared = true;
    for (uint32_t loop = 1; !turns->has_turned && loop <= turns->loop_count; ++loop)
        if (turns->loops[loop - 1].head == turns->at)
            print_turn(turns, loop, out);
    turns->has_turned = true;
}

void ir_turns_print(struct ir_turns *turns, const char *line, FILE *out)
{
    if (is_label(line)) {
        turns->at += turns->declared; /* the first block may have a label, too */
        turns->has_turned = false;
        return;
    }
    if (*line != ' ' || memmem(line, strcspn(line, "\n"), " = phi ", strlen(" = phi ")) != NULL)
        return;
    print_begun(turns, out);
    if (strncmp(line, "  br ", strlen("  br ")) == 0 || strncmp(line, "  switch ", strlen("  switch ")) == 0)
        print_entered(turns, out);
}

static void print_mixed(uint32_t serial, uint32_t depth, const char *count, FILE *out)
{
    fprintf(out, "  %%gl.more.%" PRIu32 ".%" PRIu32 " = mul i32 %s, %" PRIu32 "\n", serial, depth, count,
            1 + 8 * depth);
    fprintf(out,
            "  %%gl.sum.%" PRIu32 ".%" PRIu32 " = xor i32 %%gl.sum.%" PRIu32 ".%" PRIu32 ", %%gl.more.%" PRIu32
            ".%" PRIu32 "\n",
            serial, depth + 1, serial, depth, serial, depth);
}

/* Makes %gl.part.SERIAL: the counts of the loops around, and those of the call, mixed in a few bits. */
static uint32_t print_part(struct ir_turns *turns, FILE *out)
{
    const uint32_t serial = turns->serial++;
    uint32_t depth = 0;
    char count[40];

    fprintf(out, "  %%gl.sum.%" PRIu32 ".0 = add i32 0, 0\n", serial);
    for (uint32_t loop = turns->blocks[turns->at].loop; loop != NO_LOOP; loop = turns->loops[loop - 1].around) {
        snprintf(count, sizeof count, "%%gl.of.%" PRIu32 ".%" PRIu32, serial, depth);
        fprintf(out, "  %s = load i32, %s %%gl.turns.%" PRIu32 "\n", count, turns->pointer, loop);
        print_mixed(serial, depth++, count, out);
    }
    if (turns->told)
        print_mixed(serial, depth++, "%gl.in", out);
    fprintf(out, "  %%gl.part.%" PRIu32 " = and i32 %%gl.sum.%" PRIu32 ".%" PRIu32 ", %u\n", serial, serial, depth,
            (1U << GL_MEET_TURN_BITS) - 1);
    return serial;
}

bool ir_turns_print_bits(struct ir_turns *turns, uint32_t place, FILE *out)
{
    if (turns->blocks[turns->at].loop == NO_LOOP && !turns->told)
        return false;
    fprintf(out, "  %%gl.turn.%" PRIu32 " = shl i32 %%gl.part.%" PRIu32 ", %u\n", place, print_part(turns, out),
            GL_MEET_TURN_SHIFT);
    return true;
}

void ir_turns_print_met(const struct ir_turns *turns, FILE *out)
{
    for (uint32_t loop = turns->blocks[turns->at].loop; loop != NO_LOOP; loop = turns->loops[loop - 1].around)
        print_count(turns, loop, 0, out);
    if (turns->told)
        fprintf(out, "  store i32 1, %s %%gl.met\n", turns->pointer);
}

bool ir_turns_print_call(struct ir_turns *turns, const char *line, FILE *out)
{
    if (!ir_meets_calls(turns->meets, line))
        return false;
    const uint32_t serial = print_part(turns, out);
    fprintf(out, "  store i32 0, %s %%gl.own\n", turns->pointer);
    ir_meets_print_call(line, serial, turns->pointer, out);
    fprintf(out, "  %%gl.did.%" PRIu32 " = load i32, %s %%gl.own\n", serial, turns->pointer);
    fprintf(out, "  %%gl.kept.%" PRIu32 " = sub i32 1, %%gl.did.%" PRIu32 "\n", serial, serial);
    uint32_t depth = 0;
    for (uint32_t loop = turns->blocks[turns->at].loop; loop != NO_LOOP;
         loop = turns->loops[loop - 1].around, ++depth) {
        fprintf(out, "  %%gl.was.%" PRIu32 ".%" PRIu32 " = load i32, %s %%gl.turns.%" PRIu32 "\n", serial, depth,
                turns->pointer, loop);
        fprintf(out,
                "  %%gl.is.%" PRIu32 ".%" PRIu32 " = mul i32 %%gl.was.%" PRIu32 ".%" PRIu32 ", %%gl.kept.%" PRIu32 "\n",
                serial, depth, serial, depth, serial);
        fprintf(out, "  store i32 %%gl.is.%" PRIu32 ".%" PRIu32 ", %s %%gl.turns.%" PRIu32 "\n", serial, depth,
                turns->pointer, loop);
    }
    if (!turns->told)
        return true;
    fprintf(out, "  %%gl.had.%" PRIu32 " = load i32, %s %%gl.met\n", serial, turns->pointer);
    fprintf(out, "  %%gl.has.%" PRIu32 " = or i32 %%gl.had.%" PRIu32 ", %%gl.did.%" PRIu32 "\n", serial, serial,
            serial);
    fprintf(out, "  store i32 %%gl.has.%" PRIu32 ", %s %%gl.met\n", serial, turns->pointer);
    return true;
}

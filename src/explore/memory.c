#include "explore/memory.h"

#include "base/alloc.h"
#include "model/run.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 1 << 8 };

/* --- lines --- */

static uint32_t hash_of(const volatile void *at)
{
    return (uint32_t)((uintptr_t)at / MEMORY_LINE * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static bool has(const struct memory_line *line, const volatile void *at)
{
    return (uintptr_t)at - (uintptr_t)line->at < line->bytes;
}

/* Cuts [*from, *end) to the memory that `at` is of, if that is this one. */
static bool clip(const void *base, size_t bytes, uintptr_t at, uintptr_t *from, uintptr_t *end)
{
    const uintptr_t begin = (uintptr_t)base;

    if (at - begin >= bytes)
        return false;
    *from = *from < begin ? begin : *from;
    *end = *end > begin + bytes ? begin + bytes : *end;
    return true;
}

/* Two regions may be beside each other in what would be one line. */
static void find_extent(const volatile void *at, struct memory_line *line)
{
    uintptr_t from = (uintptr_t)at / MEMORY_LINE * MEMORY_LINE, end = from + MEMORY_LINE;
    bool found = false;

    for (size_t i = 0; i < run.space.region_count && !found; ++i)
        found = clip(run.space.regions[i].base, run.space.regions[i].bytes, (uintptr_t)at, &from, &end);
    for (uint32_t i = 0; i < run.order.places && !found; ++i) {
        const struct space_place parts = run.places[i].parts;
        line->hidden = found = clip(parts.local, run.space.local_bytes, (uintptr_t)at, &from, &end) ||
                               clip(parts.written, run.space.written_bytes, (uintptr_t)at, &from, &end) ||
                               clip(parts.scratch, (size_t)run.space.items * SPACE_SCRATCH, (uintptr_t)at, &from, &end);
    }
    line->at = (unsigned char *)from; // NOLINT(performance-no-int-to-ptr)
    line->bytes = (uint32_t)(end - from);
}

static void ignore(const struct memory *memory, struct memory_line *line)
{
    for (size_t i = 0; i < memory->ignored_count; ++i)
        for (uint32_t byte = 0; byte < line->bytes; ++byte) {
            const bool is_within =
                (uintptr_t)line->at + byte - (uintptr_t)memory->ignored[i].base < memory->ignored[i].bytes;
            line->ignored |= (uint64_t)is_within << byte;
        }
}

static void place(struct memory *memory, uint32_t line)
{
    uint32_t slot = hash_of(memory->lines[line].at) & memory->mask;

    while (memory->slots[slot] != 0)
        slot = (slot + 1) & memory->mask;
    memory->slots[slot] = line + 1;
}

static uint32_t add_line(struct memory *memory, const volatile void *at)
{
    const uint32_t number = memory->line_count;

    if (memory->slots == NULL || number >= memory->mask / 2) {
        memory->mask = memory->slots == NULL ? FIRST_SLOTS - 1 : 2 * memory->mask + 1;
        free(memory->slots);
        memory->slots = xcalloc(memory->mask + (size_t)1, sizeof *memory->slots);
        for (uint32_t i = 0; i < number; ++i)
            place(memory, i);
    }
    GROW(memory->lines, number);
    GROW(memory->touched, number);
    struct memory_line *line = &memory->lines[number];
    *line = (struct memory_line){.slot = MEMORY_NEVER};
    find_extent(at, line);
    ignore(memory, line);
    line->hidden = line->hidden || (uintptr_t)line->at - (uintptr_t)memory->notes.base < memory->notes.bytes;
    memcpy(line->initial, line->at, line->bytes);
    memory->line_count += 1;
    place(memory, number);
    return number;
}

static struct memory_line *line_of(struct memory *memory, const volatile void *at)
{
    if (memory->line_count > 0 && has(&memory->lines[memory->last], at))
        return &memory->lines[memory->last];
    for (uint32_t slot = hash_of(at) & memory->mask; memory->slots != NULL && memory->slots[slot] != 0;
         slot = (slot + 1) & memory->mask)
        if (has(&memory->lines[memory->slots[slot] - 1], at)) {
            memory->last = memory->slots[slot] - 1;
            return &memory->lines[memory->last];
        }
    memory->last = add_line(memory, at);
    return &memory->lines[memory->last];
}

/* The part of an access that is in its first line; then goes on to the rest. False: there is none any more. */
static bool take_part(struct memory *memory, const volatile unsigned char **at, size_t *bytes,
                      struct memory_line **line, uint64_t *bits)
{
    if (*bytes == 0)
        return false;
    *line = line_of(memory, *at);
    const uint32_t first = (uint32_t)(*at - (*line)->at);
    const size_t count = *bytes < (*line)->bytes - first ? *bytes : (*line)->bytes - first;
    *bits = (count == MEMORY_LINE ? UINT64_MAX : (UINT64_C(1) << count) - 1) << first;
    *at += count;
    *bytes -= count;
    return true;
}

bool memory_take_access(struct memory *memory, const struct memory_access *access)
{
    const volatile unsigned char *from = access->at;
    const uint8_t owns = (uint8_t)(access->item + 1);
    size_t bytes = access->bytes;
    struct memory_line *line;
    bool shared = false;

    memory->atomics = memory->atomics || access->atomic;
    for (uint64_t bits; take_part(memory, &from, &bytes, &line, &bits);) {
        for (uint64_t rest = bits & ~line->many; rest != 0; rest &= rest - 1) {
            uint8_t *owner = &line->owner[__builtin_ctzll(rest)];
            if (*owner == 0)
                *owner = owns;
            else if (*owner != owns)
                line->many |= rest & (0 - rest);
        }
        line->written |= access->writes ? bits : 0;
        const uint64_t read = access->reads ? line->ignored & bits : 0;
        memory->ignored_read = memory->ignored_read || read != 0;
        memory->outdated = memory->outdated || (read != 0 && !memory->ignores_read);
        line->ignored &= memory->ignores_read ? UINT64_MAX : ~read;
        const uint64_t before = line->shared;
        line->shared = line->many & line->written;
        memory->outdated = memory->outdated || line->shared != before;
        shared = shared || (line->shared & bits) != 0;
    }
    return shared;
}

void memory_touch(struct memory *memory, const volatile void *at, size_t bytes)
{
    const volatile unsigned char *from = at;
    struct memory_line *line;

    for (uint64_t bits; take_part(memory, &from, &bytes, &line, &bits);) {
        if (line->touched)
            continue;
        line->touched = true;
        memory->touched[memory->touched_count++] = memory->last;
    }
}

uint64_t memory_touched_hash(const struct memory *memory)
{
    uint64_t hashes[2] = {memory->touched_count, 0};

    for (uint32_t i = 0; i < memory->touched_count; ++i) {
        const struct memory_line *line = &memory->lines[memory->touched[i]];
        hashes[1] = interned_hash(line->at, line->bytes);
        hashes[0] = interned_hash(hashes, sizeof hashes);
    }
    return hashes[0];
}

/* --- contents --- */

static const unsigned char *bytes_of(const struct memory *memory, const struct memory_line *line, uint32_t content)
{
    uint32_t bytes;
    return content == 0 ? line->initial : interned_at(&memory->contents, content - 1, &bytes);
}

static uint32_t content_of(struct memory *memory, const struct memory_line *line)
{
    unsigned char content[MEMORY_LINE];

    memcpy(content, line->at, line->bytes);
    for (uint64_t rest = line->ignored; rest != 0; rest &= rest - 1)
        content[__builtin_ctzll(rest)] = line->initial[__builtin_ctzll(rest)];
    if (memcmp(content, line->initial, line->bytes) == 0)
        return 0;
    return 1 + interned_add(&memory->contents, content, line->bytes);
}

static void give_slot(struct memory *memory, uint32_t number)
{
    GROW(memory->changing, memory->changing_count);
    memory->changing[memory->changing_count] = number;
    memory->lines[number].slot = memory->changing_count++;
    memory->loaded = xrealloc(memory->loaded, memory->changing_count * sizeof *memory->loaded);
    memory->next = xrealloc(memory->next, memory->changing_count * sizeof *memory->next);
    memory->loaded[memory->changing_count - 1] = 0;
}

uint32_t memory_number(struct memory *memory)
{
    for (uint32_t i = 0; i < memory->touched_count; ++i) {
        struct memory_line *line = &memory->lines[memory->touched[i]];
        if (line->slot == MEMORY_NEVER && memcmp(line->at, line->initial, line->bytes) != 0)
            give_slot(memory, memory->touched[i]);
    }
    uint32_t count = memory->changing_count;
    if (count == 0)
        return 0;
    memcpy(memory->next, memory->loaded, count * sizeof *memory->next);
    for (uint32_t i = 0; i < memory->touched_count; ++i) {
        const struct memory_line *line = &memory->lines[memory->touched[i]];
        if (line->slot != MEMORY_NEVER)
            memory->next[line->slot] = content_of(memory, line);
    }
    while (count > 0 && memory->next[count - 1] == 0)
        --count;
    return interned_add(&memory->strings, memory->next, (uint32_t)(count * sizeof *memory->next));
}

void memory_undo(struct memory *memory)
{
    while (memory->touched_count > 0) {
        struct memory_line *line = &memory->lines[memory->touched[--memory->touched_count]];
        memcpy(line->at, bytes_of(memory, line, line->content), line->bytes);
        line->touched = false;
    }
}

void memory_load(struct memory *memory, uint32_t number)
{
    uint32_t bytes;
    const uint32_t *string = interned_at(&memory->strings, number, &bytes);

    for (uint32_t i = 0; i < memory->changing_count; ++i) {
        const uint32_t content = i < bytes / sizeof *string ? string[i] : 0;
        struct memory_line *line = &memory->lines[memory->changing[i]];
        if (content == line->content)
            continue;
        line->content = memory->loaded[i] = content;
        memcpy(line->at, bytes_of(memory, line, content), line->bytes);
    }
}

uint32_t memory_visible(struct memory *memory, uint32_t number)
{
    uint32_t bytes;
    const uint32_t *string = interned_at(&memory->strings, number, &bytes);
    uint32_t count = bytes / (uint32_t)sizeof *string;

    for (uint32_t i = 0; i < count; ++i)
        memory->next[i] = memory->lines[memory->changing[i]].hidden ? 0 : string[i];
    while (count > 0 && memory->next[count - 1] == 0)
        --count;
    return interned_add(&memory->strings, memory->next, (uint32_t)(count * sizeof *memory->next));
}

void memory_begin(struct memory *memory, const struct machine_region *ignored, size_t ignored_count)
{
    *memory = (struct memory){.ignored = ignored, .ignored_count = ignored_count};
    interned_add(&memory->strings, "", 0);
}

void memory_restart(struct memory *memory)
{
    memory_undo(memory);
    memory_load(memory, 0);
    for (uint32_t i = 0; i < memory->changing_count; ++i)
        memory->lines[memory->changing[i]].slot = MEMORY_NEVER;
    memory->changing_count = 0;
    memory->outdated = false;
    interned_clear(&memory->contents);
    interned_clear(&memory->strings);
    interned_add(&memory->strings, "", 0);
}

void memory_fini(struct memory *memory)
{
    free(memory->lines);
    free(memory->slots);
    free(memory->changing);
    free(memory->loaded);
    free(memory->next);
    free(memory->touched);
    interned_fini(&memory->contents);
    interned_fini(&memory->strings);
    *memory = (struct memory){0};
}

size_t memory_size(const struct memory *memory)
{
    return interned_size(&memory->contents) + interned_size(&memory->strings) +
           memory->line_count * sizeof *memory->lines;
}

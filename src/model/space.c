#include "model/space.h"

#include "base/alloc.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    ALIGNMENT = 128,
    LOCAL_GAP = 512, /* behind a group's memory: what is too large for that is likely to end there */
    UNWRITTEN = 0xa5,
    DENSE_BYTES = 4096, /* of a stack: of a larger one most may never be used */
};

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* --- regions --- */

static void add_region(struct space *space, const struct machine_region *region)
{
    if (region->bytes == 0)
        return;
    GROW(space->regions, space->region_count);
    space->regions[space->region_count++] = *region;
}

/* What the program's file was loaded to: its constants are there. */
static int add_object(struct dl_phdr_info *info, size_t size, void *context)
{
    struct space *space = context;
    const uintptr_t image = (uintptr_t)space->launch->image;
    bool holds = false;

    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        holds = holds || (part->p_type == PT_LOAD && image - (info->dlpi_addr + part->p_vaddr) < part->p_memsz);
    }
    for (unsigned i = 0; holds && i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD)
            continue;
        const uintptr_t from = info->dlpi_addr + part->p_vaddr;
        add_region(space,
                   &(struct machine_region){.base = (void *)((const char *)space->launch->image + (from - image)),
                                            .bytes = part->p_memsz,
                                            .read_only = true});
        space->object = info->dlpi_addr;
        space->object_end = info->dlpi_addr + part->p_vaddr + part->p_memsz; /* parts are in order */
    }
    return holds;
}

static bool holds(const struct machine_region *region, const volatile void *at, size_t bytes, bool writes)
{
    const uintptr_t from = (uintptr_t)at - (uintptr_t)region->base;
    return from < region->bytes && bytes <= region->bytes - from && !(writes && region->read_only);
}

static bool is_within(const void *base, size_t size, const volatile void *at, size_t bytes)
{
    const uintptr_t from = (uintptr_t)at - (uintptr_t)base;
    return from < size && bytes <= size - from;
}

/* Local memory, of which some lies between what belongs to the kernel's variables and to its arguments. */
static bool is_of_group(const struct space *space, const struct space_place *place, const volatile void *at,
                        size_t bytes)
{
    const struct machine_launch *launch = space->launch;
    const unsigned char *local = place->local + aligned(launch->kernel->local_bytes);

    if (is_within(place->local, launch->kernel->local_bytes, at, bytes))
        return true;
    for (unsigned i = 0; i < launch->kernel->argument_count; local += aligned(launch->local_bytes[i++]))
        if (is_within(local, launch->local_bytes[i], at, bytes))
            return true;
    return false;
}

bool space_allows(struct space *space, const struct space_place *place, const volatile void *at, size_t bytes,
                  bool writes)
{
    if (space->last != NULL && holds(space->last, at, bytes, writes))
        return true;
    if (is_within(place->local, space->local_bytes + LOCAL_GAP, at, 1))
        return is_of_group(space, place, at, bytes);
    if (is_within(place->scratch, (size_t)space->items * SPACE_SCRATCH, at, bytes))
        return true;
    for (size_t i = 0; i < space->region_count; ++i)
        if (holds(&space->regions[i], at, bytes, writes)) {
            space->last = &space->regions[i];
            return true;
        }
    return false;
}

unsigned space_kind(const struct space *space, const struct space_place *place, const volatile void *at)
{
    if (is_within(place->local, space->local_bytes, at, 1))
        return GL_SPACE_LOCAL;
    return is_within(space->memory, space->memory_bytes, at, 1) ? GL_SPACE_PRIVATE : GL_SPACE_GLOBAL;
}

/* Where it is kept which of these bytes were written; NULL: all of them have a value. */
static unsigned char *marks_of(const struct space *space, const struct space_place *place, const volatile void *at,
                               size_t bytes)
{
    if (is_within(place->local, space->local_bytes, at, bytes))
        return place->written == NULL ? NULL : place->written + ((uintptr_t)at - (uintptr_t)place->local);
    for (size_t i = 0; i < space->region_count; ++i)
        if (space->regions[i].written != NULL && holds(&space->regions[i], at, bytes, false))
            return space->regions[i].written + ((uintptr_t)at - (uintptr_t)space->regions[i].base);
    return NULL;
}

bool space_has_value(const struct space *space, const struct space_place *place, const volatile void *at, size_t bytes,
                     uint32_t how)
{
    unsigned char *marks = marks_of(space, place, at, bytes);
    const uint32_t kind = GL_HOW_KIND(how);

    if (marks == NULL)
        return true;
    if (kind != GL_HOW_STORE && (how & GL_HOW_BLIND) == 0 && memchr(marks, 1, bytes) == NULL)
        return false;
    if (kind != GL_HOW_LOAD)
        memset(marks, 1, bytes);
    return true;
}

/* --- places --- */

/* That of the launch before, if it is enough: to get so much takes longer than a launch. NULL: there is none. */
static unsigned char *get_memory(size_t bytes)
{
    static unsigned char *kept;
    static size_t kept_bytes;

    if (bytes <= kept_bytes)
        return kept;
    if (kept != NULL)
        munmap(kept, kept_bytes);
    kept = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    kept = kept == MAP_FAILED ? NULL : kept;
    kept_bytes = kept == NULL ? 0 : bytes;
    return kept;
}

/* Whoever goes on next is far from the one before: larger pages are found sooner. Without them it goes as well. */
static void choose_pages(const struct space *space)
{
    const bool dense = space->stack_bytes <= DENSE_BYTES;
    (void)madvise(space->memory, space->memory_bytes, dense ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
}

static size_t local_bytes(const struct machine_launch *launch)
{
    size_t bytes = aligned(launch->kernel->local_bytes);

    for (unsigned i = 0; i < launch->kernel->argument_count; ++i)
        bytes += aligned(launch->local_bytes[i]);
    return bytes;
}

int space_begin(struct space *space, const struct machine_launch *launch, uint32_t places, size_t most,
                struct error *error)
{
    const struct gl_image *image = launch->image;
    const unsigned count = launch->kernel->argument_count;

    *space = (struct space){.launch = launch, .places = places};
    space->items = (uint32_t)(launch->local[0] * launch->local[1] * launch->local[2]);
    space->stack_bytes = aligned(image->stack_bytes);
    space->local_bytes = local_bytes(launch);
    space->written_bytes = launch->device.reads == MODEL_READS_WRITTEN ? space->local_bytes : 0;
    space->place_bytes = space->items * (space->stack_bytes + SPACE_SCRATCH) + space->local_bytes + LOCAL_GAP +
                         space->written_bytes + aligned(2 * count * sizeof(void *));
    space->memory_bytes = places * space->place_bytes;
    for (size_t i = 0; i < launch->region_count; ++i)
        add_region(space, &launch->regions[i]);
    add_region(space, &(struct machine_region){.base = image->variables, .bytes = image->variable_bytes});
    dl_iterate_phdr(add_object, space);
    if (space->memory_bytes <= most && (space->memory = get_memory(space->memory_bytes)) != NULL) {
        choose_pages(space);
        return 0;
    }
    return error_set(error, STATUS_UNSUPPORTED,
                     "%u groups of %u work-items at a time need %zu MiB of memory: half of the machine's is %zu MiB",
                     places, space->items, space->memory_bytes >> 20, most >> 20);
}

void space_end(struct space *space)
{
    free(space->regions);
    *space = (struct space){0};
}

struct space_place space_place(const struct space *space, uint32_t place)
{
    unsigned char *at = space->memory + place * space->place_bytes;
    struct space_place parts = {.local = at};

    at += space->local_bytes + LOCAL_GAP;
    parts.written = space->written_bytes > 0 ? at : NULL;
    at += space->written_bytes;
    parts.arguments = (void **)at;
    parts.pointers = parts.arguments + space->launch->kernel->argument_count;
    at += aligned(2 * space->launch->kernel->argument_count * sizeof(void *));
    parts.scratch = at;
    parts.stacks = at + (size_t)space->items * SPACE_SCRATCH;
    return parts;
}

void space_enter(const struct space *space, const struct space_place *place)
{
    const struct machine_launch *launch = space->launch;
    unsigned char *local = place->local + aligned(launch->kernel->local_bytes);

    memset(place->local, UNWRITTEN, space->local_bytes);
    if (place->written != NULL)
        memset(place->written, 0, space->written_bytes);
    for (unsigned i = 0; i < launch->kernel->argument_count; ++i) {
        place->arguments[i] = (void *)launch->arguments[i];
        if (launch->local_bytes[i] == 0)
            continue;
        place->pointers[i] = local;
        place->arguments[i] = &place->pointers[i];
        local += aligned(launch->local_bytes[i]);
    }
}

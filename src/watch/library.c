#include "watch/library.h"

#include "base/alloc.h"

#include <ctype.h>
#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_MIB = 512 };

/* --- its sections --- */

/* Programs of another kind of machine have nothing to do with the door. */
struct sections {
    int file;
    Elf64_Shdr *items;
    size_t count;
};

/* `size` bytes of the file, with a 0 behind them; NULL: it has not so many. */
static void *read_part(int file, uint64_t offset, uint64_t size)
{
    char *part = size <= (uint64_t)MOST_MIB << 20 ? malloc(size + 1) : NULL;

    if (part == NULL || pread(file, part, size, (off_t)offset) != (ssize_t)size) {
        free(part);
        return NULL;
    }
    part[size] = '\0';
    return part;
}

static void read_sections(struct sections *sections, const char *path)
{
    Elf64_Ehdr head;

    *sections = (struct sections){.file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (sections->file < 0 || pread(sections->file, &head, sizeof head, 0) != (ssize_t)sizeof head ||
        memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64 ||
        head.e_shentsize != sizeof *sections->items)
        return;
    sections->items = read_part(sections->file, head.e_shoff, (uint64_t)head.e_shnum * head.e_shentsize);
    sections->count = sections->items != NULL ? head.e_shnum : 0;
}

/* A section of items that have names. */
struct table {
    void *items; /* NULL: there is none */
    char *names;
    uint64_t size, length; /* of both */
};

static struct table read_table(const struct sections *sections, uint32_t type)
{
    struct table table = {.items = NULL};

    for (size_t i = 0; i < sections->count && table.items == NULL; ++i) {
        const Elf64_Shdr *section = &sections->items[i];
        if (section->sh_type != type || section->sh_link >= sections->count)
            continue;
        const Elf64_Shdr *strings = &sections->items[section->sh_link];
        table.names = read_part(sections->file, strings->sh_offset, strings->sh_size);
        table.items = table.names != NULL ? read_part(sections->file, section->sh_offset, section->sh_size) : NULL;
        table.size = section->sh_size;
        table.length = strings->sh_size;
        if (table.items == NULL)
            free(table.names);
    }
    return table;
}

static void table_fini(const struct table *table)
{
    if (table->items != NULL)
        free(table->names);
    free(table->items);
}

/* --- what it has to do with OpenCL --- */

/* "clFinish", or with something before it, as drivers call their own. */
static bool is_function(const char *name)
{
    const char *place = strncmp(name, "_Z", 2) != 0 ? strstr(name, "cl") : NULL;

    return place != NULL && isupper((unsigned char)place[2]);
}

/* What loaders ask a driver for, by its name or by another function. */
static const char asked_for[] = "clIcdGetPlatformIDsKHR";

struct names {
    bool offers, calls;
};

static void take_name(struct names *seen, const char *name, bool defined)
{
    if (!defined)
        seen->calls = seen->calls || is_function(name);
    else if (strcmp(name, "clGetExtensionFunctionAddress") == 0 || strcmp(name, asked_for) == 0)
        seen->offers = true;
}

static void read_names(struct names *seen, const struct sections *sections)
{
    const struct table table = read_table(sections, SHT_DYNSYM);
    const Elf64_Sym *symbols = table.items;

    for (size_t i = 0; symbols != NULL && i < table.size / sizeof *symbols; ++i)
        if (symbols[i].st_name < table.length)
            take_name(seen, table.names + symbols[i].st_name, symbols[i].st_shndx != SHN_UNDEF);
    table_fini(&table);
}

static void read_links(struct library *library, const struct sections *sections)
{
    const struct table table = read_table(sections, SHT_DYNAMIC);
    const Elf64_Dyn *entries = table.items;
    FILE *out = xopen_memstream(&library->linked, NULL);

    for (size_t i = 0; entries != NULL && i < table.size / sizeof *entries; ++i) {
        const char *name = entries[i].d_un.d_val < table.length ? table.names + entries[i].d_un.d_val : NULL;
        if (name != NULL && entries[i].d_tag == DT_NEEDED)
            fprintf(out, "%s\n", name);
        else if (name != NULL && entries[i].d_tag == DT_SONAME && library->name == NULL)
            library->name = xstrdup(name);
    }
    xclose_memstream(out, &library->linked);
    table_fini(&table);
}

static bool has(const char *bytes, off_t size, const char *word)
{
    return memmem(bytes, (size_t)size, word, strlen(word)) != NULL;
}

/* Loaders name the variables and the folder that say where drivers are. */
static void read_words(struct library *library, int file, enum door door)
{
    static const char *const variables[] = {[DOOR_DRIVER] = "OCL_ICD_VENDORS", [DOOR_LAYER] = "OPENCL_LAYERS"};
    const off_t size = lseek(file, 0, SEEK_END);
    char *bytes = size > 0 ? read_part(file, 0, (uint64_t)size) : NULL;

    if (bytes == NULL)
        return;
    library->leads = has(bytes, size, variables[door]);
    library->finds_drivers = library->leads || has(bytes, size, "OpenCL/vendors");
    library->may_hand_on = !library->finds_drivers && !has(bytes, size, asked_for);
    free(bytes);
}

/* A loader inside of a program or of another library has its name in the data, though none of its functions shows. */
static bool knows_name(const struct sections *sections)
{
    bool found = false;

    for (size_t i = 0; i < sections->count && !found; ++i) {
        const Elf64_Shdr *section = &sections->items[i];
        if (section->sh_type != SHT_PROGBITS || (section->sh_flags & (SHF_ALLOC | SHF_EXECINSTR)) != SHF_ALLOC)
            continue;
        char *bytes = read_part(sections->file, section->sh_offset, section->sh_size);
        found = bytes != NULL && has(bytes, (off_t)section->sh_size, asked_for);
        free(bytes);
    }
    return found;
}

void library_read(struct library *library, const char *path, enum door door)
{
    struct sections sections;
    struct names seen = {0};

    *library = (struct library){.name = NULL};
    read_sections(&sections, path);
    read_names(&seen, &sections);
    library->offers = seen.offers;
    if (seen.offers || seen.calls)
        read_links(library, &sections);
    if (seen.offers)
        read_words(library, sections.file, door);
    else if (door == DOOR_LAYER)
        library->asks = knows_name(&sections);
    if (!seen.calls) {
        free(library->linked);
        library->linked = NULL;
    }
    free(sections.items);
    if (sections.file >= 0)
        close(sections.file);
}

bool library_calls(const struct library *caller, const struct library *called)
{
    const size_t length = called->name != NULL ? strlen(called->name) : 0;

    for (const char *name = length > 0 ? caller->linked : NULL; name != NULL && *name != '\0';) {
        const size_t found = strcspn(name, "\n");
        if (found == length && strncmp(name, called->name, length) == 0)
            return true;
        name += found + 1;
    }
    return false;
}

void library_fini(struct library *library)
{
    free(library->name);
    free(library->linked);
}

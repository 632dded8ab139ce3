#include "model/stack.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>

enum { ADDRESS_BYTES = 8, CALL_BYTES = 16 };

/* Each entry is a function's address and, seven bits a byte, its frame. */
static size_t sum_of(const unsigned char *at, const unsigned char *end)
{
    size_t sum = 0;

    while (end - at > ADDRESS_BYTES) {
        size_t frame = 0;
        unsigned shift = 0;
        at += ADDRESS_BYTES;
        do
            frame |= (size_t)(*at & 0x7f) << shift;
        while ((shift += 7) < 63 && (*at++ & 0x80) != 0 && at < end);
        sum += frame + CALL_BYTES;
    }
    return sum;
}

static size_t sum_of_sections(const unsigned char *file, size_t length)
{
    Elf64_Ehdr header;
    Elf64_Shdr section, names;
    size_t sum = 0;

    memcpy(&header, file, sizeof header);
    if (header.e_shoff + (size_t)header.e_shnum * sizeof section > length || header.e_shstrndx >= header.e_shnum)
        return 0;
    memcpy(&names, file + header.e_shoff + header.e_shstrndx * sizeof names, sizeof names);
    for (unsigned i = 0; i < header.e_shnum; ++i) {
        memcpy(&section, file + header.e_shoff + i * sizeof section, sizeof section);
        const size_t name = names.sh_offset + section.sh_name;
        if (name + sizeof ".stack_sizes" <= length && section.sh_offset + section.sh_size <= length &&
            strcmp((const char *)file + name, ".stack_sizes") == 0)
            sum += sum_of(file + section.sh_offset, file + section.sh_offset + section.sh_size);
    }
    return sum;
}

size_t stack_of_file(const char *file, size_t length)
{
    return length >= sizeof(Elf64_Ehdr) ? sum_of_sections((const unsigned char *)file, length) : 0;
}

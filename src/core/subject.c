#include "core/subject.h"

#include "base/tally.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

NAMING_DEFINE(entry_way, enum entry_way, ENTRY_COUNT, "none", "call", "insert");

NAMING_DEFINE(subject_bound, enum subject_bound, BOUND_COUNT, "exact", "at-least", "at-most", "unlike");

const char *subject_text_words(enum subject_text text)
{
    static const char *const words[] = {
        "",
        "your file as it is",
        "your file and a kernel of gridlock's that asks for the sizes of its types",
        "your file and a kernel of gridlock's that calls yours",
        "your file with text of gridlock's put into it",
    };
    _Static_assert(sizeof words / sizeof *words == TEXT_COUNT, "each has words");
    return words[(size_t)text < TEXT_COUNT ? text : TEXT_NONE];
}

enum subject_text subject_text_of(enum entry_way way)
{
    return way == ENTRY_CALL ? TEXT_CALL : way == ENTRY_INSERT ? TEXT_INSERT : TEXT_AS_IS;
}

void subject_tried_parts(const struct subject_tried *tried, const char *parts[TRIED_PARTS])
{
    parts[0] = tried->text;
    parts[1] = tried->options;
    parts[2] = tried->kernel;
    parts[3] = tried->arguments;
}

bool subject_tried_read(struct subject_tried *tried, const char *bytes, size_t size)
{
    const char *parts[TRIED_PARTS], *at = bytes;

    *tried = (struct subject_tried){.text = NULL};
    for (size_t i = 0; i < TRIED_PARTS; ++i) {
        const char *end = memchr(at, '\0', size - (size_t)(at - bytes));
        if (end == NULL)
            return false;
        parts[i] = at;
        at = end + 1;
    }
    if (at == bytes + size)
        *tried = (struct subject_tried){parts[0], parts[1], parts[2], parts[3]};
    return tried->text != NULL;
}

/* The one occupies no less than the other in anything. */
static bool covers(const struct kernel_facts *larger, const struct kernel_facts *smaller)
{
    return larger->registers != REGISTERS_UNTOLD && smaller->registers != REGISTERS_UNTOLD &&
           larger->local_bytes >= smaller->local_bytes && larger->private_bytes >= smaller->private_bytes &&
           larger->most_items <= smaller->most_items &&
           subject_register_lots(larger->registers) >= subject_register_lots(smaller->registers);
}

uint32_t subject_registers_of(const char *log, const char *name)
{
    static const char any[] = "entry function '";
    char entry[SUBJECT_KERNEL + sizeof any + 1];

    if (log == NULL || strstr(log, any) == NULL)
        return 0;
    snprintf(entry, sizeof entry, "%s%s'", any, name);
    const char *at = strstr(log, entry);
    const char *next = at != NULL ? strstr(at + 1, any) : NULL;
    const char *used = at != NULL ? strstr(at, "Used ") : NULL;
    if (used == NULL || (next != NULL && used > next))
        return REGISTERS_UNTOLD;
    return (uint32_t)strtoul(used + strlen("Used "), NULL, 10);
}

uint32_t subject_register_lots(uint32_t registers)
{
    enum { LOT = 256, WIDTH = 32 };
    return registers == REGISTERS_UNTOLD ? 0 : (registers * WIDTH + LOT - 1) / LOT;
}

enum subject_bound subject_bound(const struct kernel_facts *original, const struct kernel_facts *measured)
{
    const bool more = covers(measured, original), less = covers(original, measured);
    return more && less ? BOUND_EXACT : more ? BOUND_AT_LEAST : less ? BOUND_AT_MOST : BOUND_UNLIKE;
}

enum subject_bound subject_bound_of(const struct subject_facts *facts)
{
    return subject_bound(&facts->original, &facts->measured);
}

const char *subject_bound_words(enum subject_bound bound)
{
    static const char *const words[BOUND_COUNT] = {"", "at least ", "at most ", "about "};
    return words[bound];
}

bool subject_equal(const struct subject *a, const struct subject *b)
{
    return strcmp(a->file, b->file) == 0 && strcmp(a->options, b->options) == 0 && strcmp(a->kernel, b->kernel) == 0 &&
           strcmp(a->locals, b->locals) == 0 && a->shape.dimensions == b->shape.dimensions &&
           memcmp(a->shape.local, b->shape.local, sizeof a->shape.local) == 0;
}

/* FNV-1a. */
static uint32_t digest(uint32_t sum, const char *text)
{
    for (; *text != '\0'; ++text)
        sum = (sum ^ (unsigned char)*text) * 16777619u;
    return sum;
}

void subject_print(const struct subject *subject, char *text, size_t size)
{
    const char *slash = strrchr(subject->file, '/');
    const char *name = slash != NULL ? slash + 1 : subject->file;
    const char *const parts[] = {name, subject->kernel, subject->options, subject->locals};
    uint32_t sum = 2166136261u;
    char shape[SHAPE_BYTES];

    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
        sum = digest(sum, parts[i]);
    nd_range_print_shape(&subject->shape, shape);
    snprintf(text, size, "%.64s:%.80s/l%s-%08" PRIx32, name, subject->kernel, shape, sum);
}

uint64_t subject_hash_options(const char *options)
{
    char words[SUBJECT_OPTIONS] = "";
    size_t length = 0;

    for (const char *at = options; *at != '\0' && length + 1 < sizeof words; ++at)
        if (!isspace((unsigned char)*at) || (length > 0 && at[1] != '\0' && !isspace((unsigned char)at[1])))
            words[length++] = isspace((unsigned char)*at) ? ' ' : *at;
    return tally_hash_bytes(words, length);
}

/* Copies options of a build without the words that are this one. */
static void leave_out(const char *options, const char *word, char rest[SUBJECT_OPTIONS])
{
    const size_t size = strlen(word);
    size_t length = 0;

    for (const char *at = options; *at != '\0' && length + 1 < SUBJECT_OPTIONS;) {
        const size_t blank = strspn(at, " "), next = strcspn(at + blank, " ");
        const bool is_it = next == size && strncmp(at + blank, word, size) == 0;
        for (size_t i = 0; !is_it && i < blank + next && length + 1 < SUBJECT_OPTIONS; ++i)
            rest[length++] = at[i];
        at += blank + next;
    }
    rest[length] = '\0';
}

bool subject_same_options(const char *a, const char *b)
{
    static const char unbounded[] = "-DGL_UNBOUNDED";
    char one[SUBJECT_OPTIONS], other[SUBJECT_OPTIONS];

    leave_out(a, unbounded, one);
    leave_out(b, unbounded, other);
    return subject_hash_options(one) == subject_hash_options(other);
}

uint64_t subject_local_bytes(const struct subject *subject, uint32_t argument)
{
    for (const char *at = subject->locals; *at != '\0';) {
        char *end;
        const unsigned long number = strtoul(at, &end, 10);
        const unsigned long bytes = *end == '=' ? strtoul(end + 1, &end, 10) : 0;
        if (number == argument)
            return bytes;
        at = end + (*end == ',');
        if (*end != ',' && *end != '\0')
            break;
    }
    return 0;
}

#include "model/mangled.h"

#include "model/ir_unused.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { SEEN_MOST = 32 };

struct reading {
    const char *at;
    struct mangled_type seen[SEEN_MOST]; /* types that the rest may name by number */
    size_t seen_count;
};

static bool take(struct reading *reading, const char *word)
{
    const size_t length = strlen(word);

    if (strncmp(reading->at, word, length) != 0)
        return false;
    reading->at += length;
    return true;
}

/* "6CLglobal": a length and a name. */
static bool take_name(struct reading *reading, const char **name, size_t *length)
{
    char *end;
    *length = strtoul(reading->at, &end, 10);
    *name = end;
    if (!isdigit((unsigned char)*reading->at) || strnlen(end, *length) < *length)
        return false;
    reading->at = end + *length;
    return true;
}

static bool remember(struct reading *reading, const struct mangled_type *type)
{
    if (reading->seen_count == SEEN_MOST)
        return false;
    reading->seen[reading->seen_count++] = *type;
    return true;
}

/* Behind 'S': "_" is the first, "0_" the second, "A_" the twelfth. */
static bool seen(struct reading *reading, struct mangled_type *type)
{
    size_t number = 0;

    for (; isdigit((unsigned char)*reading->at) || isupper((unsigned char)*reading->at); ++reading->at) {
        const int digit = isdigit((unsigned char)*reading->at) ? *reading->at - '0' : *reading->at - 'A' + 10;
        number = number == 0 ? (size_t)digit + 1 : number * 36 + (size_t)digit;
    }
    if (!take(reading, "_") || number >= reading->seen_count)
        return false;
    *type = reading->seen[number];
    return true;
}

static bool letter(struct reading *reading, struct mangled_type *type)
{
    static const struct {
        const char *code, *name;
    } known[] = {{"c", "char"},  {"a", "char"},   {"h", "uchar"}, {"s", "short"}, {"t", "ushort"},
                 {"i", "int"},   {"j", "uint"},   {"l", "long"},  {"m", "ulong"}, {"Dh", "half"},
                 {"f", "float"}, {"d", "double"}, {"v", "void"},  {"b", "bool"}};

    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        if (take(reading, known[i].code)) {
            *type = (struct mangled_type){.element = known[i].name, .width = 1};
            return true;
        }
    return false;
}

static bool read_type(struct reading *reading, struct mangled_type *type);

/* Address spaces and "const" go with the type behind them; _Atomic is a type of its own. */
static bool qualified(struct reading *reading, struct mangled_type *type)
{
    const char *name = "";
    size_t length = 0;
    bool global = false;

    while (strncmp(reading->at, "U7_Atomic", 9) != 0)
        if (take(reading, "U")) {
            if (!take_name(reading, &name, &length))
                return false;
            global = global || (length == 8 && memcmp(name, "CLglobal", length) == 0);
        } else if (!take(reading, "V") && !take(reading, "K") && !take(reading, "r")) {
            break;
        }
    if (!take(reading, "U7_Atomic") ? !read_type(reading, type) : !read_type(reading, type) || !remember(reading, type))
        return false;
    type->global = type->global || global;
    return true;
}

/* What has a name of its own; its element is NULL if it is not known. */
static struct mangled_type named(const char *name, size_t length)
{
    static const struct {
        const char *part, *element;
    } known[] = {{"memory_", "int"},      {"ocl_event", "event_t"},     {"ocl_sampler", "gl_sampler"},
                 {"_depth_", "gl_depth"}, {"ocl_image3d", "gl_volume"}, {"ocl_image", "gl_picture"}};
    struct mangled_type type = {.width = 1};

    for (size_t i = 0; i < sizeof known / sizeof *known && type.element == NULL; ++i)
        if (memmem(name, length, known[i].part, strlen(known[i].part)) != NULL)
            type.element = known[i].element;
    return type;
}

static bool read_type(struct reading *reading, struct mangled_type *type)
{
    const char *name;
    size_t length;

    if (take(reading, "S"))
        return seen(reading, type);
    if (take(reading, "P")) {
        if (!read_type(reading, type) || type->pointer)
            return false;
        type->pointer = true;
    } else if (take(reading, "Dv")) {
        char *end;
        const unsigned long width = strtoul(reading->at, &end, 10);
        reading->at = end;
        if (!take(reading, "_") || !letter(reading, type) || width < 2 || width > 16)
            return false;
        type->width = (unsigned)width;
    } else if (strchr("UVKr", *reading->at) != NULL && *reading->at != '\0') {
        const bool plain_atomic = strncmp(reading->at, "U7_Atomic", 9) == 0;
        if (!qualified(reading, type))
            return false;
        if (plain_atomic)
            return true; /* it has been remembered */
    } else if (isdigit((unsigned char)*reading->at)) {
        if (!take_name(reading, &name, &length) || (*type = named(name, length)).element == NULL)
            return false;
    } else {
        return letter(reading, type);
    }
    return remember(reading, type);
}

bool mangled_read(const char *symbol, struct mangled *mangled)
{
    struct reading reading = {.at = symbol};
    const char *name;
    size_t length;

    *mangled = (struct mangled){.parameter_count = 0};
    if (!take(&reading, "_Z") || !take_name(&reading, &name, &length) || length >= sizeof mangled->name)
        return false;
    memcpy(mangled->name, name, length);
    if (strcmp(reading.at, "v") == 0)
        return true;
    while (*reading.at != '\0' && strcmp(reading.at, IR_UNUSED) != 0)
        if (mangled->parameter_count == MANGLED_PARAMETERS ||
            !read_type(&reading, &mangled->parameters[mangled->parameter_count++]))
            return false;
    mangled->is_unused = *reading.at != '\0';
    return true;
}

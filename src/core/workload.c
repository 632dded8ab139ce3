#include "core/workload.h"

#include <string.h>

static const char *const elements[ELEMENT_COUNT] = {"uint", "int", "long", "ulong", "float"};
static const char *const fills[FILL_COUNT] = {"zero", "ones", "index", "seeded"};
static const char *const operations[OPERATION_COUNT] = {"sum", "product", "min", "max"};

static int find(const char *const *names, int count, const char *name)
{
    for (int i = 0; i < count; ++i)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

uint64_t element_bytes(enum element element)
{
    return element == ELEMENT_LONG || element == ELEMENT_ULONG ? 8 : 4;
}

int element_find(const char *name)
{
    return find(elements, ELEMENT_COUNT, name);
}

int fill_find(const char *name)
{
    return find(fills, FILL_COUNT, name);
}

int operation_find(const char *name)
{
    return find(operations, OPERATION_COUNT, name);
}

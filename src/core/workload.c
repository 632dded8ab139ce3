#include "core/workload.h"

const struct naming element_naming = NAMING("uint", "int", "long", "ulong", "float");
const struct naming fill_naming = NAMING("zero", "ones", "index", "seeded");
const struct naming operation_naming = NAMING("sum", "product", "min", "max");

uint64_t element_bytes(enum element element)
{
    return element == ELEMENT_LONG || element == ELEMENT_ULONG ? 8 : 4;
}

bool term_is_whole(const struct term *term)
{
    return term->kind >= TERM_REGION;
}

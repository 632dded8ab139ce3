#include "core/median.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

uint32_t median_of_known(uint32_t *values, size_t count)
{
    size_t known = 0;

    for (size_t i = 0; i < count; ++i)
        if (values[i] != 0)
            values[known++] = values[i];
    if (known == 0)
        return 0;
    qsort(values, known, sizeof *values, compare);
    return values[(known - 1) / 2];
}

/* Medians of what was measured many times in one launch. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The median of those values that are not 0, the lower one of two; 0: there are none. Changes their order. */
uint32_t median_of_known(uint32_t *values, size_t count);

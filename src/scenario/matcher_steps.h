/* What an expression is compiled to: internal to the files matcher*.c. */
#pragma once

#include "scenario/matcher.h"

/* A step continues with the one behind it, a jump with the one at that distance, a fork with both. */
enum step_kind { STEP_BYTE, STEP_SET, STEP_JUMP, STEP_FORK, STEP_PLACE, STEP_END };
struct matcher_step {
    uint8_t kind;
    uint8_t byte; /* or which place */
    int32_t to;   /* distance, or index of a set */
};

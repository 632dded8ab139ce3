/* What must be known of an instruction of x86-64 before it is executed for somebody else. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { INSTRUCTION_BYTES_MOST = 15 };

/* It enters the system. */
bool instruction_is_call(const uint8_t *code, size_t count);

/*
 * Its result may be another one the next time, although memory and registers are the same: it reads a clock, a random
 * number, which processor this is, or begins a transaction.
 */
bool instruction_is_chance(const uint8_t *code, size_t count);

/* Answers whether what stands before an address, `count` bytes, ends with a call. */
bool instruction_was_call(const uint8_t *before, size_t count);

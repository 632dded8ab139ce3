/*
 * What kernels are built with and can do without. A compiler or a launch that dies with such parts is tried again
 * without them, and what was left out is told: answers take longer without them, or say less beside, but stay answers.
 */
#pragma once

#include "core/naming.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order in which they are left out: each together with those before it. A set of them has bit P for part P. */
enum optional {
    OPTIONAL_LOOPS, /* the loops that PoCL makes of a group's work-items; without them POCL_WORK_GROUP_METHOD is cbs */
    OPTIONAL_YIELD, /* sched_yield from inside a kernel */
    OPTIONAL_REGISTERS, /* the option by which NVIDIA's compiler tells of registers */
    OPTIONAL_HINTS,     /* attributes that say what is to be inlined or unrolled */
    OPTIONAL_DIALECT,   /* the best dialect where none is asked for; without it, the plainest that works */
    OPTIONAL_ARGUMENTS, /* the option by which drivers tell of a kernel's arguments */
    OPTIONAL_COUNT,
};
enum { OPTIONAL_TEXT = 64, OPTIONAL_WORDS = 384, OPTIONAL_NOTES = 256 };

/* PoCL reads this of the environment whenever it compiles. */
#define POCL_METHOD "POCL_WORK_GROUP_METHOD"

#define OPTIONAL_BIT(part) (UINT32_C(1) << (part))

NAMING_DECLARE(optional, enum optional);

/* "yield, hints"; "" is no part. */
void optional_print(uint32_t parts, char text[OPTIONAL_TEXT]);

/* For readers: "calls of sched_yield (yield), hints to the compiler (hints)". */
void optional_say(uint32_t parts, char text[OPTIONAL_WORDS]);

/* Reads what optional_print has written; what has no name is left out. */
uint32_t optional_parse(const char *text);

/* What is left out next, of those that may be and beside those that are; the same set if there is no more. */
uint32_t optional_next(uint32_t may, uint32_t left_out);

/*
 * Notes say what is left out of groups of so many work-items: "64: yield; 256: yield, hints"; for 0, of files of the
 * user's before any size is known. A zeroed text has none. One for which there is no room is not taken.
 */
uint32_t optional_noted(const char *notes, uint64_t items);

/* Takes the next note off *notes; returns false at the end. */
bool optional_walk(const char **notes, uint64_t *items, uint32_t *parts);

void optional_note(char notes[OPTIONAL_NOTES], uint64_t items, uint32_t parts);

/* "WORDS in groups of 64 work-items; ...", as optional_say has them; "" if there are no notes. */
enum { OPTIONAL_DESCRIBED = 2048 };
void optional_describe(const char *notes, char *text, size_t size);

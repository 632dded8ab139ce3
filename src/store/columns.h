/*
 * What rows of columns are made of (columns_*.c): a row names the column, says where its value is in the struct, when
 * it is NULL, and what it means. The tables of a run file are made of that (schema.c), and so are all statements.
 */
#pragma once

#include "store/internal.h"

/* The members of a row need no evaluation: only their types, sizes and places matter. */
#define MEMBER(type, member) (((type *)0)->member)
#define KIND_OF(expression)                                                                                            \
    _Generic((expression),                                                                                             \
        bool: KIND_BOOL,                                                                                               \
        uint8_t: KIND_U8,                                                                                              \
        uint16_t: KIND_U16,                                                                                            \
        int32_t: KIND_I32,                                                                                             \
        uint32_t: KIND_U32,                                                                                            \
        int64_t: KIND_I64,                                                                                             \
        uint64_t: KIND_U64,                                                                                            \
        char *: KIND_CHARS,                                                                                            \
        const char *: KIND_STRING,                                                                                     \
        struct words: KIND_WORDS,                                                                                      \
        struct whole: KIND_RATE)
#define PLACE(type, member) .offset = offsetof(type, member), .size = sizeof MEMBER(type, member)
#define COLUMN(type, column, member) .name = (column), .kind = KIND_OF(MEMBER(type, member)), PLACE(type, member)
#define NAMED(type, column, member, names)                                                                             \
    .name = (column), .kind = KIND_NAME, .naming = &names##_naming, PLACE(type, member)
#define SET(type, column, member, names)                                                                               \
    .name = (column), .kind = KIND_SET, .naming = &names##_naming, PLACE(type, member)
/* JSON has it under its name, or under the key that .key gives it. */
#define IN_JSON .shown = SHOWN_IN_JSON
#define IN_POINTS .shown = SHOWN_IN_POINTS
#define TABLE(title, list) .name = (title), .columns = (list), .count = sizeof(list) / sizeof *(list)

/* A member of KIND_NAME is read and written as an int. */
_Static_assert(sizeof(enum verdict) == sizeof(int) && sizeof(enum dialect) == sizeof(int), "enums are as wide as int");

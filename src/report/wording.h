/* Parts of sentences about the groups of a board. Texts have room for `size` bytes; what does not fit is cut. */
#pragma once

#include "core/text.h"
#include "judge/grouping.h"
#include "report/evidence.h"

enum { WORDING_WORD = WORD_NAME };

/*
 * The cause as it is told. A driver that ends loops leaves room for a short fuse alone, so that a group may spend it
 * before others had their turn to start: "slow but progressing" then says too much.
 */
enum cause wording_cause(const struct device_probe *probe, enum cause cause);

/* "group 3", "groups 0-7, 9 and 40 more". */
void wording_groups(const struct group_class *class, char *text, size_t size);

/* "wait in round 2 until word 3 of the kernel reaches 8; it is 5"; what the groups of a class do. */
void wording_class(const struct evidence *evidence, const struct group_class *class, char *text, size_t size);

/* "fork 3", or "word 3 of the kernel" where it has no name: a word of the board; at most WORDING_WORD bytes. */
void wording_word(const struct evidence *evidence, uint32_t word, char *text, size_t size);

/* Until what a wait lasts; of GL_UNTIL_*, and of what else a board may have. */
struct until {
    const char *name; /* "reached", "equal" or "different" */
    const char *is;   /* until the word "reaches" the value */
    const char *must; /* and it must "reach" that */
};
const struct until *wording_until(uint32_t kind);

/* Whom a wait is for; of GL_GROUP_*, and of what else a board may have. */
struct awaited {
    uint32_t group;
    const char *whom;   /* "the holder of the lock" */
    const char *duty;   /* a word that it waits for is "held by" them */
    const char *nobody; /* what the waiting group says of the word, if no such group exists */
};
const struct awaited *wording_awaited(uint32_t group);

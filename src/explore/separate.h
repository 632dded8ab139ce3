/*
 * Launches whose work-items keep apart: what one of them writes no other one accesses, unless barriers of their group
 * that order this kind of memory are between the two. Whoever takes one schedule of such a launch has taken all: any
 * two steps in which schedules differ are of bytes that the other one leaves alone, so they come to the same in either
 * order (Mazurkiewicz: "Trace theory", 1987), and who gets turns does not matter either. Such a launch has one state,
 * in which all have ended, however many work-items there are. Atomic accesses count as others do, but for updates of
 * one word by the same operation, such as sums, whose results nobody uses: they come to the same in any order, and make
 * nobody wait.
 */
#pragma once

#include "explore/explore.h"
#include "explore/memory.h"

/* 1 + the work-item, or 0: none; in which interval between barriers of its group, and where in the program. */
struct separate_access {
    uint32_t item, interval, site;
    enum separate_kind { SEPARATE_WRITES, SEPARATE_READS, SEPARATE_UPDATES } kind;
    uint32_t operation; /* of such an update: GL_HOW_UNUSED */
};

/* Of accesses that do not conflict with each other, in the last interval that has any: the first one, and the last one
   by another work-item; the first of all, and the last one of another group than that. */
struct separate_accesses {
    struct separate_access one, other, first, far;
};

/* Of each byte: who wrote it last, but for such updates; and who read it, or updated it so. */
struct separate_byte {
    struct separate_access wrote;
    struct separate_accesses reads, updates;
};

struct separate_object {
    struct separate_byte *bytes; /* NULL: nobody has accessed it */
};

/* All zero is none. */
struct separate {
    const struct explored *explored;   /* whose objects they access */
    struct separate_object *objects;   /* of each of these */
    uint32_t (*intervals)[2];          /* of each group, of local and of other memory */
    uint32_t items;                    /* of a group */
    bool updates;                      /* some made such updates, */
    bool failed;                       /* some did not keep apart, */
    bool atomics;                      /* and they, or others before, made other atomic accesses; */
    struct explored_conflict conflict; /* which two that was */
};

/* The objects stay where they are. */
void separate_begin(struct separate *separate, const struct explored *explored, uint32_t groups, uint32_t items);
void separate_fini(struct separate *separate);

/* A work-item of the launch accesses memory that the launch was given, how: GL_HOW_. False: it does not keep apart. */
bool separate_take(struct separate *separate, const struct memory_access *access, uint32_t how, uint32_t site);

/* All of a group have met at a barrier that orders these kinds of memory, PROOF_LOCAL and PROOF_GLOBAL. */
void separate_meet(struct separate *separate, uint32_t group, uint8_t spaces);

/*
 * Machines of lanes: how hardware, or a compiler in its stead, runs the work-items of a group. What each does is fixed,
 * so that a launch either ends or comes back to a state that it has been in, and then never ends.
 *
 * Serial: the first lane that has not ended takes all steps until it ends, as where a compiler makes a loop over a
 * group's work-items.
 *
 * In lock-step: one instruction is executed for all active lanes, one after the other within it. A lane that reads
 * its program from a table executes its own instruction of it with each turn of the loop, so that nothing diverges.
 * Where programs are code, each text is a copy of its own, and where lanes of a copy go on to different
 * instructions, one side runs until it ends or is where both sides come together, the immediate post-dominator;
 * only then the other does: a reconvergence stack (ElTantawy and Aamodt, MICRO 2016, section 2). Of two copies the
 * one that is branched to is the first, or else the one behind. Work-items of other sub-groups, and other groups,
 * go on by themselves: their machine is FAIR under weak fairness, which is also that of independent lanes.
 *
 * The table's form is "Collective Memory" of SIMT-Step (Chen, Rehman, Martinez, Sorensen, PLDI 2026), in the order of
 * lanes; independent lanes are its "Synchronous SG Op" where there are no such operations. A model device that runs a
 * kernel with sub-groups keeps that with them: all of a sub-group wait at an operation, also in a branch.
 */
#pragma once

#include "core/block.h"
#include "core/naming.h"
#include "litmus/program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum lanes_machine {
    LANES_OF_A_MODEL, /* no machine */
    LANES_SERIAL_UP,  /* the lowest lane is the first; */
    LANES_SERIAL_DOWN,
    LANES_STEP_UP_TAKEN, /* the lowest lane within an instruction, and the side that is branched to, */
    LANES_STEP_UP_FALL,  /* or the one behind the branch, is the first */
    LANES_STEP_DOWN_TAKEN,
    LANES_STEP_DOWN_FALL,
    LANES_MACHINES,
};

/* "model", "serial:up" ... "lockstep:down:fall-through" */
NAMING_DECLARE(lanes_machine, enum lanes_machine);

/* One work-item after the other. */
static inline bool lanes_are_serial(enum lanes_machine machine)
{
    return machine == LANES_SERIAL_UP || machine == LANES_SERIAL_DOWN;
}

/* It says what lanes of this level do. */
bool lanes_are_bound(enum lanes_machine machine, enum block_level level);

enum { LANES_END = LITMUS_INSTRUCTIONS };

/* Lanes that are where both sides of a branch come together, or on the way to it. */
struct lanes_entry {
    uint16_t parent; /* where its lanes are when they come to `until` */
    uint8_t copy;    /* a thread of this text */
    uint8_t at, until;
};

/* A launch. All zero is empty; it is used again and again. */
struct lanes {
    enum lanes_machine machine;
    enum block_engine form;
    const struct litmus_program *program;
    const uint32_t *slots;                         /* of each lane: instance * threads + thread */
    uint32_t count;                                /* lanes */
    uint8_t after[LITMUS_INSTRUCTIONS];            /* of each instruction, where both sides come together */
    uint32_t first;                                /* lanes before it, in the machine's order, have ended */
    uint64_t steps, event;                         /* instructions so far; and when a lane last started or ended */
    void (*stepped)(void *context, uint32_t lane); /* or NULL */
    void *context;
    /* The state, one after the other in one piece of memory, of which `before` is a copy. */
    size_t bytes;
    uint8_t *state, *before;
    uint8_t *position, *started; /* of each lane */
    uint8_t *memory;             /* of each instance */
    uint16_t *entry;             /* of each lane, the one that it is in */
    uint16_t *depth;             /* of the stack, whose last entry is active */
    struct lanes_entry *entries;
};

/* A launch begins; the program and the slots must stay there. */
void lanes_begin(struct lanes *lanes, const struct litmus_program *program, const uint32_t *slots, uint32_t count);

enum lanes_end { LANES_ENDED, LANES_STALLED, LANES_LONG };

/* Runs it, until it has ended or come back to a state, or after so many steps. */
enum lanes_end lanes_run(struct lanes *lanes, uint64_t steps);

static inline bool lanes_has_ended(const struct lanes *lanes, uint32_t lane)
{
    return lanes->position[lane] == lanes->program->length[lanes->slots[lane] % lanes->program->threads];
}

void lanes_fini(struct lanes *lanes);

/*
 * Whether the program ends on the machine in this form, its threads in the order of the lanes that a mapping gives
 * them. Instances are alike, so one stands for all. -1: that took too long.
 */
int lanes_ends(enum lanes_machine machine, enum block_engine form, const struct litmus_program *program,
               const struct mapping *mapping);

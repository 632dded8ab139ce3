/* The memory of a launch: what its work-items have of their own, and what they may access. */
#pragma once

#include "base/error.h"
#include "model/machine.h"

enum { SPACE_SCRATCH = 128 }; /* bytes of each work-item (gl_calls.scratch) */

/* What a place has for the group that holds it. */
struct space_place {
    unsigned char *stacks;
    unsigned char *local;
    unsigned char *written; /* of each byte of `local`, as of a region; or NULL */
    unsigned char *scratch;
    void **arguments; /* the values' addresses, as gl_kernel.enter takes them */
    void **pointers;  /* values of local arguments */
};

struct space {
    const struct machine_launch *launch;
    uint32_t places;
    uint32_t items; /* of a group */
    size_t stack_bytes;
    size_t local_bytes;   /* variables and arguments */
    size_t written_bytes; /* of a place */
    size_t place_bytes;
    unsigned char *memory;
    size_t memory_bytes;
    struct machine_region *regions; /* the launch's, and the program's own */
    size_t region_count;
    const struct machine_region *last; /* that was accessed */
    uintptr_t object, object_end;      /* where the program was loaded */
};

/*
 * Makes the places. STATUS_UNSUPPORTED: they would take more than `most` bytes, or memory is short. Call space_end
 * even then.
 */
int space_begin(struct space *space, const struct machine_launch *launch, uint32_t places, size_t most,
                struct error *error);
void space_end(struct space *space);

/* Returns the parts of a place. */
struct space_place space_place(const struct space *space, uint32_t place);

/* Gives the place to a group: fills its local memory with bytes that are no likely value, and sets its arguments. */
void space_enter(const struct space *space, const struct space_place *place);

/* Returns whether the access is of memory that the kernel was given, or that is this group's. */
bool space_allows(struct space *space, const struct space_place *place, const volatile void *at, size_t bytes,
                  bool writes);

/* What is said of one that is not. */
static inline const char *space_outside(bool writes)
{
    return writes ? "writes outside of what the kernel was given" : "reads outside of what the kernel was given";
}

/* Tells whose memory the byte is, if it is any: GL_SPACE_* of model/image.h. */
unsigned space_kind(const struct space *space, const struct space_place *place, const volatile void *at);

/*
 * An access that is allowed is made now, and `how` as model/image.h has it: what it writes is written from now on.
 * False: it reads, and nobody has written any of its bytes. One that is written in part has gaps of a struct, perhaps.
 */
bool space_has_value(const struct space *space, const struct space_place *place, const volatile void *at, size_t bytes,
                     uint32_t how);

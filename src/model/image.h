/*
 * A program of OpenCL C as model/compile.c builds it for this machine: a shared object that defines `gl_image`. The
 * text of this file is compiled into it as well, by clang and without any other header.
 *
 * What the program wants of its work-items' surroundings it calls by gl_calls, which model/machine.c sets before a
 * launch. All of them run on the stack of the work-item that calls, except point and meet: these may let other
 * work-items go on before they return.
 */
#ifndef GRIDLOCK_IMAGE_H
#define GRIDLOCK_IMAGE_H

#define GL_IMAGE_VERSION 6u
#define GL_IMAGE_SYMBOL "gl_image"

/* How memory is about to be accessed: one of the first four, and the others by bits. */
#define GL_HOW_LOAD 0u
#define GL_HOW_STORE 1u
#define GL_HOW_UPDATE 2u /* an atomic read-modify-write */
#define GL_HOW_FENCE 3u  /* nothing is accessed */
#define GL_HOW_KIND(how) ((how)&3u)
#define GL_HOW_ATOMIC 4u
#define GL_HOW_BLIND 8u /* whatever is read: it is only copied, or may be thrown away */
/* With GL_HOW_UPDATE: nobody uses what was there, and the operation is this one, which comes to the same in any order
   of several; 0: another one. Adding and subtracting are one. */
#define GL_HOW_UNUSED(how) ((how) >> 13 & 7u)
#define GL_HOW_SUM 0x2000u
#define GL_HOW_MAX 0x4000u
#define GL_HOW_MIN 0x6000u
#define GL_HOW_MAX_UNSIGNED 0x8000u
#define GL_HOW_MIN_UNSIGNED 0xa000u
#define GL_HOW_OR 0xc000u
#define GL_HOW_AND 0xe000u
#define GL_HOW_ROUND 0x1000u                    /* with GL_HOW_FENCE: a turn of a loop that does nothing, for ever */
#define GL_HOW_ORDER(how) ((how) >> 4 & 15u)    /* memory_order, as clang numbers it */
#define GL_HOW_SCOPE(how) ((how) >> 8 & 15u)    /* memory_scope, as clang numbers it */
#define GL_HOW_IF_FAILED(order) ((order) << 20) /* with GL_HOW_UPDATE: the order of a compare-exchange that fails */
#define GL_HOW_FAILURE(how) ((how) >> 20 & 15u)
#define GL_HOW_FAILED 0x1000000u                  /* with GL_HOW_FENCE: it is none, but the access before has failed */
#define GL_HOW_FENCES(flags) (((flags)&7u) << 16) /* with GL_HOW_FENCE: what it orders, as GL_MEET_* below */
#define GL_HOW_FENCED(how) ((how) >> 16 & 7u)

/* What a barrier or a fence orders, as CLK_LOCAL_MEM_FENCE and so on. */
#define GL_MEET_LOCAL 1u
#define GL_MEET_GLOBAL 2u
#define GL_MEET_IMAGE 4u
/* Beside these: which call of barrier() in the program's text it is, and in which line; 0: it is in no such call. */
#define GL_MEET_LINE_BITS 16u
#define GL_MEET_AT(place) (((place)&0x7fffffu) << 8)
#define GL_MEET_PLACE(flags) ((flags) >> 8 & 0x7fffffu)
#define GL_MEET_LINE(flags) (GL_MEET_PLACE(flags) & 0xffffu)
/* And in which turn of the loops around that call the work-item is. */
#define GL_MEET_TURN_SHIFT 3u
#define GL_MEET_TURN_BITS 5u
#define GL_MEET_TURN(flags) ((flags) >> 3 & 0x1fu)

/* Which number of a work-item is asked for, in a dimension from 0. */
#define GL_ID_GLOBAL 0u
#define GL_ID_LOCAL 1u
#define GL_ID_GROUP 2u
#define GL_ID_OFFSET 3u
#define GL_ID_GLOBAL_SIZE 4u
#define GL_ID_LOCAL_SIZE 5u          /* of this work-group */
#define GL_ID_ENQUEUED_LOCAL_SIZE 6u /* of all but the last */
#define GL_ID_GROUPS 7u
#define GL_ID_DIMENSIONS 8u
#define GL_ID_SUB_GROUP_SIZE 9u /* of all but the last of a group */
#define GL_ID_LOCAL_LINEAR 10u  /* among all of the group; not one of a dimension */

#define GL_MEET_SUB_GROUP 0x80000000u /* a bit beside the flags of OpenCL C */

struct gl_calls {
    /* Called right before each access; the access itself follows when this returns, before anybody else's. */
    void (*point)(const volatile void *at, unsigned long bytes, unsigned how);
    /* All work-items of the group meet here (barrier, work_group_barrier), or of the sub-group alone. */
    void (*meet)(unsigned flags);
    unsigned long (*id)(unsigned what, unsigned dimension);
    /* The group's local variables. */
    void *(*local)(void);
    /* 128 bytes for each work-item of the group, by its linear id, which the group's functions use. */
    void *(*scratch)(void);
    void (*print)(const char *text, unsigned long bytes);
    /* GL_SPACE_*, of a byte */
    unsigned (*space)(const volatile void *at);
};

/* Whose memory it is: the work-item's own, everybody's, or the group's. */
#define GL_SPACE_PRIVATE 0u
#define GL_SPACE_GLOBAL 1u
#define GL_SPACE_LOCAL 2u

/* The bits of a sampler, as clang makes them of CLK_NORMALIZED_COORDS_TRUE and so on. Such an argument has 8 bytes. */
#define GL_SAMPLER_NORMALIZED 1u
#define GL_SAMPLER_ADDRESSING 2u /* times 0, to the edge, to the border, repeated, mirrored: as CL_ADDRESS_* follow */
#define GL_SAMPLER_NEAREST 0x10u
#define GL_SAMPLER_LINEAR 0x20u

/* An image of OpenCL C. The argument is a pointer to it. */
struct gl_picture {
    char *bytes;
    unsigned dimensions;    /* 1 to 3; */
    unsigned size[3];       /* beyond which is, of an array, how many layers; and then 1 */
    unsigned long step[3];  /* bytes to the next one; the first is that of a pixel */
    unsigned order, type;   /* as CL_RGBA and CL_FLOAT are numbered */
    unsigned channel_bytes; /* of a pixel, whose channels are 'a' to 'd' */
    const char *places;     /* which of these, or 0 or 1, each of the four components is: "cbad" */
};

/* What an argument of a kernel is; numbers as CL_KERNEL_ARG_ADDRESS_* have them are made of this by the driver. */
#define GL_ARGUMENT_VALUE 0u
#define GL_ARGUMENT_GLOBAL 1u
#define GL_ARGUMENT_CONSTANT 2u
#define GL_ARGUMENT_LOCAL 3u
#define GL_ARGUMENT_IMAGE 4u
#define GL_ARGUMENT_SAMPLER 5u
#define GL_ARGUMENT_REFUSED 6u /* a pipe, queue: there are none */

#define GL_QUALIFIER_CONST 1u
#define GL_QUALIFIER_RESTRICT 2u
#define GL_QUALIFIER_VOLATILE 4u
#define GL_QUALIFIER_READ_ONLY 8u /* an image; both: it is read and written */
#define GL_QUALIFIER_WRITE_ONLY 16u
#define GL_QUALIFIER_PIPE 32u
#define GL_QUALIFIER_UNUSED 64u /* nobody reads it; without this it may be so all the same */

struct gl_argument {
    const char *name; /* "" unless it was built with -cl-kernel-arg-info */
    const char *type; /* as clang says it, such as "float4*" */
    unsigned kind;    /* GL_ARGUMENT_* */
    unsigned qualifiers;
    unsigned long bytes; /* of a value; of a pointer, of the pointer */
};

struct gl_kernel {
    const char *name;
    void (*enter)(void *const *arguments); /* calls it; each points to the value of an argument */
    const struct gl_argument *arguments;
    unsigned argument_count;
    unsigned required[3]; /* reqd_work_group_size; 0: none */
    unsigned hint[3];
    unsigned long local_bytes; /* of its local variables */
    unsigned long array_bytes; /* of arrays in the private memory of a work-item */
    const char *attributes;    /* as CL_KERNEL_ATTRIBUTES */
};

struct gl_image {
    unsigned version;
    const struct gl_kernel *kernels;
    unsigned kernel_count;
    unsigned stack_bytes;          /* that any work-item needs at most, with what the calls need on its stack */
    void *variables;               /* variables of the program's scope that can be written, */
    unsigned long variable_bytes;  /* and how many bytes they are */
    const struct gl_calls **calls; /* to be set */
};

#endif

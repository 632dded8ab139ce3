/*
 * Marks: which groups of a launch have started. Of a program that was built from source a copy is built whose kernels
 * store a byte for their group before anything else (core/instrument.h), and that copy is launched in place of the
 * program's own kernel, with the same arguments; the program's objects stay as they are. The bytes are in a file that
 * the watchdog reads, or are copied there when it asks, if the device is no CPU. Does nothing without DOOR_MARKS in
 * the environment, and where it cannot be done the program's own kernel is launched: page.marked counts why.
 */
#pragma once

#include "door/door.h"

struct marked; /* the copy of a kernel */

bool marks_wanted(void) DOOR_HIDDEN;
/* Makes the file, once for each process. */
void marks_open(void) DOOR_HIDDEN;

/* --- programs --- */

/* It was built, or linked: an earlier copy is none of it. */
void marks_program_built(cl_program program) DOOR_HIDDEN;
/* The program holds it once more (1), or once less (-1). */
void marks_program_held(cl_program program, int by) DOOR_HIDDEN;

/* --- kernels --- */

/* The driver has made the kernel; `before` is what was known of another one, or NULL. NULL: nothing is marked. */
struct marked *marks_made(cl_kernel kernel, struct marked *before) DOOR_HIDDEN;
/* It has the arguments of another kernel. */
void marks_cloned(struct marked *to, const struct marked *from) DOOR_HIDDEN;
/* The driver has taken this of the kernel. */
void marks_argument(struct marked *of, cl_uint index, size_t size, const void *value) DOOR_HIDDEN;
void marks_argument_svm(struct marked *of, cl_uint index, const void *value, const struct shared *by) DOOR_HIDDEN;
void marks_information(struct marked *of, cl_kernel_exec_info name, size_t size, const void *value) DOOR_HIDDEN;
/* As marks_program_held. */
void marks_held(struct marked *of, int by) DOOR_HIDDEN;
/* Its parts; NULL has none. */
cl_kernel marked_kernel(const struct marked *of) DOOR_HIDDEN;
enum page_marks marked_why(const struct marked *of) DOOR_HIDDEN; /* PAGE_MARKED: it has a kernel */
cl_uint marked_arguments(const struct marked *of) DOOR_HIDDEN;   /* that the program's own kernel has */
_Atomic uint32_t *marked_busy(struct marked *of) DOOR_HIDDEN;    /* not 0: somebody launches it */
/* Keeps this buffer, and releases the one before, which a launch that was enqueued holds by itself. */
void marked_takes(struct marked *of, cl_mem memory) DOOR_HIDDEN;
/* The program has got this function by its name, and calls it past the door, or not. */
void marks_pass(const char *name, bool past) DOOR_HIDDEN;

/* --- launches --- */

struct marks_sizes {
    cl_uint dimensions;
    const size_t *global, *local;
};

struct marking {
    cl_kernel kernel; /* to be launched first; NULL: the program's own is launched */
    uint64_t marks;   /* as page_command has them, once the driver has taken it, */
    uint32_t mark;    /* and that of its groups */
    enum page_marks why;
    struct marked *of;
    struct lane *lane; /* held from begin to end, if there is a kernel */
    bool wanted;
};

struct marking marks_begin(struct marked *of, cl_command_queue queue, struct marks_sizes sizes) DOOR_HIDDEN;
/* The driver has taken the copy, or refused it. */
void marks_took(struct marking *marking, bool taken) DOOR_HIDDEN;
/* The page shows the launch, if it was followed; it was launched in one of the two ways, if it was accepted. */
void marks_end(const struct marking *marking, bool followed, bool accepted) DOOR_HIDDEN;

/* Reads those that only the device has, for a request of the watchdog's. */
void marks_copy(uint32_t request) DOOR_HIDDEN;

/* A child of a fork has none. */
void marks_forget(void) DOOR_HIDDEN;

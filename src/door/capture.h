/*
 * Launches are kept in folders, so that they can be repeated: source, options, sizes and values of arguments, and, of
 * kernels that are named, what buffers hold before (manual/watch.rst says what a folder has). Does nothing without
 * CAPTURE_FOLDER in the environment.
 */
#pragma once

#include "door/door.h"

struct capture_kernel; /* what is known of a kernel beside the page */
struct capture;        /* a launch whose memory is read before it */

/* The driver has made the kernel; `before` is what was known of another one, or NULL. NULL: nothing is kept. */
struct capture_kernel *capture_made(cl_kernel kernel, struct capture_kernel *before) DOOR_HIDDEN;
void capture_argument(cl_kernel kernel, struct capture_kernel *of, cl_uint index, size_t size,
                      const void *value) DOOR_HIDDEN;
void capture_argument_svm(cl_kernel kernel, struct capture_kernel *of, cl_uint index, const void *value,
                          const struct shared *by) DOOR_HIDDEN;
/* The driver has taken this of the kernel. */
void capture_information(struct capture_kernel *of, cl_kernel_exec_info name, size_t size) DOOR_HIDDEN;
/* It has the arguments of another kernel. Returns `to`. */
struct capture_kernel *capture_cloned(struct capture_kernel *to, const struct capture_kernel *from) DOOR_HIDDEN;

/* Where folders are made; NULL: nothing is captured. */
const char *capture_root(void) DOOR_HIDDEN;

/* Note what may become arguments. */
void capture_memory(cl_mem memory, size_t size) DOOR_HIDDEN;
void capture_image(cl_mem image) DOOR_HIDDEN;
void capture_sampler(cl_sampler sampler) DOOR_HIDDEN;
void capture_svm_made(const void *at, size_t size) DOOR_HIDDEN;
void capture_svm_freed(const void *at) DOOR_HIDDEN;

/*
 * A launch is about to be given to the driver. If what it works on is wanted it is read first, behind the events of the
 * list, if the driver takes that; *count and *list are then what the launch has to wait for. NULL: they are not.
 */
struct capture *capture_begin(struct capture_kernel *of, cl_command_queue queue, cl_uint *count,
                              const cl_event **list) DOOR_HIDDEN;

/* The driver has answered. `slot` has the sizes of the launch, if it was accepted. */
void capture_end(struct capture *capture, struct capture_kernel *of, const struct page_command *slot,
                 bool accepted) DOOR_HIDDEN;

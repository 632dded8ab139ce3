/* What a kernel can be given that has a handle or an address: what it is, how large, and of which shape. */
#pragma once

#include "door/capture_folder.h"

/* Which kind it is, and for memory its size; CAPTURE_VALUE_BYTES: none that is known. */
enum capture_kind capture_kind_of(uint64_t handle, uint64_t *size) DOOR_HIDDEN;

/* Fill shape and bytes; false: the driver does not tell, or it is an image that is not kept. */
bool capture_read_image(struct capture_argument *argument) DOOR_HIDDEN;
bool capture_read_sampler(struct capture_argument *argument) DOOR_HIDDEN;

/* Of shared virtual memory, the bytes from this address to the end of what was allocated; 0: it is not known. */
uint64_t capture_svm_bytes(const void *at) DOOR_HIDDEN;

/* Finds where its memory is: a part of another one's is there, too. */
void capture_find_place(struct capture_argument *argument) DOOR_HIDDEN;

/* The first argument before this one that has some of its memory, or `index`. */
uint32_t capture_shared_with(const struct capture_kernel *of, uint32_t index) DOOR_HIDDEN;

/* Answers whether there is an address of shared virtual memory among these bytes, which leads nowhere elsewhere. */
bool capture_points(const struct capture_kernel *of, const unsigned char *bytes, uint64_t size) DOOR_HIDDEN;

/* Has what the argument is in memory read into its contents, if it can be. */
cl_int capture_enqueue_read(const struct capture_argument *argument, cl_command_queue queue, cl_uint count,
                            const cl_event *list, cl_event *read) DOOR_HIDDEN;

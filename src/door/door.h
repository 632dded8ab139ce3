/*
 * The door: a driver for the OpenCL loader of a watched program that stands before the real ones. It loads them
 * (drivers.c), and puts its functions (calls.c, commands.c) into their dispatch tables; all others the loader calls as
 * if there was no door. What they note (threads.c, queues.c, kernels.c, events.c) is in the page.
 *
 * The program must not feel it. Nothing is read before the driver has accepted it; handles are numbers, but for those
 * that the loader has just looked into; no lock is held while a driver is called.
 */
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#include "door/page.h"

#include <CL/cl_icd.h>
#include <stdbool.h>
#include <stddef.h>

#define DOOR_HIDDEN __attribute__((visibility("hidden")))

/* The page: one that nobody reads if there is none to share. Its address stays the same. */
extern struct page door_page DOOR_HIDDEN;

/* Shares the page, once for each process. */
void page_open(void);

/* False: the program would be killed for it, by its limit for files. */
bool page_may_write(size_t bytes) DOOR_HIDDEN;

/* Has the program's exit noted: once the drivers are loaded, so that this comes before their own ends. */
void page_watch_exit(void);

/* --- drivers.c --- */

/* The driver's own functions, by any of its objects. */
const cl_icd_dispatch *real_of(const void *object);
#define REAL(object) real_of(object)

/* The function that takes the place of the driver's at this address in its table, or `function`. */
void *drivers_replace(void *function);

/*
 * The table of a layer between a loader, of which `caller` is an address, and its functions, of which there are
 * `count`; NULL: there is no room.
 */
const cl_icd_dispatch *drivers_stand_before_loader(const cl_icd_dispatch *target, size_t count, void *caller);

/* --- what takes their places --- */

/* Sets the functions of ours in `ours`, of which only those are used that the driver has, too. */
void calls_set(cl_icd_dispatch *ours);
void commands_set(cl_icd_dispatch *ours);
void transfers_set(cl_icd_dispatch *ours);

/* --- threads.c --- */

/* A call, as long as it lasts; another one may be made inside of it, by a callback. */
struct call {
    struct page_thread *thread; /* NULL: no slot */
    uint32_t before, blocked, waited;
    uint64_t object;
};

struct call call_begin(enum page_call number, const void *object, bool blocks);
void call_end(const struct call *call);
void call_waits(const struct call *call, cl_uint count, const cl_event *list);
uint32_t own_tid(void);
void threads_forget(void);

/* --- queues.c --- */

/* What becomes of a command: filled by whoever enqueues it, and shown once the driver has accepted it. */
struct command {
    struct call call;
    cl_command_queue queue;
    uint32_t number; /* enum page_call */
    bool blocks;     /* it is complete when the call comes back */
    cl_uint count;   /* its wait list */
    const cl_event *list;
    cl_event *asked; /* where the program wants its event, or NULL */
    cl_event own;
};

struct command command_begin(enum page_call number, cl_command_queue queue, bool blocks, cl_event *asked);
/* What the driver is given: it may be asked for an event that the program does not want. */
cl_event *command_event(struct command *command);
void command_waits(struct command *command, cl_uint count, const cl_event *list);
/* The driver has answered; returns the slot, to be filled further, or NULL. `command_show` shows it. */
struct page_command *command_accept(struct command *command, cl_int outcome);
void command_show(struct page_command *slot);
/* Both. */
cl_int command_end(struct command *command, cl_int outcome);

void queue_made(cl_command_queue queue);
void queue_flushed(cl_command_queue queue);
/* Drops what is complete: of a queue, or of all (NULL). */
void queues_sweep(cl_command_queue queue);
/* Asks for the status of each command, where no other thread does. */
void queues_ask(void);
bool queues_are_open(void);
void queues_forget(void);

/* --- helper.c --- */

/* Begins the thread that asks for statuses when the watchdog wants them. */
void helper_begin(void);
void helper_wake(void);
void helper_forget(void);

/* The number of its slot; PAGE_QUEUES: it has none. */
uint32_t queue_number(cl_command_queue queue);
bool queue_is_out_of_order(uint32_t number);
bool queue_is_of_a_cpu(uint32_t number);
uint32_t queue_length(uint32_t number); /* commands that may be open */
/* Where the marks of its oldest open launch begin that has any (page_command), or 0. */
uint64_t queue_first_marks(uint32_t number);

/* --- kernels.c --- */

void kernel_made(cl_kernel kernel);
/* With the arguments of another one. */
void kernel_cloned(cl_kernel kernel, cl_kernel from);
void kernel_argument(cl_kernel kernel, cl_uint index, size_t size, const void *value);
/* Shared virtual memory, or, of a driver with an extension for that (shared.h), unified shared memory. */
struct shared;
void kernel_argument_svm(cl_kernel kernel, cl_uint index, const void *value, const struct shared *of);
void kernel_information(cl_kernel kernel, cl_kernel_exec_info name, size_t size, const void *value);
/* The program holds it once more, or has let go of it. */
void kernel_held(cl_kernel kernel, int by);
/* Notes name and arguments of a launch. */
void kernel_note(cl_kernel kernel, struct page_command *slot);
/* What is kept of it to repeat its launches; or NULL. */
struct capture_kernel *kernel_captured(cl_kernel kernel);
/* Its copy with marks, or NULL. */
struct marked *kernel_marked(cl_kernel kernel);

/* --- sources.c --- */

enum { DOOR_PROGRAMS = 1024 };

/* A number below DOOR_PROGRAMS that no other program has, once it was built; or DOOR_PROGRAMS. */
uint32_t program_slot(cl_program program);

/* What a program was made of, and built with, as it says itself or the driver does; allocated. NULL: it has none, or
   very much. */
char *program_source(cl_program program);
char *program_options(cl_program program);
/* The devices for which it is built: their number, `most` at most. */
cl_uint program_devices(cl_program program, cl_device_id *devices, cl_uint most);
/* Keeps the source of a program beside the page, once it is built. */
void program_built(cl_program program, const char *options);
/* It was compiled, with so many headers that are programs. */
void program_compiled(cl_program program, const char *options, cl_uint headers);
/* It has the source of the one that it was linked from, if it is one; of several, none. */
void program_linked(cl_program program, cl_uint count, const cl_program *from);
/* The number of the source of a kernel's program; 0: it is not kept. */
uint32_t program_number(cl_kernel kernel);

/* --- events.c --- */

void user_event_made(cl_event event);
void user_event_set(cl_event event);
/* A driver has made this event for a command. */
void command_event_made(cl_event event);
typedef void CL_CALLBACK event_function(cl_event, cl_int, void *);
/* Sets a callback of the program's, and notes it until it has returned. */
cl_int event_callback(cl_event event, cl_int status, event_function *function, void *data);

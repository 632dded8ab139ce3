/*
 * OpenCL for model devices: what its handles point to, and what its files share. All of it may be called by several
 * threads at once. What is done with one object, but for events and queues, the caller does one after the other.
 */
#pragma once

#include "core/holdings.h"
#include "driver/opencl.h"
#include "litmus/emulate.h"
#include "model/compile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MODEL_DIMENSIONS = 3,
    MODEL_ALIGNMENT = 128, /* of a long16 */
    MODEL_IMAGE_SIDE = 1 << 14,
    MODEL_IMAGE_LAYERS = 1 << 11, /* also each side of one with three dimensions */
    MODEL_IMAGE_PIXELS = 1 << 16, /* of one that is made of a buffer */
};

#define MODEL_ALLOCATION_BYTES (UINT64_C(1) << 30)
#define MODEL_GLOBAL_BYTES (UINT64_C(4) << 30)

/* The table's functions, named model_clFinish and so on. */
#define MODEL_DECLARE(name) __typeof__(name) model_##name;
OPENCL_FUNCTIONS(MODEL_DECLARE)

/* --- handles --- */

enum object_kind {
    OBJECT_GONE,
    OBJECT_PLATFORM = 0x676c0001, /* what is no object hardly begins with one of these */
    OBJECT_DEVICE,
    OBJECT_CONTEXT,
    OBJECT_QUEUE,
    OBJECT_BUFFER,
    OBJECT_IMAGE,
    OBJECT_SAMPLER,
    OBJECT_PROGRAM,
    OBJECT_KERNEL,
    OBJECT_EVENT,
};

/* Each object begins with this. */
struct object {
    enum object_kind kind;
    _Atomic uint32_t references;
};

struct object object_made(enum object_kind kind);

/*
 * Returns whether the handle is of this kind: neither NULL nor of another nor, as long as that can be seen,
 * released.
 */
bool object_is(const void *handle, enum object_kind kind);

void object_retain(void *handle);

/* Drops a reference. True: it was the last, so the caller must free what the object has, and then the object. */
bool object_release(void *handle);

/* --- answers --- */

/* Where the caller wants an answer, of which he has room for `size` bytes; or only its length. */
struct answer {
    size_t size;
    void *value;    /* or NULL */
    size_t *length; /* or NULL */
};

/* Answers as the functions named clGet...Info do; CL_INVALID_VALUE if there is not enough room. */
cl_int answer_bytes(const struct answer *answer, const void *bytes, size_t count);
cl_int answer_text(const struct answer *answer, const char *text);
#define ANSWER(answer, type, ...) answer_bytes(answer, &(const type){__VA_ARGS__}, sizeof(type))

/* Sets *code unless that is NULL; returns NULL. */
void *no_object(cl_int *code, cl_int value);

/* --- objects --- */

struct _cl_platform_id {
    struct object object;
};

struct _cl_device_id {
    struct object object;
    struct model_device model;
    char name[MODEL_DEVICE_NAME];
    cl_device_type type;
    cl_uint units;
    size_t group_items;
    cl_ulong local_bytes;
    struct holdings holdings; /* of what it is like; or none */
};

extern struct _cl_platform_id model_platform;
extern struct _cl_device_id model_device; /* the one that it has now */

struct _cl_context {
    struct object object;
};

/* Runs its commands in their order. */
struct _cl_command_queue {
    struct object object;
    cl_context context; /* retained */
    cl_command_queue_properties properties;
    cl_event first, last; /* its commands, of which a thread carries out the first if it is busy */
    bool busy;
    cl_command_queue next; /* of all queues */
};

struct _cl_mem {
    struct object object;
    cl_context context; /* retained */
    cl_mem_flags flags;
    size_t size;
    unsigned char *bytes;
    unsigned char *written; /* as in struct machine_region */
    bool own;               /* these are not the user's, nor of another buffer */
    _Atomic uint32_t maps;
    cl_mem buffer;             /* retained; that an image or a sub-buffer is made of, or NULL */
    struct gl_picture picture; /* of an image */
};

/* Makes a buffer; NULL, with *code as clCreateBuffer says, on failure. */
cl_mem memory_create(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *code);
void memory_release(cl_mem memory);

struct _cl_sampler {
    struct object object;
    cl_context context; /* retained */
    uint64_t bits;      /* GL_SAMPLER_* */
};

struct _cl_program {
    struct object object;
    cl_context context; /* retained */
    char *source, *options, *log;
    cl_build_status status;
    struct model_program built;
    _Atomic uint32_t kernels;
};

void program_release(cl_program program);

/* An argument as it was set last. */
struct argument {
    void *value;   /* its bytes; NULL: they are in *pointer, or it is local, or not set */
    void *pointer; /* where a buffer's bytes are, or an image's picture; or a sampler's bits */
    cl_mem buffer; /* or image, retained; or NULL */
    size_t local_bytes;
    bool is_set;
};

struct _cl_kernel {
    struct object object;
    cl_program program; /* retained */
    const struct gl_kernel *made;
    struct argument *arguments;
};

void kernel_release(cl_kernel kernel);

/* Returns the bytes of local memory of a group, with its arguments as they are set now. */
cl_ulong kernel_local_bytes(const struct _cl_kernel *kernel);

/* Copies `count` arguments, with what they hold; the values of a copy are its own. */
void arguments_copy(const struct argument *from, const struct gl_kernel *kernel, struct argument *to);
void arguments_free(struct argument *arguments, unsigned count);

/* --- commands --- */

struct command {
    cl_command_type type;
    cl_int (*run)(void *work); /* CL_SUCCESS, or what becomes of its event */
    void (*end)(void *work);   /* frees it, with what it holds */
    void *work;                /* owned */
};

struct waits {
    cl_uint count;
    const cl_event *events;
};

/* The functions named clEnqueue... that have waits are called by their last three arguments so. */
#define WAITS                                                                                                          \
    (struct waits)                                                                                                     \
    {                                                                                                                  \
        wait_count, wait_list                                                                                          \
    }

/*
 * Enqueues a command, and owns its work. What is due is carried out at once, by the caller's thread; what waits for
 * others, by the thread that ends the last of them. `blocks`: returns when it is over. *event may be NULL.
 */
cl_int command_enqueue(cl_command_queue queue, const struct command *command, struct waits waits, bool blocks,
                       cl_event *event);

/* Carries out all that is due. */
void commands_go_on(void);

/* Waits until the queue has done all that it has now. */
void commands_finish(cl_command_queue queue);

void queue_enter(cl_command_queue queue);
void queue_leave(cl_command_queue queue);

/* --- events --- */

/* Who is told when an event's command has come so far. */
struct told {
    cl_int from; /* CL_SUBMITTED, CL_RUNNING or CL_COMPLETE */
    void(CL_CALLBACK *tell)(cl_event event, cl_int status, void *data);
    void *data;
    struct told *next;
};

enum event_time { TIME_QUEUED, TIME_SUBMITTED, TIME_STARTED, TIME_ENDED, EVENT_TIMES };

struct _cl_event {
    struct object object;
    cl_context context;     /* retained */
    cl_command_queue queue; /* retained until it is over; NULL of a user's event */
    struct command command; /* it has no work once it is over */
    _Atomic cl_int status;
    cl_event *waits; /* retained, of commands that are not over */
    cl_uint wait_count;
    struct told *told;
    uint64_t times[EVENT_TIMES];
    bool timed;
    cl_event next; /* of its queue */
};

cl_event event_make(cl_context context, cl_command_type type);
void event_release(cl_event event);

/* What may be waited for in this context; NULL: in any one. */
cl_int events_check(struct waits waits, cl_context context);

/* What waits for events: each time that one has come further. */
void event_lock(void);
void event_unlock(void);

/* With the lock, which it leaves while it tells: the event has come so far. */
void event_reach(cl_event event, cl_int status);
bool event_is_over(const struct _cl_event *event);

/* With the lock, which it leaves meanwhile: waits until it is over, and carries out what is due. */
void command_await(cl_event event);

/* With the lock, which it leaves meanwhile: carries out what is due. */
void queues_go_on(void);

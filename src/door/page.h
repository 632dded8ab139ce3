/*
 * The page: what the door (door/door.h) notes in a watched program, in memory that it shares with the watchdog outside.
 *
 * The door alone writes it, but for `request`. It takes no lock for that: a slot is taken by its state, filled, and
 * then shown. The watchdog may read a slot while it changes, so it looks twice. Handles are numbers here.
 * Nothing of it needs the door to answer, and nothing is written by a child that was forked and does not call exec.
 */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

enum {
    PAGE_MAGIC = 0x67726477,
    PAGE_VERSION = 10,
    PAGE_THREADS = 256,
    PAGE_QUEUES = 128,
    PAGE_COMMANDS = 1024,
    PAGE_USER_EVENTS = 256,
    PAGE_CALLBACKS = 256,
    PAGE_DRIVERS = 16, /* and as many loaders, and functions */
    PAGE_WAITS = 8,    /* of a wait list, so many are kept */
    PAGE_ARGUMENTS = 16,
    PAGE_NAME = 64,
    PAGE_PATH = 256,
    PAGE_LANES = 32,     /* queues whose launches have marks, */
    PAGE_LANE = 1 << 18, /* and the bytes for these of each */
};

/* Whether a launch has marks of its groups, or why it has none: number, name, and what is said of it. */
#define PAGE_MARKS(WHY)                                                                                                \
    WHY(PAGE_MARKED, "marked", "")                                                                                     \
    WHY(PAGE_MARKS_SOURCE, "source", "the source is not known")                                                        \
    WHY(PAGE_MARKS_HEAD, "head", "the kernel's head is made by a macro or by another file")                            \
    WHY(PAGE_MARKS_BUILD, "build", "the source does not build with marks")                                             \
    WHY(PAGE_MARKS_MACRO, "macro", "the source has macros with names of the language")                                 \
    WHY(PAGE_MARKS_VARIABLES, "variables", "kernels of the program may share variables")                               \
    WHY(PAGE_MARKS_DEVICE, "device", "the device is no CPU, and the queue is out of order")                            \
    WHY(PAGE_MARKS_LOCAL, "local", "the driver chose the size of groups, and with marks it might choose another one")  \
    WHY(PAGE_MARKS_ROOM, "room", "too many groups, queues, or launches that are open")                                 \
    WHY(PAGE_MARKS_BUSY, "busy", "two threads launched at once")                                                       \
    WHY(PAGE_MARKS_REFUSED, "refused", "the driver refused the kernel with marks")                                     \
    WHY(PAGE_MARKS_FOREIGN, "foreign", "an extension may have set arguments")                                          \
    WHY(PAGE_MARKS_UNREAD, "unread", "the device's memory could not be read meanwhile")

enum page_marks {
#define PAGE_MARKS_NUMBER(number, name, says) number,
    PAGE_MARKS(PAGE_MARKS_NUMBER)
#undef PAGE_MARKS_NUMBER
        PAGE_MARKS_COUNT,
};

/* What a call does, as far as the watchdog goes by it. */
enum page_kind {
    PAGE_PASSES,   /* comes back soon, if the driver is sound */
    PAGE_BUILDS,   /* may compile: takes as long as it likes */
    PAGE_WAITS_ON, /* comes back when commands or events are complete */
    PAGE_ENQUEUES, /* may compile, and waits if it was asked to */
};

/* The functions that are noted: name, kind, and what their command does. */
#define PAGE_CALLS(CALL)                                                                                               \
    CALL(clFinish, PAGE_WAITS_ON, "")                                                                                  \
    CALL(clFlush, PAGE_PASSES, "")                                                                                     \
    CALL(clWaitForEvents, PAGE_WAITS_ON, "")                                                                           \
    CALL(clCreateContext, PAGE_PASSES, "")                                                                             \
    CALL(clCreateContextFromType, PAGE_PASSES, "")                                                                     \
    CALL(clReleaseContext, PAGE_PASSES, "")                                                                            \
    CALL(clCreateCommandQueue, PAGE_PASSES, "")                                                                        \
    CALL(clCreateCommandQueueWithProperties, PAGE_PASSES, "")                                                          \
    CALL(clReleaseCommandQueue, PAGE_PASSES, "")                                                                       \
    CALL(clReleaseMemObject, PAGE_PASSES, "")                                                                          \
    CALL(clCreateUserEvent, PAGE_PASSES, "")                                                                           \
    CALL(clSetUserEventStatus, PAGE_PASSES, "")                                                                        \
    CALL(clCreateKernel, PAGE_BUILDS, "")                                                                              \
    CALL(clCreateKernelsInProgram, PAGE_BUILDS, "")                                                                    \
    CALL(clCloneKernel, PAGE_PASSES, "")                                                                               \
    CALL(clBuildProgram, PAGE_BUILDS, "")                                                                              \
    CALL(clCompileProgram, PAGE_BUILDS, "")                                                                            \
    CALL(clLinkProgram, PAGE_BUILDS, "")                                                                               \
    CALL(clEnqueueNDRangeKernel, PAGE_ENQUEUES, "kernel")                                                              \
    CALL(clEnqueueTask, PAGE_ENQUEUES, "task")                                                                         \
    CALL(clEnqueueNativeKernel, PAGE_ENQUEUES, "native kernel")                                                        \
    CALL(clEnqueueReadBuffer, PAGE_ENQUEUES, "read buffer")                                                            \
    CALL(clEnqueueReadBufferRect, PAGE_ENQUEUES, "read buffer")                                                        \
    CALL(clEnqueueWriteBuffer, PAGE_ENQUEUES, "write buffer")                                                          \
    CALL(clEnqueueWriteBufferRect, PAGE_ENQUEUES, "write buffer")                                                      \
    CALL(clEnqueueFillBuffer, PAGE_ENQUEUES, "fill buffer")                                                            \
    CALL(clEnqueueCopyBuffer, PAGE_ENQUEUES, "copy buffer")                                                            \
    CALL(clEnqueueCopyBufferRect, PAGE_ENQUEUES, "copy buffer")                                                        \
    CALL(clEnqueueReadImage, PAGE_ENQUEUES, "read image")                                                              \
    CALL(clEnqueueWriteImage, PAGE_ENQUEUES, "write image")                                                            \
    CALL(clEnqueueFillImage, PAGE_ENQUEUES, "fill image")                                                              \
    CALL(clEnqueueCopyImage, PAGE_ENQUEUES, "copy image")                                                              \
    CALL(clEnqueueCopyImageToBuffer, PAGE_ENQUEUES, "copy image to buffer")                                            \
    CALL(clEnqueueCopyBufferToImage, PAGE_ENQUEUES, "copy buffer to image")                                            \
    CALL(clEnqueueMapBuffer, PAGE_ENQUEUES, "map buffer")                                                              \
    CALL(clEnqueueMapImage, PAGE_ENQUEUES, "map image")                                                                \
    CALL(clEnqueueUnmapMemObject, PAGE_ENQUEUES, "unmap")                                                              \
    CALL(clEnqueueMigrateMemObjects, PAGE_ENQUEUES, "migrate")                                                         \
    CALL(clEnqueueMarker, PAGE_ENQUEUES, "marker")                                                                     \
    CALL(clEnqueueMarkerWithWaitList, PAGE_ENQUEUES, "marker")                                                         \
    CALL(clEnqueueBarrierWithWaitList, PAGE_ENQUEUES, "barrier")                                                       \
    CALL(clEnqueueSVMFree, PAGE_ENQUEUES, "free SVM")                                                                  \
    CALL(clEnqueueSVMMemcpy, PAGE_ENQUEUES, "copy SVM")                                                                \
    CALL(clEnqueueSVMMemFill, PAGE_ENQUEUES, "fill SVM")                                                               \
    CALL(clEnqueueSVMMap, PAGE_ENQUEUES, "map SVM")                                                                    \
    CALL(clEnqueueSVMUnmap, PAGE_ENQUEUES, "unmap SVM")

enum page_call {
    CALL_NONE, /* the thread is outside of these */
#define PAGE_CALL_NUMBER(name, kind, does) CALL_##name,
    PAGE_CALLS(PAGE_CALL_NUMBER)
#undef PAGE_CALL_NUMBER
        CALL_COUNT,
};

/* A thread that has made such a call. */
struct page_thread {
    _Atomic uint32_t tid;                /* 0: free, or the thread has ended */
    _Atomic uint32_t call;               /* enum page_call */
    _Atomic uint32_t blocks;             /* the call does not come back before what it waits for is complete */
    _Atomic uint32_t waits;              /* events of the list of clWaitForEvents, */
    _Atomic uint64_t sequence;           /* of calls begun and ended, so it tells one from the next */
    _Atomic uint64_t object;             /* the queue, where the call has one */
    _Atomic uint64_t waited[PAGE_WAITS]; /* and the first of these events */
};

enum page_state { SLOT_FREE, SLOT_FILLING, SLOT_OPEN, SLOT_DONE };

/* A command queue. The handle may be used again by the driver for another one: then so is the slot. */
struct page_queue {
    _Atomic uint64_t handle; /* 0: free */
    _Atomic uint32_t out_of_order;
    _Atomic uint32_t cpu;      /* the device is one */
    _Atomic uint32_t lost;     /* commands of which nothing is known because too many were open */
    _Atomic uint64_t accepted; /* commands; the last one has this sequence */
    _Atomic uint64_t flushed;  /* those up to this one were flushed */
    _Atomic uint64_t complete; /* how many are known to be complete */
    char device[PAGE_NAME];
};

struct page_argument {
    uint32_t size;  /* bytes; 0: it was not set, or not seen */
    uint32_t local; /* local memory of that size */
    uint64_t value; /* its first 8 bytes */
};

/* A command that the driver has accepted. */
struct page_command {
    _Atomic uint32_t state; /* enum page_state; DONE: complete, or ended by an error */
    uint32_t call;          /* enum page_call */
    uint32_t queue;         /* index */
    uint32_t tid;           /* of the thread that enqueued it */
    uint64_t sequence;      /* in the queue */
    uint64_t event;         /* the door holds it until the slot is free */
    uint32_t wait_count;    /* of its wait list */
    uint32_t dimensions;    /* of a launch */
    uint64_t waits[PAGE_WAITS];
    uint64_t offset[3], global[3], local[3]; /* local 0: left to the driver */
    char kernel[PAGE_NAME];
    uint32_t argument_count; /* the first of them */
    uint64_t marks;          /* 0: it has none; else 1 more than where they begin, in all that its queue has had */
    uint32_t mark;           /* what a group stores that has started */
    uint32_t unmarked;       /* enum page_marks: why it has none; 0: nobody wants them */
    uint32_t program;        /* PID-PROGRAM.cl has the source of the kernel's, .options those it was built with; or 0 */
    struct page_argument arguments[PAGE_ARGUMENTS];
};

struct page_user_event {
    _Atomic uint32_t state; /* OPEN: nobody has set it; DONE: it was set */
    _Atomic uint32_t tid;   /* of the thread that made it */
    _Atomic uint64_t handle;
};

/* The marks of a queue's launches. */
struct page_lane {
    _Atomic uint32_t copied; /* the device has them in its own memory, and the file a copy, */
    _Atomic uint32_t read;   /* which was read for this request */
};

/* A callback of an event, until it has returned. */
struct page_callback {
    _Atomic uint32_t state; /* OPEN */
    _Atomic uint64_t event; /* that has to be complete first; 0: it may come before */
};

struct page {
    uint32_t magic, version, size;
    _Atomic uint32_t pid;
    _Atomic uint32_t request;         /* the watchdog counts up, and wakes: ask for the status of each command */
    _Atomic uint32_t answer;          /* the request up to which they were asked */
    _Atomic uint32_t helper;          /* the thread that asks; 0: there is none yet */
    _Atomic uint32_t ending;          /* the program is at its exit */
    _Atomic uint32_t short_of;        /* of threads, user events or callbacks: nobody knows who waits for what */
    _Atomic uint32_t driver_count;    /* loaded by the door */
    _Atomic uint32_t early;           /* a bit for each of these: it was in the process before */
    _Atomic uint32_t loader_count;    /* libraries that came to the door */
    _Atomic uint32_t ready;           /* these are all, so far */
    _Atomic uint32_t built_callbacks; /* of programs: they come when the driver has built one */
    _Atomic uint32_t foreign_count;   /* extension functions that were handed out and enqueue by themselves */
    _Atomic uint64_t launches;        /* that the driver accepted */
    _Atomic uint64_t captured;        /* launches that were kept for `replay`, */
    _Atomic uint64_t left_out;        /* and that should have been, and were not */
    _Atomic uint64_t sourceless;      /* of these: the program has no source */
    _Atomic uint64_t lacking;         /* of those kept: an argument is not in it */
    _Atomic uint32_t marks_file; /* N of "PID-N.marks", from 1: the lanes, a byte for each group; 0: there is none */
    _Atomic uint64_t marked[PAGE_MARKS_COUNT]; /* launches */
    _Atomic uint32_t layer;                    /* the door is a layer of the loader, and knows no drivers */
    char program[PAGE_NAME];                   /* as it was called, without its folder */
    char drivers[PAGE_DRIVERS][PAGE_PATH];
    char loaders[PAGE_DRIVERS][PAGE_PATH];
    char foreign[PAGE_DRIVERS][PAGE_NAME];
    struct page_thread threads[PAGE_THREADS];
    struct page_queue queues[PAGE_QUEUES];
    struct page_user_event user_events[PAGE_USER_EVENTS];
    struct page_callback callbacks[PAGE_CALLBACKS];
    struct page_lane lanes[PAGE_LANES];
    struct page_command commands[PAGE_COMMANDS];
};

/* "PID.none" in the folder, a link to why: the process could not open its page. */
#define PAGE_NONE ".none"

/* The folder with the pages and the .icd file, and what OCL_ICD_VENDORS and OPENCL_VENDOR_PATH were before. */
#define DOOR_FOLDER "GRIDLOCK_DOOR"
#define DOOR_WATCH "GRIDLOCK_DOOR_WATCH" /* the process that watches */
#define DOOR_VENDORS "GRIDLOCK_DOOR_VENDORS"
#define DOOR_VENDOR_PATH "GRIDLOCK_DOOR_VENDOR_PATH"

/* How the program comes to the door. */
enum door { DOOR_DRIVER, DOOR_LAYER };

/* Where launches are kept, and the kernel whose buffers are, "NAME:N". */
#define CAPTURE_FOLDER "GRIDLOCK_DOOR_CAPTURE"
#define CAPTURE_KERNEL "GRIDLOCK_DOOR_CAPTURE_KERNEL"

#define DOOR_MARKS "GRIDLOCK_DOOR_MARKS" /* launches are to have marks */

#define DOOR_LIBRARY "libgridlock-door.so"

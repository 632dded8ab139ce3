/*
 * Why a process that uses OpenCL does not get on: it is looked at from outside, and goes on.
 *
 * All of its threads are stopped at one moment, for some milliseconds, and their registers and the memory that matters
 * are copied. Of each thread that runs a kernel on a CPU, a stand-in then shows whether it only goes round (course.h).
 * What memory matters shows meanwhile; if some of it was not copied, all is done again with it. A deadlock is proved if
 * at that moment each thread went round, using no memory that other processes share, or slept until another thread of
 * the process would wake it: so none can do anything any more, unless a signal or another process comes in.
 */
#pragma once

#include "core/naming.h"
#include "look/course.h"
#include "look/process.h"
#include "look/stack.h"

enum role {
    ROLE_PROGRAM, /* is in the program's code */
    ROLE_CALL,    /* has called OpenCL, and is in it */
    ROLE_DRIVER,  /* is the driver's own */
    ROLE_KERNEL,  /* runs a kernel */
    ROLE_DOOR,    /* is of the door, and asks drivers for statuses when it is told to: otherwise it does nothing */
};

enum look_verdict { LOOK_DEADLOCK, LOOK_HOST, LOOK_LONG, LOOK_INCONCLUSIVE, LOOK_VERDICTS };
NAMING_DECLARE(look_verdict, enum look_verdict);

/* What decided; with the thread that did, for those that are of one. */
enum look_reason {
    LOOK_REASON_CLOSED,    /* none of its threads can go on */
    LOOK_REASON_MOVES,     /* a kernel does not only go round */
    LOOK_REASON_SHARED,    /* a kernel goes round, but uses memory that another process may write to */
    LOOK_REASON_BUILDS,    /* a thread compiles */
    LOOK_REASON_PROGRAM,   /* a thread outside of OpenCL may still do something */
    LOOK_REASON_WAKES,     /* a thread in OpenCL runs, or sleeps in a call that ends by itself */
    LOOK_REASON_GPU,       /* nothing runs on a CPU, and it uses a GPU */
    LOOK_REASON_NOTHING,   /* it is in no call of OpenCL, and runs no kernel */
    LOOK_REASON_STOPPED,   /* it is stopped */
    LOOK_REASON_UNCERTAIN, /* it used other memory each time */
    LOOK_REASONS
};
NAMING_DECLARE(look_reason, enum look_reason);

struct looked_thread {
    pid_t id;
    enum role role;
    struct thread_state state;
    struct course_found recurrence; /* of one that runs a kernel */
    bool bound;                     /* sleeps until another thread of the process wakes it */
    bool builds;                    /* is in a compiler */
    struct stack stack;
    char kernel[STACK_NAME];  /* that it runs; "": its name is not known */
    char sizes[STACK_NAME];   /* of work-groups, "64-1-1", or "" */
    const struct frame *call; /* where it has called OpenCL, or NULL */
};

struct look {
    pid_t process;
    char name[THREAD_NAME];
    enum look_verdict verdict;
    enum look_reason reason;
    size_t decided;                /* the thread that decided */
    bool gpu;                      /* it has one open */
    struct looked_thread *threads; /* the first is the process's first */
    size_t count;
};

/* Answers whether this build can look; STATUS_UNSUPPORTED, and what is missing, if not. */
int look_available(struct error *error);

/* How many instructions of each thread are looked at before it is said to move: some 10,000 take a second at most. */
enum look_depth { LOOK_QUICK = 10000, LOOK_THOROUGH = 200000 };

/*
 * STATUS_USAGE: there is no such process, it may not be looked at, or it uses no OpenCL; STATUS_UNSUPPORTED: it cannot
 * be looked at.
 */
int look_at(struct look *look, pid_t process, enum look_depth depth, struct error *error);
void look_fini(struct look *look);

/*
 * Returns the innermost frame of the kernel that the thread runs whose source line is known, or NULL: functions of a
 * driver's library have none.
 */
const struct frame *look_line(const struct looked_thread *thread);

/* Decides, from what is known of its threads. Pure. */
void look_judge(struct look *look, bool late);

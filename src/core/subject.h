/*
 * A kernel of the user's whose limit is measured: census and barrier run in front of its body, which never runs. So its
 * arguments need no meaning; only the sizes of local ones matter.
 */
#pragma once

#include "core/naming.h"
#include "core/nd_range.h"

/*
 * How long what users write may be, with the 0 at its end: messages between the processes have a fixed size. A path is
 * as long as the system allows; what is longer than any of these is refused by a sentence that says so, and never cut.
 */
enum { SUBJECT_PATH = 4096, SUBJECT_OPTIONS = 1 << 14, SUBJECT_KERNEL = 1024, SUBJECT_ARGUMENT = 128 };

/* Local arguments of a kernel, at most, and what a list of them takes: with their names, and with sizes alone. */
enum {
    SUBJECT_LOCALS = 32,
    SUBJECT_SIZES = SUBJECT_LOCALS * (SUBJECT_ARGUMENT + 64),
    SUBJECT_GIVEN = SUBJECT_LOCALS * 32
};

/* What SUBJECT_STDIN names is the standard input, which the supervisor keeps. */
#define SUBJECT_STDIN "-"

/* And this, kernels of ours without a body: `empty`, and `empty_local`, which has a local argument, its first. */
#define SUBJECT_OURS "(gridlock)"

/* How census and barrier get in front of the body. */
enum entry_way {
    ENTRY_NONE,
    ENTRY_CALL,   /* a kernel appended to the program calls theirs behind them */
    ENTRY_INSERT, /* they are put behind the opening brace, and one argument is appended */
    ENTRY_COUNT,
};

/* What the driver builds or runs: a text of the user's, or one that gridlock made of it. */
enum subject_text {
    TEXT_NONE, /* none of the user's */
    TEXT_AS_IS,
    TEXT_SIZES,
    TEXT_CALL,
    TEXT_INSERT,
    TEXT_COUNT,
};

/* "your file as it is"; "" for TEXT_NONE, and for what is no such text, which a driver may have written. */
const char *subject_text_words(enum subject_text text);

/* Returns which text is built in one of the ways. */
enum subject_text subject_text_of(enum entry_way way);

/* A text that a driver was given, and what was asked of it: enough to ask it again. */
struct subject_tried {
    const char *text;      /* OpenCL C; NULL: nothing is known */
    const char *options;   /* of the build */
    const char *kernel;    /* that was to be launched; "": the build was not over */
    const char *arguments; /* of that: what they are set to, a letter and a number each (device/subject.h) */
};

/*
 * The parts one behind the other, each up to a 0; they are read back as parts of `bytes`. False, and nothing is known:
 * these bytes are none.
 */
enum { TRIED_PARTS = 4 };
void subject_tried_parts(const struct subject_tried *tried, const char *parts[TRIED_PARTS]);
bool subject_tried_read(struct subject_tried *tried, const char *bytes, size_t size);

struct subject {
    char file[SUBJECT_PATH];       /* of OpenCL C, as it was given; "": there is no subject, but limits.cl */
    char options[SUBJECT_OPTIONS]; /* of the build, as they were given */
    char kernel[SUBJECT_KERNEL];
    struct nd_range shape;      /* of its work-groups */
    enum entry_way wanted;      /* ENTRY_NONE: the one that changes the footprint least */
    char locals[SUBJECT_GIVEN]; /* bytes of local arguments that were given: "3=1024,5=64", by their numbers from 0 */
};

/*
 * NVIDIA's log of a build holds about 13 kernels and leaves out the others of the file: whether the kernel that was
 * measured occupies as much as the original is then unknown.
 */
#define REGISTERS_UNTOLD UINT32_MAX

/* What a driver says of a built kernel. */
struct kernel_facts {
    uint64_t local_bytes;   /* CL_KERNEL_LOCAL_MEM_SIZE, before the sizes of arguments are set */
    uint64_t private_bytes; /* CL_KERNEL_PRIVATE_MEM_SIZE */
    uint64_t most_items;    /* CL_KERNEL_WORK_GROUP_SIZE */
    uint32_t registers;     /* of a work-item; 0: the driver tells none; REGISTERS_UNTOLD: those of others alone */
};

/* A kernel of a file, as it is listed. */
struct subject_kernel_info {
    char name[SUBJECT_KERNEL];
    uint32_t required[3]; /* work-items of its groups; 0: any */
    uint64_t most_items;  /* CL_KERNEL_WORK_GROUP_SIZE */
    bool refused;         /* it cannot be measured: one of its arguments cannot be made up */
    uint32_t local_count; /* of these, local ones */
    struct {
        uint32_t argument;
        char name[SUBJECT_ARGUMENT];
    } locals[SUBJECT_LOCALS];
};

/* What was found out about a subject when it was built. */
struct subject_facts {
    enum entry_way way;
    struct kernel_facts original,
        measured;              /* a kernel of ours is measured with what is in front of it: both are that */
    uint64_t group_bytes;      /* of local memory: what a group of the original occupies, with its local arguments */
    uint64_t promised_groups;  /* clGetKernelMaxConcurrentWorkGroupCountINTEL; 0: the driver has no such answer */
    char sizes[SUBJECT_SIZES]; /* of local arguments that nobody gave: "argument 2 (tile): 256 bytes" */
};

/* What the limit of what was measured says of that of the original. */
enum subject_bound {
    BOUND_EXACT,    /* the two occupy the same, as far as the driver tells */
    BOUND_AT_LEAST, /* what was measured occupies more, */
    BOUND_AT_MOST,  /* or less, */
    BOUND_UNLIKE,   /* or more of one thing and less of another */
    BOUND_COUNT,
};

/*
 * Reads a kernel's registers from the log of a build, as NVIDIA's compiler writes it: "... entry function 'name' ...",
 * then "Used 24 registers". log: NULL if there is none.
 */
uint32_t subject_registers_of(const char *log, const char *name);

/*
 * NVIDIA, who alone tells registers, gives them in lots of 256 to whole sub-groups of 32 work-items ("register
 * allocation unit size" of its occupancy calculator, from compute capability 3.0 on). So many lots a sub-group takes;
 * 0: not known, or untold.
 */
uint32_t subject_register_lots(uint32_t registers);

enum subject_bound subject_bound(const struct kernel_facts *original, const struct kernel_facts *measured);
enum subject_bound subject_bound_of(const struct subject_facts *facts);

/* In front of a number: "", "at least ", "at most ", "about ". */
const char *subject_bound_words(enum subject_bound bound);

bool subject_equal(const struct subject *a, const struct subject *b);

/*
 * "denoise.cl:blur/l16x16-0123abcd": the same on each machine, wherever the file is, with the same options and sizes of
 * local arguments.
 */
void subject_print(const struct subject *subject, char *text, size_t size);

/* Of build options: equal for those that differ in blanks between words alone. FNV-1a, 64 bits. */
uint64_t subject_hash_options(const char *options);

/*
 * So are these, apart from -DGL_UNBOUNDED: it takes from kernels of gridlock.clh that waits give up, which has no part
 * in a proof.
 */
bool subject_same_options(const char *a, const char *b);

/* Returns the bytes that were given for a local argument, or 0. */
uint64_t subject_local_bytes(const struct subject *subject, uint32_t argument);

NAMING_DECLARE(entry_way, enum entry_way);
NAMING_DECLARE(subject_bound, enum subject_bound);

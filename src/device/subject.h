/*
 * Kernels of a file of the user's, made so that census and barrier run in front of their bodies (core/subject.h). What
 * is built is the file as it is, for what the driver says of it; then the whole file with text put into the kernels;
 * and, for those that have no place for it, or of which that shows no lower bound, the whole file with a kernel
 * appended that calls them.
 */
#pragma once

#include "device/session.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SUBJECT_VALUE_BYTES = 1 << 12 }; /* of the largest value that is passed */

enum argument_kind { ARGUMENT_VALUE, ARGUMENT_BUFFER, ARGUMENT_LOCAL, ARGUMENT_IMAGE, ARGUMENT_SAMPLER };

struct subject_argument {
    enum argument_kind kind;
    char name[SUBJECT_ARGUMENT];
    char type[512];     /* of a pointer, what it points to */
    char declared[640]; /* in a head, in front of its name: "__global const float * restrict", */
    char behind[32];    /* and behind it: that of a pointer to arrays is ")[6]" */
    uint64_t bytes;     /* of a value; of a local one, of an element */
    cl_mem image;       /* owned */
    cl_sampler sampler; /* owned */
};

/* What was built of a kernel in one way. */
struct subject_build {
    cl_program program; /* NULL: it does not build so. Retained */
    const char *text;   /* that was built for it alone, or of which `program` was made; the file's */
    struct kernel_facts facts;
    enum {
        BUILD_NOT_TRIED,
        BUILD_NO_PLACE, /* not tried, because the file's text has no head of it */
        BUILD_REFUSED,
        BUILD_DIED,   /* the driver, in an earlier worker */
        BUILD_HIDDEN, /* what was built has not what gridlock made of the kernel */
        BUILD_WORKS,
    } end;
    char said[160]; /* BUILD_REFUSED: what the driver said */
};

struct subject_kernel {
    struct subject_file *file;
    char name[SUBJECT_KERNEL];
    struct subject_argument *arguments;
    uint32_t argument_count;
    uint32_t required[3]; /* work-items; 0: any */
    char attributes[64];  /* of the appended kernel: "__attribute__((reqd_work_group_size(8, 8, 1)))", or "" */
    char refused[224];    /* why it cannot be measured, or "" */
    struct kernel_facts original;
    struct subject_build builds[ENTRY_COUNT];
    bool has_place;     /* for text that is put in: its head is found in the file's text */
    enum entry_way way; /* the one that is measured */
};

struct subject_file {
    char name[SUBJECT_PATH];
    char options[SUBJECT_OPTIONS];
    char all_options[SUBJECT_OPTIONS + SUBJECT_PATH + 128];  /* with those that are added */
    char told_options[SUBJECT_OPTIONS + SUBJECT_PATH + 128]; /* the same for who builds it elsewhere */
    char **texts;                                            /* that were built of it, and are still of use */
    size_t text_count;
    char *text;
    size_t length;
    char folder[SUBJECT_PATH]; /* where it looks for what it includes */
    int folder_descriptor;     /* if the folder is given by that; or -1 */
    cl_program original;
    struct subject_kernel *kernels;
    uint32_t kernel_count;
    cl_mem buffer;                               /* that all pointers point to */
    enum { NOT_MADE, IN_THE_MAKING, MADE } made; /* whether the kernels are built to be measured */
    struct error failure;                        /* why they could not be, ahead of the trials */
    enum entry_way wanted;                       /* as in struct subject */
    uint32_t without;                            /* as in struct device_probe */
    struct subject_file *next, *later;           /* to be made after it */
};

/*
 * Reads and builds a file as it is, and finds out what its kernels need; it stays the session's, as do many others.
 * STATUS_USAGE: it cannot be read, or is no source; STATUS_SURPRISE: it does not build, and *log, which is to be freed,
 * is what the driver says.
 */
int subject_open(struct session *session, const struct subject *subject, struct subject_file **opened, char **log,
                 struct error *error);

/*
 * The kernel to be launched for a subject, which the session keeps. STATUS_UNSUPPORTED: it cannot be measured here, and
 * why; another status: it does not build.
 */
int subject_program(struct session *session, const struct subject *subject, struct program **program,
                    struct error *error);

/* Bytes of local memory that a group occupies, with those of its arguments. */
uint64_t subject_local_memory(const struct subject *subject, const struct subject_kernel *kernel);

/* The file's kernel of that name; NULL: it has none. */
struct subject_kernel *subject_find_kernel(struct subject_file *file, const char *name);

/* Those of the arguments, of so many pixels in each dimension. STATUS_UNSUPPORTED: the driver has none of a kind. */
int subject_make_images(const struct session *session, struct subject_kernel *kernel, uint32_t side,
                        struct error *error);

/*
 * Makes the argument an image of this shape (as proof/request.h has it), that begins with these bytes; what it was
 * before is let go.
 */
cl_int subject_make_image(const struct session *session, struct subject_argument *argument, const uint64_t *shape,
                          unsigned char *bytes, size_t size);

/* Sets an argument that is a sampler to one that is made for it. */
cl_int subject_set_sampler(struct session *session, cl_kernel kernel, struct subject_argument *argument,
                           uint32_t index);

/* Sets all arguments, the last of which is the board. */
int subject_set_arguments(struct session *session, const struct subject *subject, const struct program *program,
                          struct error *error);

void subject_describe(struct session *session, const struct subject *subject, const struct program *program,
                      struct subject_facts *facts);

/* As it is listed. */
void subject_inform(const struct subject_kernel *kernel, struct subject_kernel_info *info);

/* --- what the files of this module share --- */

/* No driver is believed that says that a name is longer, or that there are more of something. */
enum { SUBJECT_TOLD_MOST = 1 << 16 };

/* A text that is built of a file. */
struct subject_source {
    const char *text;
    const char
        *behind_front; /* the part of it by which it is known; NULL: it is built even if a driver has died of it */
    enum subject_text kind;
};

/*
 * Builds one of a file's programs. NULL: it does not build, or a driver has died of it (*died); *log, if log is not
 * NULL, is what the driver says, to be freed.
 */
cl_program subject_build(struct session *session, const struct subject_file *file, const struct subject_source *source,
                         char **log, cl_int *code, bool *died);

/* Reads what the driver says of each kernel of the file, whose `original` is built; `log` is that of the build. */
int subject_read_kernels(struct session *session, struct subject_file *file, const char *log, struct error *error);

void subject_read_facts(const struct session *session, cl_kernel kernel, const char *log, const char *name,
                        struct kernel_facts *facts);

/* Tells the supervisor what the driver is about to do. `kernel`, `arguments`: of a launch, or "". */
void subject_try(struct session *session, const struct subject_file *file, const char *text, const char *kernel,
                 const char *arguments);

/*
 * What a kernel's arguments are set to, allocated: "b65536 l1024 v4 i4337 d4337 s0 w0": a buffer or local memory of so
 * many bytes, a value of so many (0: not known) which is 0, an image or depth image of this type, a sampler, the board.
 */
char *subject_print_arguments(const struct subject *subject, const struct subject_kernel *kernel);

/*
 * Why it is built in none of the ways that were wanted, and tells of what. STATUS_UNSUPPORTED: the driver was given
 * nothing.
 */
int subject_fail(struct session *session, const struct subject_kernel *kernel, enum entry_way wanted,
                 struct error *error);

/* Builds the file's kernels to be measured, or waits until that is done ahead. -1: no text to put in. */
int subject_make(struct session *session, struct subject_file *file, struct error *error);

/*
 * On a GPU another thread makes one file after the other, while the next are opened and the first kernels are measured;
 * on other devices it would take the processors from the groups that are measured.
 */
void subject_make_ahead(struct session *session, struct subject_file *file);

/* Ends that thread, after the build that it is in. */
void subject_stop_ahead(struct session *session);

/* What the driver says of the arguments of a kernel; sets kernel->refused if one of them cannot be made up. */
void subject_read_arguments(struct session *session, cl_kernel kernel, struct subject_kernel *read);

/* Returns the type of image that has this name, or 0. Types of the user's may have names that begin so. */
cl_mem_object_type subject_image_type(const char *type);

/* Finds out the sizes of values, and of what local arguments point to, which only the file's own text knows. */
void subject_find_sizes(struct session *session, struct subject_file *file);

/*
 * Text in front of the file's, with names that are in no program; build options define none of them. NULL: why is in
 * error.
 */
char *subject_front(const struct session *session, enum dialect dialect, const char *options, struct error *error);

/* Sets has_place of all kernels of the file; `kernels` has room for that many, and is overwritten. */
void subject_find_places(struct subject_file *file, struct subject_kernel **kernels);

/*
 * The whole program for these kernels, in one way; text is put in only where there is a place. ENTRY_NONE: as it is.
 * What compilers say of it has the file's name.
 */
char *subject_text(const struct subject_file *file, const char *front, struct subject_kernel *const *kernels,
                   uint32_t count, enum entry_way way);

/* The name under which a kernel of the file is in a program that was built in this way. */
void subject_entry_name(const struct subject_kernel *kernel, enum entry_way way, char *name, size_t size);

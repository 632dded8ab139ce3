/* Explores a launch on a model device, and proves what follows. */
#pragma once

#include "core/word_name.h"
#include "device/session.h"
#include "device/subject.h"
#include "proof/request.h"
#include "proof/result.h"

#include <stdio.h>

/*
 * Fills the result; call proof_result_fini even on failure. -1: the file does not build, and *log, which is to be
 * freed, is what the compiler says (STATUS_SURPRISE); the request names what is not there (STATUS_USAGE); the launch is
 * too large, or has arguments that cannot be made (STATUS_UNSUPPORTED).
 */
int proof_run(struct session *session, const struct proof_request *request, struct proof_result *result, char **log,
              struct error *error);

/* --- what its files share --- */

struct explored;

enum proof_answer { PROOF_IS_RIGHT, PROOF_IS_WRONG, PROOF_IS_UNKNOWN };

/* Whether what memory holds now is a right end of the launch. */
struct proof_check {
    /* If it is wrong, says what is so, as far as that is known; wrong->object becomes the number of an argument. */
    enum proof_answer (*judge)(struct proof_check *check, struct proof_wrong *wrong);
};

/* How what nobody gave is made up. */
struct proof_making {
    const char *number;   /* each number, or component of one; NULL: 0 */
    uint64_t local_bytes; /* of local memory at least: else an element for each work-item */
    int32_t apart;        /* so much more is each number than the one before, but none is less than 0 */
    uint32_t fill;        /* enum proof_fill: of buffers */
    uint64_t bytes;       /* of each buffer; 0: PROOF_BUFFER */
    bool one, item;       /* there is one group; of one work-item */
    bool more;            /* each group has PROOF_MORE_ITEMS work-items */
    uint32_t column;      /* the dimension, from 0, in which the groups are, or PROOF_SQUARE or PROOF_CUBE, */
    uint32_t second;      /* and the one in which a group's work-items are, or PROOF_SQUARE */
    uint32_t size;        /* of a group in each of these; 0: what is asked for */
    uint32_t offset;      /* of global ids, in each dimension */
    uint32_t groups;      /* there are so many; 0: as many as are asked for */
    const char *why;      /* that is so */
};

/* A launch of somebody's kernel, as it is. */
struct proof_launch {
    struct session *session;
    struct proof_making making;
    const struct proof_request *request;
    struct subject_kernel *kernel; /* NULL: it is a scenario's */
    cl_kernel made;
    cl_mem *buffers;           /* of each argument, or NULL */
    struct proof_check *check; /* or NULL */
    FILE *made_up;             /* takes what is made up; */
    uint32_t passed;           /* of that, so many are numbers, */
    uint32_t numbers;          /* and so many of these the kernel may use */
    bool hurries;              /* with numbers that are made up it is explored for part of the time: others may be it */
    struct proof_result *result;
};

/*
 * Makes the kernel of the user's that is to be launched, with its arguments; proof_unmake is called even on failure.
 * *log, which is to be freed, is what the driver says of a file that does not build, or NULL. -1: as subject_open, and
 * STATUS_UNSUPPORTED if its arguments cannot be made.
 */
int proof_make(struct proof_launch *launch, char **log, struct error *error);
void proof_unmake(struct proof_launch *launch);

/* Names the file's own lines, "kernel.cl:7", by the name of the file that the trial is of; allocated. */
char *proof_name_line(const struct trial *trial, const char *line);

/* Sets all arguments, and notes in the result what is made up; the caller releases the buffers, even on failure. */
int proof_set_arguments(struct proof_launch *launch, struct error *error);

/*
 * What was explored is wrong with what was made up: is it with other arguments? Or it accessed nothing: does it with
 * others? Then *explored and the result become those of such a launch, with a note of what was wrong before.
 */
void proof_make_up_again(struct proof_launch *launch, struct explored *explored, uint64_t until_ns);

/* What was explored is too large, perhaps for numbers that are made up. True: with others it is right, as above. */
bool proof_try_numbers(struct proof_launch *launch, struct explored *explored, uint64_t until_ns);

/* Notes, beside what was made up, that groups were in one row although the kernel asks for more dimensions. */
void proof_note_row(const struct proof_request *request, const struct explored *explored, struct proof_result *result);

/* As proof_run, of a kernel of the user's and with what is made up one way. */
int proof_explore(struct proof_launch *launch, struct explored *explored, char **log, struct error *error);

/* The argument that goes by this name, or by this number from 0; UINT32_MAX: none does. */
uint32_t proof_find_argument(const struct proof_launch *launch, const char *name);

/* Of one that is a buffer. */
uint64_t proof_buffer_bytes(const struct proof_launch *launch, uint32_t index);

/* Likewise: of an element, or of each component of a vector. */
uint32_t proof_element_bytes(const struct proof_launch *launch, uint32_t index);

/* Whether neither who asks nor the kernel says of which work-items groups are. */
bool proof_is_shape_made_up(const struct proof_launch *launch);

/* Of large groups fewer are explored, if nobody said how many. Returns whether that is so. */
bool proof_take_fewer(struct proof_request *request);

/* STATUS_UNSUPPORTED: there are too many work-items, even if they keep apart; or, below, because they do not. */
int proof_check_size(const struct trial *trial, struct error *error);
int proof_refuse_size(const struct trial *trial, struct error *error);
uint64_t proof_group_items(const struct trial *trial);

struct explore_bounds;

/* Has states be compared without what the request says. -1 with STATUS_USAGE: there is no such buffer, or element. */
int proof_ignore(const struct proof_launch *launch, struct explore_bounds *bounds, struct error *error);

/* To be asked once the launch was explored: the program has the variables that are ignored, or STATUS_USAGE. */
int proof_check_ignored(const struct explore_bounds *bounds, const struct explored *explored, struct error *error);

/*
 * What is right by the request, computed on the device; launch->check asks for it from now on. The arguments are set.
 * -1 with STATUS_USAGE: it does not fit the kernel, or cannot be read or built.
 */
int proof_expect(struct proof_launch *launch, struct error *error);
void proof_expect_no_more(struct proof_launch *launch);

/* How addresses and places in the program are named. */
struct proof_names {
    const struct explored *explored;
    const struct trial *trial;
    const struct subject_kernel *kernel; /* NULL: it is a scenario's */
    char *const *lines;                  /* of each site */
    const char *fault_line;
    struct proof_check *check; /* of each end; or NULL: nobody knows what is right */
    bool for_one_size;         /* groups have a size that is made up, and the kernel is for another one, perhaps */
    bool for_other_values;     /* it is in an endless loop, which may be due to what it has read from its buffers */
};

/*
 * The size of groups is made up, and the kernel, which has variables or given arguments of more bytes in local memory,
 * asks for ids, and never for the size: it may be for another one. What is then read unwritten, and races for other
 * memory, may be due to that.
 */
enum { PROOF_VARIABLE_BYTES = 8 };
bool proof_is_for_one_size(const struct proof_launch *launch, const struct explored *explored);

/* What an argument is called, and what is at an address; *offset becomes that in it. "memory": nobody knows. */
enum { PROOF_OBJECT_NAME = SUBJECT_ARGUMENT + WORD_NAME };
void proof_name_argument(const struct proof_names *names, uint32_t number, uint64_t *offset,
                         char name[PROOF_OBJECT_NAME]);
void proof_name_object(const struct proof_names *names, uint64_t at, uint64_t *offset, char name[PROOF_OBJECT_NAME]);

/* "a.cl:1, a.cl:12": the lines of some sites, a bool each; allocated. */
char *proof_name_lines(const struct proof_names *names, const bool *sites);

/* Fills all of the result that follows from the graph. */
void proof_tell(const struct proof_names *names, struct proof_result *result);

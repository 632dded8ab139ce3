/* What watch says, as text and as JSON, an object a line (format/schemas/watch-program.schema.json). */
#pragma once

#include "watch/passing.h"
#include "watch/watched.h"

#include <stdio.h>

/* Why nothing goes on in a process, or, without a verdict, what it does. */
struct telling {
    const struct account *account;
    const struct passing *passing;
};

void tell_stall_text(FILE *out, const struct telling *telling);
void tell_stall_json(FILE *out, const struct telling *telling);

/* Whether the groups of its launch fit. */
struct fitting;
void tell_fit_text(FILE *out, const struct watched *process, const struct fitting *fitting);
void tell_fit_json(FILE *out, const struct watched *process, const struct fitting *fitting);

/* What was seen of a program that has ended. */
struct ending {
    const char *program;
    enum door door;
    int status; /* exit status, or 128 and the signal */
    const struct watched_list *list;
    const struct passing *passing;
    bool whole; /* with what is as it should be, too */
};

void tell_end_text(FILE *out, const struct ending *ending);
void tell_end_json(FILE *out, const struct ending *ending);

/* What became of the run file; with its path, or NULL. */
void tell_note_text(FILE *out, enum door door, const char *says, const char *path);
void tell_note_json(FILE *out, enum door door, const char *says, const char *path);

/* No process of it has come to the door so far. */
void tell_none_json(FILE *out, const struct ending *so_far);

/* In words: a command, its sizes, its arguments; a thread that has called OpenCL. */
void tell_command(FILE *out, const struct page_command *command);
void tell_sizes(FILE *out, const struct page_command *command);
void tell_arguments(FILE *out, const struct page_command *command);
void tell_thread(FILE *out, const struct account *account, const struct page_thread *thread);

/* All that was seen to be launched. */
uint64_t ending_launches(const struct ending *ending);

/* What was launched last by a process and is open; NULL: nothing is. */
const struct page_command *ending_runs(const struct watched *process);

/* Groups of a launch; 0 if the driver chose. */
uint64_t command_groups(const struct page_command *command);

enum { MARKS_RANGES = 8 };

/* Which groups of a launch have started; the others never did so far. */
struct marks {
    uint64_t groups, started;
    struct marks_range {
        uint64_t first, last; /* of those that did not, by number: get_group_id(0) counts fastest */
    } ranges[MARKS_RANGES];
    size_t count, left_out; /* ranges, and those for which there was no room */
};

/* Why it is not known which groups of a launch have started; PAGE_MARKED if it is, or nobody wanted to know. */
enum page_marks marks_unknown(const struct account *account, const struct page_command *command);
/* False: it has no marks, or none that say something: no group is seen to have started. */
bool marks_read(struct marks *marks, const struct account *account, const struct page_command *command);
/* "; 2 of its groups have started, and groups 2 to 63 have not", or why that is not known, or nothing. */
void tell_marks(FILE *out, const struct account *account, const struct page_command *command);
/* Answers whether launches of the process were to have marks. */
bool marks_were_wanted(const struct page *page);
/* "4 launches were marked; 3 were not: the source is not known (3)" */
void tell_marked(FILE *out, const struct page *page);

/* Why nothing goes on. Owned by the caller. */
char *account_why(const struct account *account);

/* The launch that runs, or else is next; NULL: none is known. */
const struct page_command *account_launch(const struct account *account);

/* Answers whether a thread was seen to run a kernel of this name. */
bool account_runs(const struct account *account, const char *kernel);

/* What was seen of this thread, or NULL. */
const struct looked_thread *account_thread(const struct account *account, uint32_t thread);

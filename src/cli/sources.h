/* `limits --source`: options that name kernels of the user's. */
#pragma once

#include "cli/measure.h"
#include "engine/subjects.h"
#include "report/limits.h"
#include "store/captured.h"

struct source_options {
    struct subject_request request;
    uint64_t digests[SUBJECT_FILES];   /* of the files' texts */
    bool asks_group;                   /* one of them does (core/asks_group.h) */
    const char *header;                /* to write, or NULL */
    const char *said;                  /* how messages name a file: "--source ", or "" of an operand */
    const struct proof_request *asked; /* whose files are loaded as well; or NULL */
    struct captured *captured;         /* the launch whose kernel it is; or NULL. It is never freed */
    const char *first;                 /* the name of the first option that needs --source, or NULL */
};

/* These options: a part, of a struct source_options. */
extern const struct command_line sources_line;

/* Returns whether the word is a folder, as sources_add_file takes it for a captured launch. */
bool sources_is_folder(const char *word);

/* Take a file to be measured, or a captured launch, names of kernels, and options for their build, as options do. */
int sources_add_file(struct parsing *parsing, void *options, char *file);
int sources_add_kernels(struct parsing *parsing, void *options, char *names);
int sources_take_build_options(struct parsing *parsing, void *member, char *text);

/* Adds a captured launch: what options say goes before what it had. */
int sources_add_captured(struct parsing *parsing, struct source_options *options, const char *folder);

/* Its shape of work-groups; 1 where the driver chose. */
int sources_take_shape(struct source_options *options, struct error *error);

/* Adds the arguments of the captured launch, if it is one, that were not given by their numbers. */
void sources_give_arguments(const struct source_options *options, struct proof_request *request);

/* "64,16x16,8x8x4". -1 with STATUS_USAGE. */
int sources_parse_sizes(struct source_options *options, const char *text, struct error *error);

/*
 * Reads the files, so that none is missing, and keeps the standard input for workers. -1 with STATUS_USAGE: one cannot
 * be read, or is no text.
 */
int sources_read(struct source_options *options, struct error *error);

/*
 * As measure_check_origin, of the files, what they are built with, those of the request, and `count` others, of which
 * there are at most SOURCES_ALSO.
 */
enum { SOURCES_ALSO = 64 };
int sources_check_origin(const struct source_options *options, const struct measure_options *measure,
                         const char *const *also, size_t count, struct error *error);

/* Notes them in the run file, or compares them with those of the run that goes on. As measurement_note_source. */
int sources_note(const struct source_options *options, const struct measurement *measurement, struct error *error);

/* Fails with STATUS_USAGE if --emit-header would replace a file that is not such a header. */
int sources_check_header(const struct source_options *options, struct error *error);

/* Writes the header, if --emit-header was given. */
int sources_write_header(const struct source_options *options, const struct limits_report *report, struct error *error);

/* The texts that a reproducer is made of, and its files: in a folder that may be new, and never in place of others. */
#pragma once

#include "base/source.h"
#include "core/build_options.h"
#include "explain/story.h"
#include "reproducer/reproducer.h"

#include <stdio.h>

/* What all are made of; generated from reproducer/template. */
extern const struct source_file reproducer_files[];

/* Returns the text of the file with this name, of these or of others, or NULL. */
const char *reproducer_file(const struct source_file *files, const char *name);

/* The length of the line that a text begins with, with its newline. */
size_t reproducer_line(const char *text);

/* Where a program takes its device. */
#define REPRODUCER_DEVICE "#include \"device.inc\""

/* What a text has behind this line; *before is the length of what it has before. */
const char *reproducer_split(const char *text, const char *line, size_t *before);

/*
 * For text_wrap, a word of a comment that may come from a driver: nothing in it ends the comment, begins another one or
 * joins lines.
 */
int reproducer_put_word(FILE *out, const char *word, size_t length);

/* The same of a program that builds what was not measured (reproducer_write_build). */
void reproducer_write_build_head(FILE *out, const struct evidence *evidence, const struct story *story);

/* The comment at the head of the program: what it shows, where it was seen, how to build and run it; and macros. */
void reproducer_write_head(FILE *out, const struct reproducer *reproducer, const struct story *story);

/*
 * The kernel in one text: its own and that of headers beside it as they are, and of what gridlock carries the
 * functions that it uses; for group.h and what that includes there is a short form, which is made to be read
 * (kernel.inc). Allocated; NULL with STATUS_USAGE if a file cannot be read or the short form lacks a name.
 */
char *reproducer_kernel(const struct reproducer *reproducer, struct error *error);

/* What its kernel is built with; whoever builds the reproducer decides whether its loops are bounded. */
void reproducer_options(const struct reproducer *reproducer, char text[BUILD_OPTIONS]);

/* Those of a build's options that are no macros: these stand in the kernel's text. */
void reproducer_flags(const char *options, char flags[BUILD_OPTIONS]);

/* A text as part of a string in C. */
void reproducer_put_string(FILE *out, const char *text);

/*
 * The template promise.c with up to three parts in their place, by numbers ("-DOF_..."), without functions that
 * nothing uses: of what comes behind what a program begins with. Allocated.
 */
char *reproducer_host(const char *const parts[3], const char *numbers);

/*
 * What such a program begins with, behind its comment; numbers have -DOF_SET=1 where the environment has what it is
 * to set.
 */
void reproducer_put_begin(FILE *out, const char *program, const struct device_info *device, const char *environment);
bool reproducer_sets(const char *environment);

/*
 * Writes all of these files into a folder, which is made if it is missing; no file may be there before, and no folder
 * be a link. -1 with STATUS_USAGE, or STATUS_HARNESS if not all could be written; then none of them stays.
 */
int reproducer_save(const char *folder, const struct source_file *files, struct error *error);

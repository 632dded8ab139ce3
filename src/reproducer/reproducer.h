/* A program that does one launch again and needs nothing of ours: what goes with a bug report to a driver's makers. */
#pragma once

#include "base/source.h"
#include "report/evidence.h"

#include <stdio.h>

struct reproducer {
    const struct evidence *evidence;
    const struct trial *trial;     /* with all of its workload */
    struct source_folders folders; /* where the kernel and what it includes are looked for first */
};

/* The kernel is built once more by this name, from this file, by a program in this one. */
#define REPRODUCER_KERNEL "stall.cl"
#define REPRODUCER_PROGRAM "stall.c"

/* What both files are made of; generated from reproducer/template. */
extern const struct source_file reproducer_files[];

/* The text of one of these. */
const char *reproducer_file(const char *name);

/*
 * 0, or -1 with STATUS_USAGE: such a trial cannot be done again by one program and two files. A launch that passed can:
 * its reproducer is what a driver that stalls is compared with.
 */
int reproducer_check(const struct evidence *evidence, struct error *error);

/* Writes both files into `folder`, which is made if it is missing. Files that are there stay: STATUS_USAGE. */
int reproducer_write(const struct reproducer *reproducer, const char *folder, struct error *error);

/* The comment at the head of the program: what it shows, where it was seen, how to build and run it. */
int reproducer_write_head(FILE *out, const struct reproducer *reproducer, struct error *error);

/*
 * The kernel in one text: its own and that of headers beside it as they are, and of what gridlock carries the functions
 * that it uses; for group.h and what that includes there is a short form, which is made to be read (kernel.inc). Allocated;
 * NULL with STATUS_USAGE if a file cannot be read or the short form lacks a name, STATUS_HARNESS if memory is short.
 */
char *reproducer_kernel(const struct reproducer *reproducer, struct error *error);

/* Those of the build's options that are no macros: these stand in the kernel's text. */
void reproducer_options(const struct reproducer *reproducer, char *text, size_t size);

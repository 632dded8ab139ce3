/*
 * Programs from a stream: those in the text form take a line each, a listing the lines up to an empty one or to the
 * next "thread 0". Empty lines, and lines that begin with "#", are skipped.
 */
#pragma once

#include "base/error.h"
#include "litmus/program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { LITMUS_RECORD = 16384 }; /* bytes of a program in either form */

/* Begins as {.in = stream}. */
struct litmus_reader {
    FILE *in;
    unsigned line; /* lines read so far */
    unsigned first_line;
    size_t length; /* of the record */
    size_t held;   /* where a line begins that belongs to the next program; 0: nowhere */
    char record[LITMUS_RECORD];
};

/*
 * Sets *found to whether there was another program. -1 with STATUS_USAGE, naming line and column, if it is malformed
 * or its lines are longer than a record; with STATUS_HARNESS if the stream could not be read.
 */
int litmus_reader_next(struct litmus_reader *reader, struct litmus_program *program, bool *found, struct error *error);

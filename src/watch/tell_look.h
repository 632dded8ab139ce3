/* What was seen of a process from outside (look/look.h), in words and as JSON. */
#pragma once

#include "look/look.h"

#include <stdio.h>

void tell_look_text(FILE *out, const struct look *look);

/* One line, an object by format/schemas/watch.schema.json; and the object alone. */
void tell_look_json(FILE *out, const struct look *look);
void tell_look_object(FILE *out, const struct look *look);

/* Lines about the threads that are wanted, or about all (NULL); those of which the same is to be said are together. */
void tell_look_threads(FILE *out, const struct look *look, const bool *wanted);

/* What one does: "is in clFinish, which was called by main (lock.c:20), and sleeps until ...". */
void tell_look_thread(FILE *out, const struct looked_thread *thread);

/* "runs kernel spin at spin.cl:3: it goes round in 3 instructions, ...", of a thread that does. */
void tell_look_kernel(FILE *out, const struct looked_thread *thread);

/* What the verdict says, and why it is no other one; NULL: that is of one thread. */
const char *tell_look_why(const struct look *look);

/* The same, of a thread, too. */
void tell_look_account(FILE *out, const struct look *look);

/* "main (program.c:12)" */
void tell_look_frame(FILE *out, const struct frame *frame);

/* The program's innermost function, or where it sleeps; NULL: it is not known. */
const struct frame *tell_look_place(const struct looked_thread *thread);

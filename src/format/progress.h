/* What litmus tests said of devices, as text. */
#pragma once

#include "format/case.h"
#include "format/text.h"

#include <stdio.h>

/* "broken", "not-broken", "not-tested", or "undecided": it is not broken, and of what it guarantees nothing ended. */
const char *progress_standing_word(const struct litmus_standing *standing);

/*
 * It is not broken, and has tests, but all of them are guaranteed by a weaker model, too: nothing is known of it that
 * is not known of that one. Such a model has, in the words of reports:
 */
bool progress_is_not_told_apart(const struct litmus_classification *all, enum litmus_model model,
                                enum litmus_fairness fairness);
#define PROGRESS_NO_OWN_TEST "no test of its own"

/* "mapping chunked", "mapping random (seed 1)" */
void progress_text_mapping(FILE *out, const struct mapping *mapping);

/* Prints where the instance of a stalled test stood: "x=0 y=1; thread 0 at L0, thread 1 never started". */
void progress_text_stand(FILE *out, const struct litmus_case *found);

/* Prints a sentence without its full stop: what was seen of a model, of the engines, or of the blocks. */
void progress_text_message(FILE *out, const struct report_case *told);

/* "group", "sub-groups", "work-items": what threads are */
const char *progress_text_threads(enum block_level level, uint64_t count);

/*
 * Parts of the text: the device, what was run on it at a level, each broken model's shortest test, what is wrong with
 * the blocks.
 */
void progress_text_device(FILE *out, const struct progress_device *device);
void progress_text_heading(FILE *out, const struct progress_device *device);
void progress_text_reasons(FILE *out, const struct progress_device *device);
void progress_text_trouble(FILE *out, const struct colors *colors, const struct progress_device *device);

/*
 * Where more was run than groups: what each level comes to in the words of C++ and SYCL, and what the driver promises
 * there.
 */
void progress_text_levels(FILE *out, const struct progress_device *device);

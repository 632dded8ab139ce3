/* Names of the launches that were explored. */
#include "core/text.h"
#include "format/text.h"

#include <inttypes.h>
#include <stdio.h>

static void print_shape(const struct trial *trial, char shape[SHAPE_BYTES])
{
    const struct subject *subject = &trial->footprint.subject;

    if (subject->file[0] != '\0')
        nd_range_print_shape(&subject->shape, shape);
    else if (trial->work.range.dimensions != 0)
        nd_range_print_shape(&trial->work.range, shape);
    else
        snprintf(shape, SHAPE_BYTES, "%" PRIu32, trial->footprint.local_size);
}

void proof_print_name(const struct trial *trial, char name[PROOF_NAME], char shape[SHAPE_BYTES])
{
    const struct subject *subject = &trial->footprint.subject;

    print_shape(trial, shape);
    if (subject->file[0] == '\0')
        snprintf(name, PROOF_NAME, "%s%s%s", trial->work.scenario, trial->work.point[0] != '\0' ? " " : "",
                 trial->work.point);
    else
        snprintf(name, PROOF_NAME, "%s%s%s", subject->file, subject->kernel[0] != '\0' ? ":" : "", subject->kernel);
}

void proof_print_groups(const struct trial *trial, char groups[SHAPE_BYTES])
{
    const struct nd_range shape = nd_range_groups(&trial->work.range);

    if (trial->work.range.dimensions != 0)
        nd_range_print_shape(&shape, groups);
    else
        snprintf(groups, SHAPE_BYTES, "%" PRIu32, trial->groups);
}

void proof_print_launch(const struct trial *trial, char text[PROOF_LAUNCH])
{
    const uint64_t *offset = trial->work.range.offset;
    char groups[SHAPE_BYTES], shape[SHAPE_BYTES];

    proof_print_groups(trial, groups);
    print_shape(trial, shape);
    snprintf(text, PROOF_LAUNCH, "%s group%s of %s", groups, text_s(trial->groups), shape);
    if (offset[0] != 0 || offset[1] != 0 || offset[2] != 0)
        text_append(text, PROOF_LAUNCH, " from (%" PRIu64 ", %" PRIu64 ", %" PRIu64 ")", offset[0], offset[1],
                    offset[2]);
}

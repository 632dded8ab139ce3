#include "core/trial.h"

#include "core/text.h"

#include <inttypes.h>
#include <stdio.h>

NAMING_DEFINE(dialect, enum dialect, DIALECT_COUNT, "none", "cl30", "cl12", "ptx");
NAMING_DEFINE(channel, enum channel, CHANNEL_COUNT, "none", "shared", "queue", "proof", "auto");
NAMING_DEFINE(trial_kind, enum trial_kind, TRIAL_COUNT, "census", "barrier", "discovery", "work", "progress", "promise",
              "proof", "try", "watch");
const struct naming estimator_naming = NAMING("census", "barrier", "discovery");

struct board trial_board(const struct trial *trial, const uint32_t *words)
{
    return (struct board){words, trial->groups, trial->work.sync_words};
}

size_t trial_board_words(const struct trial *trial)
{
    return board_words(trial->groups, trial->work.sync_words);
}

uint64_t trial_items(const struct trial *trial)
{
    return trial->work.range.dimensions != 0 ? nd_range_local_size(&trial->work.range) : trial->footprint.local_size;
}

bool footprint_equal(const struct footprint *a, const struct footprint *b)
{
    return a->local_size == b->local_size && a->local_memory_bytes == b->local_memory_bytes &&
           a->private_bytes == b->private_bytes && subject_equal(&a->subject, &b->subject);
}

void footprint_print(const struct footprint *footprint, char *text, size_t size)
{
    if (footprint->subject.file[0] != '\0')
        subject_print(&footprint->subject, text, size);
    else
        snprintf(text, size, "l%" PRIu32 "-m%" PRIu64 "-p%" PRIu32, footprint->local_size,
                 footprint->local_memory_bytes, footprint->private_bytes);
}

/* "g4"; of a kernel of the user's over a range "g2x2", behind which its offset stands, if it has one. */
static void print_groups(const struct trial *trial, char *text, size_t size)
{
    const struct nd_range *range = &trial->work.range, groups = nd_range_groups(range);
    char shape[SHAPE_BYTES];

    snprintf(shape, sizeof shape, "%" PRIu32, trial->groups);
    if (range->dimensions != 0)
        nd_range_print_shape(&groups, shape);
    text_append(text, size, "/g%s", shape);
    if (range->offset[0] != 0 || range->offset[1] != 0 || range->offset[2] != 0)
        text_append(text, size, "-from-%" PRIu64 "x%" PRIu64 "x%" PRIu64, range->offset[0], range->offset[1],
                    range->offset[2]);
}

void trial_point_id(const struct trial *trial, char *text, size_t size)
{
    const struct workload *work = &trial->work;
    const char *slash = work->point[0] != '\0' ? "/" : "", *live = trial->live ? "-live" : "";
    const char *room = trial->kind == TRIAL_PROOF ? "prove/" : "";
    char part[192];

    if (trial->kind == TRIAL_PROGRESS) {
        block_print_id(&trial->block, part, sizeof part);
        snprintf(text, size, "progress/%s/l%" PRIu32 "/g%" PRIu32 "/i%" PRIu32 "/%s", part, trial->footprint.local_size,
                 trial->groups, trial->repeats, trial->block.digest);
    } else if (trial->kind == TRIAL_PROMISE) {
        snprintf(text, size, "audit/%s", work->scenario);
    } else if (trial->kind == TRIAL_WATCH) {
        snprintf(text, size, "watch/%s/g%" PRIu32, work->scenario, trial->groups);
    } else if (trial->kind == TRIAL_PROOF && work->kernel[0] == '\0') {
        footprint_print(&trial->footprint, part, sizeof part);
        snprintf(text, size, "prove/%s", part);
        print_groups(trial, text, size);
    } else if (trial->kind == TRIAL_TRY) {
        footprint_print(&trial->footprint, part, sizeof part);
        snprintf(text, size, "try/%s", part);
        print_groups(trial, text, size);
    } else if (work->range.dimensions != 0) {
        nd_range_print_shape(&work->range, part);
        snprintf(text, size, "%s%s/%s%s%s/%s%s", room, work->scenario, dialect_name(trial->dialect), slash, work->point,
                 part, live);
    } else if (work->kernel[0] != '\0') {
        snprintf(text, size, "%s%s/%s/l%" PRIu32 "%s%s/g%" PRIu32 "%s%s", room, work->scenario,
                 dialect_name(trial->dialect), trial->footprint.local_size, slash, work->point, trial->groups,
                 trial->kind == TRIAL_CENSUS ? "-census" : "", live);
    } else {
        footprint_print(&trial->footprint, part, sizeof part);
        snprintf(text, size, "limits/%s/%s/g%" PRIu32 "%s", trial_kind_name(trial->kind), part, trial->groups, live);
    }
}

void trial_id(const struct trial *trial, uint32_t sequence, char *text, size_t size)
{
    trial_point_id(trial, text, size);
    text_append(text, size, "#%" PRIu32, sequence);
}

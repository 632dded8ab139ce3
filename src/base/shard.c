#include "base/shard.h"

#include "base/tally.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* All of `text` is a number. */
static bool read_number(const char *text, long *value)
{
    char *end;
    errno = 0;
    *value = strtol(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
}

/* A place in the environment where a shard may be named. */
struct place {
    const char *index, *count, *first, *step;
    long from; /* where the index begins, unless `first` says so */
};

static const struct place gtest = {"GTEST_SHARD_INDEX", "GTEST_TOTAL_SHARDS", NULL, NULL, 0};
enum { PLACES = 4 };
static const struct place *const places[PLACES] = {
    &gtest,
    &(const struct place){"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN",
                          "SLURM_ARRAY_TASK_STEP", 0},
    &(const struct place){"CI_NODE_INDEX", "CI_NODE_TOTAL", NULL, NULL, 1},
    &(const struct place){"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", NULL, NULL, 0},
};

/* The variable's number, or `otherwise` if it is not set. */
static int variable(const char *name, long otherwise, long *value, struct error *error)
{
    const char *text = name != NULL ? getenv(name) : NULL;
    *value = otherwise;
    if (text == NULL || read_number(text, value))
        return 0;
    return error_set(error, STATUS_USAGE, "environment variable %s=%.40s: expected a number", name, text);
}

/*
 * A place that lacks one of its variables names no shard: GitLab sets CI_NODE_TOTAL to 1 for jobs that are not
 * parallel.
 */
static int read_place(const struct place *place, struct shard *shard, struct error *error)
{
    long index, count, first, step;

    *shard = (struct shard){.count = 0};
    if (getenv(place->index) == NULL || getenv(place->count) == NULL)
        return 0;
    if (variable(place->index, 0, &index, error) != 0 || variable(place->count, 1, &count, error) != 0 ||
        variable(place->first, place->from, &first, error) != 0 || variable(place->step, 1, &step, error) != 0)
        return -1;
    index -= first;
    /* An array with gaps has no such step: two of its tasks would take the same shard, and none another. */
    const bool between = step < 1 || index % step != 0;
    index = between ? -1 : index / step;
    if (count < 1 || count > SHARDS_MOST || index < 0 || index >= count)
        return error_set(error, STATUS_USAGE, "%s and %s in the environment do not name a shard; use --shard I/N",
                         place->index, place->count);
    *shard = (struct shard){(uint32_t)index, (uint32_t)count, place->index};
    return 0;
}

int shard_of_gtest(struct shard *shard, struct error *error)
{
    return read_place(&gtest, shard, error);
}

static int read_environment(struct shard *shard, struct error *error)
{
    struct shard found;

    *shard = (struct shard){.count = 0};
    for (int i = 0; i < PLACES; ++i) {
        if (read_place(places[i], &found, error) != 0)
            return -1;
        if (found.count == 0)
            continue;
        if (shard->count != 0 && (found.index != shard->index || found.count != shard->count))
            return error_set(error, STATUS_USAGE,
                             "--shard env: %s names shard %" PRIu32 "/%" PRIu32 ", but %s %" PRIu32 "/%" PRIu32
                             "; use --shard I/N",
                             shard->by, shard->index, shard->count, found.by, found.index, found.count);
        if (shard->count == 0)
            *shard = found;
    }
    if (shard->count == 0)
        return error_set(error, STATUS_USAGE,
                         "--shard env: the environment names no shard (expected %s, %s, %s or %s, with its count)",
                         places[0]->index, places[1]->index, places[2]->index, places[3]->index);
    return 0;
}

int shard_parse(const char *text, struct shard *shard, struct error *error)
{
    char index_text[16] = "";
    long index, count;
    const size_t length = strcspn(text, "/");

    if (strcmp(text, "env") == 0)
        return read_environment(shard, error);
    if (length < sizeof index_text)
        memcpy(index_text, text, length);
    if (text[length] != '/' || !read_number(index_text, &index) || !read_number(text + length + 1, &count) ||
        count < 1 || count > SHARDS_MOST || index >= count)
        return error_set(error, STATUS_USAGE,
                         "--shard %.40s: expected I/N with I from 0 to N - 1 and N at most %d, or env", text,
                         SHARDS_MOST);
    *shard = (struct shard){(uint32_t)index, (uint32_t)count, "--shard"};
    return 0;
}

bool shard_has(const struct shard *shard, const char *id)
{
    return shard->count == 0 || tally_hash(id) % shard->count == shard->index;
}

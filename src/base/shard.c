#include "base/shard.h"

#include "base/tally.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT_MOST = 1000000 };

/* All of `text` is a number. */
static bool read_number(const char *text, long *value)
{
    char *end;
    errno = 0;
    *value = strtol(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
}

int shard_parse(const char *text, struct shard *shard, struct error *error)
{
    char index_text[16] = "";
    long index, count;
    const size_t length = strcspn(text, "/");

    if (length < sizeof index_text)
        memcpy(index_text, text, length);
    if (text[length] != '/' || !read_number(index_text, &index) || !read_number(text + length + 1, &count) ||
        count < 1 || count > COUNT_MOST || index >= count)
        return error_set(error, STATUS_USAGE, "--shard %.40s: expected I/N with I from 0 to N - 1 and N at most %d",
                         text, COUNT_MOST);
    *shard = (struct shard){(uint32_t)index, (uint32_t)count};
    return 0;
}

/* The variable's number, or `otherwise` if it is not set. */
static int variable(const char *name, long otherwise, long *value, struct error *error)
{
    const char *text = getenv(name);
    *value = otherwise;
    if (text == NULL || read_number(text, value))
        return 0;
    return error_set(error, STATUS_USAGE, "environment variable %s=%.40s: expected a number", name, text);
}

int shard_from_environment(struct shard *shard, const char **source, struct error *error)
{
    static const struct {
        const char *index, *count, *first, *step;
        long from; /* where the index begins, unless `first` says so */
    } places[] = {
        {"GTEST_SHARD_INDEX", "GTEST_TOTAL_SHARDS", NULL, NULL, 0},
        {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP", 0},
        {"CI_NODE_INDEX", "CI_NODE_TOTAL", NULL, NULL, 1},
        {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", NULL, NULL, 0},
    };

    *source = NULL;
    *shard = (struct shard){0, 0};
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
        long index, count, first = places[i].from, step = 1;
        if (getenv(places[i].index) == NULL || getenv(places[i].count) == NULL)
            continue;
        if (variable(places[i].index, 0, &index, error) != 0 || variable(places[i].count, 1, &count, error) != 0)
            return -1;
        if (places[i].first != NULL &&
            (variable(places[i].first, 0, &first, error) != 0 || variable(places[i].step, 1, &step, error) != 0))
            return -1;
        index -= first;
        /* An array with gaps has no such step: two of its tasks would take the same shard, and none another. */
        const bool between = step < 1 || index % step != 0;
        index = between ? -1 : index / step;
        if (count < 1 || count > COUNT_MOST || index < 0 || index >= count)
            return error_set(error, STATUS_USAGE, "%s and %s in the environment do not name a shard; use --shard I/N",
                             places[i].index, places[i].count);
        *shard = (struct shard){(uint32_t)index, (uint32_t)count};
        *source = places[i].index;
        return 0;
    }
    return 0;
}

bool shard_has(const struct shard *shard, const char *id)
{
    return shard->count == 0 || tally_hash(id) % shard->count == shard->index;
}

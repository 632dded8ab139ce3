#include "engine/residents.h"

#include <stdlib.h>
#include <string.h>

enum {
    LONGER = 8,   /* times, of a census that is made again */
    RECOUNTS = 2, /* of a build that launches refute */
    MOST_CLOSE_MS = 50,
    MOST_RECOUNT_MS = 400,
};

static struct known_limit *find_limit(const struct residents *residents, const struct trial *census)
{
    for (size_t i = 0; i < residents->count; ++i) {
        struct known_limit *limit = &residents->limits[i];
        if (strcmp(limit->kernel, census->work.kernel) == 0 && strcmp(limit->folder, census->work.folder) == 0 &&
            strcmp(limit->options, census->work.options) == 0 && limit->dialect == census->dialect &&
            limit->local_size == census->footprint.local_size)
            return limit;
    }
    return NULL;
}

static struct known_limit *add_limit(struct residents *residents, const struct trial *census)
{
    struct known_limit *limits = realloc(residents->limits, (residents->count + 1) * sizeof *limits);
    if (limits == NULL)
        return NULL;
    residents->limits = limits;
    struct known_limit *limit = &limits[residents->count++];
    *limit = (struct known_limit){.dialect = census->dialect, .local_size = census->footprint.local_size};
    memcpy(limit->kernel, census->work.kernel, sizeof limit->kernel);
    memcpy(limit->folder, census->work.folder, sizeof limit->folder);
    memcpy(limit->options, census->work.options, sizeof limit->options);
    return limit;
}

/* A census of that very kernel. */
static int be_census(void *context, struct trial *trial, struct error *error)
{
    struct trial census;

    if (plan_census(context, trial->groups, &census, error) != 0)
        return -1;
    trial->dialect = census.dialect;
    trial->work = census.work;
    return 0;
}

/* The search asks for a census until its estimates agree. */
static int count(struct residents *residents, const struct plan *plan, uint32_t position, uint64_t close_ns,
                 struct known_limit *limit, struct error *error)
{
    const struct search_options options = {.estimators = {[ACT_CENSUS] = true}, .repeats = 1};
    const struct footprint footprint = {.local_size = limit->local_size};
    const struct store_prediction prediction = {.position = position};
    struct plan counted = *plan;
    const struct runner_course course = {.prediction = &prediction, .prepare = be_census, .context = &counted};
    struct search_device settings = residents->runner->stored.settings;
    struct search search;

    settings.close_ns = close_ns;
    search_init(&search, &options, &settings, &footprint);
    const int outcome = runner_search(residents->runner, &search, &course, error);
    if (search.census_exact && search.counted > limit->resident)
        limit->resident = search.counted;
    if (search.gap_ns > limit->gap_ns)
        limit->gap_ns = search.gap_ns;
    return outcome;
}

static uint64_t within(uint64_t least, uint64_t value, uint64_t most)
{
    return value < least ? least : value > most ? most : value;
}

/*
 * On a busy CPU groups may arrive so late that estimates agree on too few. So the time begins at half of the longest gap
 * that any kernel has shown there. A GPU is counted twice, the second time with a longer time, and so is each device
 * on which a count was too low.
 */
static int measure(struct residents *residents, const struct plan *plan, uint32_t position, struct known_limit *limit,
                   struct error *error)
{
    const struct store_device *stored = &residents->runner->stored;
    const bool cpu = stored->info.kind == DEVICE_CPU;
    const uint64_t least_ns = stored->settings.close_ns;
    const uint64_t close_ns =
        cpu ? within(least_ns, residents->gap_ns / 2, (uint64_t)MOST_CLOSE_MS * 1000000) : least_ns;

    if (count(residents, plan, position, close_ns, limit, error) != 0)
        return -1;
    if ((cpu && !residents->hasty) || stored->probe.loops_cut_at != 0)
        return 0;
    return count(residents, plan, position, LONGER * close_ns, limit, error);
}

struct known_limit *residents_need(struct residents *residents, const struct plan *plan, uint32_t position,
                                   struct error *error)
{
    struct trial census;

    if (plan_census(plan, 1, &census, error) != 0)
        return NULL;
    struct known_limit *limit = find_limit(residents, &census);
    if (limit != NULL)
        return limit;
    limit = add_limit(residents, &census);
    if (limit == NULL)
        error_set(error, STATUS_HARNESS, "no memory for the limit of a kernel");
    else if (measure(residents, plan, position, limit, error) != 0)
        limit = NULL;
    return limit;
}

int residents_recount(struct residents *residents, const struct plan *plan, uint32_t position,
                      struct known_limit *limit, uint32_t shown, struct error *error)
{
    uint64_t close_ns = residents->runner->stored.settings.close_ns;

    for (uint32_t i = 0; i < limit->recounted; ++i)
        close_ns *= LONGER;
    while (limit->resident < shown && limit->recounted < RECOUNTS) {
        limit->recounted += 1;
        close_ns *= LONGER;
        const uint32_t before = limit->resident;
        const uint64_t longest_ns = (uint64_t)MOST_RECOUNT_MS * 1000000;
        if (count(residents, plan, position, close_ns < longest_ns ? close_ns : longest_ns, limit, error) != 0)
            return -1;
        residents->hasty = residents->hasty || limit->resident > before;
    }
    return 0;
}

void residents_note_gaps(struct residents *residents, struct known_limit *limit, const struct remote_result *result)
{
    for (uint32_t i = 0; i < result->count; ++i) {
        const uint64_t gap_ns = result->observations[i].gap_ns;
        if (gap_ns > limit->gap_ns)
            limit->gap_ns = gap_ns;
        if (gap_ns > residents->gap_ns)
            residents->gap_ns = gap_ns;
    }
}

void residents_fini(struct residents *residents)
{
    free(residents->limits);
    residents->limits = NULL;
    residents->count = 0;
}

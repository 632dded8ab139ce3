#include "engine/residents.h"

#include "base/alloc.h"

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
    GROW(residents->limits, residents->count);
    struct known_limit *limit = &residents->limits[residents->count++];
    *limit = (struct known_limit){.dialect = census->dialect, .local_size = census->footprint.local_size};
    memcpy(limit->kernel, census->work.kernel, sizeof limit->kernel);
    memcpy(limit->folder, census->work.folder, sizeof limit->folder);
    memcpy(limit->options, census->work.options, sizeof limit->options);
    return limit;
}

/* A census of that very kernel. */
static int be_census(const struct plan *plan, struct trial *trial, struct error *error)
{
    struct trial census;

    if (plan_census(plan, trial->groups, &census, error) != 0)
        return -1;
    trial->dialect = census.dialect;
    trial->work = census.work;
    return 0;
}

static uint64_t within(uint64_t least, uint64_t value, uint64_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* The search asks for a census until its estimates agree. False: no more are to be made. */
static bool begin_search(struct residents *residents)
{
    const struct search_options options = {.estimators = {[TRIAL_CENSUS] = true}, .repeats = 1};
    struct known_limit *limit = residents->counting;
    const struct footprint footprint = {.local_size = limit->local_size};
    struct search_device settings = residents->runner->stored.settings;

    if (residents->left == 0 || (residents->shown != 0 && limit->resident >= residents->shown))
        return false;
    residents->left -= 1;
    limit->recounted += residents->shown != 0;
    settings.close_ns = within(0, residents->close_ns, (uint64_t)MOST_RECOUNT_MS * 1000000);
    residents->close_ns *= LONGER;
    search_init(&residents->search, &options, &settings, &footprint);
    return true;
}

static void end_search(struct residents *residents)
{
    const struct search *search = &residents->search;
    struct known_limit *limit = residents->counting;

    if (search->census_exact && search->counted > limit->resident) {
        limit->resident = search->counted;
        residents->hasty = residents->hasty || residents->shown != 0;
    }
    if (search->gap_ns > limit->gap_ns)
        limit->gap_ns = search->gap_ns;
}

/*
 * On a busy CPU groups may arrive so late that estimates agree on too few. So the time begins at half of the longest
 * gap that any kernel has shown there. A GPU is counted twice, the second time with a longer time, and so is each
 * device on which a count was too low.
 */
static void count(struct residents *residents, struct known_limit *limit)
{
    const struct store_device *stored = &residents->runner->stored;
    const bool cpu = stored->info.kind == DEVICE_CPU;
    const uint64_t least_ns = stored->settings.close_ns;
    const bool once = (cpu && !residents->hasty) || stored->probe.loops_cut_at != 0 || least_ns == 0;

    residents->counting = limit;
    residents->shown = 0;
    residents->left = once ? 1 : 2;
    residents->close_ns = cpu ? within(least_ns, residents->gap_ns / 2, (uint64_t)MOST_CLOSE_MS * 1000000) : least_ns;
    begin_search(residents);
}

struct known_limit *residents_need(struct residents *residents, const struct plan *plan, struct error *error)
{
    struct trial census;

    if (plan_census(plan, 1, &census, error) != 0)
        return NULL;
    struct known_limit *limit = find_limit(residents, &census);
    if (limit != NULL)
        return limit;
    limit = add_limit(residents, &census);
    count(residents, limit);
    return limit;
}

void residents_recount(struct residents *residents, struct known_limit *limit, uint32_t shown)
{
    residents->counting = limit;
    residents->shown = shown;
    residents->left = RECOUNTS - limit->recounted;
    residents->close_ns = LONGER * residents->runner->stored.settings.close_ns;
    for (uint32_t i = 0; i < limit->recounted; ++i)
        residents->close_ns *= LONGER;
    if (!begin_search(residents))
        residents->counting = NULL;
}

int residents_next(struct residents *residents, const struct plan *plan, struct trial *trial, struct error *error)
{
    if (residents->counting == NULL)
        return 0;
    while (runner_is_over(residents->runner) || !search_next(&residents->search, trial)) {
        end_search(residents);
        if (runner_is_over(residents->runner) || !begin_search(residents)) {
            residents->counting = NULL;
            return 0;
        }
    }
    return be_census(plan, trial, error) == 0 ? 1 : -1;
}

bool residents_take(struct residents *residents, const struct trial *trial, const struct remote_result *result)
{
    if (residents->counting == NULL)
        return false;
    search_take(&residents->search, trial, result->observations, result->count, result->duration_ns);
    return true;
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

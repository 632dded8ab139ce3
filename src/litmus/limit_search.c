#include "litmus/limit_search.h"

#include "litmus/code.h"

const struct litmus_program litmus_limit_program = {
    .threads = 2,
    .length = {1, 1},
    .first = {0, 1},
    .code = {{.exchange = LITMUS_NO_EXCHANGE, .jump = 0}, {.exchange = 1, .jump = 1}},
};

void limit_search_init(struct limit_search *search, uint32_t most_groups, uint32_t iterations)
{
    *search = (struct limit_search){.most_instances = most_groups / 2, .iterations = iterations, .instances = 1};
    if (search->most_instances == 0)
        search->step = LIMIT_ENDED;
}

bool limit_search_next(struct limit_search *search, struct block *block)
{
    if (search->step == LIMIT_ENDED)
        return false;
    block->mapping = (struct mapping){.kind = MAPPING_CHUNKED};
    block->groups = 2 * search->instances;
    block->iterations = search->step == LIMIT_SEARCHING ? 1 : search->iterations;
    block->test_count = block->code_count = 0;
    return litmus_block_add(block, &litmus_limit_program);
}

/* The next number of instances while it is searched, or the first of the last steps. */
static void go_on(struct limit_search *search)
{
    search->step = LIMIT_SEARCHING;
    if (search->stalls == 0 && search->passes == search->most_instances) {
        search->step = LIMIT_ENDED;
    } else if (search->stalls == 0) {
        const uint32_t left = search->most_instances - search->passes;
        search->instances = search->passes < left ? 2 * search->passes : search->most_instances;
    } else if (search->stalls - search->passes > 1) {
        search->instances = search->passes + (search->stalls - search->passes) / 2;
    } else {
        search->step = search->passes > 0 ? LIMIT_BELOW : LIMIT_AT;
        search->instances = search->passes > 0 ? search->passes : search->stalls;
        search->passed_launches = search->stalled_launches = 0;
    }
}

/* Fewer instances stall than was known. What passed with as many or more was luck. */
static void lower(struct limit_search *search)
{
    search->stalls = search->instances;
    if (search->passes >= search->stalls)
        search->passes = 0;
    go_on(search);
}

static void take_pass(struct limit_search *search, const struct test_outcome *outcome)
{
    if (search->step == LIMIT_SEARCHING) {
        search->passes = search->instances;
        go_on(search);
    } else if (search->step == LIMIT_BELOW) {
        search->passed_launches = outcome->ran;
        search->step = LIMIT_AT;
        search->instances = search->stalls;
    } else {
        search->step = LIMIT_ENDED;
    }
}

void limit_search_take(struct limit_search *search, const struct test_outcome *outcome)
{
    const bool stalled = outcome->stalled > 0 && outcome->confirmed && !outcome->cut;
    const bool passed = outcome->stalled == 0 && outcome->undecided == 0 && outcome->ran > 0 && !outcome->cut;

    if (!stalled && !passed) {
        if (++search->attempts < LIMIT_SEARCH_ATTEMPTS)
            return;
        search->undecided = true;
        search->step = LIMIT_ENDED;
        return;
    }
    search->attempts = 0;
    if (passed) {
        take_pass(search, outcome);
    } else if (search->step == LIMIT_AT) {
        search->stalled_launches = outcome->stalled;
        search->step = LIMIT_ENDED;
    } else {
        lower(search);
    }
}

uint32_t limit_search_result(const struct limit_search *search)
{
    return search->undecided ? 0 : search->stalls;
}

uint32_t limit_search_passes(const struct limit_search *search)
{
    return search->undecided ? 0 : search->passes;
}

bool limit_search_begun(const struct limit_search *search)
{
    return search->most_instances != 0;
}

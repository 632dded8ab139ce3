#include "search/census.h"

void census_init(struct census *census, uint64_t close_ns)
{
    *census = (struct census){.close_ns = close_ns};
}

void census_take(struct census *census, uint32_t counted, uint64_t gap_ns)
{
    if (gap_ns > census->gap_ns)
        census->gap_ns = gap_ns;
    census->agreeing = counted == census->counted ? census->agreeing + 1 : 1;
    census->counted = counted;
    if (counted > census->best)
        census->best = counted;
    census->launches += 1;
    census->close_ns *= 2;
}

bool census_settled(const struct census *census)
{
    const uint64_t used_ns = census->close_ns / 2;
    const uint32_t needed = census->close_ns == 0 ? 1 : CENSUS_AGREEING;

    return census->agreeing >= needed && census->counted == census->best && used_ns >= 2 * census->gap_ns;
}

bool census_finished(const struct census *census)
{
    return census_settled(census) || census->launches >= CENSUS_LAUNCHES;
}

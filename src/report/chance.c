#include "report/chance.h"

#include <math.h>

/* The tolerance with which two probabilities are the same, though they were calculated in other ways. */
static const double NEARLY = 1e-7;

static double log_choose(uint64_t all, uint64_t chosen)
{
    return lgamma((double)all + 1) - lgamma((double)chosen + 1) - lgamma((double)(all - chosen) + 1);
}

/* That so many of all events are in the first sample. */
static double log_probability(uint64_t in_first, struct sample a, struct sample b)
{
    const uint64_t events = a.events + b.events;

    return log_choose(a.launches, in_first) + log_choose(b.launches, events - in_first) -
           log_choose(a.launches + b.launches, events);
}

double chance_of(struct sample a, struct sample b)
{
    const uint64_t events = a.events + b.events;
    const double observed = log_probability(a.events, a, b);
    double sum = 0;

    if (a.launches == 0 || b.launches == 0)
        return 1;
    for (uint64_t i = events > b.launches ? events - b.launches : 0; i <= events && i <= a.launches; ++i) {
        const double here = log_probability(i, a, b);
        if (here <= observed + NEARLY)
            sum += exp(here);
    }
    return sum < 1 ? sum : 1;
}

#include "promise/promise.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

NAMING_DEFINE(keeping, enum keeping, KEEPING_COUNT, "kept", "broken", "exceeded", "silent", "undecided", "not-offered");
NAMING_DEFINE(atomic_function, enum atomic_function, ATOMIC_FUNCTIONS, "increment", "addition", "decrement",
              "subtraction", "exchange", "exchange_by_comparison", "minimum", "maximum", "exclusive_or", "or_and_and");

/* In the order of reports, which is not that of names: hence the empty lines. */
const struct promise promises[] = {
#include "promise/groups.inc"

#include "promise/dispatch.inc"

#include "promise/memory.inc"

#include "promise/commands.inc"

#include "promise/together.inc"

#include "promise/atomics.inc"

#include "promise/sub_groups.inc"

#include "promise/cuda.inc"
};
const size_t promise_count = sizeof promises / sizeof *promises;

const struct promise *promise_find(const char *name)
{
    for (size_t i = 0; i < promise_count; ++i)
        if (strcmp(promises[i].name, name) == 0)
            return &promises[i];
    return NULL;
}

void promise_search_passed(struct promise_search *search)
{
    if (search->tried == search->bad)
        search->bad = 0;
    search->good = search->tried;
    search->tried = 0;
}

void promise_search_lost(struct promise_search *search)
{
    search->bad = search->tried;
    search->sure = search->tried == search->good + 1 ? search->tried : search->sure;
    search->tried = 0;
}

uint64_t promise_search_next(const struct promise_search *search)
{
    if (search->bad == search->good + 1)
        return search->sure == search->bad ? 0 : search->bad;
    if (search->bad != 0)
        return search->good + (search->bad - search->good) / 2;
    if (search->good == search->most)
        return 0;
    if (search->good == 0)
        return 1;
    return 2 * search->good < search->most ? 2 * search->good : search->most;
}

enum keeping finding_judge(const struct promise *promise, const struct finding *finding)
{
    if (finding->undecided)
        return KEEPING_UNDECIDED;
    if (!finding->offered)
        return finding->measured > 0 ? KEEPING_EXCEEDED : KEEPING_NOT_OFFERED;
    if (promise->silent)
        return KEEPING_SILENT;
    if (finding->fails > 0)
        return KEEPING_BROKEN;
    if (finding->measured == finding->promised)
        return KEEPING_KEPT;
    return (finding->measured < finding->promised) == promise->at_most ? KEEPING_EXCEEDED : KEEPING_BROKEN;
}

void finding_print_amount(const struct promise *promise, uint64_t amount, char *text, size_t size)
{
    if (promise->unit[0] == '\0')
        snprintf(text, size, "%s", amount != 0 ? "yes" : "no");
    else
        snprintf(text, size, "%" PRIu64 " %s", amount, promise->unit);
}

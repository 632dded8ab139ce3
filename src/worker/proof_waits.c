#include "worker/proof_waits.h"

#include "base/alloc.h"
#include "proof/writers.h"

/* The same was looked at before on this circle; NULL: it was not. */
static const struct proof_wait *find_known(const struct proof_circling *step, const struct proof_result *result)
{
    const struct proof_told *told = &result->told[result->told_count - 1];

    for (uint32_t i = result->wait_count; i-- > 0 && result->waits[i].step >= step->circle;) {
        const struct proof_told *other = &result->told[result->waits[i].step];
        if (other->object == told->object && other->offset == told->offset && other->bytes == told->bytes)
            return &result->waits[i];
    }
    return NULL;
}

static struct proof_wait find(const struct proof_circling *step, struct proof_result *result)
{
    const struct proof_access *access = &step->graph->accesses[proof_self(step->graph, step->state, step->item)];
    struct proof_writers writers;

    proof_writers_find(step->graph, step->state, access->at, access->bytes, &writers);
    const char *line = writers.access == PROOF_NOWHERE ? "" : step->lines[step->graph->accesses[writers.access].site];
    return (struct proof_wait){.writers = writers.groups, .line = proof_result_text(result, line)};
}

void proof_waits_add(const struct proof_circling *step, struct proof_result *result)
{
    const struct proof_told *told = &result->told[result->told_count - 1];

    if (told->bytes == 0 || told->kind == PROOF_MEETING || told->before != told->after)
        return;
    const struct proof_wait *known = find_known(step, result);
    struct proof_wait wait = known != NULL ? *known : find(step, result);
    wait.step = result->told_count - 1;
    GROW(result->waits, result->wait_count);
    result->waits[result->wait_count++] = wait;
}

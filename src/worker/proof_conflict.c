#include "base/alloc.h"
#include "proof/race.h"
#include "worker/proof_telling.h"

void telling_conflict(const struct telling *telling)
{
    const struct explored_conflict *conflict = &telling->explored->conflict;
    struct proof_result *result = telling->result;
    struct proof_race_told race = {.why = PROOF_NOT_ATOMIC, .way = result->way_count};
    struct proof_told *const both[] = {&race.first, &race.second};

    for (int i = 0; i < 2; ++i) {
        *both[i] = (struct proof_told){
            .item = conflict->items[i],
            .line = proof_result_text(result, telling->names->lines[conflict->sites[i]]),
            .bytes = conflict->bytes,
            .kind = (uint16_t)conflict->kinds[i],
        };
        both[i]->object = telling_object(telling, conflict->at, &both[i]->offset);
    }
    GROW(result->ways, result->way_count);
    result->ways[result->way_count++] = (struct proof_way){.first = result->told_count};
    GROW(result->raced, result->raced_count);
    result->raced[result->raced_count++] = race;
    result->races = 1;
    result->numbers_made_up += telling->names->for_one_size && !conflict->is_local;
}

#include "model/recurrence.h"

#include "model/run.h"

#include <string.h>

enum {
    FIRST_STEPS = 1 << 16, /* until it is first looked */
    LEAST_STEPS = 1 << 12, /* between two looks, */
    STEP_BYTES = 32,       /* and a step for so many bytes of the state: about a tenth of what they take */
    LOST_STEPS = 32,       /* for each work-item: the pivot had no turn in that time, and may not have another one */
};

void recurrence_begin(struct recurrence *recurrence, uint64_t steps)
{
    *recurrence = (struct recurrence){.due = steps + FIRST_STEPS};
}

/* --- the state --- */

struct digest {
    uint64_t bytes;
    uint64_t hash[2];
};

static void take_word(struct digest *digest, uint64_t word)
{
    const uint64_t a = (digest->hash[0] ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    const uint64_t b = (digest->hash[1] + word) * UINT64_C(0xd6e8feb86659fd93);

    digest->hash[0] = a ^ a >> 29;
    digest->hash[1] = b ^ b >> 32;
}

static void take(struct digest *digest, const void *memory, size_t bytes)
{
    const unsigned char *at = memory;
    uint64_t word = 0;

    digest->bytes += bytes;
    for (; bytes >= sizeof word; at += sizeof word, bytes -= sizeof word) {
        memcpy(&word, at, sizeof word);
        take_word(digest, word);
    }
    word = 0;
    memcpy(&word, at, bytes);
    take_word(digest, word);
}

/* What it was made of is read only if that may have changed: mostly few had a turn. */
static void take_hash(struct digest *digest, const uint64_t hash[2])
{
    digest->bytes += 2 * sizeof *hash;
    take_word(digest, hash[0]);
    take_word(digest, hash[1]);
}

static void take_item(struct digest *digest, struct run_item *item)
{
    struct digest own = {0};

    if (item->moved) {
        take(&own, item->self, (size_t)((unsigned char *)item->top - (unsigned char *)item->self));
        memcpy(item->hash, own.hash, sizeof own.hash);
        digest->bytes += own.bytes;
        item->moved = false;
    }
    take_word(digest, (uint64_t)item->meets_team << 2 | (uint64_t)item->begun << 1 | item->meets);
    take_hash(digest, item->hash);
}

static void take_place(struct digest *digest, struct run_place *place)
{
    struct run_item *items = &run.items[(size_t)(place - run.places) * run.space.items];
    struct digest own = {0};

    take_word(digest, (uint64_t)place->group << 32 | place->running);
    if (place->running == 0)
        return;
    if (place->moved) {
        take(&own, place->parts.local, run.space.local_bytes);
        take(&own, place->parts.scratch, (size_t)run.space.items * SPACE_SCRATCH);
        for (uint32_t i = 0; i < run.space.items; ++i)
            take_item(&own, &items[i]);
        memcpy(place->hash, own.hash, sizeof own.hash);
        digest->bytes += own.bytes;
        place->moved = false;
    }
    take_hash(digest, place->hash);
}

static struct digest state(void)
{
    struct digest digest = {0};

    take_word(&digest, run.order.taken);
    for (size_t i = 0; i < run.space.region_count; ++i)
        if (!run.space.regions[i].read_only)
            take(&digest, run.space.regions[i].base, run.space.regions[i].bytes);
    for (uint32_t i = 0; i < run.order.places; ++i)
        take_place(&digest, &run.places[i]);
    return digest;
}

/* --- looks --- */

static void keep(struct recurrence *recurrence, const struct digest *digest, uint32_t most)
{
    recurrence->looks = 0;
    recurrence->most = most;
    recurrence->epoch = run.epoch;
    recurrence->kept = run.steps;
    memcpy(recurrence->hash, digest->hash, sizeof digest->hash);
}

static uint64_t pause_of(const struct digest *digest)
{
    return digest->bytes / STEP_BYTES < LEAST_STEPS ? LEAST_STEPS : digest->bytes / STEP_BYTES;
}

/*
 * Since the state was kept, each work-item had a turn, or still goes round what nobody has changed, or waits for
 * others. Whoever's turn was at that very step may have had it before, but for the pivot.
 */
static bool all_had_turns(const struct recurrence *recurrence)
{
    for (uint32_t i = 0; i < run.item_count; ++i) {
        const struct run_item *item = &run.items[i];
        const bool lives = run.places[item->place].running > 0 && !item->meets && !item->meets_team && !item->held &&
                           item->self != item->top;
        if (lives && i != recurrence->pivot && item->turned <= recurrence->kept && !parking_has(&run.parking, i))
            return false;
    }
    return true;
}

static bool is_lost(const struct recurrence *recurrence)
{
    return run.steps - recurrence->due > (uint64_t)LOST_STEPS * run.item_count + LEAST_STEPS;
}

enum recurrence_found recurrence_look(struct recurrence *recurrence, uint32_t item)
{
    const bool first = recurrence->most == 0;

    if (!first && item != recurrence->pivot && !is_lost(recurrence))
        return RECURRENCE_NOT;
    const struct digest digest = state();
    const bool begins = first || item != recurrence->pivot;
    if (!begins && memcmp(digest.hash, recurrence->hash, sizeof digest.hash) == 0 && all_had_turns(recurrence))
        return recurrence->epoch == run.epoch ? RECURRENCE_STILL : RECURRENCE_CHANGING;
    if (begins)
        keep(recurrence, &digest, 1);
    else if (++recurrence->looks == recurrence->most)
        keep(recurrence, &digest, 2 * recurrence->most);
    recurrence->pivot = item;
    recurrence->due = run.steps + pause_of(&digest);
    return RECURRENCE_NOT;
}

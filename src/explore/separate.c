#include "explore/separate.h"

#include "base/alloc.h"
#include "explore/own.h"
#include "model/image.h"

#include <stdlib.h>

/* Some bytes belong to two objects. */
static bool is_ambiguous(const struct explored *explored)
{
    for (uint32_t i = 0; i < explored->object_count; ++i)
        for (uint32_t other = 0; other < explored->object_count; ++other) {
            const struct explored_object *a = &explored->objects[i], *b = &explored->objects[other];
            if (i != other && a->base - b->base < b->bytes && (a->base != b->base || a->bytes != b->bytes))
                return true;
        }
    return false;
}

void separate_begin(struct separate *separate, const struct explored *explored, uint32_t groups, uint32_t items)
{
    *separate = (struct separate){.explored = explored, .items = items, .failed = is_ambiguous(explored)};
    separate->objects = xcalloc((size_t)explored->object_count + 1, sizeof *separate->objects);
    separate->intervals = xcalloc(groups, sizeof *separate->intervals);
}

void separate_fini(struct separate *separate)
{
    for (uint32_t i = 0; separate->objects != NULL && i < separate->explored->object_count; ++i)
        free(separate->objects[i].bytes);
    free(separate->objects);
    free(separate->intervals);
    *separate = (struct separate){.explored = NULL};
}

static uint32_t group_of(const struct separate *separate, const struct separate_access *access)
{
    return (access->item - 1) / separate->items;
}

/* It may come before the other one, and after it. */
static bool is_unordered(const struct separate *separate, const struct separate_access *one,
                         const struct separate_access *other)
{
    return one->item != 0 && one->item != other->item &&
           (group_of(separate, one) != group_of(separate, other) || one->interval == other->interval);
}

static bool is_far(const struct separate *separate, const struct separate_access *one,
                   const struct separate_access *other)
{
    return one->item != 0 && group_of(separate, one) != group_of(separate, other);
}

/* Some of these may come before that one, and after it. */
static const struct separate_access *find_unordered(const struct separate *separate,
                                                    const struct separate_accesses *accesses,
                                                    const struct separate_access *now)
{
    if (is_unordered(separate, &accesses->one, now))
        return &accesses->one;
    if (is_unordered(separate, &accesses->other, now))
        return &accesses->other;
    if (is_far(separate, &accesses->first, now))
        return &accesses->first;
    return is_far(separate, &accesses->far, now) ? &accesses->far : NULL;
}

/* The access before that conflicts with this one, if they are not ordered; or NULL. */
static const struct separate_access *find_conflict(const struct separate *separate, const struct separate_byte *byte,
                                                   const struct separate_access *now)
{
    const struct separate_access *before = NULL;

    if (is_unordered(separate, &byte->wrote, now))
        return &byte->wrote;
    if (now->kind != SEPARATE_READS)
        before = find_unordered(separate, &byte->reads, now);
    if (before == NULL && now->operation != byte->updates.one.operation)
        before = find_unordered(separate, &byte->updates, now);
    return before;
}

static void note_among(const struct separate *separate, struct separate_accesses *accesses,
                       const struct separate_access *now)
{
    if (accesses->first.item == 0)
        accesses->first = *now;
    if (is_far(separate, &accesses->first, now))
        accesses->far = *now;
    if (accesses->one.item == 0 || is_far(separate, &accesses->one, now) || accesses->one.interval != now->interval)
        accesses->one = *now;
    else if (accesses->one.item != now->item)
        accesses->other = *now;
}

static void note(const struct separate *separate, struct separate_byte *byte, const struct separate_access *now)
{
    if (now->kind == SEPARATE_UPDATES)
        note_among(separate, &byte->updates, now);
    else if (now->kind == SEPARATE_READS)
        note_among(separate, &byte->reads, now);
    else
        byte->wrote = *now;
}

static enum proof_kind kind_of(const struct separate_access *access)
{
    static const enum proof_kind kinds[] = {
        [SEPARATE_WRITES] = PROOF_STORE, [SEPARATE_READS] = PROOF_LOAD, [SEPARATE_UPDATES] = PROOF_UPDATE};
    return kinds[access->kind];
}

static void fail(struct separate *separate, const struct memory_access *access, const struct separate_access *before,
                 const struct separate_access *now)
{
    separate->failed = true;
    separate->conflict = (struct explored_conflict){
        .is_race = !separate->atomics && (before->kind != SEPARATE_UPDATES || now->kind != SEPARATE_UPDATES),
        .items = {before->item - 1, now->item - 1},
        .sites = {before->site, now->site},
        .kinds = {kind_of(before), kind_of(now)},
        .at = (uintptr_t)access->at,
        .bytes = (uint32_t)access->bytes};
}

static void take(struct separate *separate, struct separate_byte *all, const struct memory_access *access,
                 const struct separate_access *now)
{
    for (size_t i = 0; i < access->bytes && !separate->failed; ++i) {
        const struct separate_access *before = find_conflict(separate, &all[i], now);
        if (before != NULL)
            fail(separate, access, before, now);
        note(separate, &all[i], now);
    }
}

/* Of one word, for those of bytes that others share would not come to the same; and all may know of each other. */
static uint32_t operation_of(const struct memory_access *access, uint32_t how, bool is_local)
{
    const bool is_word = access->bytes == 4 && (uintptr_t)access->at % 4 == 0;
    return is_word && own_scope(how) >= (is_local ? PROOF_SCOPE_GROUP : PROOF_SCOPE_DEVICE) ? own_unused(how) : 0;
}

bool separate_take(struct separate *separate, const struct memory_access *access, uint32_t how, uint32_t site)
{
    const uint32_t group = access->item / separate->items;

    for (uint32_t i = 0; i < separate->explored->object_count && !separate->failed; ++i) {
        const struct explored_object *object = &separate->explored->objects[i];
        const uint64_t from = (uintptr_t)access->at - object->base;
        if (from >= object->bytes || access->bytes > object->bytes - from)
            continue;
        const bool is_local = object->kind == OBJECT_LOCAL;
        const uint32_t operation = operation_of(access, how, is_local);
        separate->updates |= operation != 0;
        separate->atomics |= (how & GL_HOW_ATOMIC) != 0 && operation == 0;
        if (separate->objects[i].bytes == NULL)
            separate->objects[i].bytes = xcalloc(object->bytes, sizeof *separate->objects[i].bytes);
        take(separate, separate->objects[i].bytes + from, access,
             &(struct separate_access){.item = access->item + 1,
                                       .interval = separate->intervals[group][is_local ? 0 : 1],
                                       .site = site,
                                       .kind = operation != 0   ? SEPARATE_UPDATES
                                               : access->writes ? SEPARATE_WRITES
                                                                : SEPARATE_READS,
                                       .operation = operation});
        separate->conflict.is_local = is_local;
        return !separate->failed;
    }
    separate->failed = true;
    return false;
}

void separate_meet(struct separate *separate, uint32_t group, uint8_t spaces)
{
    separate->intervals[group][0] += (spaces & PROOF_LOCAL) != 0;
    separate->intervals[group][1] += (spaces & PROOF_GLOBAL) != 0;
}

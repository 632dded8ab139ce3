#include "explore/separate.h"

#include "base/alloc.h"

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

/* The access before that conflicts with this one, if they are not ordered; or NULL. */
static const struct separate_access *find_conflict(const struct separate *separate, const struct separate_byte *byte,
                                                   const struct separate_access *now, bool writes)
{
    const struct separate_access *const before[] = {&byte->read, &byte->other};

    if (is_unordered(separate, &byte->wrote, now))
        return &byte->wrote;
    for (int i = 0; i < 2 && writes; ++i)
        if (is_unordered(separate, before[i], now))
            return before[i];
    if (!writes)
        return NULL;
    return is_far(separate, &byte->first, now) ? &byte->first : is_far(separate, &byte->far, now) ? &byte->far : NULL;
}

static void note(const struct separate *separate, struct separate_byte *byte, const struct separate_access *now,
                 const struct memory_access *access)
{
    if (byte->first.item == 0)
        byte->first = *now;
    if (is_far(separate, &byte->first, now))
        byte->far = *now;
    if (access->writes)
        byte->wrote = *now;
    if (!access->reads)
        return;
    if (byte->read.item == 0 || is_far(separate, &byte->read, now) || byte->read.interval != now->interval)
        byte->read = *now;
    else if (byte->read.item != now->item)
        byte->other = *now;
}

static void fail(struct separate *separate, const struct memory_access *access, const struct separate_access *before,
                 bool was_write, const struct separate_access *now)
{
    separate->failed = true;
    separate->conflict = (struct explored_conflict){
        .is_race = !separate->atomics,
        .items = {before->item - 1, now->item - 1},
        .sites = {before->site, now->site},
        .kinds = {was_write ? PROOF_STORE : PROOF_LOAD, access->writes ? PROOF_STORE : PROOF_LOAD},
        .at = (uintptr_t)access->at,
        .bytes = (uint32_t)access->bytes};
}

static void take(struct separate *separate, struct separate_byte *all, const struct memory_access *access,
                 const struct separate_access *now)
{
    for (size_t i = 0; i < access->bytes && !separate->failed; ++i) {
        const struct separate_access *before = find_conflict(separate, &all[i], now, access->writes);
        if (before != NULL)
            fail(separate, access, before, before == &all[i].wrote, now);
        note(separate, &all[i], now, access);
    }
}

bool separate_take(struct separate *separate, const struct memory_access *access, bool atomic, uint32_t site)
{
    const uint32_t group = access->item / separate->items;

    separate->atomics |= atomic;
    for (uint32_t i = 0; i < separate->explored->object_count && !separate->failed; ++i) {
        const struct explored_object *object = &separate->explored->objects[i];
        const uint64_t from = (uintptr_t)access->at - object->base;
        if (from >= object->bytes || access->bytes > object->bytes - from)
            continue;
        if (separate->objects[i].bytes == NULL)
            separate->objects[i].bytes = xcalloc(object->bytes, sizeof *separate->objects[i].bytes);
        take(separate, separate->objects[i].bytes + from, access,
             &(struct separate_access){access->item + 1,
                                       separate->intervals[group][object->kind == OBJECT_LOCAL ? 0 : 1], site});
        separate->conflict.is_local = object->kind == OBJECT_LOCAL;
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

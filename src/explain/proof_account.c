#include "explain/proof_account.h"

#include "proof/needs.h"

#include <string.h>

NAMING_DEFINE(proof_standing, enum proof_standing, PROOF_STANDINGS, "not started", "waiting", "going round",
              "going round alone", "without turns", "at a barrier", "ended");
NAMING_DEFINE(proof_reason, enum proof_reason, PROOF_REASONS, "places", "order", "turns", "fairness", "circle", "lost",
              "round", "dead-end");

/* --- waits --- */

const struct proof_told *proof_account_step(const struct proof_account *account, uint32_t wait)
{
    return &account->result->told[account->result->waits[wait].step];
}

static bool is_same_place(const struct proof_told *a, const struct proof_told *b)
{
    return a->object == b->object && a->offset == b->offset && a->bytes == b->bytes;
}

const struct proof_told *proof_account_last(const struct proof_account *account, uint32_t wait)
{
    const struct proof_told *step = proof_account_step(account, wait);
    const struct proof_told *first = &account->result->told[account->way->first];

    for (const struct proof_told *told = step; told-- > first;)
        if (is_same_place(told, step) && told->before != told->after)
            return told;
    return NULL;
}

uint32_t proof_account_awaited(const struct proof_account *account, uint32_t wait)
{
    const uint32_t writers = account->result->waits[wait].writers;
    const struct proof_told *last = writers == 0 ? proof_account_last(account, wait) : NULL;
    const uint32_t own = proof_group_bit(account->result, proof_account_step(account, wait)->item);

    return last != NULL ? proof_group_bit(account->result, last->item) & ~account->stall->ended & ~own : writers;
}

/* --- classes --- */

static bool is_on_circle(const struct proof_account *account, uint32_t step)
{
    const uint32_t end = account->way->first + account->way->count;
    return step >= end - account->way->circle && step < end;
}

/* What the group does on the circle; PROOF_STANDINGS: it takes no step there. */
static enum proof_standing stand_on_circle(const struct proof_account *account, uint32_t group)
{
    const struct proof_result *result = account->result;
    const struct proof_way *way = account->way;
    enum proof_standing standing = PROOF_STANDINGS;

    for (uint32_t i = way->first + way->count - way->circle; i < way->first + way->count; ++i) {
        const struct proof_told *told = &result->told[i];
        if (told->item / result->items != group)
            continue;
        if (told->before != told->after)
            return STANDS_ROUND;
        if (told->bytes > 0)
            standing = STANDS_WAITING;
        else if (standing != STANDS_WAITING)
            standing = STANDS_ALONE;
    }
    return standing;
}

/* Without a step on the circle: nobody who is owed turns could take one. */
static enum proof_standing stand_off_circle(const struct proof_account *account, uint32_t group)
{
    const struct proof_result *result = account->result;
    const uint64_t items = ((UINT64_C(1) << (result->items - 1)) * 2 - 1) << (group * result->items);
    const bool owed = (account->stall->fair & items) != 0;

    return account->way->circle == 0 || owed ? STANDS_AT_BARRIER : STANDS_IDLE;
}

static enum proof_standing stand(const struct proof_account *account, uint32_t group)
{
    const enum proof_standing circles = stand_on_circle(account, group);

    if ((account->stall->ended >> group & 1) != 0)
        return STANDS_ENDED;
    if (circles != PROOF_STANDINGS)
        return circles;
    return (account->stall->started >> group & 1) == 0 ? STANDS_OUTSIDE : stand_off_circle(account, group);
}

static void add_waits(const struct proof_account *account, uint32_t group, struct proof_class *class)
{
    const struct proof_result *result = account->result;

    for (uint32_t i = 0; i < result->wait_count && class->wait_count < PROOF_CLASS_WAITS; ++i) {
        const struct proof_told *step = proof_account_step(account, i);
        bool known = !is_on_circle(account, result->waits[i].step) || step->item / result->items != group;
        for (uint32_t j = 0; j < class->wait_count; ++j)
            known = known || is_same_place(proof_account_step(account, class->waits[j]), step);
        if (!known)
            class->waits[class->wait_count++] = i;
    }
}

static bool are_alike(const struct proof_account *account, const struct proof_class *a, const struct proof_class *b)
{
    bool alike = a->standing == b->standing && a->wait_count == b->wait_count;

    for (uint32_t i = 0; alike && i < a->wait_count; ++i) {
        const struct proof_told *one = proof_account_step(account, a->waits[i]),
                                *other = proof_account_step(account, b->waits[i]);
        alike = is_same_place(one, other) && one->line == other->line &&
                proof_account_awaited(account, a->waits[i]) == proof_account_awaited(account, b->waits[i]);
    }
    return alike;
}

static void add_group(struct proof_account *account, uint32_t group)
{
    struct proof_class class = {.standing = stand(account, group), .groups = UINT32_C(1) << group};
    uint32_t i = 0;

    if (class.standing == STANDS_WAITING)
        add_waits(account, group, &class);
    while (i < account->count && !are_alike(account, &account->classes[i], &class))
        ++i;
    if (i == account->count)
        account->classes[account->count++] = class;
    else
        account->classes[i].groups |= class.groups;
}

/* --- why --- */

/* Groups that those of the set wait for. */
static uint32_t awaited_by(const struct proof_account *account, uint32_t groups)
{
    uint32_t awaited = 0;

    for (uint32_t i = 0; i < account->count; ++i)
        for (uint32_t j = 0; (account->classes[i].groups & groups) != 0 && j < account->classes[i].wait_count; ++j)
            awaited |= proof_account_awaited(account, account->classes[i].waits[j]);
    return awaited;
}

bool proof_account_on_circle(const struct proof_account *account, uint32_t class)
{
    uint32_t reached = 0, next = awaited_by(account, account->classes[class].groups);

    while ((next & ~reached) != 0) {
        reached |= next;
        next = awaited_by(account, next);
    }
    return (reached & account->classes[class].groups) != 0;
}

/* Groups of classes that stand so. */
static uint32_t standing_so(const struct proof_account *account, enum proof_standing standing)
{
    uint32_t groups = 0;

    for (uint32_t i = 0; i < account->count; ++i)
        groups |= account->classes[i].standing == standing ? account->classes[i].groups : 0;
    return groups;
}

static bool has_circle(const struct proof_account *account)
{
    for (uint32_t i = 0; i < account->count; ++i)
        if (proof_account_on_circle(account, i))
            return true;
    return false;
}

/* No promise would help: it is the groups' own doing. */
static enum proof_reason find_own_reason(const struct proof_account *account)
{
    if (account->way->circle == 0)
        return REASON_DEAD_END;
    if (standing_so(account, STANDS_ROUND) != 0)
        return REASON_ROUND;
    return has_circle(account) ? REASON_CIRCLE : REASON_LOST;
}

static enum proof_reason find_reason(const struct proof_account *account)
{
    const struct proof_promise *promise = &account->stall->promise;
    const uint32_t outside = standing_so(account, STANDS_OUTSIDE), all = awaited_by(account, UINT32_MAX);
    struct proof_needs needs;

    proof_needs_find(&account->result->progress, &needs);
    if (needs.count == 0)
        return find_own_reason(account);
    if ((outside & all) != 0 || (all == 0 && outside != 0))
        return promise->places < account->result->groups ? REASON_PLACES : REASON_ORDER;
    if (promise->fairness == LITMUS_WEAK && promise->model != PROOF_UNFAIR)
        return REASON_FAIRNESS;
    return REASON_TURNS;
}

void proof_account_make(const struct proof_result *result, const struct proof_stall *stall,
                        struct proof_account *account)
{
    *account = (struct proof_account){.result = result, .stall = stall, .way = &result->ways[stall->way]};
    for (uint32_t group = 0; group < result->groups; ++group)
        add_group(account, group);
    account->reason = find_reason(account);
}

#include "explore/own.h"

#include "model/image.h"
#include "model/run.h"

/* As clang numbers them. */
static uint8_t order_of(uint32_t order)
{
    static const uint8_t orders[] = {PROOF_RELAXED, PROOF_ACQUIRE, PROOF_ACQUIRE,
                                     PROOF_RELEASE, PROOF_ACQ_REL, PROOF_SEQ_CST};
    return order < sizeof orders ? orders[order] : PROOF_SEQ_CST;
}

enum proof_scope own_scope(uint32_t how)
{
    static const enum proof_scope scopes[] = {PROOF_SCOPE_ITEM, PROOF_SCOPE_GROUP, PROOF_SCOPE_DEVICE, PROOF_SCOPE_ALL,
                                              PROOF_SCOPE_SUB_GROUP};
    const uint32_t scope = GL_HOW_SCOPE(how);
    return scope < sizeof scopes / sizeof *scopes ? scopes[scope] : PROOF_SCOPE_ITEM;
}

void own_join_fence(struct own *now, uint32_t how)
{
    now->fences |= proof_fence(order_of(GL_HOW_ORDER(how)), own_scope(how), own_spaces(GL_HOW_FENCED(how)));
}

uint8_t own_spaces(uint32_t flags)
{
    return (uint8_t)(((flags & GL_MEET_LOCAL) != 0 ? PROOF_LOCAL : 0) |
                     ((flags & (GL_MEET_GLOBAL | GL_MEET_IMAGE)) != 0 ? PROOF_GLOBAL : 0));
}

uint32_t own_unused(uint32_t how)
{
    const uint32_t bits = GL_HOW_ATOMIC | GL_HOW_UPDATE;
    return (how & bits) == bits ? GL_HOW_UNUSED(how) : 0;
}

static bool is_sum(const struct own *own)
{
    return own->stop == STOP_ACCESS && own_unused(own->how) == GL_HOW_UNUSED(GL_HOW_SUM) &&
           order_of(GL_HOW_ORDER(own->how)) == PROOF_RELAXED && own->bytes == 4 && own->at % 4 == 0;
}

struct proof_access own_access(const struct own *own)
{
    const uint32_t kind = GL_HOW_KIND(own->how);
    const struct space_place *parts = &run.places[run.items[own->item].place].parts;

    return (struct proof_access){
        .at = own->at,
        .bytes = own->bytes,
        .kind = own->stop == STOP_MEETS ? PROOF_MEETING
                : kind == GL_HOW_LOAD   ? PROOF_LOAD
                : kind == GL_HOW_STORE  ? PROOF_STORE
                                        : PROOF_UPDATE,
        .atomic = (own->how & GL_HOW_ATOMIC) != 0,
        .order = order_of(GL_HOW_ORDER(own->how)),
        .failure = order_of(GL_HOW_FAILURE(own->how)),
        .scope = (uint8_t)own_scope(own->how),
        .fences = own->fences,
        .meets = own->meets,
        .spaces = own->spaces,
        .is_local = own->at - (uintptr_t)parts->local < run.space.local_bytes,
        .is_sum = is_sum(own),
    };
}

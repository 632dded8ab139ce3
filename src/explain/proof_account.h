/* Who stands where once a launch goes round for ever, or can go on no more: from this proofs are explained. */
#pragma once

#include "report/proofs.h"

enum proof_standing {
    STANDS_OUTSIDE,    /* it never started */
    STANDS_WAITING,    /* it looks again and again, and changes nothing */
    STANDS_ROUND,      /* it goes round, and changes what others see */
    STANDS_ALONE,      /* it goes round, and accesses nothing that others see */
    STANDS_IDLE,       /* it could go on, and gets no turn */
    STANDS_AT_BARRIER, /* of the group: not all of its work-items come */
    STANDS_ENDED,
    PROOF_STANDINGS,
};

/* "not started", "waiting", "going round", "going round alone", "without turns", "at a barrier", "ended" */
NAMING_DECLARE(proof_standing, enum proof_standing);

enum { PROOF_CLASS_WAITS = 4 };

/* Groups that do the same. */
struct proof_class {
    enum proof_standing standing;
    uint32_t groups;                   /* a bit each */
    uint32_t waits[PROOF_CLASS_WAITS]; /* indexes of the result's, each of another place */
    uint32_t wait_count;
};

/* Why it does not end. */
enum proof_reason {
    REASON_PLACES,   /* those that hold the places wait for one that has none */
    REASON_ORDER,    /* groups wait for one that need not start */
    REASON_TURNS,    /* someone could go on, and is owed no turn */
    REASON_FAIRNESS, /* someone has turns, but always when they are of no use */
    REASON_CIRCLE,   /* groups wait for each other */
    REASON_LOST,     /* someone waits for what nobody writes any more */
    REASON_ROUND,    /* groups go round together, and hinder each other */
    REASON_DEAD_END, /* not all work-items of a group come to its barrier */
    PROOF_REASONS,
};

/* "places", "order", "turns", "fairness", "circle", "lost", "round", "dead-end" */
NAMING_DECLARE(proof_reason, enum proof_reason);

struct proof_account {
    const struct proof_result *result;
    const struct proof_stall *stall;
    const struct proof_way *way;
    enum proof_reason reason;
    struct proof_class classes[PROOF_GROUPS]; /* by their first groups */
    uint32_t count;
};

void proof_account_make(const struct proof_result *result, const struct proof_stall *stall,
                        struct proof_account *account);

/* The step that looks there. */
const struct proof_told *proof_account_step(const struct proof_account *account, uint32_t wait);

/* Whoever changed that last on the way; NULL: nobody did. */
const struct proof_told *proof_account_last(const struct proof_account *account, uint32_t wait);

/* The groups that could end this wait; or, where none can, the one that changed the word last and has not ended. */
uint32_t proof_account_awaited(const struct proof_account *account, uint32_t wait);

/* The class waits for itself, through others or not. */
bool proof_account_on_circle(const struct proof_account *account, uint32_t class);

static inline uint32_t proof_group_bit(const struct proof_result *result, uint32_t item)
{
    return UINT32_C(1) << item / result->items;
}

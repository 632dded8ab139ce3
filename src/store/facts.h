/*
 * Stored facts that reports show. A row of store/columns_*.c is all that there is of one: its column, its key in JSON,
 * its entry in the schema of JSON, and whether the report of a run keeps it for each point.
 */
#pragma once

#include "store/store.h"

/* What a fact is of, and the struct that has its value. */
enum facts_of {
    FACTS_INFO,    /* struct device_info */
    FACTS_PROBE,   /* struct device_probe */
    FACTS_SEEN,    /* struct store_launch, of its observation */
    FACTS_VERDICT, /* struct store_launch, of what follows from that */
    FACTS_KERNEL,  /* struct trial_facts */
    FACTS_KINDS,
};

enum fact_type { FACT_NUMBER, FACT_REAL, FACT_BOOL, FACT_TEXT, FACT_NAME, FACT_SET, FACT_TYPES };

struct fact {
    const char *key;  /* in JSON */
    const char *says; /* what it means, or NULL */
    enum fact_type type;
    bool may_be_null;
    const struct naming *naming; /* of a name or a set */
    /* The value: */
    bool known;
    uint64_t number; /* of all but texts; of a set its bits */
    uint64_t of;     /* of a real: what the number is to be divided by */
    const char *text;
};

/*
 * Reads the next fact that JSON has, and moves `*at`, which begins as 0. False behind the last one. Without a `value`
 * it is told what the fact is, but not its value.
 */
bool facts_next(enum facts_of of, size_t *at, const void *value, struct fact *fact);

/* Copies what the report of a run keeps of a launch for its points into one that has none of it yet. */
void facts_keep(struct store_launch *kept, const struct store_launch *launch);

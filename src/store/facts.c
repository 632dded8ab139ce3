#include "store/facts.h"

#include "store/internal.h"

#include <string.h>

/* Where the struct with its values is in the rows of its table. */
static const struct owner {
    const struct table *table;
    size_t offset, size;
} owners[] = {
#define OWNER(table, row, member)                                                                                      \
    {                                                                                                                  \
        &(table), offsetof(struct row, member), sizeof(((struct row *)0)->member)                                      \
    }
    [FACTS_INFO] = OWNER(store_device_table, device_row, device.info),
    [FACTS_PROBE] = OWNER(store_device_table, device_row, device.probe),
    [FACTS_SEEN] = OWNER(store_observation_table, launch_row, stored),
    [FACTS_VERDICT] = OWNER(store_verdict_table, launch_row, stored),
    [FACTS_KERNEL] = OWNER(store_ended_table, trial_row, stored.facts),
};
_Static_assert(sizeof owners / sizeof *owners == FACTS_KINDS, "each has its table");

static bool owns(const struct owner *owner, const struct column *column, enum shown shown)
{
    return column->shown >= shown && column->offset >= owner->offset && column->offset - owner->offset < owner->size;
}

static enum fact_type type_of(const struct column *column)
{
    if (column->kind == KIND_BOOL)
        return FACT_BOOL;
    if (column->kind == KIND_CHARS || column->kind == KIND_STRING)
        return FACT_TEXT;
    if (column->kind == KIND_NAME)
        return FACT_NAME;
    if (column->naming != NULL)
        return FACT_SET;
    return column->divided_by != 0 ? FACT_REAL : FACT_NUMBER;
}

static void describe(const struct column *column, struct fact *fact)
{
    *fact = (struct fact){
        .key = column->key != NULL ? column->key : column->name,
        .says = column->says,
        .type = type_of(column),
        .naming = column->naming,
        .of = column->divided_by,
    };
    fact->may_be_null =
        fact->type == FACT_TEXT || column->known != 0 || (column->absent != ABSENT_NEVER && fact->type != FACT_REAL);
}

static void evaluate(const struct owner *owner, const struct column *column, const char *value, struct fact *fact)
{
    const void *member = value + (column->offset - owner->offset);

    fact->known = column->known == 0 || *(const bool *)(value + (column->known - owner->offset));
    if (fact->type == FACT_TEXT) {
        fact->text = fact->known ? member_text(column, member) : NULL;
        return;
    }
    fact->number = (uint64_t)member_integer(column, member);
    if (column->absent == ABSENT_NOBODY)
        fact->known = fact->known && fact->number != WAITFOR_NOBODY;
    else if (fact->may_be_null && column->absent != ABSENT_NEVER)
        fact->known = fact->known && fact->number != 0;
}

bool facts_next(enum facts_of of, size_t *at, const void *value, struct fact *fact)
{
    const struct owner *owner = &owners[of];

    for (; *at < owner->table->count; ++*at) {
        const struct column *column = &owner->table->columns[*at];
        if (!owns(owner, column, SHOWN_IN_JSON))
            continue;
        describe(column, fact);
        if (value != NULL)
            evaluate(owner, column, value, fact);
        ++*at;
        return true;
    }
    return false;
}

static void keep(const struct owner *owner, struct store_launch *kept, const struct store_launch *launch)
{
    for (size_t i = 0; i < owner->table->count; ++i) {
        const struct column *column = &owner->table->columns[i];
        if (!owns(owner, column, SHOWN_IN_POINTS))
            continue;
        const size_t at = column->offset - owner->offset;
        memcpy((char *)kept + at, (const char *)launch + at, column->size);
    }
}

void facts_keep(struct store_launch *kept, const struct store_launch *launch)
{
    kept->observation.board_read = launch->observation.board_read;
    keep(&owners[FACTS_SEEN], kept, launch);
    keep(&owners[FACTS_VERDICT], kept, launch);
}

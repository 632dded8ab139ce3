/* Stored facts in JSON, and in its schema. */
#pragma once

#include "format/json_writer.h"
#include "store/facts.h"

/* A member that is no stored fact, and comes before that of one; `before` is NULL behind the last. */
struct facts_other {
    const char *before;
    void (*write)(struct json_writer *json, const void *value);
};

/* Writes a member for each fact of the value, and the `others` (NULL: none). */
void facts_json(struct json_writer *json, enum facts_of of, const void *value, const struct facts_other *others);

/* Writes facts.schema.json: of each struct with facts the members that they make, and the names of enumerations. */
void facts_json_schema(FILE *out);

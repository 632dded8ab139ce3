#include "format/facts_json.h"

#include "judge/cause.h"

#include <string.h>

static void write_fact(struct json_writer *json, const struct fact *fact)
{
    if (fact->type == FACT_TEXT)
        json_writer_text(json, fact->key, fact->text);
    else if (!fact->known)
        json_writer_null(json, fact->key);
    else if (fact->type == FACT_NAME)
        json_writer_text(json, fact->key, fact->naming->names[fact->number]);
    else if (fact->type == FACT_SET)
        json_writer_set(json, fact->key, fact->naming, (uint32_t)fact->number);
    else if (fact->type == FACT_BOOL)
        json_writer_bool(json, fact->key, fact->number != 0);
    else if (fact->type == FACT_REAL)
        json_writer_real(json, fact->key, (double)fact->number / (double)fact->of);
    else
        json_writer_integer(json, fact->key, fact->number);
}

void facts_json(struct json_writer *json, enum facts_of of, const void *value, const struct facts_other *others)
{
    struct fact fact;

    for (size_t at = 0; facts_next(of, &at, value, &fact);) {
        for (const struct facts_other *other = others; other != NULL && other->before != NULL; ++other)
            if (strcmp(other->before, fact.key) == 0)
                other->write(json, value);
        write_fact(json, &fact);
    }
}

/* --- the schema --- */

/* Writes the names of values from the first one on. */
static void write_names(struct json_writer *json, const struct naming *naming, int first, bool may_be_null)
{
    json_writer_open(json, "enum", '[');
    for (int value = first; value < naming->count; ++value)
        json_writer_text(json, NULL, naming->names[value]);
    if (may_be_null)
        json_writer_null(json, NULL);
    json_writer_close(json, ']');
}

static void write_type(struct json_writer *json, const struct fact *fact)
{
    static const char *const types[FACT_TYPES] = {
        [FACT_NUMBER] = "integer", [FACT_REAL] = "number", [FACT_BOOL] = "boolean",
        [FACT_TEXT] = "string",    [FACT_SET] = "array",
    };

    json_writer_open(json, "type", '[');
    json_writer_text(json, NULL, types[fact->type]);
    if (fact->may_be_null)
        json_writer_text(json, NULL, "null");
    json_writer_close(json, ']');
    if (fact->type == FACT_NUMBER || fact->type == FACT_REAL)
        json_writer_integer(json, "minimum", 0);
    if (fact->type != FACT_SET)
        return;
    json_writer_open(json, "items", '{');
    write_names(json, fact->naming, 0, false);
    json_writer_close(json, '}');
}

static void write_member(struct json_writer *json, const struct fact *fact)
{
    json_writer_open(json, fact->key, '{');
    if (fact->type == FACT_NAME)
        write_names(json, fact->naming, fact->may_be_null, fact->may_be_null);
    else
        write_type(json, fact);
    if (fact->says != NULL)
        json_writer_text(json, "description", fact->says);
    json_writer_close(json, '}');
}

static void write_members(struct json_writer *json, const char *name, enum facts_of of)
{
    struct fact fact;

    json_writer_open(json, name, '{');
    json_writer_text(json, "type", "object");
    json_writer_open(json, "properties", '{');
    for (size_t at = 0; facts_next(of, &at, NULL, &fact);)
        write_member(json, &fact);
    json_writer_close(json, '}');
    json_writer_open(json, "required", '[');
    for (size_t at = 0; facts_next(of, &at, NULL, &fact);)
        json_writer_text(json, NULL, fact.key);
    json_writer_close(json, ']');
    json_writer_close(json, '}');
}

/* Names that members which are no stored facts have as their values. */
static const struct {
    const char *name;
    const struct naming *naming;
    int first; /* 1: the first value is none, and is not written */
} enumerations[] = {
    {"verdict", &verdict_naming, 0},
    {"cause", &cause_naming, 1},
    {"mapping", &mapping_naming, 0},
    {"optional", &optional_naming, 0},
};

static void write_enumerations(struct json_writer *json)
{
    for (size_t i = 0; i < sizeof enumerations / sizeof *enumerations; ++i) {
        json_writer_open(json, enumerations[i].name, '{');
        write_names(json, enumerations[i].naming, enumerations[i].first, false);
        json_writer_close(json, '}');
    }
}

void facts_json_schema(FILE *out)
{
    static const char *const names[FACTS_KINDS] = {
        [FACTS_INFO] = "info",       [FACTS_PROBE] = "probe",   [FACTS_SEEN] = "seen",
        [FACTS_VERDICT] = "follows", [FACTS_KERNEL] = "kernel",
    };
    struct json_writer json = {.out = out, .indent = true};

    json_writer_open(&json, NULL, '{');
    json_writer_text(&json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    json_writer_text(&json, "title", "What is stored of devices and launches, as the JSON formats of gridlock have it");
    json_writer_open(&json, "$defs", '{');
    write_enumerations(&json);
    for (enum facts_of of = 0; of < FACTS_KINDS; ++of)
        write_members(&json, names[of], of);
    json_writer_close(&json, '}');
    json_writer_end(&json);
}

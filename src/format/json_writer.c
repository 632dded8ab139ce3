#include "format/json_writer.h"

#include "format/escape.h"

static void begin_line(struct json_writer *json)
{
    if (!json->indent || json->line)
        return;
    fputc('\n', json->out);
    for (int i = 0; i < json->depth; ++i)
        fputs("  ", json->out);
}

/* What comes before a value: a comma, a new line, the name. */
static void begin_value(struct json_writer *json, const char *name)
{
    if (!json->empty && json->depth > 0)
        fputs(json->indent && !json->line ? "," : ", ", json->out);
    if (json->depth > 0)
        begin_line(json);
    json->empty = false;
    if (name != NULL) {
        escape_json(json->out, name);
        fputs(": ", json->out);
    }
}

void json_writer_open(struct json_writer *json, const char *name, char bracket)
{
    begin_value(json, name);
    fputc(bracket, json->out);
    json->depth += 1;
    json->empty = true;
}

void json_writer_close(struct json_writer *json, char bracket)
{
    json->depth -= 1;
    if (!json->empty)
        begin_line(json);
    json->empty = false;
    fputc(bracket, json->out);
}

void json_writer_open_line(struct json_writer *json, const char *name, char bracket)
{
    json_writer_open(json, name, bracket);
    json->line = true;
}

void json_writer_close_line(struct json_writer *json, char bracket)
{
    json_writer_close(json, bracket);
    json->line = false;
}

void json_writer_integer(struct json_writer *json, const char *name, uint64_t value)
{
    char digits[24], *at = digits + sizeof digits;

    begin_value(json, name);
    *--at = '\0';
    do
        *--at = (char)('0' + value % 10);
    while ((value /= 10) != 0);
    fputs(at, json->out);
}

void json_writer_real(struct json_writer *json, const char *name, double value)
{
    begin_value(json, name);
    escape_real(json->out, value);
}

void json_writer_decimal(struct json_writer *json, const char *name, double value, int decimals)
{
    begin_value(json, name);
    escape_decimal(json->out, value, decimals);
}

void json_writer_bool(struct json_writer *json, const char *name, bool value)
{
    begin_value(json, name);
    fputs(value ? "true" : "false", json->out);
}

void json_writer_null(struct json_writer *json, const char *name)
{
    begin_value(json, name);
    fputs("null", json->out);
}

void json_writer_text(struct json_writer *json, const char *name, const char *text)
{
    if (text == NULL || text[0] == '\0') {
        json_writer_null(json, name);
        return;
    }
    begin_value(json, name);
    escape_json(json->out, text);
}

void json_writer_known(struct json_writer *json, const char *name, bool known, uint64_t value)
{
    if (known)
        json_writer_integer(json, name, value);
    else
        json_writer_null(json, name);
}

void json_writer_known_bool(struct json_writer *json, const char *name, bool known, bool value)
{
    if (known)
        json_writer_bool(json, name, value);
    else
        json_writer_null(json, name);
}

void json_writer_count(struct json_writer *json, const char *name, uint64_t value)
{
    json_writer_known(json, name, value != 0, value);
}

void json_writer_set(struct json_writer *json, const char *name, const struct naming *naming, uint32_t set)
{
    json_writer_open(json, name, '[');
    for (int i = 0; i < naming->count; ++i)
        if ((set >> i & 1) != 0)
            json_writer_text(json, NULL, naming->names[i]);
    json_writer_close(json, ']');
}

void json_writer_known_set(struct json_writer *json, const char *name, bool known, const struct naming *naming,
                           uint32_t set)
{
    if (known)
        json_writer_set(json, name, naming, set);
    else
        json_writer_null(json, name);
}

bool json_writer_open_known(struct json_writer *json, const char *name, bool known)
{
    if (known)
        json_writer_open(json, name, '{');
    else
        json_writer_null(json, name);
    return known;
}

struct json_writer json_writer_begin(FILE *out)
{
    struct json_writer json = {.out = out, .indent = true};

    json_writer_open(&json, NULL, '{');
    json_writer_text(&json, "schema_version", JSON_SCHEMA_VERSION);
    return json;
}

void json_writer_end(struct json_writer *json)
{
    json_writer_close(json, '}');
    fputc('\n', json->out);
}

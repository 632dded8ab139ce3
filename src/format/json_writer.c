#include "format/json_writer.h"

#include "format/escape.h"

#include <inttypes.h>
#include <string.h>

static void begin_line(struct json_writer *json)
{
    if (!json->indent)
        return;
    fputc('\n', json->out);
    for (int i = 0; i < json->depth; ++i)
        fputs("  ", json->out);
}

/* What comes before a value: a comma, a new line, the name. */
static void begin_value(struct json_writer *json, const char *name)
{
    if (!json->empty && json->depth > 0)
        fputs(json->indent ? "," : ", ", json->out);
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

void json_writer_count(struct json_writer *json, const char *name, uint64_t value)
{
    json_writer_known(json, name, value != 0, value);
}

static void write_value(struct json_writer *json, const char *name, const json_t *value)
{
    const char *key;
    json_t *member;
    size_t index;

    switch (json_typeof(value)) {
    case JSON_OBJECT:
        json_writer_open(json, name, '{');
        json_object_foreach((json_t *)value, key, member) write_value(json, key, member);
        json_writer_close(json, '}');
        break;
    case JSON_ARRAY:
        json_writer_open(json, name, '[');
        json_array_foreach(value, index, member) write_value(json, NULL, member);
        json_writer_close(json, ']');
        break;
    case JSON_STRING:
        begin_value(json, name);
        escape_json(json->out, json_string_value(value));
        break;
    case JSON_INTEGER:
        json_writer_integer(json, name, (uint64_t)json_integer_value(value));
        break;
    case JSON_REAL:
        json_writer_real(json, name, json_real_value(value));
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        json_writer_bool(json, name, json_is_true(value));
        break;
    case JSON_NULL:
        json_writer_null(json, name);
        break;
    }
}

void json_writer_members(struct json_writer *json, json_t *object)
{
    const char *key;
    json_t *member;

    json_object_foreach(object, key, member) write_value(json, key, member);
    json_decref(object);
}

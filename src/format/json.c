#include "format/json.h"

#include "format/utf8.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

json_t *json_text(const char *text)
{
    if (text == NULL || text[0] == '\0')
        return json_null();
    char *clean = utf8_clean(text);
    json_t *string = clean != NULL ? json_string(clean) : NULL;
    free(clean);
    return string;
}

json_t *json_known(bool known, uint64_t value)
{
    return known ? json_integer((json_int_t)value) : json_null();
}

json_t *json_count(uint64_t value)
{
    return json_known(value != 0, value);
}

int json_write(FILE *out, json_t *object, struct error *error)
{
    int outcome = 0;
    if (object == NULL)
        return error_set(error, STATUS_HARNESS, "no memory for JSON");
    if (json_dumpf(object, out, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) != 0 || fputc('\n', out) == EOF ||
        fflush(out) != 0)
        outcome = error_set(error, STATUS_HARNESS, "cannot write JSON: %s", strerror(errno));
    json_decref(object);
    return outcome;
}

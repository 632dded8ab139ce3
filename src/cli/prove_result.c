#include "cli/prove_result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A comma that is in no brackets, or a number alone. */
static bool has_values(const char *text)
{
    char *end;
    int depth = 0;

    (void)strtod(text, &end);
    if (end != text && *end == '\0')
        return true;
    for (; *text != '\0'; ++text) {
        depth += (strchr("([{", *text) != NULL) - (strchr(")]}", *text) != NULL);
        if (depth == 0 && *text == ',')
            return true;
    }
    return false;
}

int prove_add_result(struct proof_request *request, const char *text, struct error *error)
{
    static const char file[] = "file:";
    const char *equals = strchr(text, '=');

    if (request->right_count == PROOF_RIGHTS)
        return error_set(error, STATUS_USAGE, "--result: at most %d are allowed", PROOF_RIGHTS);
    struct proof_right *right = &request->rights[request->right_count++];
    const char *value = equals != NULL ? equals + 1 : "";
    const bool is_file = strncmp(value, file, sizeof file - 1) == 0;
    value += is_file ? sizeof file - 1 : 0;
    if (equals == NULL || equals == text || (size_t)(equals - text) >= sizeof right->name || *value == '\0' ||
        strlen(value) >= sizeof right->text)
        return error_set(error, STATUS_USAGE,
                         "--result '%.80s': expected ARGUMENT=VALUE,VALUE,..., ARGUMENT=file:PATH or "
                         "ARGUMENT=EXPRESSION, with the argument's number from 0 or its name",
                         text);
    right->kind = is_file ? PROOF_RIGHT_FILE : has_values(value) ? PROOF_RIGHT_VALUES : PROOF_RIGHT_EXPRESSION;
    snprintf(right->name, sizeof right->name, "%.*s", (int)(equals - text), text);
    snprintf(right->text, sizeof right->text, "%s", value);
    return 0;
}

/* Digits alone; NULL: there are none, or too many. */
static const char *read_digits(const char *text, uint64_t *number)
{
    const size_t length = strspn(text, "0123456789");

    *number = strtoull(text, NULL, 10);
    return length > 0 && length <= 9 ? text + length : NULL;
}

/* "[3]" or "[3-5]", or nothing. */
static bool read_range(const char *text, struct proof_ignored *ignored)
{
    uint64_t last;

    if (*text == '\0')
        return true;
    const char *end = read_digits(text + 1, &ignored->first);
    last = ignored->first;
    if (end != NULL && *end == '-')
        end = read_digits(end + 1, &last);
    ignored->count = last - ignored->first + 1;
    return end != NULL && strcmp(end, "]") == 0 && last >= ignored->first;
}

int prove_add_ignored(struct proof_request *request, const char *text, struct error *error)
{
    struct proof_ignored ignored = {.count = 0};
    const size_t length = strcspn(text, "[");

    if (request->ignored_count == PROOF_IGNORED)
        return error_set(error, STATUS_USAGE, "--ignore: at most %d are allowed", PROOF_IGNORED);
    if (length == 0 || length >= sizeof ignored.name || !read_range(text + length, &ignored))
        return error_set(error, STATUS_USAGE,
                         "--ignore '%.80s': expected ARGUMENT, ARGUMENT[ELEMENT] or ARGUMENT[FIRST-LAST], with the "
                         "argument's number from 0 or its name",
                         text);
    snprintf(ignored.name, sizeof ignored.name, "%.*s", (int)length, text);
    request->ignored[request->ignored_count++] = ignored;
    return 0;
}

#include "cli/argument.h"

#include "cli/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int refuse_argument(struct error *error, const char *text)
{
    return error_set(
        error, STATUS_USAGE,
        "--arg '%.80s': expected ARGUMENT=buffer:BYTES, ARGUMENT=buffer:BYTES=zero, =seq or =file:PATH, "
        "ARGUMENT=local:BYTES, ARGUMENT=NUMBER or ARGUMENT=file:PATH, with the argument's number from 0 or its name",
        text);
}

static int read_path(const char *path, const char *whole, struct proof_argument *argument, struct error *error)
{
    argument->fill = PROOF_FILL_FILE;
    if (path[0] == '\0')
        return refuse_argument(error, whole);
    if (strlen(path) >= sizeof argument->file)
        return error_set(error, STATUS_USAGE, "--arg '%.40s...': paths of at most %zu bytes are allowed", whole,
                         sizeof argument->file - 1);
    snprintf(argument->file, sizeof argument->file, "%s", path);
    return 0;
}

/* "BYTES", "BYTES=zero", "BYTES=seq", "BYTES=file:PATH" */
static int read_buffer(const char *text, const char *whole, struct proof_argument *argument, struct error *error)
{
    const size_t length = strcspn(text, "=");
    char bytes[32];

    snprintf(bytes, sizeof bytes, "%.*s", (int)(length < sizeof bytes ? length : sizeof bytes - 1), text);
    if (parse_number("--arg: BYTES", bytes, 1, UINT32_MAX, &argument->bytes, error) != 0)
        return -1;
    const char *fill = text[length] == '=' ? text + length + 1 : "zero";
    argument->kind = PROOF_ARGUMENT_BUFFER;
    if (strcmp(fill, "zero") == 0)
        argument->fill = PROOF_FILL_ZERO;
    else if (strcmp(fill, "seq") == 0)
        argument->fill = PROOF_FILL_SEQUENCE;
    else if (strncmp(fill, "file:", 5) == 0)
        return read_path(fill + 5, whole, argument, error);
    else
        return refuse_argument(error, whole);
    return 0;
}

static bool is_number(const char *text)
{
    char *end;

    if (*text == '\0' || strlen(text) >= PROOF_NUMBER)
        return false;
    (void)strtoll(text, &end, 0);
    if (*end == '\0')
        return true;
    (void)strtod(text, &end);
    return *end == '\0';
}

/* "grid", "grid:FUSE" */
static bool is_grid(const char *value)
{
    return strcmp(value, "grid") == 0 || strncmp(value, "grid:", 5) == 0;
}

static int add_argument(struct proof_request *request, const char *text, bool may_be_grid, struct error *error)
{
    const char *equals = strchr(text, '=');
    struct proof_argument argument = {.kind = PROOF_ARGUMENT_NUMBER};

    if (equals == NULL || equals == text || (size_t)(equals - text) >= sizeof argument.name)
        return refuse_argument(error, text);
    if (request->argument_count == PROOF_ARGUMENTS)
        return error_set(error, STATUS_USAGE, "--arg: at most %d are allowed", PROOF_ARGUMENTS);
    snprintf(argument.name, sizeof argument.name, "%.*s", (int)(equals - text), text);
    const char *value = equals + 1;
    if (may_be_grid && is_grid(value)) {
        argument.kind = PROOF_ARGUMENT_BUFFER;
        argument.fill = PROOF_FILL_GRID;
        if (value[4] == ':' && parse_number("--arg: FUSE", value + 5, 1, UINT32_MAX, &argument.bytes, error) != 0)
            return -1;
    } else if (strncmp(value, "buffer:", 7) == 0) {
        if (read_buffer(value + 7, text, &argument, error) != 0)
            return -1;
    } else if (strncmp(value, "local:", 6) == 0) {
        argument.kind = PROOF_ARGUMENT_LOCAL;
        if (parse_number("--arg: BYTES", value + 6, 1, UINT32_MAX, &argument.bytes, error) != 0)
            return -1;
    } else if (strncmp(value, "file:", 5) == 0) {
        if (read_path(value + 5, text, &argument, error) != 0)
            return -1;
    } else if (is_number(value)) {
        snprintf(argument.number, sizeof argument.number, "%s", value);
    } else {
        return refuse_argument(error, text);
    }
    request->arguments[request->argument_count++] = argument;
    return 0;
}

int argument_add(struct proof_request *request, const char *text, struct error *error)
{
    return add_argument(request, text, false, error);
}

int argument_add_grid(struct proof_request *request, const char *text, struct error *error)
{
    return add_argument(request, text, true, error);
}

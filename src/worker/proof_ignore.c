/* What states are compared without, by what the user says. */
#include "worker/proof.h"

#include "base/alloc.h"
#include "explore/explore.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The program's own, which have no names here: words of 32 bits. */
static const char VARIABLES[] = "variables";
enum { WORD = 4 };

static void note(FILE *names, const struct proof_ignored *ignored)
{
    fprintf(names, "%s%s", ftell(names) > 0 ? ", " : "", ignored->name);
    if (ignored->count == 1)
        fprintf(names, "[%" PRIu64 "]", ignored->first);
    else if (ignored->count > 1)
        fprintf(names, "[%" PRIu64 "-%" PRIu64 "]", ignored->first, ignored->first + ignored->count - 1);
}

static int ignore(const struct proof_launch *proving, const struct proof_ignored *ignored,
                  struct explore_bounds *bounds, struct error *error)
{
    const uint32_t argument = proof_find_argument(proving, ignored->name);

    bounds->ignores_read = true;
    if (argument == UINT32_MAX && strcmp(ignored->name, VARIABLES) == 0) {
        bounds->ignored[bounds->ignored_count++] = (struct explore_ignored){
            EXPLORE_VARIABLES, ignored->first * WORD, ignored->count == 0 ? UINT64_MAX : ignored->count * WORD};
        return 0;
    }
    if (argument == UINT32_MAX || proving->buffers[argument] == NULL)
        return error_set(error, STATUS_USAGE, "--ignore %s: %s has no buffer that is called so", ignored->name,
                         proving->kernel->name);
    const uint64_t bytes = proof_buffer_bytes(proving, argument), each = proof_element_bytes(proving, argument);
    const uint64_t count = ignored->count == 0 ? bytes / each : ignored->count;
    if (ignored->first >= bytes / each || count > bytes / each - ignored->first)
        return error_set(error, STATUS_USAGE, "--ignore %s: the buffer has no element %" PRIu64, ignored->name,
                         ignored->first + count - 1);
    bounds->ignored[bounds->ignored_count++] = (struct explore_ignored){argument, ignored->first * each, count * each};
    return 0;
}

int proof_ignore(const struct proof_launch *proving, struct explore_bounds *bounds, struct error *error)
{
    const struct proof_request *request = proving->request;
    char *text;
    FILE *names = xopen_memstream(&text, NULL);
    int outcome = 0;

    for (uint32_t i = 0; outcome == 0 && i < request->ignored_count; ++i) {
        outcome = ignore(proving, &request->ignored[i], bounds, error);
        note(names, &request->ignored[i]);
    }
    xclose_memstream(names, &text);
    proving->result->ignored = proof_result_text(proving->result, text);
    free(text);
    return outcome;
}

int proof_check_ignored(const struct explore_bounds *bounds, const struct explored *explored, struct error *error)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < explored->object_count; ++i)
        bytes = explored->objects[i].kind == OBJECT_VARIABLES ? explored->objects[i].bytes : bytes;
    for (uint32_t i = 0; i < bounds->ignored_count; ++i) {
        const struct explore_ignored *ignored = &bounds->ignored[i];
        if (ignored->argument == EXPLORE_VARIABLES &&
            (ignored->offset >= bytes || (ignored->bytes != UINT64_MAX && ignored->bytes > bytes - ignored->offset)))
            return error_set(error, STATUS_USAGE,
                             "--ignore %s: the program's variables that can be written have %" PRIu64 " elements",
                             VARIABLES, bytes / WORD);
    }
    return 0;
}

#include "base/alloc.h"
#include "cli/sources.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool sources_is_folder(const char *word)
{
    struct stat found;
    return stat(word, &found) == 0 && S_ISDIR(found.st_mode);
}

/* The sizes of local arguments that it had. */
static void take_locals(struct subject_request *request, const struct captured *captured)
{
    for (uint32_t i = 0; i < captured->argument_count && request->local_count < SUBJECT_GIVEN_LOCALS; ++i) {
        const struct proof_argument *argument = &captured->arguments[i];
        struct given_local *given = &request->locals[request->local_count];
        if (argument->kind != PROOF_ARGUMENT_LOCAL)
            continue;
        *given = (struct given_local){.text = captured->source, .bytes = argument->bytes};
        snprintf(given->kernel, sizeof given->kernel, "%s", captured->kernel);
        snprintf(given->argument, sizeof given->argument, "%s", argument->name);
        request->local_count += 1;
    }
}

int sources_add_captured(struct parsing *parsing, struct source_options *options, const char *folder)
{
    struct subject_request *request = &options->request;
    struct captured *captured = xcalloc(1, sizeof *captured);

    if (options->captured != NULL || request->file_count > 0)
        return error_set(&parsing->error, STATUS_USAGE, "%s%.200s: a captured launch stands alone", options->said,
                         folder);
    options->captured = captured;
    if (captured_read(folder, captured, &parsing->error) != 0)
        return -1;
    request->files[request->file_count++] = captured->source;
    if (request->options == NULL)
        request->options = captured->options;
    take_locals(request, captured);
    return sources_add_kernels(parsing, options, captured->kernel);
}

void sources_give_arguments(const struct source_options *options, struct proof_request *request)
{
    const uint32_t given = request->argument_count;

    if (options->captured != NULL && options->captured->unknown > 0)
        fprintf(stderr, "gridlock: %s lacks what it was given as argument %s: that is made up\n",
                options->captured->kernel, options->captured->lacks);
    if (options->captured != NULL && options->captured->differs[0] != '\0')
        fprintf(stderr, "gridlock: %s is not as it was: %s\n", options->captured->kernel, options->captured->differs);
    for (uint32_t i = 0; options->captured != NULL && i < options->captured->argument_count; ++i) {
        const struct proof_argument *argument = &options->captured->arguments[i];
        bool known = request->argument_count == PROOF_ARGUMENTS;
        for (uint32_t j = 0; j < given && !known; ++j)
            known = strcmp(request->arguments[j].name, argument->name) == 0;
        if (!known)
            request->arguments[request->argument_count++] = *argument;
    }
}

int sources_take_shape(struct source_options *options, struct error *error)
{
    struct nd_range shape = options->captured->range;
    char text[SHAPE_BYTES];

    for (uint32_t i = 0; i < 3; ++i)
        shape.local[i] = shape.local[i] == 0 ? 1 : shape.local[i];
    nd_range_print_shape(&shape, text);
    return sources_parse_sizes(options, text, error);
}

/* A program that repeats a captured launch, from the files of its folder. */
#include "base/alloc.h"
#include "reproducer/files.h"

#include <inttypes.h>
#include <stdlib.h>

static void put_sizes(FILE *out, const char *name, const uint64_t sizes[3])
{
    fprintf(out, "static const size_t %s[3] = {%" PRIu64 ", %" PRIu64 ", %" PRIu64 "};\n", name, sizes[0], sizes[1],
            sizes[2]);
}

static void put_arguments(FILE *out, const struct captured *captured)
{
    static const char kinds[] = {[PROOF_ARGUMENT_BUFFER] = 'b',
                                 [PROOF_ARGUMENT_LOCAL] = 'l',
                                 [PROOF_ARGUMENT_NUMBER] = 'v',
                                 [PROOF_ARGUMENT_IMAGE] = 'i',
                                 [PROOF_ARGUMENT_SAMPLER] = 's'};

    fprintf(
        out,
        "\n/*\n * A buffer, local memory, a value, an image or a sampler, and whether a file has its bytes; else they "
        "are zeros.\n * Of an image its type, order and type of channels, width, height, depth, layers; of a sampler "
        "whether\n * coordinates are normalized, mode of addresses, of the filter.\n */\n"
        "enum { ARGUMENTS = %" PRIu32 " };\n"
        "static const struct argument {\n    char kind;\n    unsigned index;\n    size_t bytes;\n    int file;\n    "
        "size_t shape[7];\n"
        "} arguments[ARGUMENTS + 1] = {\n",
        captured->argument_count);
    for (uint32_t i = 0; i < captured->argument_count; ++i) {
        const struct proof_argument *argument = &captured->arguments[i];
        fprintf(out, "    {'%c', %s, %" PRIu64 ", %d, {", kinds[argument->kind], argument->name, argument->bytes,
                argument->file[0] != '\0');
        for (int k = 0; k < PROOF_SHAPE; ++k)
            fprintf(out, "%s%" PRIu64, k > 0 ? ", " : "", argument->shape[k]);
        fputs("}},\n", out);
    }
    fputs("};\n", out);
}

static void put_head(FILE *out, const struct captured *captured)
{
    const struct nd_range *range = &captured->range;

    fputs("/*\n * Repeats a launch that was captured, from the files of its folder. Prints \"it ended\" if it does.\n"
          " *     cc " REPRODUCER_REPLAY " -o replay -lOpenCL && ./replay [FOLDER [DEVICE]]\n */\n"
          "#define CL_TARGET_OPENCL_VERSION 120\n"
          "#include <CL/cl.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n#define KERNEL ",
          out);
    reproducer_put_string(out, captured->kernel);
    fputs("\n#define OPTIONS ", out);
    reproducer_put_string(out, captured->options);
    fprintf(out, "\n#define DIMENSIONS %" PRIu32 "\n\n", range->dimensions);
    put_sizes(out, "offset", range->offset);
    put_sizes(out, "global", range->global);
    put_sizes(out, "local", (const uint64_t[3]){range->local[0], range->local[1], range->local[2]});
    put_arguments(out, captured);
}

int reproducer_write_replay(const struct captured *captured, const char *folder, struct error *error)
{
    char *text;

    if (captured->unknown > 0)
        return error_set(error, STATUS_USAGE,
                         "--reproducer: %" PRIu32
                         " of its arguments were not kept, such as pipes, and memory that came from another API",
                         captured->unknown);
    if (captured->differs[0] != '\0')
        return error_set(error, STATUS_USAGE, "--reproducer: %s", captured->differs);
    FILE *out = xopen_memstream(&text, NULL);
    put_head(out, captured);
    fputs(reproducer_file(reproducer_files, "replay.inc"), out);
    xclose_memstream(out, &text);
    const struct source_file files[] = {{.name = REPRODUCER_REPLAY, .text = text}, {0}};
    const int outcome = reproducer_save(folder, files, error);
    free(text);
    return outcome;
}

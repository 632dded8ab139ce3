/* What a driver failed of before a kernel of the user's was measured, as a program that asks it for the same. */
#include "base/alloc.h"
#include "core/board.h"
#include "core/optional.h"
#include "reproducer/files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void reproducer_put_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; ++text)
        fprintf(out, *text >= ' ' && *text <= '~' && strchr("\"\\?", *text) == NULL ? "%c" : "\\%03o",
                (unsigned char)*text);
    fputc('"', out);
}

/* "{'b', 65536}, {'w', 8192}" of "b65536 w0": the board's size is that of the launch. */
static void put_arguments(FILE *out, const struct evidence *evidence)
{
    const char *at = evidence->tried.arguments;

    fputs("/* A buffer, local memory or a value of so many bytes (0: not known), an image or depth image of this type, "
          "a\n"
          " * sampler; w: the words of gridlock's own. */\n"
          "static const struct argument {\n    char kind;\n    size_t number;\n} arguments[] = {",
          out);
    for (const char *between = ""; *at != '\0'; between = ", ") {
        char *end;
        const char kind = *at;
        const uint64_t number = strtoull(at + 1, &end, 10);
        fprintf(out, "%s{'%c', %" PRIu64 "}", between, kind,
                kind == 'w' ? (uint64_t)trial_board_words(&evidence->trial) * sizeof(uint32_t) : number);
        at = end + (*end == ' ');
    }
    fputs("};\n", out);
}

/* gridlock asks for sizes of types by one work-item. */
static void put_range(FILE *out, const struct evidence *evidence)
{
    const struct nd_range *shape = &evidence->trial.footprint.subject.shape;
    const bool is_measured = strchr(evidence->tried.arguments, 'w') != NULL;
    const uint64_t groups = is_measured ? evidence->trial.groups : 1;
    const uint32_t one[3] = {1, 1, 1}, *local = is_measured ? shape->local : one;

    fprintf(out,
            "enum { DIMENSIONS = %" PRIu32 " };\n"
            "static const size_t global[] = {%" PRIu64 ", %" PRIu32 ", %" PRIu32 "}, local[] = {%" PRIu32 ", %" PRIu32
            ", %" PRIu32 "};\n",
            is_measured ? shape->dimensions : 1, groups * local[0], local[1], local[2], local[0], local[1], local[2]);
}

static char *make_program(const struct evidence *evidence, const struct story *story, const char *host, const char *set)
{
    const struct subject_tried *tried = &evidence->tried;
    char *text = NULL;
    FILE *out = xopen_memstream(&text, NULL);

    reproducer_write_build_head(out, evidence, story);
    reproducer_put_begin(out, host, &evidence->device.info, set);
    fputs("#define BUILD_OPTIONS ", out);
    reproducer_put_string(out, tried->options);
    fputc('\n', out);
    if (tried->kernel[0] != '\0') {
        fputs("#define OF_KERNEL ", out);
        reproducer_put_string(out, tried->kernel);
        fputc('\n', out);
        put_range(out, evidence);
        put_arguments(out, evidence);
    }
    fprintf(out, "static char source[%zu + 1];\n\n", strlen(tried->text));
    fputs(host, out);
    return xclose_memstream(out, &text);
}

/* A run file may come from anybody. */
static bool is_ours(const char *arguments)
{
    while (*arguments != '\0') {
        const size_t digits = strspn(arguments + 1, "0123456789");
        if (strchr("blvidsw", *arguments) == NULL || digits == 0 || digits > 19)
            return false;
        arguments += 1 + digits;
        if (*arguments != '\0' && *arguments++ != ' ')
            return false;
    }
    return true;
}

/* Lines of what the environment had, and what gridlock set beside. */
static char *make_environment(const struct evidence *evidence)
{
    const bool other_loops = (optional_parse(evidence->trial.left_out) & OPTIONAL_BIT(OPTIONAL_LOOPS)) != 0;

    return xasprintf("%s%s", evidence->run.environment, other_loops ? POCL_METHOD "=cbs\n" : "");
}

int reproducer_write_build(const struct evidence *evidence, const char *folder, struct error *error)
{
    static const char *const parts[3] = {"promise_program.inc"};
    struct story story;
    char numbers[64];

    if (evidence->tried.text == NULL)
        return error_set(error, STATUS_USAGE, "%.160s: there is no reproducer, because %s", evidence->name,
                         story_unmeasured(evidence) == NULL ? "the driver failed of nothing"
                                                            : "no text is known that the driver failed of");
    if (!is_ours(evidence->tried.arguments) ||
        (evidence->tried.kernel[0] != '\0' && evidence->tried.arguments[0] == '\0'))
        return error_set(error, STATUS_USAGE, "%.160s: the run file's arguments of the kernel are not gridlock's",
                         evidence->name);
    story_tell(evidence, 0, &story);
    char *set = make_environment(evidence);
    snprintf(numbers, sizeof numbers, "-DOF_PROGRAM=1%s%s", reproducer_sets(set) ? " -DOF_SET=1" : "",
             evidence->tried.kernel[0] != '\0' ? " -DOF_LAUNCH=1" : " -DOF_BUILD=1");
    char *host = reproducer_host(parts, numbers);
    char *program = make_program(evidence, &story, host, set);
    const struct source_file files[] = {
        {REPRODUCER_BUILD, program}, {REPRODUCER_TEXT, evidence->tried.text}, {NULL, NULL}};

    const int result = reproducer_save(folder, files, error);
    free(program);
    free(host);
    free(set);
    story_fini(&story);
    return result;
}

#include "reproducer/promise.h"

#include "base/source.h"
#include "core/build_options.h"
#include "core/text.h"
#include "format/audit.h"
#include "reproducer/files.h"
#include "reproducer/reproducer.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the program for an act is made of: templates, and the kernel. */
static const struct recipe {
    enum promise_act act;
    const char *kernel, *shared, *own; /* shared: by several acts; or NULL */
} recipes[] = {
    {ASK_GROUP_SIZE, "promise_size", NULL, "promise_size.inc"},
    {ASK_ITEM_SIZES, "promise_size", NULL, "promise_size.inc"},
    {ASK_CONCURRENT_COUNT, "promise_dispatch", "promise_dispatch.inc", "promise_dispatch_count.inc"},
    {ASK_CONCURRENT_AGAIN, "promise_dispatch", "promise_dispatch.inc", "promise_dispatch_again.inc"},
    {ASK_CONCURRENT_MORE, "promise_dispatch", "promise_dispatch.inc", "promise_dispatch_more.inc"},
    {ASK_BARRIER_VALID, "promise_dispatch", "promise_dispatch.inc", "promise_dispatch_valid.inc"},
};

static const struct recipe *recipe_of(const struct promise *promise)
{
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; ++i)
        if (recipes[i].act == promise->act)
            return &recipes[i];
    return NULL;
}

/* --- the kernel --- */

struct macros {
    uint64_t values, local_words;
};

static struct macros macros_of(const struct reproduced_promise *reproduced)
{
    const struct promise *promise = reproduced->row->promise;
    const uint64_t half = reproduced->device->info.local_memory_bytes / 2 / sizeof(uint32_t);

    if (promise->act == ASK_GROUP_SIZE)
        return (struct macros){promise->of[0] == KERNEL_REGISTERS ? PROMISE_VALUES : 0,
                               promise->of[0] == KERNEL_LOCAL ? half : 0};
    return (struct macros){0, promise->act != ASK_ITEM_SIZES && promise->of[1] != 0 ? half : 0};
}

/* A driver's text, as part of a string. */
static void put_plain(FILE *out, const char *text)
{
    for (; *text != '\0'; ++text)
        fputc(isprint((unsigned char)*text) && *text != '"' && *text != '\\' ? *text : '?', out);
}

static void put_line(FILE *out, const char *line, size_t length)
{
    fputs("    \"", out);
    for (size_t i = 0; i < length; ++i) {
        if (line[i] == '"' || line[i] == '\\')
            fputc('\\', out);
        fputc(line[i], out);
    }
    fputs("\\n\"\n", out);
}

/* "#if NAME > 0" of these; other conditions stay. */
static bool begins_block(const char *line, const struct macros *macros, bool *left_out)
{
    const struct {
        const char *begins;
        uint64_t value;
    } blocks[] = {{"#if GL_VALUES > 0\n", macros->values},
                  {"#if GL_LOCAL_WORDS > 0\n", macros->local_words},
                  {"#if GL_ATOMICS > 0\n", 0}};

    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
        if (strncmp(line, blocks[i].begins, strlen(blocks[i].begins)) == 0) {
            *left_out = blocks[i].value == 0;
            return true;
        }
    return false;
}

/* As a string, without its first comment, blank lines, and what these macros leave out. */
static void put_kernel(FILE *out, const char *text, const struct macros *macros)
{
    const char *end = strstr(text, "*/\n");
    bool left_out = false;

    for (const char *line = end != NULL ? end + 3 : text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        if (strncmp(line, "#endif", 6) == 0)
            left_out = false;
        else if (!begins_block(line, macros, &left_out) && !left_out && length > 0)
            put_line(out, line, length);
        line += length + (line[length] == '\n');
    }
}

/* --- the program --- */

static void put_ask(FILE *out, const struct promise *promise)
{
    static const char whole[] =
        "CHECK(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof items, &items, NULL))";

    if (promise->act == ASK_ITEM_SIZES)
        fprintf(out,
                "#define ASK(items) \\\n    size_t sizes[16] = {0}; \\\n    %s; \\\n"
                "    CHECK(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL)); \\\n"
                "    items = sizes[DIMENSION] < items ? sizes[DIMENSION] : items\n",
                whole);
    else if (promise->of[1] != 0)
        fputs("#define ASK(items) \\\n"
              "    CHECK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof items, &items, "
              "NULL))\n",
              out);
    else
        fprintf(out, "#define ASK(items) %s\n", whole);
}

static void put_table(FILE *out, const struct reproduced_promise *reproduced, const struct recipe *recipe)
{
    const struct promise *promise = reproduced->row->promise;
    const struct macros macros = macros_of(reproduced);
    char options[BUILD_OPTIONS];

    build_options(&reproduced->device->probe, reproduced->device->probe.dialect, false, options);
    text_append(options, sizeof options, " -DGL_VALUES=%" PRIu64 " -DGL_LOCAL_WORDS=%" PRIu64 " -DGL_ATOMICS=0",
                macros.values, macros.local_words);
    fprintf(out, "#define KERNEL \"%s\"\n#define DEVICE \"", recipe->kernel);
    put_plain(out, reproduced->device->info.name);
    fputs("\" /* unless another is named */\n", out);
    fprintf(out, "#define BUILD_OPTIONS \"%s\"\n", options);
    if (recipe->shared != NULL)
        fprintf(out, "enum { LOCAL_SIZE = %" PRIu32 ", OF_FIRST = %" PRIu32 ", MEASURED = %" PRIu64 " };\n",
                promise->of[0] > 1 ? promise->of[0] : 1, promise->of[0], reproduced->row->finding.measured);
    else
        fprintf(out, "enum { GL_VALUES = %" PRIu64 ", DIMENSION = %" PRIu32 " };\n", macros.values,
                promise->act == ASK_ITEM_SIZES ? promise->of[0] : 0);
    if (recipe->shared == NULL)
        put_ask(out, promise);
    fputs("\nstatic const char source[] =\n", out);
}

static void put_head(FILE *out, const struct reproduced_promise *reproduced)
{
    const struct audit_row *row = reproduced->row;
    struct text_lines lines;

    fputs("/*\n", out);
    text_clean_lines(out, " * ", " * ", row->promise->says);
    FILE *line = text_lines_begin(&lines, out);
    fprintf(line, "(%s) ", row->promise->made);
    audit_text_finding(line, row);
    text_lines_end(&lines, out, " * ", " * ");
    line = text_lines_begin(&lines, out);
    fprintf(line, "Seen on %s (%s, driver %s).", reproduced->device->info.name, reproduced->device->info.platform,
            reproduced->device->info.driver_version);
    text_lines_end(&lines, out, " * ", " * ");
    fputs(" *\n *     cc promise.c -lOpenCL -o promise && ./promise [PART OF A DEVICE'S OR PLATFORM'S NAME]\n"
          " * Exit status: 0 the promise is kept, 1 it is broken; 2 there is no such device; 3 another call failed.\n "
          "*/\n",
          out);
}

/* What stands in the template before this line; *from goes behind it. */
static void put_before(FILE *out, const char **from, const char *line)
{
    const char *found = strstr(*from, line);
    fwrite(*from, 1, (size_t)(found - *from), out);
    *from = found + strcspn(found, "\n") + 1;
}

static void put_program(FILE *out, const struct reproduced_promise *reproduced, const struct recipe *recipe,
                        const char *kernel)
{
    const char *from = reproducer_file("promise.c");
    const struct macros macros = macros_of(reproduced);

    put_head(out, reproduced);
    fputs("#define _GNU_SOURCE\n#define CL_TARGET_OPENCL_VERSION 300\n"
          "#define CL_USE_DEPRECATED_OPENCL_1_2_APIS\n",
          out);
    put_before(out, &from, "#include \"act.h\"");
    put_table(out, reproduced, recipe);
    put_kernel(out, kernel, &macros);
    fputs("    ;\n", out);
    put_before(out, &from, "#include \"promise_size.inc\"");
    fputs(recipe->shared != NULL ? reproducer_file(recipe->shared) : "", out);
    fputs(reproducer_file(recipe->own), out);
    fputs(from, out);
}

int reproducer_write_promise(const struct reproduced_promise *reproduced, const char *folder, struct error *error)
{
    const struct recipe *recipe = recipe_of(reproduced->row->promise);
    const struct source_folders none = {NULL, NULL};
    char file[64];
    int outcome = -1;

    if (recipe == NULL)
        return error_set(error, STATUS_USAGE, "there is no reproducer for promise %s", reproduced->row->promise->name);
    snprintf(file, sizeof file, "%s.cl", recipe->kernel);
    char *kernel = source_load(none, file, error);
    const int descriptor = kernel != NULL ? reproducer_open_folder(folder, error) : -1;
    FILE *out = descriptor >= 0 ? reproducer_create(descriptor, folder, REPRODUCER_PROMISE, error) : NULL;
    if (out != NULL) {
        put_program(out, reproduced, recipe, kernel);
        outcome = reproducer_finish(out, folder, REPRODUCER_PROMISE, error);
    }
    if (descriptor >= 0)
        close(descriptor);
    free(kernel);
    return outcome;
}

#include "model/compile.h"

#include "base/alloc.h"
#include "base/file.h"
#include "model/clang.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 64, ADDRESS_BYTES = 24, OPTIONS = 4, OUTPUT_MIB = 1 };

/* The file's name, a colon, and a number; false: it is none of the program's own text. */
static bool take_name(const char *said, size_t length, char name[MODEL_LINE])
{
    const char *folder = memrchr(said, '/', length);
    const char *file = folder != NULL ? folder + 1 : said;

    snprintf(name, MODEL_LINE, "%.*s", (int)strcspn(file, " \n"), file);
    return strchr("?:", *name) == NULL && strstr(name, ":?") == NULL && strncmp(name, "glue.c", strlen("glue.c")) != 0;
}

static bool is_kernels(const char *line)
{
    return strstr(line, ".cl:") != NULL;
}

/* The innermost line; before it, if that is of a header, the kernel's own line from which it comes there. */
static void add_name(const char name[MODEL_LINE], char line[MODEL_LINE])
{
    char header[MODEL_LINE / 2];

    if (line[0] == '\0') {
        snprintf(line, MODEL_LINE, "%s", name);
    } else if (!is_kernels(line) && is_kernels(name)) {
        snprintf(header, sizeof header, "%s", line);
        snprintf(line, MODEL_LINE, "%.*s (%s)", MODEL_LINE / 2 - 4, name, header);
    }
}

/* The tool says each address, and then its lines, the innermost first. */
static void take_lines(const char *output, size_t each, size_t count, char (*lines)[MODEL_LINE])
{
    char name[MODEL_LINE];

    for (size_t addresses = 0; *output != '\0' && addresses <= each * count;) {
        const size_t length = strcspn(output, "\n");
        if (strncmp(output, "0x", 2) == 0)
            ++addresses;
        else if (addresses > 0 && take_name(output, length, name))
            add_name(name, lines[(addresses - 1) / each]);
        output += length + (output[length] == '\n');
    }
}

/* What addr2line, whose path is tool[0], says of addresses in the file tool[1]; allocated. NULL: nothing. */
static char *ask(char *const tool[2], uintptr_t base, const void *const *addresses, size_t count)
{
    char log[] = "/tmp/gridlock-line-XXXXXX";
    char **arguments = xcalloc(OPTIONS + count + 1, sizeof *arguments);
    struct error ignored;
    size_t length;
    char *output = NULL;
    const int descriptor = mkstemp(log);

    arguments[0] = tool[0];
    arguments[1] = "-ai";
    arguments[2] = "-e";
    arguments[3] = tool[1];
    for (size_t i = 0; i < count; ++i) /* where it returns to is behind the call */
        arguments[OPTIONS + i] =
            xasprintf("0x%" PRIxPTR, addresses[i] != NULL ? (uintptr_t)addresses[i] - base - 1 : (uintptr_t)0);
    if (descriptor >= 0) {
        close(descriptor);
        const pid_t pid = clang_start(log, arguments);
        if (pid != 0 && clang_wait(pid) == 0)
            output = file_read(log, "lines", OUTPUT_MIB, &length, &ignored);
        unlink(log);
    }
    for (size_t i = 0; i < count; ++i)
        free(arguments[OPTIONS + i]);
    free(arguments);
    return output;
}

void model_lines(const struct model_program *program, const void *const *addresses, size_t each, size_t count,
                 char (*lines)[MODEL_LINE])
{
    char path[PATH_BYTES], *tool = clang_in_path("addr2line"); /* of binutils, as ld is */
    char *output = NULL;
    Dl_info where;

    memset(lines, 0, count * sizeof *lines);
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)getpid(), program->descriptor);
    if (tool != NULL && dladdr(program->image, &where) != 0)
        output = ask((char *const[]){tool, path}, (uintptr_t)where.dli_fbase, addresses, each * count);
    if (output != NULL)
        take_lines(output, each, count, lines);
    free(output);
    free(tool);
}

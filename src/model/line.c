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

enum { PATH_BYTES = 64, ADDRESS_BYTES = 24, OPTIONS = 3, OUTPUT_MIB = 1 };

/* One of the lines that the tool says, of the program's own text: its file's name, a colon, and a number. */
static void take_line(const char *said, size_t length, char line[MODEL_LINE])
{
    const char *folder = memrchr(said, '/', length);
    const char *name = folder != NULL ? folder + 1 : said;

    if (strncmp(name, "??", 2) == 0 || memmem(said, length, ":?", 2) != NULL ||
        strncmp(name, "glue.c", strlen("glue.c")) == 0)
        return;
    snprintf(line, MODEL_LINE, "%.*s", (int)strcspn(name, " \n"), name);
}

/* The tool says a line of each address. */
static void take_lines(const char *output, size_t each, size_t count, char (*lines)[MODEL_LINE])
{
    for (size_t i = 0; i < each * count && *output != '\0'; ++i) {
        const size_t length = strcspn(output, "\n");
        char *line = lines[i / each];
        if (line[0] == '\0')
            take_line(output, length, line);
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
    arguments[1] = "-e";
    arguments[2] = tool[1];
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

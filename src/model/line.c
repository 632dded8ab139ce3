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

enum { PATH_BYTES = 64, ADDRESS_BYTES = 24, ADDRESSES = 16, OPTIONS = 3, OUTPUT_MIB = 1 };

/* The first line of the tool's output that is of the program's own text: its file's name, a colon, and a number. */
static void take_line(const char *output, char line[MODEL_LINE])
{
    for (const char *at = output; *at != '\0'; at += *at == '\n') {
        const size_t length = strcspn(at, "\n");
        const char *folder = memrchr(at, '/', length);
        const char *name = folder != NULL ? folder + 1 : at;
        const size_t used = strcspn(name, " \n");
        at += length;
        if (strchr("?:", *name) != NULL || strncmp(name, "glue.c", strlen("glue.c")) == 0)
            continue; /* of no file, or of ours */
        snprintf(line, MODEL_LINE, "%.*s", (int)used, name);
        return;
    }
}

/* `tool` is the path of addr2line, and the file that it reads. */
static void ask(char *const tool[2], uintptr_t base, const void *const *addresses, size_t count, char line[MODEL_LINE])
{
    char log[] = "/tmp/gridlock-line-XXXXXX", words[ADDRESSES][ADDRESS_BYTES];
    char *arguments[OPTIONS + ADDRESSES + 1] = {tool[0], (char[]){"-e"}, tool[1]};
    struct error ignored;
    size_t length;
    const int descriptor = mkstemp(log);

    if (descriptor < 0)
        return;
    close(descriptor);
    for (size_t i = 0; i < count && i < ADDRESSES && addresses[i] != NULL; ++i) {
        /* Where it returns to is behind the call. */
        snprintf(words[i], ADDRESS_BYTES, "0x%" PRIxPTR, (uintptr_t)addresses[i] - base - 1);
        arguments[OPTIONS + i] = words[i];
    }
    const pid_t pid = clang_start(log, arguments);
    char *output = pid != 0 && clang_wait(pid) == 0 ? file_read(log, "lines", OUTPUT_MIB, &length, &ignored) : NULL;
    if (output != NULL)
        take_line(output, line);
    free(output);
    unlink(log);
}

void model_line(const struct model_program *program, const void *const *addresses, size_t count, char line[MODEL_LINE])
{
    char path[PATH_BYTES], *tool = clang_in_path("addr2line"); /* of binutils, as ld is */
    Dl_info where;

    line[0] = '\0';
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)getpid(), program->descriptor);
    if (tool != NULL && dladdr(program->image, &where) != 0)
        ask((char *const[]){tool, path}, (uintptr_t)where.dli_fbase, addresses, count, line);
    free(tool);
}

#include "model/compile.h"

#include "model/clang.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 512, ADDRESS_BYTES = 24, ADDRESSES = 16 };

/* Of binutils, which clang links with; or LLVM's own. */
static const char *const tools[] = {"/usr/bin/addr2line", "/usr/bin/llvm-addr2line"};

/* The first line of the tool's output that is not of our own texts, without its folder. */
static void take_line(const char *output, char line[MODEL_LINE])
{
    for (const char *at = output; *at != '\0';) {
        const size_t length = strcspn(at, "\n");
        const char *name = memrchr(at, '/', length);
        const int used = (int)(length - (name != NULL ? (size_t)(name + 1 - at) : 0));
        name = name != NULL ? name + 1 : at;
        if (strncmp(name, "??", 2) != 0 && strncmp(name, "glue.c", 6) != 0 && strncmp(name, "library", 7) != 0) {
            snprintf(line, MODEL_LINE, "%.*s", (int)strcspn(name, " \n") < used ? (int)strcspn(name, " \n") : used,
                     name);
            return;
        }
        at += length + (at[length] == '\n');
    }
}

static void ask(const char *tool, const char *folder, const char *file, uintptr_t base, const void *const *addresses,
                size_t count, char line[MODEL_LINE])
{
    struct clang_command command = {.count = 0};
    char words[ADDRESSES][ADDRESS_BYTES], *output = NULL;
    struct error ignored;

    clang_add(&command, tool);
    clang_add(&command, "-e");
    clang_add(&command, file);
    for (size_t i = 0; i < count && i < ADDRESSES && addresses[i] != NULL; ++i) {
        /* Where it returns to is behind the call. */
        snprintf(words[i], ADDRESS_BYTES, "0x%" PRIxPTR, (uintptr_t)addresses[i] - base - 1);
        clang_add(&command, words[i]);
    }
    if (clang_run(&command, folder, &output, &ignored) == 0 && output != NULL)
        take_line(output, line);
    free(output);
}

void model_line(const struct model_program *program, const void *const *addresses, size_t count, char line[MODEL_LINE])
{
    char folder[PATH_BYTES] = "/tmp/gridlock-line-XXXXXX", path[PATH_BYTES];
    Dl_info where;
    const char *tool = access(tools[0], X_OK) == 0 ? tools[0] : tools[1];

    line[0] = '\0';
    if (dladdr(program->image, &where) == 0 || access(tool, X_OK) != 0 || mkdtemp(folder) == NULL)
        return;
    snprintf(path, sizeof path, "%.400s/program.so", folder);
    FILE *file = fopen(path, "wxe");
    if (file != NULL) {
        const bool whole = fwrite(program->file, 1, program->file_bytes, file) == program->file_bytes;
        if (fclose(file) == 0 && whole)
            ask(tool, folder, path, (uintptr_t)where.dli_fbase, addresses, count, line);
        unlink(path);
    }
    snprintf(path, sizeof path, "%.400s/log", folder);
    unlink(path);
    rmdir(folder);
}

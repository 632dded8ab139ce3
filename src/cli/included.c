#include "cli/included.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/sha256.h"
#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, SOURCE_MIB = 64, PATH_BYTES = 4096 };

struct finding {
    char *paths[MOST];
    size_t count;
};

static bool is_known(const struct finding *finding, const char *path)
{
    for (size_t i = 0; i < finding->count; ++i)
        if (strcmp(finding->paths[i], path) == 0)
            return true;
    return false;
}

static void look_into(struct finding *finding, const char *path)
{
    const char *slash = strrchr(path, '/'), *name;
    char digest[SHA256_TEXT], other[PATH_BYTES];
    struct error ignored;
    size_t length;
    char *text = file_read(path, "source", SOURCE_MIB, &length, &ignored);

    for (const char *line = text; line != NULL; line = strchr(line, '\n'), line += line != NULL) {
        const size_t size = text_included(line, &name);
        const int folder = slash != NULL ? (int)(slash - path + 1) : 0;
        if (size == 0 || (size_t)folder + size >= sizeof other || finding->count == MOST)
            continue;
        snprintf(other, sizeof other, "%.*s%.*s", folder, path, (int)size, name);
        if (!is_known(finding, other) && sha256_file(other, digest))
            finding->paths[finding->count++] = xasprintf("%s", other);
    }
    free(text);
}

char *included_find(const char *path)
{
    struct finding finding = {.count = 0};
    char *text = NULL, digest[SHA256_TEXT];
    FILE *out = xopen_memstream(&text, NULL);

    look_into(&finding, path);
    for (size_t i = 0; i < finding.count; ++i) {
        look_into(&finding, finding.paths[i]);
        if (sha256_file(finding.paths[i], digest))
            fprintf(out, "%s  %s\n", digest, finding.paths[i]);
    }
    for (size_t i = 0; i < finding.count; ++i)
        free(finding.paths[i]);
    return xclose_memstream(out, &text);
}

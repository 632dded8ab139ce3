#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MIB = 1 << 20 };

/* All of the file, or its first `most` + 1 bytes; NULL with errno. */
static char *read_all(FILE *file, size_t most, size_t *length)
{
    size_t capacity = 1 << 14;
    char *text = malloc(capacity + 1);

    *length = 0;
    while (text != NULL) {
        *length += fread(text + *length, 1, capacity - *length, file);
        if (*length < capacity || *length > most)
            break;
        capacity = 2 * capacity < most + 1 ? 2 * capacity : most + 1;
        char *grown = realloc(text, capacity + 1);
        if (grown == NULL)
            free(text);
        text = grown;
    }
    if (text == NULL || ferror(file)) {
        free(text);
        return NULL;
    }
    text[*length] = '\0';
    return text;
}

char *file_read(const char *path, const char *what, size_t most_mib, size_t *length, struct error *error)
{
    FILE *file = fopen(path, "re");

    if (file == NULL) {
        error_set(error, STATUS_USAGE, "cannot open %s %.300s: %s", what, path, strerror(errno));
        return NULL;
    }
    char *text = read_all(file, most_mib * MIB, length);
    if (text == NULL) {
        error_set(error, STATUS_USAGE, "cannot read %s %.300s: %s", what, path, strerror(errno));
    } else if (*length > most_mib * MIB) {
        error_set(error, STATUS_USAGE, "%.300s:1: the file is larger than %zu MiB", path, most_mib);
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

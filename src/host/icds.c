#include "host/icds.h"

#include "base/alloc.h"
#include "base/file.h"

#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *icds_place(void)
{
    const char *place = getenv("OCL_ICD_VENDORS");
    return place != NULL && place[0] != '\0' ? place : "/etc/OpenCL/vendors";
}

static bool may_block(const char *path, struct icd_entry *entry)
{
    struct stat status;
    entry->may_block = stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
    if (entry->may_block)
        snprintf(entry->problem, sizeof entry->problem, "it is not a regular file");
    return entry->may_block;
}

void icds_check_library(struct icd_entry *entry)
{
    /* A name without a slash is looked for among the system's libraries. */
    if (strchr(entry->library, '/') != NULL)
        may_block(entry->library, entry);
}

static void read_icd(const char *path, struct icd_entry *entry)
{
    const char *reason;

    *entry = (struct icd_entry){0};
    snprintf(entry->file, sizeof entry->file, "%s", path);
    if (may_block(path, entry))
        return;
    FILE *file = file_open(path, &reason);
    if (file == NULL) {
        snprintf(entry->problem, sizeof entry->problem, "cannot be opened: %s", reason);
        return;
    }
    if (fgets(entry->library, sizeof entry->library, file) == NULL)
        entry->library[0] = '\0';
    fclose(file);
    entry->library[strcspn(entry->library, "\r\n")] = '\0';
    if (entry->library[0] == '\0')
        snprintf(entry->problem, sizeof entry->problem, "the file does not name a library");
    icds_check_library(entry);
}

/* What names no folder and no .icd file is a library. */
static void read_place(const char *place, struct icd_entry *entry)
{
    const char *ending = strrchr(place, '.');

    if (ending != NULL && strcmp(ending, ".icd") == 0) {
        read_icd(place, entry);
        return;
    }
    snprintf(entry->file, sizeof entry->file, "%s", place);
    snprintf(entry->library, sizeof entry->library, "%s", place);
    icds_check_library(entry);
}

void icds_read(struct icd_entry **entries, size_t *count)
{
    char pattern[4096];
    struct stat status;
    glob_t found = {0};
    const char *place = icds_place();
    const bool is_folder = stat(place, &status) == 0 && S_ISDIR(status.st_mode);

    *entries = NULL;
    *count = 0;
    if (!is_folder && getenv("OCL_ICD_VENDORS") == NULL)
        return;
    snprintf(pattern, sizeof pattern, "%s/*.icd", place);
    const size_t files = is_folder && glob(pattern, GLOB_NOESCAPE, NULL, &found) == 0 ? found.gl_pathc : 0;
    *entries = xcalloc(files + 1, sizeof **entries);
    if (!is_folder)
        read_place(place, &(*entries)[(*count)++]);
    for (size_t i = 0; i < files; ++i)
        read_icd(found.gl_pathv[i], &(*entries)[(*count)++]);
    globfree(&found);
}

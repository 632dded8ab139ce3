#include "base/icd_folder.h"

#include <stdio.h>
#include <unistd.h>

void icd_folder_name(long pid, char folder[ICD_FOLDER_BYTES])
{
    snprintf(folder, ICD_FOLDER_BYTES, "/tmp/gridlock-icd-%ld", pid);
}

void icd_folder_remove(long pid)
{
    char folder[ICD_FOLDER_BYTES];
    char path[ICD_FOLDER_BYTES + 16];

    icd_folder_name(pid, folder);
    for (int i = 0; i < ICD_FOLDER_FILES; ++i) {
        snprintf(path, sizeof path, "%s/%d.icd", folder, i);
        unlink(path);
    }
    rmdir(folder);
}

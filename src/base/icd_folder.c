#include "base/icd_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int icd_folder_make(char folder[ICD_FOLDER_BYTES], struct error *error)
{
    snprintf(folder, ICD_FOLDER_BYTES, "/tmp/gridlock-icd-%ld-XXXXXX", (long)getpid());
    if (mkdtemp(folder) != NULL)
        return 0;
    folder[0] = '\0';
    return error_set(error, STATUS_HARNESS,
                     "cannot make a folder in /tmp, in which drivers are named to the loader: %s", strerror(errno));
}

void icd_folder_remove(const char *folder)
{
    char name[16];
    struct stat status;
    const int descriptor = folder[0] == '\0' ? -1 : open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (descriptor < 0)
        return;
    if (fstat(descriptor, &status) == 0 && status.st_uid == geteuid()) {
        for (int i = 0; i < ICD_FOLDER_FILES; ++i) {
            snprintf(name, sizeof name, "%d.icd", i);
            unlinkat(descriptor, name, 0);
        }
        rmdir(folder);
    }
    close(descriptor);
}

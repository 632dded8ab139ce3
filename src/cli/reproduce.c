#include "cli/reproduce.h"

#include "cli/point.h"
#include "reproducer/reproducer.h"

#include <stdio.h>
#include <stdlib.h>

int reproduce(struct store *store, const struct evidence *evidence, const char *folder, struct error *error)
{
    char *kernel_folder = NULL;
    struct trial trial;
    int result = -1;

    if (reproducer_check(evidence, error) == 0 && point_restore(store, evidence, &trial, &kernel_folder, error) == 0) {
        const struct reproducer reproducer = {evidence, &trial, {trial.work.folder, kernel_folder}};
        result = reproducer_write(&reproducer, folder, error);
    }
    free(kernel_folder);
    if (result == 0)
        printf("%s/" REPRODUCER_PROGRAM " and " REPRODUCER_KERNEL
               " repeat this launch: cc stall.c -lOpenCL -o stall && ./stall\n",
               folder);
    return result;
}

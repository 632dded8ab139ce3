#include "cli/reproduce.h"

#include "cli/point.h"
#include "report/reproducer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As the worker finds it: beside the scenario, else where all kernels are looked for first. */
static char *load_kernel(const struct trial *trial, const char *kernel_folder, struct error *error)
{
    char file[sizeof trial->work.kernel + 3];
    const bool limits = trial->work.kernel[0] == '\0';

    snprintf(file, sizeof file, "%s.cl", limits ? "limits" : trial->work.kernel);
    return source_load((struct source_folders){trial->work.folder, kernel_folder}, file, error);
}

int reproduce(struct store *store, const struct evidence *evidence, const char *folder, struct error *error)
{
    char *kernel_folder = NULL, *kernel = NULL;
    struct trial trial;
    int result = -1;

    if (reproducer_check(evidence, error) == 0 && point_restore(store, evidence, &trial, &kernel_folder, error) == 0 &&
        (kernel = load_kernel(&trial, kernel_folder, error)) != NULL) {
        const struct reproducer reproducer = {evidence, &trial, kernel};
        result = reproducer_write(&reproducer, folder, error);
    }
    free(kernel);
    free(kernel_folder);
    if (result == 0)
        printf("%s/" REPRODUCER_PROGRAM " and " REPRODUCER_KERNEL " do this launch again: "
               "cc stall.c -lOpenCL -o stall && ./stall\n",
               folder);
    return result;
}

#include "cli/reproduce.h"

#include "cli/point.h"
#include "explain/explain_audit.h"
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

int reproduce_promise(struct store *store, const struct evidence_wanted *wanted, const char *folder,
                      struct error *error)
{
    struct report report = {.heads = NULL};
    const struct audit_device *device;
    struct reproduced_promise reproduced;
    int result = report_read(&report, store, error);

    if (result == 0)
        result = explain_find_promise(&report, wanted, &device, &reproduced.row, error);
    if (result == 0) {
        reproduced.device = &device->stored;
        result = reproducer_write_promise(&reproduced, folder, error);
    }
    if (result == 0)
        printf("%s/" REPRODUCER_PROMISE " holds a driver to %s: cc promise.c -lOpenCL -o promise && ./promise\n",
               folder, reproduced.row->promise->name);
    report_fini(&report);
    return result;
}

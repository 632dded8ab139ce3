#include "report/strain.h"

#include "base/alloc.h"
#include "core/text.h"

#include <inttypes.h>

uint32_t strain_needed_threads(const struct device_info *info)
{
    if (device_info_is_model(info))
        return 0;
    return info->kind == DEVICE_CPU ? info->compute_units : 1;
}

int strains_read(struct device_strain **strains, size_t *count, struct store *store, struct error *error)
{
    struct store_device device = {.id = 0};
    int found;

    while ((found = store_next_device(store, &device, error)) == 1) {
        GROW(*strains, *count);
        struct device_strain *strain = &(*strains)[(*count)++];
        *strain = (struct device_strain){.device = device.id, .needed = strain_needed_threads(&device.info)};
        struct error damaged; /* what else is left of the file is worth reading */
        if (store_read_strain(store, device.id, &strain->strain, &damaged) != 0)
            strain->strain = (struct store_strain){.trials_in_doubt = 0};
    }
    return found;
}

struct device_strain strains_find(const struct device_strain *strains, size_t count, int64_t device)
{
    for (size_t i = 0; i < count; ++i)
        if (strains[i].device == device)
            return strains[i];
    return (struct device_strain){.device = device};
}

bool strain_made_doubtful(const struct device_strain *strain)
{
    return strain->strain.trials_in_doubt > 0 && strain_is_heavy(&strain->strain.in_doubt, strain->needed);
}

void strain_print(FILE *out, const struct strain *strain)
{
    const uint32_t tenths = (strain->others + 50) / 100;

    fprintf(out, "other processes used %" PRIu32 ".%" PRIu32 " of %" PRIu32 " processor%s", tenths / 10, tenths % 10,
            strain->processors, text_s(strain->processors));
    if (strain->pressure_known)
        fprintf(out, ", and for %" PRIu32 " %% of the time some process waited for one", (strain->pressure + 5) / 10);
}

void strain_print_doubt(FILE *out, const struct device_strain *strain)
{
    const uint64_t trials = strain->strain.trials_in_doubt;

    fputs("the machine was busy: ", out);
    strain_print(out, &strain->strain.in_doubt);
    fprintf(out, ", while %" PRIu64 " trial%s ran that %s in doubt: undecided, not ended in time, or run again", trials,
            text_s(trials), trials == 1 ? "was" : "were");
}

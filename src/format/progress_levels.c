/* What the levels of a device come to, in the words of C++ and SYCL. */
#include "core/text.h"
#include "format/progress.h"

#include "format/kind.h"
#include "litmus/form.h"
#include "litmus/lanes.h"

/* A thread is sure to get on: always; once it has taken a step; never. */
static const struct {
    const char *name;
    enum litmus_model model; /* LITMUS_MODELS: no wait is sure to end */
} guarantees[] = {{"concurrent", LITMUS_FAIR}, {"parallel", LITMUS_OBE}, {"weakly parallel", LITMUS_MODELS}};
enum { GUARANTEES = sizeof guarantees / sizeof *guarantees };

/* Strong fairness promises more than weak. */
static const char *word_of(const struct litmus_classification *all, enum litmus_model model)
{
    if (model == LITMUS_MODELS)
        return "not broken";
    if (!litmus_holds(all, model, LITMUS_WEAK))
        return "broken";
    if (!litmus_is_told_apart(all, model, LITMUS_WEAK) || all->blind || all->partial)
        return "not known";
    return litmus_holds(all, model, LITMUS_STRONG) ? "not broken" : "if weak";
}

/* Only of sub-groups does OpenCL have a query. */
static const char *promise_of(const struct progress_device *device)
{
    const struct device_info *info = &device->stored.info;

    if (device->level != LEVEL_SUB_GROUP)
        return "nothing";
    if (!info->subgroup_progress_known)
        return "not reported";
    if (!info->subgroup_progress)
        return "nothing";
    return litmus_holds(&device->classification, LITMUS_FAIR, LITMUS_WEAK) ? "concurrent" : "concurrent: broken";
}

static void print_row(FILE *out, const struct progress_device *device)
{
    char classes[LITMUS_CLASSES];

    fprintf(out, "%-9s", level_name(device->level));
    if (device->not_offered != NULL || device->tests == 0) {
        fprintf(out, "  %s\n", device->not_offered != NULL ? "not offered" : "not run");
        return;
    }
    for (int i = 0; i < GUARANTEES; ++i)
        fprintf(out, "  %-*s", i + 1 < GUARANTEES ? 10 : 15, word_of(&device->classification, guarantees[i].model));
    litmus_classes(&device->classification, classes);
    fprintf(out, "  %-18s  %s\n", promise_of(device), classes);
}

/* What breaks weak fairness breaks strong fairness, too. */
static void print_breaker(FILE *out, const struct progress_device *device, int guarantee)
{
    const enum litmus_model model = guarantees[guarantee].model;
    const struct litmus_classification *all = &device->classification;
    const bool weak = !litmus_holds(all, model, LITMUS_WEAK);
    const struct litmus_case *reason = &all->standings[model][weak ? LITMUS_WEAK : LITMUS_STRONG].reason;
    char text[LITMUS_TEXT];

    litmus_text(&reason->program, text);
    fprintf(out, "  %s, %s: %s, ", level_name(device->level), guarantees[guarantee].name, text);
    progress_text_mapping(out, &reason->mapping);
    fprintf(out, ", engine %s\n", engine_name(reason->engine));
}

/* Where what lanes do is fixed by a machine; what has been broken of FAIR (weak) is not by independent lanes. */
static void print_like(FILE *out, const struct progress_device *device)
{
    const struct litmus_classification *all = &device->classification;
    char machines[160];

    naming_print_set(&lanes_machine_naming, progress_like(device), ", ", machines, sizeof machines);
    if (litmus_holds(all, LITMUS_FAIR, LITMUS_WEAK) && litmus_is_told_apart(all, LITMUS_FAIR, LITMUS_WEAK))
        text_append(machines, sizeof machines, "%sindependent", machines[0] != '\0' ? ", " : "");
    fprintf(out, "  %s: %s\n", level_name(device->level), machines[0] != '\0' ? machines : "none");
}

static void print_machines(FILE *out, const struct progress_device *device)
{
    bool any = false;

    for (enum block_level level = LEVEL_GROUP + 1; level < LEVEL_COUNT; ++level) {
        const struct progress_device *at = progress_at(device, level);
        if (at == NULL || at->lanes_compared == 0)
            continue;
        if (!any)
            fputs("Machines of lanes with which all outcomes agree\n", out);
        any = true;
        print_like(out, at);
    }
}

void progress_text_levels(FILE *out, const struct progress_device *device)
{
    bool below = false, broken = false;

    for (enum block_level level = 0; level < LEVEL_COUNT; ++level)
        below = below || device->below[level] != NULL;
    if (!below)
        return;
    fputs("\nIn the words of C++ and SYCL\n"
          "level      concurrent  parallel    weakly parallel  promised            strongest model\n",
          out);
    for (enum block_level level = 0; level < LEVEL_COUNT; ++level)
        if (progress_at(device, level) != NULL)
            print_row(out, progress_at(device, level));
    for (enum block_level level = 0; level < LEVEL_COUNT; ++level)
        for (int i = 0; i < GUARANTEES && progress_at(device, level) != NULL; ++i) {
            const struct litmus_classification *all = &progress_at(device, level)->classification;
            if (guarantees[i].model == LITMUS_MODELS || litmus_holds(all, guarantees[i].model, LITMUS_STRONG))
                continue;
            if (!broken)
                fputs("Broken by\n", out);
            broken = true;
            print_breaker(out, progress_at(device, level), i);
        }
    print_machines(out, device);
}

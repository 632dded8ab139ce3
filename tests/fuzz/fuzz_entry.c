/* The header of a kernel: what is read can be resolved for a launch, or says why not. */
#include "fuzz.h"
#include "scenario/entry.h"

static const struct variable variables[] = {
    {"groups", 6, true},        {"local-size", 4, true}, {"rounds", 3, true},
    {"compute-units", 2, true}, {"line", 32, true},      {"resident", 0, false},
};
static const struct scope scope = {variables, sizeof variables / sizeof *variables};

/* With the first value of each option, the standard one of each parameter, and one of its last options and a large one. */
static void resolve(const struct kernel_entry *entry)
{
    static struct entry_choice choice;
    static struct workload work;
    struct error error;

    choice = (struct entry_choice){.range = {.dimensions = 1, .local = {4}}};
    fuzz_accepted(entry_resolve(entry, &choice, &scope, &work, &error), &error);
    for (size_t i = 0; i < entry->option_count; ++i)
        choice.values[i] = entry->options[i].count - 1;
    for (size_t i = 0; i < entry->parameter_count; ++i)
        choice.parameters[i] = UINT32_MAX;
    if (fuzz_accepted(entry_resolve(entry, &choice, &scope, &work, &error), &error))
        CLAIM(work.region_count == entry->region_count && work.result_count <= WORKLOAD_RESULTS);
}

/* Named as its file must be. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct kernel_entry entry;
    struct error error;
    char *text = fuzz_text(data, size);
    const char *said = strstr(text, "kernel:");
    char name[48] = "fuzz", file[64];

    if (said != NULL)
        sscanf(said, "kernel: %47[^ \n]", name);
    snprintf(file, sizeof file, "%s.cl", name);
    if (fuzz_accepted(entry_parse(text, file, &entry, &error), &error))
        resolve(&entry);
    free(text);
    return 0;
}

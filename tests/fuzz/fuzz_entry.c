/* The header of a kernel: what is read can be resolved for a launch, or says why not. And names of words as stored. */
#include "fuzz.h"
#include "scenario/entry.h"

static const struct variable variables[] = {
    {"groups", 6, true},        {"local-size", 4, true}, {"rounds", 3, true},
    {"compute-units", 2, true}, {"line", 32, true},      {"resident", 0, false},
};
static const struct scope scope = {variables, sizeof variables / sizeof *variables};

/* What was resolved can be read: the first word of the first name bears it, without its indexes. */
static void check_names(const struct workload *work)
{
    char name[WORD_NAME];
    const char *first = strstr(work->names, " = ");

    if (first == NULL)
        return;
    CLAIM(word_name_find(work->names, (uint32_t)strtol(first + 3, NULL, 10), name));
    CLAIM(strncmp(name, work->names, strcspn(work->names, "{=") - 1) == 0);
    CLAIM(!word_name_find(work->names, work->sync_words, name));
}

/*
 * With the first value of each option, the standard one of each parameter, and one of its last options and a large one.
 */
static void resolve(const struct kernel_entry *entry)
{
    static struct entry_choice choice;
    static struct workload work;
    struct error error;

    choice = (struct entry_choice){.range = {.dimensions = 1, .local = {4}}};
    if (fuzz_accepted(entry_resolve(entry, &choice, &scope, &work, &error), &error))
        check_names(&work);
    for (size_t i = 0; i < entry->option_count; ++i)
        choice.values[i] = entry->options[i].count - 1;
    for (size_t i = 0; i < entry->parameter_count; ++i)
        choice.parameters[i] = UINT32_MAX;
    if (fuzz_accepted(entry_resolve(entry, &choice, &scope, &work, &error), &error)) {
        check_names(&work);
        CLAIM(work.region_count == entry->region_count && work.result_count <= WORKLOAD_RESULTS);
    }
}

/* Named as its file must be. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct kernel_entry entry;
    struct error error;
    char *text = fuzz_text(data, size);
    const char *said = strstr(text, "kernel:");
    char name[WORD_NAME] = "fuzz", file[64];

    if (said != NULL)
        sscanf(said, "kernel: %47[^ \n]", name);
    snprintf(file, sizeof file, "%s.cl", name);
    if (fuzz_accepted(entry_parse(text, file, &entry, &error), &error))
        resolve(&entry);
    if (word_name_find(text, (uint32_t)(size % 64), name))
        CLAIM(name[0] != '\0' && strchr(name, '{') == NULL);
    free(text);
    return 0;
}

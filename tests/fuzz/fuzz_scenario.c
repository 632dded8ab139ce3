/* Scenario files: what is read can be planned, and each point of it is a trial or says why it is none. */
#include "fuzz.h"
#include "scenario/plan.h"

enum { POINTS = 200, UNITS = 2, GROUPS = 1000, RESIDENT = 4 };

static void play(const struct scenario *scenario)
{
    static const struct device_probe probe = {.dialect_works = {[DIALECT_CL30] = true, [DIALECT_CL12] = true},
                                              .dialect = DIALECT_CL30};
    static struct trial trial;
    struct expected expected;
    struct plan plan;
    struct error error;
    const char *reason;

    plan_init(&plan, scenario, UNITS, GROUPS, &probe);
    CLAIM(plan_length(&plan) > 0);
    for (int point = 0; point < POINTS && plan_next(&plan); ++point) {
        if (plan.build_changed && point % 2 == 0)
            plan.resident = RESIDENT;
        if (fuzz_accepted(plan_trial(&plan, &trial, &expected, &reason, &error), &error))
            CLAIM(trial.groups <= GROUPS);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct scenario scenario;
    struct error error;
    /* As file_read gives it: with a zero behind it. */
    char *text = malloc(size + 1);

    CLAIM(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    if (fuzz_accepted(scenario_parse(text, size, "fuzz.ini", "", &scenario, &error), &error))
        play(&scenario);
    free(text);
    return 0;
}

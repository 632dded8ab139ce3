#include "engine/wanted.h"

#include "scenario/outline.h"
#include "wire/wire.h"

#include <stdio.h>
#include <string.h>

bool wanted_has(const struct wanted *wanted, const struct trial *trial)
{
    char id[256];

    trial_point_id(trial, id, sizeof id);
    return (wanted->included->count == 0 || known_patterns_match(wanted->included, id)) &&
           !known_patterns_match(wanted->excluded, id) && !known_patterns_match(wanted->skipped, id);
}

static bool wants_all(const struct wanted *wanted)
{
    return wanted->included->count == 0 && wanted->excluded->count == 0 && wanted->skipped->count == 0;
}

static bool may_have(const struct wanted *wanted, const char *outline)
{
    return (wanted->included->count == 0 || known_patterns_match_outline(wanted->included, outline) != MATCHES_NEVER) &&
           known_patterns_match_outline(wanted->excluded, outline) != MATCHES_SURELY &&
           known_patterns_match_outline(wanted->skipped, outline) != MATCHES_SURELY;
}

/* 1: the plan's present point may be wanted. */
static int may_have_point(const struct wanted *wanted, const struct plan *plan, struct error *error)
{
    char outline[256];
    const int outcome = plan_outline(plan, outline, sizeof outline, error);

    return outcome < 0 ? -1 : outcome == 0 && may_have(wanted, outline);
}

int wanted_may_have_build(const struct wanted *wanted, const struct plan *plan, struct error *error)
{
    struct plan ahead = *plan;
    int found = wants_all(wanted);

    while (found == 0) {
        found = may_have_point(wanted, &ahead, error);
        if (found == 0 && (!plan_next(&ahead) || ahead.build_changed))
            break;
    }
    return found;
}

/* The outline is of a device whose best dialect is cl30; another one may have another. */
static bool may_have_dialects(const struct wanted *wanted, const struct scenario *scenario, const char *outline)
{
    static const enum dialect dialects[] = {DIALECT_CL30, DIALECT_CL12, DIALECT_PTX};
    const char *dialect = outline + strlen(scenario->name) + 1;
    const char *rest = dialect + strcspn(dialect, "/");
    char other[256];
    bool found = may_have(wanted, outline);

    if (strncmp(dialect, dialect_name(DIALECT_CL30), (size_t)(rest - dialect)) != 0)
        return found;
    for (size_t i = 1; i < sizeof dialects / sizeof *dialects && !found; ++i) {
        snprintf(other, sizeof other, "%s/%s%s", scenario->name, dialect_name(dialects[i]), rest);
        found = may_have(wanted, other);
    }
    return found;
}

static int may_have_scenario(const struct wanted *wanted, const struct scenario *scenario,
                             const struct plan_settings *settings, struct error *error)
{
    const struct device_probe probe = {.dialect = DIALECT_CL30};
    char outline[256];
    struct plan plan;

    plan_init(&plan, scenario, 1, MIRROR_GROUPS, &probe);
    plan.settings = *settings;
    while (plan_next(&plan)) {
        const int outcome = plan_outline(&plan, outline, sizeof outline, error);
        if (outcome < 0)
            return -1;
        if (outcome == 0 && may_have_dialects(wanted, scenario, outline))
            return 1;
    }
    return 0;
}

static int may_have_any(const struct wanted *wanted, struct scenario *const *scenarios, size_t count,
                        const struct plan_settings *settings, struct error *error)
{
    int found = wants_all(wanted);

    for (size_t i = 0; i < count && found == 0; ++i)
        found = may_have_scenario(wanted, scenarios[i], settings, error);
    return found;
}

/* An id as one of the points has it, with N for numbers that hang on the device; "": they have no point. */
static void print_example(const struct scenario *scenario, const struct plan_settings *settings, char text[256])
{
    const struct device_probe probe = {.dialect = DIALECT_CL30};
    struct plan plan;

    plan_init(&plan, scenario, 1, MIRROR_GROUPS, &probe);
    plan.settings = *settings;
    while (plan_next(&plan) && plan_outline(&plan, text, 256, NULL) != 0)
        text[0] = '\0';
    for (char *at = text; (at = strchr(at, MATCHER_NUMBER)) != NULL;)
        *at = 'N';
}

int wanted_refuse(const struct wanted *wanted, struct scenario *const *scenarios, size_t count,
                  const struct plan_settings *settings, struct error *error)
{
    static const struct known_patterns none = {.count = 0};
    const struct wanted included = {wanted->included, &none, &none};
    char example[256] = "";
    const int found = may_have_any(&included, scenarios, count, settings, error);

    if (found < 0)
        return -1;
    if (count > 0)
        print_example(scenarios[0], settings, example);
    return error_set(error, STATUS_USAGE,
                     "nothing to run: %s; an id is like %s (gridlock run --verbose prints them, and --allow-empty "
                     "allows a run of nothing)",
                     found == 0 ? "no point has an id that --include matches"
                                : "--include, --exclude and --skips leave no point of these scenarios",
                     example);
}

int wanted_check(const struct wanted *wanted, struct scenario *const *scenarios, size_t count,
                 const struct plan_settings *settings, struct error *error)
{
    const int found = may_have_any(wanted, scenarios, count, settings, error);

    return found == 0 ? wanted_refuse(wanted, scenarios, count, settings, error) : found < 0 ? -1 : 0;
}

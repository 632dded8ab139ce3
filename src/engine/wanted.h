/* Which points of a sweep are wanted, by their ids. */
#pragma once

#include "scenario/known.h"
#include "scenario/plan.h"

/* Ids that match a pattern of `included`, if it has any, and no pattern of `excluded` or `skipped`. */
struct wanted {
    const struct known_patterns *included, *excluded, *skipped;
};

bool wanted_has(const struct wanted *wanted, const struct trial *trial);

/* Some point of the plan's present build may be wanted, from the present one on. -1: its scenario is wrong. */
int wanted_may_have_build(const struct wanted *wanted, const struct plan *plan, struct error *error);

/*
 * STATUS_USAGE if no point of these scenarios is wanted, whatever the device is: which option leaves none, and what an
 * id is like.
 */
int wanted_check(const struct wanted *wanted, struct scenario *const *scenarios, size_t count,
                 const struct plan_settings *settings, struct error *error);

/* STATUS_USAGE: no point of them is on the devices that there are; as wanted_check. */
int wanted_refuse(const struct wanted *wanted, struct scenario *const *scenarios, size_t count,
                  const struct plan_settings *settings, struct error *error);

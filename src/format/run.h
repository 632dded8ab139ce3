/* A run of scenarios, as text. */
#pragma once

#include "format/text.h"
#include "report/report.h"

#include <stdio.h>

void run_text_heading(FILE *out, const struct run_device *device);
void run_text_scenario(FILE *out, const struct colors *colors, const struct run_device *device,
                       const struct run_scenario *scenario);
void run_text_points(FILE *out, const struct colors *colors, const struct run_scenario *scenario);
void run_text_surprise(FILE *out, const struct colors *colors, const struct run_point *point);
void run_text_id(FILE *out, const struct run_point *point);

/* "16", or "all to 16" where nothing that was tried was unsafe. */
enum { RUN_SAFE_BYTES = 24 };
void run_text_safe(const struct run_safety *safety, char text[RUN_SAFE_BYTES]);

/* Surprises, each with what was seen, and the totals. */
void run_text_summary(FILE *out, const struct colors *colors, const struct report *report, size_t device);

/* What was seen, in a few words. */
void run_text_evidence(FILE *out, const struct run_point *point);

/* "pass or stale; some stale; stale <= 1/200", or "not predicted", and of a surprise ", allowed pass or starved" */
void run_text_expected(FILE *out, const struct run_point *point);

/* The commands that explain the point and repeat it, each behind `before`, as far as they are known. */
void run_text_commands(FILE *out, const struct report *report, size_t device, const char *scenario,
                       const struct run_point *point, const char *before);

/* "pass 3/4, starved 1/4" */
void run_text_counts(FILE *out, const struct run_point *point);

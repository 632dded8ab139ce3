/*
 * What is known of a device before a run: points, or promises, to leave out (--skips), those that fail now and then
 * (--flakes), and those that fail (--baseline). In such a file blank lines and those that begin with # say nothing.
 */
#pragma once

#include "base/error.h"
#include "judge/verdict.h"
#include "scenario/matcher.h"

/* Extended regular expressions; an id matches if any part of it does. A zeroed one has none. */
struct known_patterns {
    struct matcher *compiled;
    size_t count;
    size_t copies; /* that their repetitions cost */
};

/* A line "ID VERDICT or VERDICT". Several lines of one id say more. */
struct known_failure {
    const char *id; /* text of its line */
    verdict_set verdicts;
};

/* Where a line stands, and whether it was ever of use. */
struct known_line {
    const char *path; /* as the caller gave it */
    unsigned number;
    char *text;                            /* a pattern, or an id */
    const struct known_patterns *patterns; /* those that it is one of, by its place; NULL: it has an id */
    size_t place;
    bool matched;
};

/* A zeroed one knows nothing, and is of points. */
struct known {
    bool of_promises; /* which can be known to be broken, and nothing else */
    struct known_patterns skips, flakes;
    struct known_failure *failures;
    size_t failure_count;
    struct known_line *lines; /* of all files */
    size_t line_count;
};

/* Adds an expression; -1 with STATUS_USAGE if the text is not a valid one. */
int known_patterns_add(struct known_patterns *patterns, const char *text, struct error *error);

/* One of them matches; `id` is a trial's without sequence. */
bool known_patterns_match(const struct known_patterns *patterns, const char *id);
/* The same of an outline of ids (scenario/outline.h): what the one of them comes to that is nearest to a match. */
enum matching known_patterns_match_outline(const struct known_patterns *patterns, const char *outline);
void known_patterns_fini(struct known_patterns *patterns);

/*
 * Each adds a file, whose path must remain; of skips and flakes an expression a line. -1 with STATUS_USAGE: file:line,
 * what was found and what is allowed.
 */
int known_load_skips(struct known *known, const char *path, struct error *error);
int known_load_flakes(struct known *known, const char *path, struct error *error);
int known_load_baseline(struct known *known, const char *path, struct error *error);
void known_fini(struct known *known);

/* Marks the lines that say something of the point. */
void known_note(struct known *known, const char *id);

/* Returns the verdicts with which the point is known to fail, by all lines, or 0; for a promise KEEPING_BROKEN. */
verdict_set known_failure(const struct known *known, const char *id);

/* One line on the terminal that says how far a long run is. */
#pragma once

#include "core/naming.h"

#include <stdbool.h>
#include <stdint.h>

/* auto: a status line if stderr is a terminal; plain: a line now and then, without control characters. */
enum status_line_kind { STATUS_LINE_AUTO, STATUS_LINE_PLAIN, STATUS_LINE_NONE };

struct status_line {
    bool line;  /* a status line, which is overwritten */
    bool plain; /* a new line each time */
    bool shown; /* there is a status line now */
    uint64_t began_ns, last_ns;
};

/* How far a process is that leaves it to another to show it; both share them. */
struct status_figures {
    _Atomic uint64_t done, bad; /* points and surprises, trials and surprises, or tests and stalls */
};

extern const struct naming status_line_naming;

/* From now on this process shows no line, and keeps the figures there. */
void status_line_leave(struct status_figures *figures);

void status_line_begin(struct status_line *line, enum status_line_kind kind);

/* These show something ten times a second at most, or of plain lines every ten seconds. */

/*
 * `done` of `total` points of a sweep, and surprises so far; or promises, and how many are broken; or litmus tests, and
 * how many stalled.
 */
enum status_unit { UNIT_POINTS, UNIT_PROMISES, UNIT_TESTS, UNIT_LAUNCHES };
void status_line_share(struct status_line *line, enum status_unit unit, uint64_t done, uint64_t total, uint64_t bad);

/*
 * The present footprint, from 1, of so many, and trials and surprises so far. How many trials a footprint takes nobody
 * knows before, so nothing is said of the time that is left.
 */
void status_line_footprints(struct status_line *line, uint64_t footprint, uint64_t footprints, uint64_t trials,
                            uint64_t surprises);

/* `ended` of `count` devices that other processes measure, and their figures. */
void status_line_devices(struct status_line *line, uint64_t ended, uint64_t count,
                         const struct status_figures *figures);

/*
 * A device that has not been probed yet, and for how long it has been doing what (`doing`: "while building a kernel").
 */
void status_line_waiting(struct status_line *line, const char *device, const char *doing, uint64_t since_ns);

/* Takes the status line away, before something else is printed. */
void status_line_clear(struct status_line *line);

/* The watchdog: a thread that holds the worker's deadlines, climbs the kill ladder, and drains its stderr. */
#pragma once

#include "base/error.h"
#include "host/ladder.h"
#include "wire/wire.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct watchdog;

enum { WATCHDOG_TAIL_BYTES = 2048 };

/* budget_ns: for each stage; 0 is no deadline. Both are copied. */
struct watchdog *watchdog_start(const uint64_t budget_ns[STAGE_COUNT], const struct ladder_graces *graces,
                                struct error *error);

/* Stops the thread; no worker is being watched. NULL is fine. */
void watchdog_stop(struct watchdog *watchdog);

/* Watches this worker from now on. `output` is the read end of its stderr, owned by the watchdog. */
void watchdog_watch(struct watchdog *watchdog, pid_t pid, int output, struct mirror *mirror);

/* The worker has been reaped: its process id must not be signalled any more. Drains what it last wrote. */
void watchdog_release(struct watchdog *watchdog);

/* Whether the worker owes an answer from now on: only then it has deadlines. */
void watchdog_expect(struct watchdog *watchdog, bool answer);

/*
 * Puts the worker on this rung of the ladder now, whatever its deadline: RUNG_STOP_WORD, or straight to RUNG_SIGKILL.
 */
void watchdog_climb(struct watchdog *watchdog, enum rung rung);

/* The rung that was reached. */
enum rung watchdog_rung(struct watchdog *watchdog);

/* The last bytes that the worker wrote to stdout and stderr; at most WATCHDOG_TAIL_BYTES with the final zero. */
void watchdog_tail(struct watchdog *watchdog, char *text, size_t size);

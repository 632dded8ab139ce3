#include "host/ladder.h"

#include <signal.h>

NAMING_DEFINE(rung, enum rung, "none", "stop-word", "sigterm", "sigkill", "unkillable");

enum rung ladder_next(const struct ladder *ladder, const struct ladder_graces *graces, uint64_t now_ns,
                      uint64_t deadline_ns)
{
    uint64_t since_ns = now_ns - ladder->climbed_ns;
    switch (ladder->rung) {
    case RUNG_NONE:
        return now_ns >= deadline_ns ? RUNG_STOP_WORD : RUNG_NONE;
    case RUNG_STOP_WORD:
        return since_ns >= graces->stop_ns ? RUNG_SIGTERM : RUNG_STOP_WORD;
    case RUNG_SIGTERM:
        return since_ns >= graces->sigterm_ns ? RUNG_SIGKILL : RUNG_SIGTERM;
    case RUNG_SIGKILL:
        return since_ns >= graces->sigkill_ns ? RUNG_UNKILLABLE : RUNG_SIGKILL;
    case RUNG_UNKILLABLE:
        break;
    }
    return RUNG_UNKILLABLE;
}

bool ladder_has_ended(enum rung rung, int signal)
{
    return rung >= RUNG_SIGTERM && (signal == 0 || signal == SIGTERM || signal == SIGKILL);
}

#include "host/ladder.h"

#include <signal.h>

NAMING_DEFINE(rung, enum rung, RUNG_COUNT, "none", "stop-word", "sigterm", "sigkill", "unkillable");

enum rung ladder_next(const struct ladder *ladder, const struct ladder_graces *graces, uint64_t now_ns,
                      uint64_t deadline_ns)
{
    const uint64_t graces_ns[] = {
        [RUNG_STOP_WORD] = graces->stop_ns, [RUNG_SIGTERM] = graces->sigterm_ns, [RUNG_SIGKILL] = graces->sigkill_ns};

    if (ladder->rung == RUNG_NONE)
        return now_ns >= deadline_ns ? RUNG_STOP_WORD : RUNG_NONE;
    const bool climbs = ladder->rung < RUNG_UNKILLABLE && now_ns - ladder->climbed_ns >= graces_ns[ladder->rung];
    return climbs ? ladder->rung + 1 : ladder->rung;
}

bool ladder_has_ended(enum rung rung, int signal)
{
    return rung >= RUNG_SIGTERM && (signal == 0 || signal == SIGTERM || signal == SIGKILL);
}

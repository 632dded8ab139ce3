/* Where there is nothing to look with: another machine than x86-64, or no libdw when it was built. */
#include "look/look.h"

int look_available(struct error *error)
{
    return error_set(error, STATUS_UNSUPPORTED,
                     "this gridlock cannot look at other processes: it was built for another machine than x86-64, or "
                     "without libdw of elfutils (Debian: libdw-dev)");
}

int look_at(struct look *look, pid_t process, enum look_depth depth, struct error *error)
{
    (void)depth;
    *look = (struct look){.process = process};
    return look_available(error);
}

void look_fini(struct look *look)
{
    (void)look;
}

#include "explore/alone.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

enum { BELOW = 128 /* the stack pointer, bytes that a function may use (System V ABI, AMD64, 3.2.2) */ };

static size_t add(unsigned char *state, size_t bytes, const void *more, size_t count)
{
    memcpy(state + bytes, more, count);
    return bytes + count;
}

/* As long as no call is made nobody asks for memory, so this may. */
static void keep(struct alone *alone, const struct fiber_interrupted *now, const unsigned char *top)
{
    const unsigned char *from = now->stack - BELOW;
    size_t wanted = (size_t)(top - from);

    for (int i = 0; i < FIBER_REGISTERS; ++i)
        wanted += now->registers[i].bytes;
    if (wanted > alone->room) {
        alone->state = xrealloc(alone->state, wanted);
        alone->room = wanted;
    }
    alone->bytes = add(alone->state, 0, from, (size_t)(top - from));
    for (int i = 0; i < FIBER_REGISTERS; ++i)
        alone->bytes = add(alone->state, alone->bytes, now->registers[i].at, now->registers[i].bytes);
}

static bool is_as_kept(const struct alone *alone, const struct fiber_interrupted *now, const unsigned char *top)
{
    const unsigned char *from = now->stack - BELOW;
    size_t at = (size_t)(top - from);

    if (at > alone->bytes || memcmp(alone->state, from, at) != 0)
        return false;
    for (int i = 0; i < FIBER_REGISTERS; ++i) {
        const size_t bytes = now->registers[i].bytes;
        if (bytes > alone->bytes - at || memcmp(alone->state + at, now->registers[i].at, bytes) != 0)
            return false;
        at += bytes;
    }
    return at == alone->bytes;
}

enum alone_is alone_look(struct alone *alone, const struct fiber_interrupted *now, const void *top, uint64_t calls,
                         uint64_t most_ns)
{
    if (alone->looks == 0 || alone->calls != calls) {
        alone->calls = calls;
        alone->began_ns = clock_own_ns();
        alone->looks = 0;
    } else if (is_as_kept(alone, now, top)) {
        return ALONE_GOES_ROUND;
    }
    if ((alone->looks & (alone->looks - 1)) == 0)
        keep(alone, now, top);
    ++alone->looks;
    return clock_own_ns() - alone->began_ns > most_ns ? ALONE_TAKES_LONG : ALONE_GOES_ON;
}

void alone_fini(struct alone *alone)
{
    free(alone->state);
    *alone = (struct alone){.looks = 0};
}

#include "explore/fault.h"

#include "base/clock.h"

#include <stdio.h>

enum { HURRY_NS = 50000000, TEXT = 160 };

void fault_tell(const struct run_item *item, const char *what, char text[sizeof stepping.explored->fault])
{
    snprintf(text, sizeof stepping.explored->fault, "work-item (%u, %u, %u) of group %u %s", item->id[0], item->id[1],
             item->id[2], run.places[item->place].group, what);
}

void fault_note(const struct run_item *item, const char *what)
{
    run_frames(item, stepping.explored->fault_frames);
    fault_tell(item, what, stepping.explored->fault);
}

void fault_note_outside(const struct run_item *item, bool writes)
{
    fault_note(item, space_outside(writes));
    stepping.explored->fault_kind = FAULT_OUTSIDE;
}

static bool stop_in_loop(const struct fiber_interrupted *interrupted, const char *what)
{
    stepping.stop = stepping.hurries ? STOP_FAR : STOP_FAULT;
    stepping.explored->fault_kind = FAULT_ENDLESS;
    run_frames_interrupted(interrupted, stepping.explored->fault_frames);
    fault_tell(run.self, what, stepping.explored->fault);
    return false;
}

/* Only a work-item's own code is looked at. */
bool fault_look(const struct fiber_interrupted *interrupted)
{
    const unsigned char *top = run.self != NULL ? run.self->top : NULL;
    char text[TEXT];

    if (top == NULL || interrupted->stack >= top || interrupted->stack < top - run.space.stack_bytes)
        return true;
    if (clock_ns() > stepping.until_ns) {
        stepping.stop = STOP_LATE;
        return false;
    }
    switch (alone_look(&stepping.loop, interrupted, top, stepping.calls,
                       stepping.hurries && HURRY_NS < stepping.alone_ns ? HURRY_NS : stepping.alone_ns)) {
    case ALONE_GOES_ROUND:
        return stop_in_loop(interrupted, "goes round for ever, in a loop that accesses no memory");
    case ALONE_TAKES_LONG:
        snprintf(
            text, sizeof text,
            "is in a loop that accesses no memory, and did not leave it for %.1f s: by this time it is taken to be "
            "endless",
            (double)stepping.alone_ns / 1e9);
        return stop_in_loop(interrupted, text);
    default:
        return true;
    }
}

void fault_hurry(bool hurries)
{
    stepping.hurries = hurries;
}

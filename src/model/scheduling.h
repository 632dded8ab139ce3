/* Whose turns the launch that runs has had, and who is next: as a schedule says, or in turn, by lot, by priorities. */
#pragma once

#include "core/schedule.h"

#include <stdbool.h>
#include <stdint.h>

struct scheduling {
    const struct schedule *asked; /* or NULL */
    uint32_t next;                /* of its turns */
    uint32_t *places;             /* of each group, once it has started; for a schedule that is asked for */
    bool notes;                   /* what the launch does is noted in its report */
    bool stood;                   /* it stood still: where turns are cut does not matter any more */
    uint32_t cuts;                /* so far */
};

void scheduling_begin(void);
void scheduling_end(void);

/* Notes that a group has taken this place. */
void scheduling_place(uint32_t at, uint32_t group);

/* Takes the next work-item out of those that may go on, which must not be empty. */
uint32_t scheduling_next(void);

/* Notes that the present turn has ended, unless it is noted already; it was cut if the work-item could have gone on. */
void scheduling_note(bool cut);

/* Notes that nobody could go on, and the host has changed memory. */
void scheduling_note_still(void);

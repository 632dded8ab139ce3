/* Finds a schedule that is cut less often and leads to the same: which launch is tried next. Pure. */
#pragma once

#include "core/schedule.h"

struct shortening {
    /*
     * Launches with these turns: true if it comes to the same; *made, which is empty before, then has the turns that
     * it took.
     */
    bool (*fails)(void *context, const struct schedule *asked, struct schedule *made);
    /* Nothing is to be launched any more, or NULL. */
    bool (*enough)(void *context);
    void *context;
};

/*
 * Delta debugging (Zeller and Hildebrandt, 2002): leaves out ever fewer cuts at a time, as long as it fails. The
 * work-item then goes on as long as it can, or has its next turn at once, or both turns later. In the end no cut alone
 * can be left out, unless it was enough before.
 */
void schedule_shorten(struct schedule *schedule, const struct shortening *shortening);

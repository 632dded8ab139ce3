#include "model/meeting.h"

#include "base/alloc.h"
#include "model/serial.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t width(void)
{
    return run.launch->device.sub_groups;
}

void meeting_begin(void)
{
    if (width() == 0)
        return;
    run.team_count = (run.space.items + width() - 1) / width();
    run.teams = xcalloc((size_t)run.order.places * run.team_count, sizeof *run.teams);
}

void meeting_end(void)
{
    free(run.teams);
}

void meeting_place(uint32_t at)
{
    struct run_item *items = &run.items[(size_t)at * run.space.items];

    run.places[at].running = run.space.items;
    run.places[at].meeting = 0;
    for (uint32_t i = 0; i < run.space.items; ++i)
        items[i].meets = items[i].meets_team = false;
    for (uint32_t i = 0; run.teams != NULL && i < run.team_count; ++i) {
        const uint32_t left = run.space.items - i * width(), count = left < width() ? left : width();
        run.teams[(size_t)at * run.team_count + i] = (struct run_team){.items = count, .running = count};
    }
}

static struct run_item *first_of_group(const struct run_item *item)
{
    return &run.items[(size_t)item->place * run.space.items];
}

/* NULL: there are no sub-groups. */
static struct run_team *team_of(const struct run_item *item)
{
    const size_t at = (size_t)(item - first_of_group(item));
    return run.teams == NULL ? NULL : &run.teams[(size_t)item->place * run.team_count + at / width()];
}

static struct run_item *first_of_team(const struct run_item *item)
{
    struct run_item *first = first_of_group(item);
    return first + (size_t)(item - first) / width() * width();
}

/* All have come, and go on. */
static void release(struct run_item *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        run_forget_circle(&items[i], RUN_QUIET_FIRST);
        items[i].meets = items[i].meets_team = false;
        serial_add(&items[i]);
    }
}

static void release_group(struct run_place *place, const struct run_item *item)
{
    place->meeting = 0;
    for (uint32_t i = 0; run.teams != NULL && i < run.team_count; ++i)
        run.teams[(size_t)item->place * run.team_count + i].away = 0;
    release(first_of_group(item), run.space.items);
}

/* The others never come: they have ended. */
static bool group_lacks(const struct run_place *place)
{
    return place->meeting > 0 && place->meeting == place->running && place->running < run.space.items;
}

/* The others have ended, or wait for the whole group, which cannot come. */
static bool team_lacks(const struct run_team *team)
{
    return team != NULL && team->meeting > 0 && team->meeting < team->items &&
           team->meeting + team->away == team->running;
}

static const struct run_item *one_that_meets(const struct run_item *item, bool in_team)
{
    const struct run_item *at = in_team ? first_of_team(item) : first_of_group(item);

    while (in_team ? !at->meets_team : !at->meets)
        ++at;
    return at;
}

static const char *come_to_team(struct run_item *item, struct run_team *team)
{
    item->meets_team = true;
    if (++team->meeting == team->items) {
        team->meeting = 0;
        release(first_of_team(item), team->items);
    }
    return !team_lacks(team) ? NULL
           : team->away == 0 ? "waits at a barrier that others of its sub-group never reach: they have ended"
                             : "waits at a barrier that others of its sub-group never reach: they wait at one of the "
                               "whole group, or have ended";
}

enum { LINE_TEXT = 24 };

static const char *in_line(uint32_t flags, char text[LINE_TEXT])
{
    const uint32_t line = GL_MEET_LINE(flags);

    text[0] = '\0';
    if (line > 0)
        snprintf(text, LINE_TEXT, " in line %" PRIu32, line);
    return text;
}

bool meeting_is_same(uint32_t flags, uint32_t other_flags)
{
    return GL_MEET_PLACE(flags) == GL_MEET_PLACE(other_flags) && GL_MEET_TURN(flags) == GL_MEET_TURN(other_flags);
}

const char *meeting_apart(uint32_t flags, const struct run_item *other, uint32_t other_flags, char text[MEETING_TEXT])
{
    char line[LINE_TEXT], other_line[LINE_TEXT];

    if (GL_MEET_PLACE(flags) == GL_MEET_PLACE(other_flags))
        snprintf(text, MEETING_TEXT,
                 "waits at a barrier%s, and work-item (%u, %u, %u) of its group there, too, in another turn of a loop "
                 "around it",
                 in_line(flags, line), other->id[0], other->id[1], other->id[2]);
    else
        snprintf(text, MEETING_TEXT, "waits at a barrier%s, and work-item (%u, %u, %u) of its group at another one%s",
                 in_line(flags, line), other->id[0], other->id[1], other->id[2], in_line(other_flags, other_line));
    return text;
}

/* One of the group that has come to another barrier than the others; NULL: all are at the same. */
static const struct run_item *one_apart(const struct run_item *item)
{
    const struct run_item *first = first_of_group(item);

    for (uint32_t i = 0; i < run.space.items; ++i)
        if (!meeting_is_same(first[i].meets_flags, item->meets_flags))
            return &first[i];
    return NULL;
}

static const char *come_to_group(struct run_item *item, struct run_team *team, const struct run_item **whose)
{
    static char text[MEETING_TEXT];
    struct run_place *place = &run.places[item->place];

    item->meets = true;
    if (team != NULL)
        ++team->away;
    if (++place->meeting == run.space.items) {
        const struct run_item *apart = one_apart(item);
        if (apart != NULL)
            return meeting_apart(item->meets_flags, apart, apart->meets_flags, text);
        release_group(place, item);
    }
    if (group_lacks(place))
        return "waits at a barrier that others of its group never reach: they have ended";
    if (!team_lacks(team))
        return NULL;
    *whose = one_that_meets(item, true);
    return "waits at a barrier of the whole group, and others of its sub-group wait for it at one of theirs";
}

const char *meeting_come(struct run_item *item, uint32_t flags, const struct run_item **whose)
{
    struct run_team *team = team_of(item);

    *whose = item;
    item->meets_flags = flags;
    const char *what =
        (flags & GL_MEET_SUB_GROUP) != 0 && team != NULL ? come_to_team(item, team) : come_to_group(item, team, whose);
    serial_offer(item->place);
    return what;
}

const char *meeting_leave(struct run_item *item, const struct run_item **whose)
{
    struct run_place *place = &run.places[item->place];
    struct run_team *team = team_of(item);

    item->self = item->top;
    serial_offer(item->place);
    --place->running;
    if (team != NULL)
        --team->running;
    if (group_lacks(place)) {
        *whose = one_that_meets(item, false);
        return "has ended, and others of its group wait for it at a barrier";
    }
    if (!team_lacks(team))
        return NULL;
    *whose = one_that_meets(item, true);
    return "has ended, and others of its sub-group wait for it at a barrier";
}

#include "format/schedule_json.h"

/* How it ended; "at": the line where it was cut. */
static void write_turn(struct json_writer *json, const struct schedule_turn *turn, const char *stop)
{
    json_writer_open(json, NULL, '{');
    json_writer_integer(json, "group", turn->group);
    json_writer_integer(json, "item", turn->item);
    json_writer_integer(json, "steps", schedule_steps(turn));
    json_writer_bool(json, "cut", schedule_is_cut(turn));
    json_writer_text(json, "at", stop[0] != '\0' ? stop : NULL);
    json_writer_close(json, '}');
}

static uint32_t cuts_of_last(const struct schedule_view *view)
{
    return schedule_cuts(&(struct schedule){.turns = (struct schedule_turn *)view->last, .count = view->count});
}

void schedule_json(struct json_writer *json, const struct schedule_view *view)
{
    const bool known = view != NULL && view->last != NULL;

    if (!json_writer_open_known(json, "schedule", known) || !known)
        return;
    uint32_t cut = view->cuts - cuts_of_last(view);
    json_writer_integer(json, "turns", view->turns);
    json_writer_integer(json, "cuts", view->cuts);
    json_writer_known(json, "cuts_before", view->cuts_before != 0, view->cuts_before);
    json_writer_integer(json, "first", view->turns - view->count);
    json_writer_open(json, "told", '[');
    for (uint32_t i = 0; i < view->count; ++i) {
        char stop[SCHEDULE_STOP] = "";
        if (schedule_is_cut(&view->last[i]))
            schedule_stop(view->stops, cut++, view->cuts, stop);
        write_turn(json, &view->last[i], stop);
    }
    json_writer_close(json, ']');
    json_writer_close(json, '}');
}

/* A schedule as a member of JSON. */
#pragma once

#include "core/schedule.h"
#include "format/json_writer.h"

/* "schedule"; null: none was kept, or `view` is NULL. */
void schedule_json(struct json_writer *json, const struct schedule_view *view);

#include "cli/scheduled.h"

#include "report/repeat.h"

#include <inttypes.h>

int scheduled_choose(struct scheduled *scheduled, struct measure_options *measure, struct known_patterns *included,
                     struct plan_settings *plan, struct error *error)
{
    struct schedule_file *file = &scheduled->file;
    char expression[REPEAT_EXPRESSION];

    if (scheduled->path == NULL)
        return 0;
    if (plan->seed_given || plan->iterations_given || measure->common.selector_count > 1)
        return error_set(error, STATUS_USAGE,
                         "--schedule repeats one launch on one device: its seed is that of the file, and --iterations "
                         "cannot be given");
    if (schedule_file_read(scheduled->path, file, error) != 0)
        return -1;
    if (measure->common.selector_count == 0)
        measure->common.selectors[measure->common.selector_count++] = file->device;
    repeat_expression(file->point, expression);
    plan->seed_given = plan->iterations_given = plan->once = true;
    plan->seed = file->seed;
    plan->iterations = 1;
    return known_patterns_add(included, expression, error);
}

void scheduled_begin(const struct scheduled *scheduled, struct remote *remote)
{
    if (scheduled->path == NULL)
        return;
    remote->schedule = &scheduled->file.schedule;
    remote->schedule_seed = scheduled->file.seed;
    remote->differs = SCHEDULE_TURNS;
}

int scheduled_check(const struct scheduled *scheduled, const struct remote *remote, struct error *error)
{
    if (scheduled->path == NULL || remote->differs == SCHEDULE_TURNS)
        return 0;
    return error_set(error, STATUS_USAGE,
                     "%.200s does not fit: the launch went another way in turn %" PRIu32 " of %" PRIu32
                     ". Its kernel, scenario or device, or what compiled it, is another one than when it was written",
                     scheduled->path, remote->differs + 1, scheduled->file.schedule.count);
}

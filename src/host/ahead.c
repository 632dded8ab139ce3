#include "host/ahead.h"

enum { POSTED_MOST = 2 }; /* one is built, and one waits */

static void give_up(struct ahead *ahead)
{
    ahead->over = true;
    if (ahead->supervisor != NULL)
        supervisor_dismiss(ahead->supervisor);
}

static int begin(struct ahead *ahead, const struct supervisor_options *settings, const struct device_info *device,
                 const struct device_probe *probe)
{
    const struct wire_open body = {*device, *probe};
    const struct supervisor_request request = {.type = WIRE_OPEN, .body = &body};
    struct error ignored;

    if (supervisor_open(settings, &ahead->supervisor, &ignored) != 0)
        return -1;
    return supervisor_post(ahead->supervisor, &request, &ignored);
}

/* A trial without a launch. */
static int post(struct ahead *ahead, const struct device_probe *probe, const struct footprint *footprint)
{
    const struct trial trial = {.kind = TRIAL_BARRIER, .footprint = *footprint, .groups = 1};
    const struct supervisor_request request = {
        .type = WIRE_TRIAL, .body = &trial, .left_out = optional_noted(probe->left_out, footprint->local_size)};
    struct error ignored;
    return supervisor_post(ahead->supervisor, &request, &ignored);
}

void ahead_build(struct ahead *ahead, const struct supervisor_options *settings, const struct device_info *device,
                 const struct device_probe *probe, const struct footprint *next, size_t count)
{
    int posted = 0;

    if (ahead->over)
        return;
    if (ahead->supervisor == NULL && begin(ahead, settings, device, probe) != 0) {
        give_up(ahead);
        return;
    }
    if (ahead->until == NULL || ahead->until < next)
        ahead->until = next;
    while ((posted = supervisor_posted(ahead->supervisor)) >= 0 && posted < POSTED_MOST && ahead->until < next + count)
        if (post(ahead, probe, ahead->until++) != 0) {
            give_up(ahead);
            return;
        }
    if (posted < 0 || (posted == 0 && ahead->until == next + count))
        give_up(ahead);
}

void ahead_end(struct ahead *ahead)
{
    supervisor_close(ahead->supervisor);
    *ahead = (struct ahead){.supervisor = NULL};
}

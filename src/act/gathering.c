#include "act/gathering.h"

#include "device/cl_status.h"

#include <inttypes.h>

bool promising_has_sub_groups(struct promising *promising)
{
    struct finding *finding = &promising->finding;

    finding->offered = (device_info_version(&promising->session->info) >= 300 &&
                        promising_ask(promising, CL_DEVICE_MAX_NUM_SUB_GROUPS) > 0) ||
                       promising_has_extension(promising, "cl_khr_subgroups") ||
                       promising_has_extension(promising, "cl_intel_subgroups");
    finding->promised = finding->offered;
    if (!finding->offered)
        promising_says(promising, "The device has no sub-groups.");
    return finding->offered;
}

int gathering_launch(struct gathering *gathering, const size_t size[3], size_t words, struct error *error)
{
    struct promising *promising = gathering->promising;

    gathering->told->count = words;
    gathering->told->fill = 0xff;
    const int ran = promising_run(promising, size, size, gathering->told, error);
    if (ran == 0)
        promising_notes(promising, "A group of %zu x %zu x %zu fails with %s", size[0], size[1], size[2],
                        promising_failure(promising));
    return ran;
}

static uint32_t lot(uint32_t attempt, uint32_t item, uint32_t items)
{
    const uint32_t number = ((attempt * items + item + 1) * UINT32_C(2654435761)) >> 8;
    return attempt == 1 ? number | 1 : attempt == 2 ? number & ~UINT32_C(1) : number;
}

int gathering_give(const struct gathering *gathering, const struct buffer *given, uint32_t attempt, struct error *error)
{
    for (uint32_t i = 0; i < given->count; ++i)
        given->words[i] = lot(attempt, i, (uint32_t)given->count);
    const cl_int code = buffer_write(given, gathering->promising->session->queue);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clEnqueueWriteBuffer", code);
}

int gathering_count(struct gathering *gathering, int found)
{
    gathering->promising->finding.tries += 1;
    gathering->promising->finding.fails += found == 0;
    return found < 0 ? -1 : 0;
}

void gathering_conclude(const struct gathering *gathering)
{
    struct promising *promising = gathering->promising;
    struct finding *finding = &promising->finding;

    finding->undecided = finding->tries == 0;
    finding->measured = finding->fails == 0 ? finding->promised : 0;
    if (finding->undecided)
        promising_says(promising, "The driver names no size of a group.");
    else if (promising->failure[0] != '\0')
        promising_says(promising, "%s.", promising->failure);
    else
        promising_says(promising, "All is right, in groups of up to %" PRIu64 " sub-groups.", gathering->most);
}

int gathering_measure(struct promising *promising, const char *kernel,
                      int (*measure)(struct gathering *, struct error *), struct error *error)
{
    struct gathering gathering = {.promising = promising, .told = &promising->buffers[0]};

    if (!promising_has_sub_groups(promising))
        return 0;
    const int outcome = promising_compile(promising, kernel, error);
    return outcome == 1 ? measure(&gathering, error) : outcome;
}

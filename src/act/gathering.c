#include "act/gathering.h"

#include "device/cl_status.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool promising_has_sub_groups(struct promising *promising)
{
    struct finding *finding = &promising->finding;

    finding->offered = (device_info_version(&promising->session->info) >= 300 &&
                        promising_ask(promising, CL_DEVICE_MAX_NUM_SUB_GROUPS) > 0) ||
                       promising_has_extension(promising, "cl_khr_subgroups") ||
                       promising_has_extension(promising, "cl_intel_subgroups");
    finding->promised = finding->offered;
    if (!finding->offered)
        snprintf(finding->text, sizeof finding->text, "The device has no sub-groups.");
    return finding->offered;
}

int gathering_launch(struct gathering *gathering, const size_t size[3], size_t words, struct error *error)
{
    cl_command_queue queue = gathering->promising->session->queue;
    struct launch_end end;

    memset(gathering->words, 0xff, words * sizeof *gathering->words);
    cl_int code = clEnqueueWriteBuffer(queue, gathering->told, CL_TRUE, 0, words * sizeof *gathering->words,
                                       gathering->words, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return cl_status_error(error, "clEnqueueWriteBuffer", code);
    promising_launch(gathering->promising, gathering->program->kernel, size, size, &end);
    if (end.enqueue_code != CL_SUCCESS || end.finish_code != CL_SUCCESS) {
        snprintf(gathering->failure, sizeof gathering->failure, "A group of %zu x %zu x %zu fails with %s", size[0],
                 size[1], size[2], promising_failure(&end));
        return 0;
    }
    code = clEnqueueReadBuffer(queue, gathering->told, CL_TRUE, 0, words * sizeof *gathering->words, gathering->words,
                               0, NULL, NULL);
    return code == CL_SUCCESS ? 1 : cl_status_error(error, "clEnqueueReadBuffer", code);
}

int gathering_count(struct gathering *gathering, int found)
{
    gathering->promising->finding.tries += 1;
    gathering->promising->finding.fails += found == 0;
    return found < 0 ? -1 : 0;
}

void gathering_conclude(const struct gathering *gathering)
{
    struct finding *finding = &gathering->promising->finding;

    finding->undecided = finding->tries == 0;
    finding->measured = finding->fails == 0 ? finding->promised : 0;
    if (finding->undecided)
        snprintf(finding->text, sizeof finding->text, "The driver names no size of a group.");
    else if (gathering->failure[0] != '\0')
        snprintf(finding->text, sizeof finding->text, "%s.", gathering->failure);
    else
        snprintf(finding->text, sizeof finding->text, "All is right, in groups of up to %" PRIu64 " sub-groups.",
                 gathering->most);
}

int gathering_prepare(struct gathering *gathering, size_t words, struct error *error)
{
    gathering->told =
        promising_buffer(gathering->promising, gathering->program->kernel, 0, words * sizeof(uint32_t), error);
    if (gathering->told == NULL)
        return -1;
    gathering->words = calloc(words, sizeof(uint32_t));
    return gathering->words != NULL ? 0 : error_set(error, STATUS_HARNESS, "no memory for what work-items tell");
}

int gathering_measure(struct promising *promising, const char *kernel,
                      int (*measure)(struct gathering *, struct error *), struct error *error)
{
    struct gathering gathering = {.promising = promising};

    if (!promising_has_sub_groups(promising))
        return 0;
    int outcome = promising_compile(promising, kernel, &gathering.program, error);
    if (outcome != 1)
        return outcome;
    outcome = measure(&gathering, error);
    if (gathering.told != NULL)
        clReleaseMemObject(gathering.told);
    if (gathering.given != NULL)
        clReleaseMemObject(gathering.given);
    free(gathering.words);
    return outcome;
}

#include "format/kind.h"

bool case_is_failure_of_the_device(enum verdict verdict)
{
    return verdict == VERDICT_HANG || verdict == VERDICT_CRASH || verdict == VERDICT_DEVICE_LOST ||
           verdict == VERDICT_BUILD_FAILED || verdict == VERDICT_ERROR || verdict == VERDICT_WEDGED;
}

void report_each_case(const struct report *report, size_t device, case_taker *take, void *context)
{
    report_parts(report)->each_case(report, device, take, context);
}

char *report_case_message(const struct report_case *found)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        return NULL;
    found->message(out, found);
    return fclose(out) == 0 ? text : NULL;
}

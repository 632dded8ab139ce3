/* Signals that LAVA, the test farm of kernel developers, reads from a console. */
#include "format/case.h"
#include "format/format.h"

#include <inttypes.h>

static void write_case(void *context, const struct report_case *found)
{
    static const char *const results[] = {
        [RESULT_PASS] = "pass", [RESULT_FAIL] = "fail",       [RESULT_ERROR] = "fail",
        [RESULT_SKIP] = "skip", [RESULT_UNKNOWN] = "unknown", [RESULT_KNOWN] = "pass",
    };
    FILE *out = context;

    escape_each(escape_lava, out, "<LAVA_SIGNAL_TESTCASE TEST_CASE_ID=", found->suite, ".", found->name, NULL);
    fprintf(out, " RESULT=%s", results[found->result]);
    if (found->measured != 0)
        fprintf(out, " MEASUREMENT=%" PRIu64 " UNITS=%s", found->measured, found->unit);
    fputs(">\n", out);
}

int report_write_lava(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    (void)style;
    (void)error;
    for (size_t i = 0; i < report_suite_count(report); ++i) {
        escape_each(escape_lava, out, "<LAVA_SIGNAL_TESTSET START ",
                    DEVICE_LABEL_OF(&report_suite_device(report, i)->info), ">\n", NULL);
        report_each_case(report, i, write_case, out);
        fputs("<LAVA_SIGNAL_TESTSET STOP>\n", out);
    }
    return 0;
}

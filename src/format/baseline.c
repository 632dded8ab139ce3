/*
 * A list of known failures, as `gridlock run --baseline` and `gridlock audit --baseline` read it: what surprised, and
 * what failed as is known.
 */
#include "format/case.h"
#include "format/format.h"

struct baseline {
    FILE *out;
    bool failed; /* there is a case that is neither point nor promise */
};

/* What a launch of the point must be allowed to come to, so that it is no surprise again; 0: it is none. */
static verdict_set known_of(const struct run_point *point)
{
    const struct batches *batches = &point->batches;

    if (!run_point_is_surprise(point))
        return batches->as_known && point->known == KNOWN_AS_FAILURE ? batches->seen & batches->tolerated : 0;
    const verdict_set known = batches->surprises | (batches->seen & batches->tolerated);
    return batches->shortfall != 0 || known == 0 ? known | batches->seen : known;
}

static void write_case(void *context, const struct report_case *found)
{
    struct baseline *baseline = context;
    char id[RUN_ID_BYTES], verdicts[256];

    if (found->note == NOTE_ASSERTED)
        return;
    if (found->note != NOTE_NONE) {
        /* As a comment: which shard it is, or what was not run. */
        fputs("# ", baseline->out);
        report_case_write(baseline->out, found, escape_text);
        fputc('\n', baseline->out);
        return;
    }
    if (found->promise != NULL) {
        if (found->promise->keeping == KEEPING_BROKEN && found->promise->known != KNOWN_AS_FLAKE)
            fprintf(baseline->out, "audit/%s %s\n", found->name, found->type);
        return;
    }
    if (found->point == NULL) {
        baseline->failed = true;
        return;
    }
    verdict_set_print(known_of(found->point), verdicts, sizeof verdicts);
    if (verdicts[0] == '\0')
        return;
    run_point_id(found->point, id);
    escape_text(baseline->out, id);
    fprintf(baseline->out, " %s\n", verdicts);
}

int report_write_baseline(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    struct baseline baseline = {.out = out};

    (void)style;
    for (size_t i = 0; i < report_suite_count(report); ++i) {
        if (report_device(report, i) != NULL) {
            fputs("# ", out);
            text_device(out, &report_device(report, i)->info);
            fputc('\n', out);
        }
        report_each_case(report, i, write_case, &baseline);
    }
    return baseline.failed ? error_set(error, STATUS_USAGE, "only runs of scenarios and audits have a baseline") : 0;
}

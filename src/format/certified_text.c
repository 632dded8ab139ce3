#include "format/certified.h"

#include "core/text.h"
#include "format/escape.h"
#include "format/kind.h"

#include <string.h>

static void print_failure(FILE *out, const struct certified_launches *launches)
{
    fprintf(out, "with %" PRIu32 " group%s the kernel as it is passed in %" PRIu32 " of %" PRIu32 " launches (%s)",
            launches->groups, text_s(launches->groups), launches->passed, launches->launched,
            verdict_name(launches->other));
}

void certified_text_doubt(FILE *out, const struct certified *certified)
{
    switch (certified->doubt) {
    case CERTIFIED:
        break;
    case CERTIFIED_NOT_KNOWN:
        fputs("the kernel was not explored, or nothing was measured on the device", out);
        break;
    case CERTIFIED_REFUSED:
        proof_text_refusal(out, &certified->report.proofs.devices[0], certified->here);
        break;
    case CERTIFIED_NOT_COUNTED:
        fputs("how many groups of this kernel fit could not be measured", out);
        break;
    case CERTIFIED_UNPUBLISHED:
        fprintf(out, "no launch showed that groups see what others write in dialect %s",
                dialect_name(here_dialect(&certified->runs)));
        break;
    case CERTIFIED_TOO_MANY:
        fprintf(out, "%" PRIu32 " groups were asked for, and up to %" PRIu32 " are safe", certified->asked,
                certified_groups(certified));
        break;
    case CERTIFIED_NOT_LAUNCHED:
        fputs("the kernel was not launched as it is, which on a GPU needs --live=any unless it waits by gridlock.clh",
              out);
        break;
    case CERTIFIED_FAILED:
        print_failure(out, &certified->full);
        break;
    case CERTIFIED_MORE_FAILED:
        print_failure(out, &certified->over);
        break;
    }
}

/* "; with 3 it did not (deadlock)." */
static void print_more(FILE *out, const struct certified_launches *over)
{
    if (over->launched == 0) {
        fputc('.', out);
        return;
    }
    fprintf(out, "; with %" PRIu32 " it ", over->groups);
    if (over->passed == over->launched)
        fputs("ended, too.", out);
    else if (over->other == VERDICT_INCONCLUSIVE && over->note[0] != '\0')
        escape_each(escape_text, out, "did not: ", over->note, ".", NULL);
    else
        fprintf(out, "did not (%s).", verdict_name(over->other));
}

/* "with 2 groups it ended in 20 of 20 launches; with 3 it did not (deadlock)." */
static void print_launches(FILE *out, const struct certified *certified)
{
    const struct certified_launches *full = &certified->full;

    if (full->launched == 0)
        return;
    fprintf(out,
            "The kernel itself was launched: with %" PRIu32 " group%s it ended in %" PRIu32 " of %" PRIu32 " launches",
            full->groups, text_s(full->groups), full->passed, full->launched);
    print_more(out, &certified->over);
}

static void print_verdict(FILE *out, const struct certified *certified)
{
    if (certified->doubt == CERTIFIED)
        fputs("Certified", out);
    else
        fputs("Not certified: ", out);
    certified_text_doubt(out, certified);
    if (certified->doubt == CERTIFIED && certified->asked != 0)
        fprintf(out, " for %" PRIu32 " group%s", certified->asked, text_s(certified->asked));
    fputc('.', out);
}

static void print_files(FILE *out, const struct certified *certified, const struct certified_asked *asked)
{
    for (const char *line = asked->included; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        fprintf(out, "    %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    for (int i = CERTIFIED_PROOF; i < CERTIFIED_RUNS; ++i) {
        char sha256[SHA256_TEXT];
        if (certified->paths[i] != NULL && sha256_file(certified->paths[i], sha256))
            escape_each(escape_text, out, "    ", sha256, "  ", certified->paths[i], "\n", NULL);
    }
}

#define PRINT(out, first, print, ...)                                                                                  \
    do {                                                                                                               \
        struct text_lines lines;                                                                                       \
        print(text_lines_begin(&lines), __VA_ARGS__);                                                                  \
        text_lines_end(&lines, out, first, "    ");                                                                    \
    } while (0)

void certified_text(FILE *out, const struct certified *certified, const struct certified_asked *asked,
                    const struct text_style *style)
{
    PRINT(out, "", print_verdict, certified);
    if (certified->here == NULL)
        return;
    fputs("\nBy gridlock " GRIDLOCK_VERSION ", ", out);
    fprintf(out, "%s\n", asked->made);
    if (certified->full.launched > 0)
        PRINT(out, "  ", print_launches, certified);
    proof_text_here(out, &certified->report, 0, style);
    print_files(out, certified, asked);
}

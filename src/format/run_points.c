/* What is said of a point of a scenario, as text. */
#include "core/text.h"
#include "format/escape.h"
#include "format/run.h"

#include <inttypes.h>

/* What did not run has no groups, and of what was killed nothing may be known. */
static void print_groups(FILE *out, const struct run_point *point)
{
    const struct observation *seen = &point->seen->launch.observation;

    if (run_point_is_void(point))
        fputs(point->tally->counts[VERDICT_INCOMPLETE] > 0 ? "it began and did not end" : "nothing was launched", out);
    else if (seen->board_read)
        fprintf(out, "%" PRIu32 " group%s started, %" PRIu32 " done, %" PRIu32 " waiting%s", seen->started,
                text_s(seen->started), seen->done, seen->waiting,
                point->seen->launch.cause == CAUSE_BUSY ? " in the end" : "");
    else
        fputs("what its groups did could not be read", out);
}

void run_text_evidence(FILE *out, const struct run_point *point)
{
    const struct observation *seen = &point->seen->launch.observation;
    const enum cause cause = point->seen->launch.cause;

    if (cause != CAUSE_NONE && cause != CAUSE_UNKNOWN)
        fprintf(out, "%s: ", cause_title(cause));
    switch (point->batches.verdict) {
    case VERDICT_STARVED:
        fprintf(out, "a chain of waits from group %" PRIu32 " ends in group %" PRIu32 ", which never started",
                seen->waitfor.starved_from, seen->waitfor.never_started);
        break;
    case VERDICT_DEADLOCK:
        fprintf(out, "group %" PRIu32 " waits for %s", seen->waitfor.circle_at,
                seen->waitfor.circle_groups != 1                                     ? "itself through others"
                : cause == CAUSE_CIRCULAR_WAIT && !waitfor_is_own_id(&seen->waitfor) ? "a lock that it already holds"
                                                                                     : "itself");
        break;
    case VERDICT_STALLED:
        fprintf(out, "%" PRIu32 " of %" PRIu32 " started groups wait for what no group will do", seen->waiting,
                seen->started);
        break;
    case VERDICT_STALE:
        fprintf(out, "%" PRIu64 " of %" PRIu64 " reads across groups were stale", seen->stale, seen->checked);
        break;
    case VERDICT_WRONG:
        if (seen->bad_result != 0)
            fprintf(out,
                    "result %" PRIu32 ", element %" PRIu64 ": 0x%" PRIx64 ", not 0x%" PRIx64 " (%" PRIu64 " differ)",
                    seen->bad_result, seen->bad_at, seen->bad_got, seen->bad_wanted, seen->differing);
        else
            fprintf(out, "%" PRIu64 " wrong reads, %" PRIu64 " of %" PRIu64 " checks made, %" PRIu32 " witnesses",
                    seen->wrong, seen->checked, point->seen->checks, seen->witnesses);
        break;
    default:
        print_groups(out, point);
        break;
    }
    if (point->note[0] != '\0')
        escape_each(escape_text, out, "; ", point->note, NULL);
}

void run_text_counts(FILE *out, const struct run_point *point)
{
    const char *comma = "";
    for (int verdict = 0; verdict < VERDICT_COUNT; ++verdict)
        if (point->tally->counts[verdict] > 0) {
            fprintf(out, "%s%s", comma, verdict_name((enum verdict)verdict));
            if (point->tally->counts[verdict] < point->tally->launches)
                fprintf(out, " %" PRIu32 "/%" PRIu32, point->tally->counts[verdict], point->tally->launches);
            comma = ", ";
        }
}

/* A flake is known to surprise, and does not count as one. */
static const char *color_of_point(const struct colors *colors, const struct run_point *point)
{
    if (point->batches.surprise)
        return point->known == KNOWN_AS_FLAKE ? "" : colors->surprise;
    if (batches_undecided(&point->batches))
        return colors->undecided;
    return verdict_is_in(point->batches.verdict, point->batches.expected) ? colors->expected : "";
}

static void print_counts(FILE *out, const struct colors *colors, const struct run_point *point)
{
    const char *color = color_of_point(colors, point);
    color_begin(out, color);
    run_text_counts(out, point);
    color_end(out, color);
}

void run_text_id(FILE *out, const struct run_point *point)
{
    char id[RUN_ID_BYTES];
    run_point_id(point, id);
    escape_text(out, id);
}

/* What was left open is worth a word where it was left. */
static void print_unpredicted(FILE *out, const struct run_point *point)
{
    char allowed[256];

    fputs("not predicted", out);
    if (!point->batches.launch_surprise || point->batches.allowed == 0)
        return;
    verdict_set_print(point->batches.allowed, allowed, sizeof allowed);
    fprintf(out, ", allowed %s", allowed);
}

void run_text_expected(FILE *out, const struct run_point *point)
{
    char expected[256], some[256], rate[288];
    const char *semicolon = point->batches.expected != 0 ? "; " : "";

    if (!run_point_is_predicted(point)) {
        print_unpredicted(out, point);
        return;
    }
    verdict_set_print(point->batches.expected, expected, sizeof expected);
    verdict_set_print(point->whole->some, some, sizeof some);
    whole_print_rate(point->whole, rate, sizeof rate);
    fputs(expected, out);
    if (some[0] != '\0')
        fprintf(out, "%ssome %s", semicolon, some);
    if (rate[0] != '\0')
        fprintf(out, "%s%s", some[0] != '\0' ? "; " : semicolon, rate);
}

void run_text_points(FILE *out, const struct colors *colors, const struct run_scenario *scenario)
{
    for (size_t i = 0; i < scenario->count; ++i) {
        const struct run_point *point = &scenario->points[i];
        fputs("  ", out);
        run_text_id(out, point);
        fputs(": ", out);
        print_counts(out, colors, point);
        fputs(" (", out);
        run_text_expected(out, point);
        fputs(")", out);
        if (point->tally->counts[VERDICT_PASS] < point->tally->launches) {
            fputs(": ", out);
            run_text_evidence(out, point);
        } else {
            fprintf(out, ", %.3f ms (host %.3f ms)", (double)point->fastest_ns / 1e6,
                    (double)point->fastest_host_ns / 1e6);
        }
        fputc('\n', out);
    }
}

void run_text_surprise(FILE *out, const struct colors *colors, const struct run_point *point)
{
    struct text_lines lines;

    run_text_id(out, point);
    fputs("\n    ", out);
    print_counts(out, colors, point);
    fputs(run_point_is_predicted(point) ? ", expected " : ", ", out);
    run_text_expected(out, point);
    if (point->batches.launch_surprise)
        fprintf(out, "; in %" PRIu32 " of %" PRIu32 " batches", point->batches.surprising, point->batches.count);
    run_print_shortfall(out, point, "\n    ");
    fputc('\n', out);
    run_text_evidence(text_lines_begin(&lines), point);
    lines.open = true;
    text_lines_end(&lines, out, "    ", "      ");
}

#include "cli/status_line.h"

#include "base/clock.h"
#include "core/text.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

enum { LINE_NS = 100000000 };
static const uint64_t PLAIN_NS = 10000000000;
static const uint64_t WAITING_NS = 1000000000; /* what takes less is not worth a word */

const struct naming status_line_naming = NAMING("auto", "plain", "none");

static struct status_figures *left; /* NULL: this process shows how far it is */

void status_line_leave(struct status_figures *figures)
{
    left = figures;
}

static void keep(uint64_t done, uint64_t bad)
{
    if (left == NULL)
        return;
    atomic_store(&left->done, done);
    atomic_store(&left->bad, bad);
}

void status_line_begin(struct status_line *line, enum status_line_kind kind)
{
    if (left != NULL)
        kind = STATUS_LINE_NONE;
    *line = (struct status_line){
        .line = kind == STATUS_LINE_AUTO && isatty(STDERR_FILENO),
        .plain = kind == STATUS_LINE_PLAIN,
        .began_ns = clock_ns(),
        .last_ns = clock_ns(),
    };
}

/* "1:02:03", or "2:03". */
static void print_time(uint64_t seconds)
{
    if (seconds >= 3600)
        fprintf(stderr, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, seconds / 3600, seconds / 60 % 60, seconds % 60);
    else
        fprintf(stderr, "%" PRIu64 ":%02" PRIu64, seconds / 60, seconds % 60);
}

/* Seconds since the beginning, or 0 if nothing is to be shown now. */
static double seconds_if_due(struct status_line *line)
{
    const uint64_t now_ns = clock_ns();

    if (!line->line && !line->plain)
        return 0;
    if (now_ns - line->last_ns < (line->line ? LINE_NS : PLAIN_NS))
        return 0;
    line->last_ns = now_ns;
    return (double)(now_ns - line->began_ns) / 1e9;
}

static void begin_line(const struct status_line *line)
{
    fputs(line->line ? "\r\033[K" : "gridlock: ", stderr);
}

static void end_line(struct status_line *line, uint64_t bad, const char *word, const char *ending)
{
    fprintf(stderr, ", %" PRIu64 " %s%s%s", bad, word, ending, line->line ? "" : "\n");
    line->shown = line->line;
}

void status_line_share(struct status_line *line, enum status_unit unit, uint64_t done, uint64_t total, uint64_t bad)
{
    static const char *const units[] = {"points", "promises", "tests", "launches"};
    static const char *const words[] = {"surprise", "broken", "stalled", "failed"};
    const bool is_quick = unit == UNIT_TESTS; /* thousands a second, but the first may take its time */
    const double seconds = (done > 0 || is_quick) && done <= total ? seconds_if_due(line) : 0;

    keep(done, bad);
    if (seconds <= 0)
        return;
    begin_line(line);
    fprintf(stderr, "%" PRIu64 "/%" PRIu64 " %s", done, total, units[unit]);
    if (done > 0) {
        fprintf(stderr, ", %.*f/s, ", is_quick ? 0 : 1, (double)done / seconds);
        print_time((uint64_t)(seconds / (double)done * (double)(total - done)));
        fputs(" left", stderr);
    }
    end_line(line, bad, words[unit], unit == UNIT_POINTS ? text_s(bad) : "");
}

void status_line_footprints(struct status_line *line, uint64_t footprint, uint64_t footprints, uint64_t trials,
                            uint64_t surprises)
{
    const double seconds = seconds_if_due(line);

    keep(trials, surprises);
    if (seconds <= 0)
        return;
    begin_line(line);
    fprintf(stderr, "footprint %" PRIu64 "/%" PRIu64 ", %" PRIu64 " trial%s, %.1f/s", footprint, footprints, trials,
            text_s(trials), (double)trials / seconds);
    end_line(line, surprises, "surprise", text_s(surprises));
}

void status_line_devices(struct status_line *line, uint64_t ended, uint64_t count, const struct status_figures *figures)
{
    const double seconds = seconds_if_due(line);
    uint64_t done = 0, bad = 0;

    if (seconds <= 0)
        return;
    for (uint64_t i = 0; i < count; ++i) {
        done += atomic_load(&figures[i].done);
        bad += atomic_load(&figures[i].bad);
    }
    begin_line(line);
    fprintf(stderr, "%" PRIu64 "/%" PRIu64 " devices, ", ended, count);
    print_time((uint64_t)seconds);
    fprintf(stderr, ", %" PRIu64 " done, %.1f/s", done, (double)done / seconds);
    end_line(line, bad, "surprise", text_s(bad));
}

void status_line_waiting(struct status_line *line, const char *device, const char *doing, uint64_t since_ns)
{
    if (since_ns < WAITING_NS || seconds_if_due(line) <= 0)
        return;
    begin_line(line);
    fprintf(stderr, "waiting for %s %s, ", device, doing);
    print_time(since_ns / 1000000000);
    fputs(line->line ? "" : "\n", stderr);
    line->shown = line->line;
}

void status_line_clear(struct status_line *line)
{
    if (line->shown)
        fputs("\r\033[K", stderr);
    line->shown = false;
}

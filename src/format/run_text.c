#include "base/alloc.h"
#include "base/words.h"
#include "core/text.h"
#include "format/escape.h"
#include "format/kind.h"
#include "format/run.h"
#include "report/repeat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void run_text_heading(FILE *out, const struct run_device *device)
{
    const struct store_device *stored = &device->stored;

    text_device_lines(out, "", "  ", &stored->info);
    text_probe(out, &stored->info, &stored->probe, "best dialect");
    fputs("\n\n"
          "                               safe up to      x      x  first unsafe   as pre-\n"
          "scenario                           groups resid.  units        groups   dicted\n",
          out);
}

void run_text_safe(const struct run_safety *safety, char text[RUN_SAFE_BYTES])
{
    const struct run_point *unsafe = safety->unsafe;

    if (safety->safe != NULL)
        snprintf(text, RUN_SAFE_BYTES, "%s%" PRIu32, safety->all_safe ? "all to " : "", safety->safe->groups);
    else /* what was not run with fewer groups may be safe */
        snprintf(text, RUN_SAFE_BYTES, "%s", unsafe != NULL && unsafe->groups == 1 ? "0" : "-");
}

static void print_safe(FILE *out, const struct run_device *device, const struct run_safety *safety)
{
    const uint32_t groups = safety->safe != NULL ? safety->safe->groups : 0;
    const uint32_t resident = safety->safe != NULL ? safety->safe->batches.resident : 0;
    char text[RUN_SAFE_BYTES];

    run_text_safe(safety, text);
    fprintf(out, " %12s", text);
    text_cell(out, 6, resident != 0, "%.3g", (double)groups / resident);
    text_cell(out, 6, safety->safe != NULL, "%.3g", (double)groups / device->stored.info.compute_units);
}

static void print_unsafe(FILE *out, const struct run_point *unsafe)
{
    char text[48] = "-";
    if (unsafe != NULL)
        snprintf(text, sizeof text, "%" PRIu32 " %s", unsafe->groups, verdict_name(unsafe->batches.verdict));
    fprintf(out, "  %-14s ", text);
}

/* In a column of 28, or on a line of its own; it may come from a file that anybody wrote. */
static void print_name(FILE *out, const char *indent, const char *name)
{
    const int left = 28 - (int)strlen(indent);

    fputs(indent, out);
    escape_text(out, name);
    if (strlen(name) > (size_t)left)
        fprintf(out, "\n%28s", "");
    else
        fprintf(out, "%*s", left - (int)strlen(name), "");
}

/* Surprises before what is undecided; "": nothing was predicted, or nothing found out. */
static const char *color_of_scenario(const struct colors *colors, const struct run_safety *safety)
{
    if (safety->surprises > 0)
        return colors->surprise;
    if (safety->undecided > 0)
        return colors->undecided;
    return safety->right > 0 ? colors->expected : "";
}

static void append_count(char *text, size_t size, uint32_t count, const char *what)
{
    if (count > 0)
        text_list(text, size, ", ", "%" PRIu32 " %s", count, what);
}

/* "7 of 8" is of what was predicted and decided; a line below has what else there is, "1 SURPRISE, 4 not predicted". */
static void print_right(FILE *out, const struct run_safety *safety)
{
    const uint32_t decided = safety->right + safety->surprises + safety->known;
    char others[120] = "";

    if (decided > 0)
        fprintf(out, "%" PRIu32 " of %" PRIu32, safety->right, decided);
    else
        fputc('-', out);
    append_count(others, sizeof others, safety->surprises, safety->surprises > 1 ? "SURPRISES" : "SURPRISE");
    append_count(others, sizeof others, safety->undecided, "undecided");
    append_count(others, sizeof others, safety->unpredicted, "not predicted");
    if (safety->anti_pattern)
        text_list(others, sizeof others, ", ", "anti-pattern");
    if (others[0] != '\0')
        fprintf(out, "\n%80s", others);
}

struct row_printer {
    FILE *out;
    const struct colors *colors;
    const struct run_device *device;
    const struct run_scenario *scenario;
    bool headed; /* the scenario's name stands above its rows */
};

static void print_row(void *context, const struct run_row *row)
{
    struct row_printer *printer = context;
    const struct run_safety *safety = &row->safety;
    FILE *out = printer->out;
    const bool whole = row->label[0] == '\0';

    if (!whole && !printer->headed)
        escape_each(escape_text, out, "", printer->scenario->name, "\n", NULL);
    printer->headed = true;
    print_name(out, whole ? "" : "  ", whole ? printer->scenario->name : row->label);
    if (safety->unsupported + safety->incomplete == safety->points) {
        fputs(safety->incomplete > 0 ? " incomplete\n" : " unsupported\n", out);
        return;
    }
    if (run_scenario_has_range(printer->scenario)) {
        fprintf(out, " %-43s", "no group waits; times are below");
    } else {
        print_safe(out, printer->device, safety);
        print_unsafe(out, safety->unsafe);
    }
    const char *color = color_of_scenario(printer->colors, safety);
    color_begin(out, color);
    print_right(out, safety);
    color_end(out, color);
    fputc('\n', out);
}

void run_text_scenario(FILE *out, const struct colors *colors, const struct run_device *device,
                       const struct run_scenario *scenario)
{
    struct row_printer printer = {out, colors, device, scenario, false};

    if (scenario->count > 0) /* else the summary counts it */
        run_scenario_each_row(scenario, print_row, &printer);
}

/* "16x16 1.07x": a shape, as it was launched, and its time as a multiple of the fastest one's. */
static void print_shape(FILE *out, const struct run_point *point, const struct run_point *fastest)
{
    char shape[SHAPE_BYTES], text[2 * SHAPE_BYTES] = "-";

    if (point != NULL) {
        struct nd_range took = point->form->range;
        memcpy(took.local, point->form->took, sizeof took.local);
        nd_range_print_shape(&took, shape);
        snprintf(text, sizeof text, "%s %.2fx", shape, (double)point->fastest_ns / (double)fastest->fastest_ns);
    }
    fprintf(out, " %15s", text);
}

static void print_line_shapes(FILE *out, const struct run_scenario *scenario, const struct run_line *line)
{
    struct run_shapes shapes;

    run_line_shapes(scenario, line, &shapes);
    if (shapes.fastest == NULL)
        return;
    const struct run_point *fastest = shapes.fastest;
    escape_text(out, line->name);
    fprintf(out, "\n%9.4f ms %9.4f ms", (double)fastest->fastest_ns / 1e6, (double)fastest->fastest_host_ns / 1e6);
    print_shape(out, fastest, fastest);
    print_shape(out, shapes.slowest, fastest);
    print_shape(out, shapes.chosen, fastest);
    print_shape(out, shapes.preferred, fastest);
    print_shape(out, shapes.largest, fastest);
    fprintf(out, "  (%" PRIu64 ", %" PRIu64 ")\n", fastest->form->facts.multiple_items,
            fastest->form->facts.most_items);
}

/* Of each line the shapes that were fastest and slowest, and what following the driver costs. */
static void print_shapes(FILE *out, const struct run_device *device)
{
    bool headed = false;

    for (size_t i = 0; i < device->count; ++i) {
        const struct run_scenario *scenario = &device->scenarios[i];
        if (!run_scenario_has_range(scenario))
            continue;
        if (!headed)
            fputs("\nWORK-GROUP SHAPES: time of the fastest shape, and times of others as multiples of it\n"
                  "      device         host         fastest         slowest   driver's own       preferred         "
                  "largest  (multiple preferred, most allowed)\n",
                  out);
        headed = true;
        for (size_t j = 0; j < scenario->line_count; ++j)
            print_line_shapes(out, scenario, &scenario->lines[j]);
    }
}

/* The points whose kernel measured how long a hand-over takes. */
static void print_handovers(FILE *out, const struct run_device *device)
{
    const char *before = "\nHAND-OVER FROM GROUP TO GROUP: half of the median round trip\n";

    for (size_t i = 0; i < device->count; ++i)
        for (size_t j = 0; j < device->scenarios[i].count; ++j) {
            const struct run_point *point = &device->scenarios[i].points[j];
            if (point->handover_ps == 0)
                continue;
            fprintf(out, "%s%9.1f ns  ", before, (double)point->handover_ps / 1e3);
            run_text_id(out, point);
            fputc('\n', out);
            before = "";
        }
}

static void print_mutants_that(FILE *out, const struct run_device *device, enum run_mutant which, const char *what)
{
    const char *before = what;

    for (size_t i = 0; i < device->count; ++i) {
        const struct run_scenario *scenario = &device->scenarios[i];
        if (scenario->count == 0 || run_scenario_mutant(scenario) != which)
            continue;
        escape_each(escape_text, out, before, scenario->name, NULL);
        before = ", ";
    }
}

/* "mutants caught: 17 of 19; missed: mutant_x; not visible in these points: mutant_y" */
static void print_mutants(FILE *out, const struct run_device *device)
{
    uint32_t mutants = 0, caught = 0;

    for (size_t i = 0; i < device->count; ++i) {
        const enum run_mutant found = run_scenario_mutant(&device->scenarios[i]);
        mutants += device->scenarios[i].count > 0 && found != MUTANT_NONE;
        caught += found == MUTANT_CAUGHT;
    }
    if (mutants == 0)
        return;
    fprintf(out, "mutants caught: %" PRIu32 " of %" PRIu32, caught, mutants);
    print_mutants_that(out, device, MUTANT_MISSED, "; missed: ");
    print_mutants_that(out, device, MUTANT_NOT_TO_BE_SEEN, "; not visible in these points: ");
    fputc('\n', out);
}

/* Takes the command. */
static void print_command(FILE *out, const char *before, char *command)
{
    escape_each(escape_text, out, before, command, NULL);
    free(command);
}

void run_text_commands(FILE *out, const struct report *report, size_t device, const char *scenario,
                       const struct run_point *point, const char *before)
{
    const struct device_info *info = &report->run.devices[device].stored.info;
    char id[RUN_ID_BYTES], selector[DEVICE_LABEL];

    if (report->path[0] == '\0')
        return;
    run_point_id(point, id);
    char *trial = xasprintf("%s:%s", report->path, id);
    device_info_selector_in_list(info, selector);
    const bool may_be_on_others = info->number != 0 || device > 0; /* of several, explain takes the first */
    char *const explain[] = {"gridlock", "explain", trial, "-d", selector};
    print_command(out, before, words_join(explain, may_be_on_others ? 5 : 3));
    free(trial);
    if (report_run(report, point->run) == NULL)
        return;
    const struct repeated repeated = {
        .run = report_run(report, point->run),
        .scenario = scenario,
        .device = info,
        .name = id,
    };
    print_command(out, before, repeat_command(&repeated));
}

static void print_surprises(FILE *out, const struct colors *colors, const struct report *report, size_t number)
{
    const struct run_device *device = &report->run.devices[number];

    fputs("\nSURPRISES\n", out);
    for (size_t i = 0; i < device->count; ++i)
        for (size_t j = 0; j < device->scenarios[i].count; ++j) {
            const struct run_scenario *scenario = &device->scenarios[i];
            if (!run_point_is_surprise(&scenario->points[j]))
                continue;
            run_text_surprise(out, colors, &scenario->points[j]);
            run_text_commands(out, report, number, scenario->name, &scenario->points[j], "\n    ");
            fputc('\n', out);
        }
}

/* "3 surprises", in a colour if there are any. */
static void print_total(FILE *out, const char *color, uint32_t count, const char *what)
{
    color_print(out, count > 0 ? color : "", "%" PRIu32 " %s", count, what);
}

/* Of all scenarios together; returns of how many a point was run. */
static size_t add_up(const struct run_device *device, struct run_safety *sum)
{
    size_t scenarios = 0;

    *sum = (struct run_safety){.safe = NULL};
    for (size_t i = 0; i < device->count; ++i) {
        struct run_safety safety;
        run_scenario_safety(&device->scenarios[i], &safety);
        scenarios += safety.points > 0;
        sum->points += safety.points;
        sum->right += safety.right;
        sum->surprises += safety.surprises;
        sum->known += safety.known;
        sum->undecided += safety.undecided;
        sum->unpredicted += safety.unpredicted;
        sum->unsupported += safety.unsupported;
        sum->incomplete += safety.incomplete;
        sum->fixed += safety.fixed;
    }
    return scenarios;
}

static void print_fixed(FILE *out, const struct run_device *device)
{
    for (size_t i = 0; i < device->count; ++i)
        for (size_t j = 0; j < device->scenarios[i].count; ++j) {
            const struct run_point *point = &device->scenarios[i].points[j];
            if (!run_point_is_fixed(point))
                continue;
            fputs("    did not fail: ", out);
            run_text_id(out, point);
            fputc('\n', out);
        }
}

void run_text_summary(FILE *out, const struct colors *colors, const struct report *report, size_t number)
{
    const struct run_device *device = &report->run.devices[number];
    struct run_safety sum;
    const size_t scenarios = add_up(device, &sum);

    print_shapes(out, device);
    print_handovers(out, device);
    fprintf(out,
            "\n%" PRIu32 " point%s of %zu scenario%s in %" PRIu32 " trial%s, %" PRIu64 " launch%s:\n%" PRIu32
            " as predicted, ",
            sum.points, text_s(sum.points), scenarios, text_s(scenarios), device->trials, text_s(device->trials),
            device->launches, device->launches == 1 ? "" : "es", sum.right);
    print_total(out, colors->surprise, sum.surprises, sum.surprises == 1 ? "surprise" : "surprises");
    fprintf(out, ", %" PRIu32 " not predicted, ", sum.unpredicted);
    print_total(out, colors->undecided, sum.undecided, "undecided");
    fprintf(out, ", %" PRIu32 " unsupported\n", sum.unsupported);
    if (sum.known > 0 || sum.fixed > 0)
        fprintf(out, "known failures: %" PRIu32 " failed again, %" PRIu32 " did not\n", sum.known, sum.fixed);
    print_fixed(out, device);
    if (sum.incomplete > 0)
        fprintf(out, "incomplete points, which began but did not end: %" PRIu32 "\n", sum.incomplete);
    if (device->stored.wedged)
        fputs("wedged: the device stopped working; the rest was not run\n", out);
    if (scenarios < device->count)
        fprintf(out, "scenarios in which no point was run: %zu\n", device->count - scenarios);
    print_mutants(out, device);
    if (sum.surprises > 0)
        print_surprises(out, colors, report, number);
}

void run_text(FILE *out, const struct report *report, size_t number, const struct text_style *style)
{
    const struct run_device *device = &report->run.devices[number];

    if (report_is_of_tries(report)) { /* launches of a kernel are its points */
        try_text(out, report, number, style);
        return;
    }
    run_text_heading(out, device);
    for (size_t i = 0; i < device->count; ++i) {
        run_text_scenario(out, style->colors, device, &device->scenarios[i]);
        if (style->verbose)
            run_text_points(out, style->colors, &device->scenarios[i]);
    }
    run_text_summary(out, style->colors, report, number);
}

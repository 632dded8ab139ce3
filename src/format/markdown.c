/* Tables in Markdown, for a page or a comment. */
#include "format/case.h"
#include "format/escape.h"
#include "format/format.h"
#include "format/run.h"
#include "litmus/form.h"

#include <inttypes.h>
#include <stdlib.h>

struct markdown {
    FILE *out;
    bool verbose;
    size_t count; /* rows of the table so far */
    bool failed;  /* memory was short */
};

static void write_device(FILE *out, const struct store_device *stored)
{
    fputs("## ", out);
    escape_markdown(out, stored->info.name);
    fputs("\n\n", out);
    escape_markdown(out, stored->info.platform);
    fputs(", driver ", out);
    escape_markdown(out, stored->info.driver_version);
    fprintf(out, ", %" PRIu32 " compute units\n\n", stored->info.compute_units);
    if (stored->wedged)
        fputs("**The device stopped working; the rest was not run.**\n\n", out);
}

static void write_count(FILE *out, uint32_t count)
{
    if (count != 0)
        fprintf(out, " %" PRIu32 " |", count);
    else
        fputs(" - |", out);
}

/* --- a run --- */

static void write_scenario(FILE *out, const struct run_scenario *scenario)
{
    struct run_safety safety;
    char safe[RUN_SAFE_BYTES];

    run_scenario_safety(scenario, &safety);
    if (safety.points == 0)
        return;
    fputs("| ", out);
    escape_markdown(out, scenario->name);
    fputs(" |", out);
    run_text_safe(&safety, safe);
    fprintf(out, " %s |", safety.safe != NULL ? safe : "-");
    if (safety.unsafe != NULL)
        fprintf(out, " %" PRIu32 " %s |", safety.unsafe->groups, verdict_name(safety.unsafe->batches.verdict));
    else
        fputs(" - |", out);
    fprintf(out, " %" PRIu32 " | %" PRIu32 " | %" PRIu32 " |\n", safety.points, safety.surprises,
            safety.unsupported + safety.incomplete);
}

static void write_scenarios(FILE *out, const struct run_device *device)
{
    fputs("| scenario | safe up to groups | first unsafe | points | surprises | unsupported or incomplete |\n"
          "|---|---:|---:|---:|---:|---:|\n",
          out);
    for (size_t i = 0; i < device->count; ++i)
        write_scenario(out, &device->scenarios[i]);
    fputc('\n', out);
}

/* --- limits --- */

static void write_limit(FILE *out, const struct limits_row *row)
{
    const struct limit *limit = &row->limit;

    fprintf(out, "| %" PRIu32 " | %" PRIu64 " | %" PRIu32 " |", limit->footprint.local_size,
            limit->footprint.local_memory_bytes, limit->footprint.private_bytes);
    write_count(out, limit->resident);
    write_count(out, limit->passes_at);
    write_count(out, limit->stalls_at);
    fprintf(out, " %s", limit->measured ? limiter_name(row->limited_by) : verdict_name(limits_row_refusal(row)));
    if (limit->failed > 0)
        fprintf(out, ", %" PRIu32 " launch%s failed", limit->failed, limit->failed == 1 ? "" : "es");
    fputs(" |\n", out);
}

static void write_limits(FILE *out, const struct limits_device *device)
{
    fputs("| work-items | local memory | private | resident groups | passes at | stalls at | limited by |\n"
          "|---:|---:|---:|---:|---:|---:|---|\n",
          out);
    for (size_t i = 0; i < device->count; ++i)
        write_limit(out, &device->rows[i]);
    if (device->safest >= 0)
        fprintf(out, "\nsafe groups: **%" PRIu32 "**\n", device->rows[device->safest].limit.passes_at);
    fputc('\n', out);
}

/* --- progress --- */

static void write_standing(FILE *out, const struct litmus_classification *all, enum litmus_model model,
                           enum litmus_fairness fairness)
{
    const struct litmus_standing *standing = &all->standings[model][fairness];
    const struct litmus_case *reason = &standing->reason;
    char program[LITMUS_TEXT];

    fprintf(out, "| %s | %s | %" PRIu32 " | %" PRIu32 " | %" PRIu32 " | %" PRIu32 " | %" PRIu32 " | %s |",
            litmus_model_name(model), litmus_fairness_name(fairness), standing->guaranteed, standing->ended,
            standing->refuting, litmus_open(standing), standing->states, progress_standing_word(standing));
    fputs(litmus_is_strongest(all, model, fairness) ? " yes |" : " |", out);
    if (!litmus_is_broken(standing)) {
        fputs(" | |\n", out);
        return;
    }
    litmus_text(&reason->program, program);
    fputc(' ', out);
    escape_markdown(out, program);
    fprintf(out, " | %s |\n", mapping_name(reason->mapping.kind));
}

static void write_progress(FILE *out, const struct progress_device *device)
{
    const uint32_t open = litmus_strongest_open(&device->classification);
    char classes[LITMUS_CLASSES];

    litmus_classes(&device->classification, classes);
    fputs("| model | fairness | guaranteed | ended | stalled | undecided | states | seen | strongest | broken by | "
          "mapping |\n"
          "|---|---|---:|---:|---:|---:|---:|---|---|---|---|\n",
          out);
    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model)
        for (enum litmus_fairness fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness)
            write_standing(out, &device->classification, model, fairness);
    if (device->tests > 0)
        fprintf(out, "\nstrongest not broken: **%s**\n", classes);
    if (open > 0)
        fprintf(out, "\ntests that might refute it, but were not decided: **%" PRIu32 "**\n", open);
    if (limit_search_result(&device->limit) != 0)
        fprintf(out, "\ngroups that keep later ones from starting: **%" PRIu32 "**\n",
                limit_search_result(&device->limit));
    fputc('\n', out);
}

/* --- cases --- */

static void write_case(void *context, const struct report_case *found)
{
    struct markdown *markdown = context;
    const bool bad = found->result == RESULT_FAIL || found->result == RESULT_ERROR;

    if (!bad && !markdown->verbose)
        return;
    if (markdown->count++ == 0)
        fprintf(markdown->out, "### %s\n\n| case | verdict | seen |\n|---|---|---|\n",
                markdown->verbose ? "All" : "Surprises and failures");
    char *message = report_case_message(found);
    markdown->failed = markdown->failed || message == NULL;
    fputs("| ", markdown->out);
    escape_markdown(markdown->out, found->suite);
    fputc('/', markdown->out);
    escape_markdown(markdown->out, found->name);
    fprintf(markdown->out, bad ? " | **%s** | " : " | %s | ", found->type);
    escape_markdown(markdown->out, message != NULL ? message : "");
    fputs(" |\n", markdown->out);
    free(message);
}

int report_write_markdown(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    struct markdown markdown = {.out = out, .verbose = style->verbose};

    fputs("# gridlock\n\n", out);
    for (size_t i = 0; i < report_device_count(report); ++i) {
        write_device(out, report_device(report, i));
        if (report->kind == REPORT_LIMITS)
            write_limits(out, &report->limits.devices[i]);
        else if (report->kind == REPORT_PROGRESS)
            write_progress(out, &report->progress.devices[i]);
        else
            write_scenarios(out, &report->run.devices[i]);
        markdown.count = 0;
        report_each_case(report, i, write_case, &markdown);
        if (markdown.count > 0)
            fputc('\n', out);
    }
    return markdown.failed ? error_set(error, STATUS_HARNESS, "no memory for the report") : 0;
}

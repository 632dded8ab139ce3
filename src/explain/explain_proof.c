/* Which launch of a run of proofs is explained, and in words. */
#include "core/text.h"
#include "explain/explain.h"
#include "explain/proof_story.h"
#include "format/escape.h"
#include "format/proof.h"

#include <inttypes.h>
#include <string.h>

/* --- which launch --- */

static bool is_named(const struct proof_row *row, const char *wanted)
{
    char id[RUN_ID_BYTES], name[PROOF_NAME], shape[SHAPE_BYTES], launch[PROOF_LAUNCH];
    char shown[PROOF_NAME + PROOF_LAUNCH + 2];

    trial_point_id(&row->trial, id, sizeof id);
    proof_print_name(&row->trial, name, shape);
    proof_print_launch(&row->trial, launch);
    snprintf(shown, sizeof shown, "%s, %s", name, launch);
    return strcmp(wanted, id) == 0 || strcmp(wanted, shown) == 0;
}

/* Without a name: how much it is worth to be told. */
static int rank(const struct proof_row *row)
{
    return row->batches.surprise ? 2 : row->proved != PROOF_NOTHING && row->result.stall_count > 0;
}

int explain_find_proof(const struct report *report, const struct evidence_wanted *wanted,
                       const struct proofs_device **device, const struct proof_row **row, struct error *error)
{
    int best = -1;

    for (size_t i = 0; i < report->proofs.count; ++i) {
        const struct proofs_device *of = &report->proofs.devices[i];
        for (size_t j = 0; evidence_is_on(wanted, &of->stored.info) && j < of->count; ++j) {
            const int now = wanted->trial != NULL ? is_named(&of->rows[j], wanted->trial) - 1 : rank(&of->rows[j]);
            if (now <= best)
                continue;
            best = now;
            *device = of;
            *row = &of->rows[j];
        }
    }
    if (best >= 0)
        return 0;
    if (wanted->trial == NULL)
        return error_set(error, STATUS_USAGE, "this run has no launch");
    return error_set(error, STATUS_USAGE, "this run has no launch '%.160s'; gridlock report lists those it has",
                     wanted->trial);
}

/* --- as text --- */

void proof_print_head(FILE *out, const struct proof_explained *explained)
{
    struct text_lines lines;
    FILE *line = text_lines_begin(&lines);
    char launch[PROOF_LAUNCH];

    proof_print_launch(&explained->row->trial, launch);
    escape_text(line, explained->name);
    fprintf(line, ", %s: %s", launch, proof_verdict_name(explained->row->proved));
    text_lines_end(&lines, out, "", "  ");
    proof_text_answer(text_lines_begin(&lines), explained->row);
    text_lines_end(&lines, out, "  ", "    ");
}

static void print_classes(FILE *out, const struct proof_account *account, const char *indent, const char *deeper)
{
    for (uint32_t i = 0; i < account->count; ++i) {
        char line[2 * STORY_TEXT], does[STORY_TEXT];
        proof_story_groups(account->classes[i].groups, line, STORY_TEXT);
        proof_story_class(account, i, does, sizeof does);
        text_append(line, sizeof line, " %s", does);
        text_clean_lines(out, indent, deeper, line);
    }
}

/* The stalls that the rest does not tell of. */
static void print_others(FILE *out, const struct proof_explained *explained)
{
    const struct proof_result *result = &explained->row->result;
    const uint32_t told = explained->subject == TELL_STALL;

    if (result->stall_count > told)
        fputs(told ? "\nHow else it need not end\n" : "\nHow it need not end\n", out);
    for (uint32_t i = told; i < result->stall_count; ++i) {
        struct proof_account account;
        char text[STORY_TEXT] = "";
        proof_account_make(result, &result->stalls[i], &account);
        proof_story_stall(&account, text, sizeof text);
        text_clean_lines(out, "  ", "  ", text);
        print_classes(out, &account, "    ", "      ");
    }
}

int proof_explain_text(FILE *out, const struct proof_explained *explained, struct error *error)
{
    struct story story;

    (void)error;
    proof_print_head(out, explained);
    if (explained->subject == TELL_NOTHING)
        return 0;
    proof_story_tell(explained, &story);
    fputs("\nWhat happens\n", out);
    text_clean_lines(out, "  ", "  ", story.happened);
    if (explained->subject == TELL_STALL) {
        fputs("\nWho waits for whom\n", out);
        print_classes(out, &explained->account, "  ", "    ");
    }
    fputs("\nHow it comes to that\n", out);
    proof_text_way(out, &explained->row->result, (uint32_t)(explained->way - explained->row->result.ways));
    if (story.allowed[0] != '\0') {
        fputs("\nWhy a device allows it\n", out);
        text_clean_lines(out, "  ", "  ", story.allowed);
    }
    if (story.remedy_count > 0)
        fputs("\nWhat to do\n", out);
    for (size_t i = 0; i < story.remedy_count; ++i)
        text_clean_lines(out, "  ", "  ", story.remedies[i]);
    print_others(out, explained);
    escape_each(escape_text, out, "\nRepeat it\n  ", story.repeat, "\n", NULL);
    story_fini(&story);
    return 0;
}

/* --- in each format --- */

int proof_need_way(const struct proof_explained *explained, const char *format, struct error *error)
{
    if (explained->way != NULL)
        return 0;
    return error_set(
        error, STATUS_USAGE,
        "%.160s: nothing goes wrong with this launch, so there is nothing to draw as %s; --format text shows "
        "what was proved",
        explained->name, format);
}

int explain_proof(FILE *out, struct store *store, const struct evidence_wanted *wanted, unsigned format,
                  struct error *error)
{
    static proof_writer *const writers[] = {proof_explain_text,
                                            proof_explain_json,
                                            proof_explain_dot,
                                            proof_explain_svg,
                                            NULL,
                                            proof_explain_timeline,
                                            NULL};
    static struct proof_explained explained;
    struct report report = {.heads = NULL};
    const struct proofs_device *device = NULL;
    const struct proof_row *row = NULL;
    int result = report_read(&report, store, error);

    if (result == 0 && writers[format] == NULL)
        result =
            error_set(error, STATUS_USAGE, "proofs can be explained as text, json, dot, svg and timeline, not as %s",
                      explain_formats.names[format]);
    if (result == 0)
        result = explain_find_proof(&report, wanted, &device, &row, error);
    if (result == 0 && row != NULL) {
        proof_explained_make(row, report_run(&report, row->run), &explained);
        result = writers[format](out, &explained, error);
    }
    report_fini(&report);
    return result;
}

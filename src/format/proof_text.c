#include "core/text.h"
#include "format/escape.h"
#include "format/kind.h"
#include "format/proof.h"
#include "proof/needs.h"
#include "proof/race.h"

#include <string.h>

enum { STEPS_SHOWN = 24, RACES_SHOWN = 8 };

static const char *const kinds[] = {"reads", "writes", "updates", "waits"};
static const char margin[] = "      ";

void proof_text_item(FILE *out, const struct proof_result *result, uint32_t item)
{
    fprintf(out, "group %" PRIu32, item / result->items);
    if (result->items > 1)
        fprintf(out, ", work-item %" PRIu32, item % result->items);
}

void proof_text_object(FILE *out, const struct proof_result *result, uint32_t object, uint64_t offset, uint32_t bytes)
{
    escape_text(out, result->texts[object]);
    if (bytes > 0 && offset % bytes == 0)
        fprintf(out, "[%" PRIu64 "]", offset / bytes);
    else
        fprintf(out, " at byte %" PRIu64, offset);
}

void proof_text_access(FILE *out, const struct proof_result *result, const struct proof_told *told)
{
    if (told->bytes == 0)
        fputs("goes round", out);
    else {
        fprintf(out, "%s ", kinds[told->kind]);
        proof_text_object(out, result, told->object, told->offset, told->bytes);
    }
    if (result->texts[told->line][0] != '\0')
        escape_each(escape_text, out, " at ", result->texts[told->line], NULL);
}

static void print_step(FILE *out, const struct proof_result *result, const struct proof_told *told)
{
    fputs(margin, out);
    proof_text_item(out, result, told->item);
    fputc(' ', out);
    proof_text_access(out, result, told);
    if (told->bytes > 0 && told->after != told->before)
        fprintf(out, ": %" PRIu64 " becomes %" PRIu64, told->before, told->after);
    else if (told->bytes > 0)
        fprintf(out, ": %s%" PRIu64, told->kind == PROOF_LOAD ? "" : "stays ", told->before);
    fputc('\n', out);
}

/* Behind as many that are left out already. */
static void print_steps(FILE *out, const struct proof_result *result, uint32_t first, uint32_t count, uint32_t left_out)
{
    const uint32_t skipped = count > STEPS_SHOWN ? count - STEPS_SHOWN : 0;

    if (left_out + skipped > 0)
        fprintf(out, "%s(%" PRIu32 " steps before)\n", margin, left_out + skipped);
    for (uint32_t i = skipped; i < count; ++i)
        print_step(out, result, &result->told[first + i]);
}

void proof_text_way(FILE *out, const struct proof_result *result, uint32_t number)
{
    const struct proof_way *way = &result->ways[number];

    print_steps(out, result, way->first, way->count - way->circle, way->left_out);
    if (way->circle == 0)
        return;
    fputs("    and then again and again:\n", out);
    print_steps(out, result, way->first + way->count - way->circle, way->circle, 0);
}

static void print_stall(FILE *out, const struct proof_result *result, const struct proof_stall *stall)
{
    char promise[PROOF_PROMISE_TEXT];
    struct text_lines lines;

    fprintf(text_lines_begin(&lines), "It need not end if only this is promised: %s.",
            proof_promise_text(&stall->promise, result->groups, promise));
    text_lines_end(&lines, out, "  ", "    ");
    proof_text_way(out, result, stall->way);
    if (result->ways[stall->way].circle == 0)
        fputs("    and then nobody can go on: a dead end\n", out);
}

void proof_text_race(FILE *out, const struct proof_result *result, const struct proof_race_told *race)
{
    proof_text_item(out, result, race->first.item);
    fputc(' ', out);
    proof_text_access(out, result, &race->first);
    fputs(", ", out);
    proof_text_item(out, result, race->second.item);
    fputc(' ', out);
    proof_text_access(out, result, &race->second);
    fputs(race->why == PROOF_NOT_ATOMIC ? "; nothing orders them, and not both are atomic."
                                        : "; nothing orders them, and their scopes do not include each other.",
          out);
}

static void print_races(FILE *out, const struct proof_result *result)
{
    struct text_lines lines;

    for (uint32_t i = 0; i < result->raced_count && i < RACES_SHOWN; ++i) {
        FILE *line = text_lines_begin(&lines);
        fputs("Data race: ", line);
        proof_text_race(line, result, &result->raced[i]);
        text_lines_end(&lines, out, "  ", "    ");
    }
    if (result->races > result->raced_count || result->raced_count > RACES_SHOWN)
        fprintf(out, "  %" PRIu32 " pairs of places race.\n", result->races);
}

void proof_text_wrong(FILE *out, const struct proof_result *result)
{
    const struct proof_wrong *wrong = &result->wrong;
    char is[PROOF_NUMBER_TEXT], right[PROOF_NUMBER_TEXT];

    if (wrong->bytes == 0)
        return;
    fputc(' ', out);
    proof_text_object(out, result, wrong->object, wrong->offset, wrong->bytes);
    fprintf(out, " is %s, and %s is right.", proof_number_text(wrong, wrong->is, is),
            proof_number_text(wrong, wrong->right, right));
}

static void print_wrong(FILE *out, const struct proof_result *result)
{
    fputs("  It ends with a wrong result:", out);
    proof_text_wrong(out, result);
    fputc('\n', out);
    proof_text_way(out, result, result->wrong.way);
}

static void print_finals(FILE *out, const struct proof_result *result)
{
    if (result->wrong_finals > 0)
        print_wrong(out, result);
    if (result->unchecked > 0)
        fprintf(out, "  %" PRIu32 " of %" PRIu32 " results were not held against what is right.\n", result->unchecked,
                result->finals);
    if (result->finals == 1)
        fprintf(out, "  It ends with the same memory in every schedule%s.\n",
                result->extent == PROOF_ALL ? "" : " that was explored");
    if (result->difference_count == 0)
        return;
    const struct proof_difference *difference = &result->differences[0];
    fprintf(out, "  It ends with %" PRIu32 " different memories: ", result->finals);
    proof_text_object(out, result, difference->object, difference->offset, difference->bytes);
    fprintf(out, " is %" PRIu64 " or %" PRIu64 ".\n", difference->values[0], difference->values[1]);
}

static const char *extent_words(uint32_t extent)
{
    static const char *const words[PROOF_EXTENTS] = {
        [PROOF_ALL] = "all of them",
        [PROOF_TO_FAULT] = "up to the first fault",
        [PROOF_TO_MEMORY] = "until its memory was used up",
        [PROOF_TO_TIME] = "until its time was up",
        [PROOF_LEFT_ALONE] = "until a work-item went on alone for too long",
    };
    return words[extent];
}

/* The sentence that answers. */
static void print_answer(FILE *out, const struct proof_row *row)
{
    struct proof_needs needs;
    char text[PROOF_NEEDS_TEXT];

    proof_needs_find(&row->result.progress, &needs);
    switch (row->proved) {
    case PROOF_FAULT:
        fputs("wrong on every device: ", out);
        if (row->result.texts[row->result.fault_line][0] != '\0')
            escape_each(escape_text, out, "", row->result.texts[row->result.fault_line], ": ", NULL);
        escape_text(out, row->result.fault);
        return;
    case PROOF_NOTHING:
        fputs(row->incomplete ? "it was begun, and did not end" : "not explored: ", out);
        if (!row->incomplete && row->note[0] == '\0')
            fprintf(out, "not one state, %s", extent_words(row->result.extent));
        escape_text(out, row->note);
        return;
    case PROOF_NOT_REFUTED:
        fputs("not refuted; what was explored ", out);
        break;
    default:
        break;
    }
    fputs(proof_needs_text(&needs, text), out);
    if (row->exceeds)
        fputs(", which is more than --needs allows", out);
    if (row->unsafe)
        fputs(", and is not safe on a device of --limits", out);
    if (row->proved == PROOF_RESULT)
        fprintf(out, "; %" PRIu32 " of %" PRIu32 " results are wrong", row->result.wrong_finals, row->result.finals);
    if (row->result.races > 0)
        fputs("; it has data races", out);
}

void proof_print_name(const struct trial *trial, char name[PROOF_NAME], char shape[SHAPE_BYTES])
{
    const struct subject *subject = &trial->footprint.subject;
    const bool is_ours = subject->file[0] == '\0';

    if (is_ours)
        snprintf(name, PROOF_NAME, "%s%s%s", trial->work.scenario, trial->work.point[0] != '\0' ? " " : "",
                 trial->work.point);
    else
        snprintf(name, PROOF_NAME, "%s%s%s", subject->file, subject->kernel[0] != '\0' ? ":" : "", subject->kernel);
    if (is_ours && trial->work.range.dimensions == 0)
        snprintf(shape, SHAPE_BYTES, "%" PRIu32, trial->footprint.local_size);
    else
        nd_range_print_shape(is_ours ? &trial->work.range : &subject->shape, shape);
}

void proof_text_answer(FILE *out, const struct proof_row *row)
{
    print_answer(out, row);
}

static void print_ignored(FILE *out, const struct proof_result *result)
{
    struct text_lines lines;

    escape_each(escape_text, text_lines_begin(&lines), "States are compared without ", result->texts[result->ignored],
                result->ignored_read
                    ? ", as if it never changed: all of this holds if nothing but how often depends on it."
                    : ", which nobody reads.",
                NULL);
    text_lines_end(&lines, out, "  ", "    ");
}

static void print_row(FILE *out, const struct text_style *style, const struct proof_row *row)
{
    const struct proof_result *result = &row->result;
    char name[PROOF_NAME], shape[SHAPE_BYTES];
    struct text_lines lines;

    proof_print_name(&row->trial, name, shape);
    escape_text(out, name);
    fprintf(out, ", %" PRIu32 " group%s of %s\n", row->trial.groups, text_s(row->trial.groups), shape);
    color_begin(out, row->batches.surprise ? style->colors->surprise : "");
    print_answer(text_lines_begin(&lines), row);
    text_lines_end(&lines, out, "  ", "    ");
    color_end(out, row->batches.surprise ? style->colors->surprise : "");
    if (row->proved == PROOF_NOTHING)
        return;
    if (row->proved == PROOF_FAULT)
        proof_text_way(out, result, result->fault_way);
    print_races(out, result);
    for (uint32_t i = 0; i < result->stall_count; ++i)
        print_stall(out, result, &result->stalls[i]);
    print_finals(out, result);
    if (result->texts[result->sequential][0] != '\0')
        text_clean_lines(out, "  As if sequentially consistent: ", "    ", result->texts[result->sequential]);
    if (result->texts[result->ignored][0] != '\0')
        print_ignored(out, result);
    if (result->texts[result->made_up][0] != '\0')
        text_clean_lines(out, "  Made up: ", "    ", result->texts[result->made_up]);
    fprintf(out, "  %" PRIu64 " states of %" PRIu64 " bytes were explored, %s, in %.3f s.\n", result->known,
            result->states > 0 ? result->bytes / result->states : 0, extent_words(result->extent),
            (double)result->duration_ns / 1e9);
    if (result->walked > 0)
        fprintf(out, "  Of what was left %" PRIu64 " launches by lot took %" PRIu64 " steps: %s.\n", result->walked,
                result->walk_steps, result->walk_found ? "the last one went wrong" : "none went wrong");
}

void proof_text(FILE *out, const struct report *report, size_t number, const struct text_style *style)
{
    const struct proofs_device *device = &report->proofs.devices[number];

    for (size_t i = 0; i < device->count; ++i) {
        fputs(i > 0 ? "\n" : "", out);
        print_row(out, style, &device->rows[i]);
    }
    proof_text_here(out, report, number, style);
}

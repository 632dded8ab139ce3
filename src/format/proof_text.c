#include "core/text.h"
#include "format/escape.h"
#include "format/kind.h"
#include "format/proof.h"
#include "proof/needs.h"
#include "proof/race.h"
#include "proof/verdict.h"

#include <string.h>

enum { STEPS_SHOWN = 24, RACES_SHOWN = 8 };

static const char *const kinds[] = {"reads", "writes", "updates", "waits"};
static const char margin[] = "      ";

/* "group 1", or, of several work-items, "group 1, work-item 0". */
static void tell_item(FILE *out, const struct proof_result *result, uint32_t item)
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

/* "reads tail[1] at a.cl:14" */
static void tell_access(FILE *out, const struct proof_result *result, const struct proof_told *told)
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

/* The same to who reads it: a compiler may have made several instructions of one place, or of one turn of a loop. */
static bool is_alike(const struct proof_told *a, const struct proof_told *b)
{
    return a->item == b->item && a->line == b->line && a->object == b->object && a->bytes == b->bytes &&
           a->offset == b->offset && a->before == b->before && a->after == b->after && a->kind == b->kind;
}

/* What local memory has before anybody writes it (model/space.c); that of a byte may as well be written. */
static bool is_unwritten(const struct proof_result *result, const struct proof_told *told, uint64_t value)
{
    static const char local[] = "local memory of group "; /* which no argument is called */
    const uint32_t bytes = told->bytes < sizeof value ? told->bytes : sizeof value;

    return bytes > 1 && value == UINT64_C(0xa5a5a5a5a5a5a5a5) >> 8 * (sizeof value - bytes) &&
           strncmp(result->texts[told->object], local, sizeof local - 1) == 0;
}

static void tell_value(FILE *out, const struct proof_result *result, const struct proof_told *told, uint64_t value)
{
    if (is_unwritten(result, told, value))
        fputs("unwritten", out);
    else
        fprintf(out, "%" PRIu64, value);
}

static void print_step(FILE *out, const struct proof_result *result, const struct proof_told *told, uint32_t times)
{
    fputs(margin, out);
    tell_item(out, result, told->item);
    fputc(' ', out);
    tell_access(out, result, told);
    if (told->bytes > 0) {
        const bool changes = told->after != told->before;
        fputs(changes || told->kind == PROOF_LOAD ? ": " : ": stays ", out);
        tell_value(out, result, told, told->before);
        fputs(changes ? " becomes " : "", out);
        if (changes)
            tell_value(out, result, told, told->after);
    }
    if (times > 1)
        fprintf(out, ", %" PRIu32 " times", times);
    fputc('\n', out);
}

/* The first of the steps that are shown, the last ones: those that are alike are shown as one. */
static uint32_t first_shown(const struct proof_told *told, uint32_t count)
{
    uint32_t at = count, shown = 0;

    while (at > 0 && (shown < STEPS_SHOWN || is_alike(&told[at - 1], &told[at])))
        shown += at-- == count || !is_alike(&told[at], &told[at + 1]);
    return at;
}

/* Behind as many that are left out already. */
static void print_steps(FILE *out, const struct proof_result *result, uint32_t first, uint32_t count, uint32_t left_out)
{
    const struct proof_told *told = &result->told[first];
    uint32_t at = first_shown(told, count);

    if (left_out + at > 0)
        fprintf(out, "%s(%" PRIu32 " steps before)\n", margin, left_out + at);
    for (uint32_t times; at < count; at += times) {
        for (times = 1; at + times < count && is_alike(&told[at], &told[at + times]); ++times)
            continue;
        print_step(out, result, &told[at], times);
    }
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
    static const char *const why[PROOF_RACE_CAUSES] = {
        "; nothing orders them, and not both are atomic.",
        "; nothing orders them, and their scopes do not include each other.",
        "; a mem_fence or barrier between them is for its own work-group alone: use memory_scope_device.",
    };

    tell_item(out, result, race->first.item);
    fputc(' ', out);
    tell_access(out, result, &race->first);
    fputs(", ", out);
    tell_item(out, result, race->second.item);
    fputc(' ', out);
    tell_access(out, result, &race->second);
    fputs(why[race->why], out);
    if (race->same)
        fprintf(out, " Both write %" PRIu64 ", which is undefined all the same.", race->first.after);
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
        fprintf(out, "  %" PRIu32 " pair%s of places race%s.\n", result->races, text_s(result->races),
                result->races == 1 ? "s" : "");
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
    fprintf(out, " is %" PRIu64 " or %" PRIu64 "%s.\n", difference->values[0], difference->values[1],
            result->finals > 2 ? ", for example" : "");
}

static bool is_open_for_races(const struct proof_result *result)
{
    return proof_judge_as_made_up(result) == PROOF_NOT_REFUTED && result->extent == PROOF_ALL && !result->races_known;
}

/* Races that are told above may be those of these launches, too. */
static const char *found_words(uint32_t found, bool races)
{
    static const char *const words[] = {[PROOF_WALKS_FOUND_NOTHING] = "none went wrong",
                                        [PROOF_WALK_WENT_WRONG] = "the last one went wrong",
                                        [PROOF_WALKS_RACED] = "there are data races"};
    if (found == PROOF_WALKS_FOUND_NOTHING && races)
        return "none stalled, or did what no kernel may";
    return words[found <= PROOF_WALKS_RACED ? found : PROOF_WALK_WENT_WRONG];
}

static const char *extent_words(uint32_t extent)
{
    static const char *const words[PROOF_EXTENTS] = {
        [PROOF_ALL] = "all of them",
        [PROOF_TO_FAULT] = "up to the first fault",
        [PROOF_TO_MEMORY] = "until its memory was used up",
        [PROOF_TO_TIME] = "until its time was up",
        [PROOF_LEFT_ALONE] = "until a work-item went on alone for too long",
        [PROOF_OF_LESS] = "all of them, but of a launch that shows too little",
    };
    return words[extent];
}

static const char *unless(const struct proof_row *row)
{
    return row->result.numbers_made_up > 0 ? ", unless it is for what is made up" : "";
}

/* The sentence that answers. */
static void print_answer(FILE *out, const struct proof_row *row)
{
    struct proof_needs needs;
    char text[PROOF_NEEDS_TEXT];

    proof_needs_find(&row->result.progress, &needs);
    switch (proof_judge_as_made_up(&row->result)) {
    case PROOF_FAULT:
        fprintf(out, "wrong on every device%s: ", unless(row));
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
    default: /* one that goes wrong may need more than is known */
        if (needs.count > 0 && row->result.extent != PROOF_ALL)
            fputs("what was explored ", out);
        break;
    }
    fputs(proof_needs_text(&needs, text), out);
    if (needs.count == 0)
        fputs(unless(row), out);
    if (row->exceeds)
        fputs(", which is more than --needs allows", out);
    if (row->unsafe)
        fputs(", and is not safe on a device of --limits", out);
    if (row->proved == PROOF_RESULT)
        fprintf(out, "; %" PRIu32 " of %" PRIu32 " results are wrong", row->result.wrong_finals, row->result.finals);
    if (row->result.races > 0)
        fprintf(out, "; it has data races%s", unless(row));
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

static void print_made_up(FILE *out, const struct proof_row *row)
{
    const bool is_bad = proof_is_bad(proof_judge_as_made_up(&row->result));
    struct text_lines lines;
    FILE *line = text_lines_begin(&lines);

    escape_each(escape_text, line, "Made up: ", row->result.texts[row->result.made_up], NULL);
    if (is_bad)
        fputs(". What is wrong may be these: --arg says what the program gives, and --local-size which groups it "
              "launches.",
              line);
    text_lines_end(&lines, out, "  ", "    ");
}

/* What is made up of a launch may be the launch itself. */
static bool is_another(const struct proof_row *row)
{
    const struct trial *trial = &row->trial;
    return row->proved != PROOF_NOTHING && trial->footprint.subject.file[0] != '\0' &&
           trial->work.range.dimensions == 0 &&
           (row->result.groups != trial->groups ||
            row->result.items != nd_range_local_size(&trial->footprint.subject.shape));
}

static void print_head(FILE *out, const struct proof_row *row)
{
    char name[PROOF_NAME], shape[SHAPE_BYTES], launch[PROOF_LAUNCH];
    const uint32_t groups = row->result.groups;

    proof_print_name(&row->trial, name, shape);
    escape_text(out, name);
    proof_print_launch(&row->trial, launch);
    fprintf(out, ", %s", launch);
    if (is_another(row))
        fprintf(out, " (explored: %" PRIu32 " group%s of %" PRIu32 ")", groups, text_s(groups), row->result.items);
    fputc('\n', out);
}

static void print_row(FILE *out, const struct text_style *style, const struct proof_row *row)
{
    const struct proof_result *result = &row->result;
    struct text_lines lines;

    print_head(out, row);
    color_begin(out, row->batches.surprise ? style->colors->surprise : "");
    print_answer(text_lines_begin(&lines), row);
    text_lines_end(&lines, out, "  ", "    ");
    color_end(out, row->batches.surprise ? style->colors->surprise : "");
    if (row->proved == PROOF_NOTHING)
        return;
    if (result->fault[0] != '\0')
        proof_text_way(out, result, result->fault_way);
    print_races(out, result);
    if (is_open_for_races(result))
        fputs("  Data races were not all looked for: there are too many states.\n", out);
    for (uint32_t i = 0; i < result->stall_count; ++i)
        print_stall(out, result, &result->stalls[i]);
    print_finals(out, result);
    if (result->texts[result->sequential][0] != '\0')
        text_clean_lines(out, "  As if sequentially consistent: ", "    ", result->texts[result->sequential]);
    if (result->texts[result->ignored][0] != '\0')
        print_ignored(out, result);
    if (result->texts[result->grows][0] != '\0')
        escape_each(escape_text, out, "  ", result->texts[result->grows], " only grew: try --ignore '",
                    result->texts[result->grows], "', if nothing but how often depends on it.\n", NULL);
    if (result->texts[result->unwritten][0] != '\0')
        text_clean_lines(out, "  Unless it is for what is made up: ", "    ", result->texts[result->unwritten]);
    if (result->texts[result->made_up][0] != '\0')
        print_made_up(out, row);
    if (result->known == 1)
        fputs("  1 state was explored", out);
    else
        fprintf(out, "  %" PRIu64 " states of %" PRIu64 " bytes were explored", result->known,
                result->states > 0 ? result->bytes / result->states : 0);
    fprintf(out, ", %s, in %.3f s.\n", extent_words(result->extent), (double)result->duration_ns / 1e9);
    if (result->walked > 0)
        fprintf(out, "  Of what was left %" PRIu64 " launch%s by lot took %" PRIu64 " steps: %s.\n", result->walked,
                result->walked == 1 ? "" : "es", result->walk_steps,
                found_words(result->walk_found, result->races > 0));
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

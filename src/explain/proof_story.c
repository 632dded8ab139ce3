#include "explain/proof_story.h"

#include "base/alloc.h"
#include "base/words.h"
#include "core/text.h"
#include "format/proof.h"
#include "proof/needs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- parts of sentences --- */

void proof_story_groups(uint32_t groups, char *text, size_t size)
{
    const bool many = (groups & (groups - 1)) != 0;

    snprintf(text, size, "group%s", many ? "s" : "");
    for (uint32_t first = 0, end; first < PROOF_GROUPS; first = end + 1) {
        for (end = first; end < PROOF_GROUPS && (groups >> end & 1) != 0;)
            ++end;
        if (end == first)
            continue;
        const char *between = (groups & ((UINT32_C(1) << first) - 1)) == 0 ? " " : ", ";
        text_append(text, size, end - first > 2 ? "%s%" PRIu32 "-%" PRIu32 : "%s%" PRIu32, between, first, end - 1);
        if (end - first == 2)
            text_append(text, size, ", %" PRIu32, end - 1);
    }
}

void proof_story_place(const struct proof_result *result, const struct proof_told *told, char *text, size_t size)
{
    char *place = NULL;
    FILE *out = xopen_memstream(&place, NULL);

    proof_text_object(out, result, told->object, told->offset, told->bytes);
    xclose_memstream(out, &place);
    snprintf(text, size, "%s", place);
    free(place);
}

static const char *line_of(const struct proof_result *result, uint32_t line)
{
    return result->texts[line][0] != '\0' ? result->texts[line] : "a place that is not known";
}

static uint32_t count_bits(uint32_t groups)
{
    uint32_t count = 0;
    for (; groups != 0; groups &= groups - 1)
        ++count;
    return count;
}

static bool is_one(const struct proof_class *class)
{
    return count_bits(class->groups) == 1;
}

/* Who would end the wait, and why that does not come. */
static void tell_awaited(const struct proof_account *account, uint32_t number, char *text, size_t size)
{
    const struct proof_wait *wait = &account->result->waits[number];
    const struct proof_told *last = proof_account_last(account, number);
    char groups[STORY_TEXT];

    if (wait->writers != 0) {
        proof_story_groups(wait->writers, groups, sizeof groups);
        text_append(text, size, "; %s would change it at %s", groups, line_of(account->result, wait->line));
    } else if (last == NULL) {
        text_append(text, size, "; nobody ever changes it from here on");
    } else {
        text_append(text, size, "; group %" PRIu32 " made it %" PRIu64 " at %s, and nobody changes it from here on",
                    last->item / account->result->items, last->after, line_of(account->result, last->line));
    }
}

static void tell_waits(const struct proof_account *account, const struct proof_class *class, char *text, size_t size)
{
    snprintf(text, size, "wait%s", is_one(class) ? "s" : "");
    for (uint32_t i = 0; i < class->wait_count; ++i) {
        const struct proof_told *step = proof_account_step(account, class->waits[i]);
        char place[STORY_TEXT];
        proof_story_place(account->result, step, place, sizeof place);
        text_append(text, size, "%s at %s for %s, which is %" PRIu64, i > 0 ? "; and" : "",
                    line_of(account->result, step->line), place, step->before);
        tell_awaited(account, class->waits[i], text, size);
    }
}

/* Why a group that has not started need not start. */
static void tell_outside(const struct proof_account *account, bool one, char *text, size_t size)
{
    const struct proof_promise *promise = &account->stall->promise;
    const uint32_t inside = account->stall->started & ~account->stall->ended;
    char groups[STORY_TEXT];

    proof_story_groups(inside, groups, sizeof groups);
    if (inside != 0 && count_bits(inside) >= promise->places && promise->places < account->result->groups)
        snprintf(text, size, "never started: %s hold%s the only place%s there %s", groups,
                 count_bits(inside) == 1 ? "s" : "", promise->places == 1 ? "" : "s",
                 promise->places == 1 ? "is" : "are");
    else
        snprintf(text, size, "never started, which is not promised to %s",
                 promise->model == PROOF_UNFAIR ? "anybody"
                 : one                          ? "it"
                                                : "them");
}

void proof_story_class(const struct proof_account *account, uint32_t number, char *text, size_t size)
{
    const struct proof_class *class = &account->classes[number];
    const bool one = is_one(class);

    switch (class->standing) {
    case STANDS_OUTSIDE:
        tell_outside(account, one, text, size);
        break;
    case STANDS_WAITING:
        tell_waits(account, class, text, size);
        break;
    case STANDS_ROUND:
        snprintf(text, size, "%s round, and change%s what others see", one ? "goes" : "go", one ? "s" : "");
        break;
    case STANDS_ALONE:
        snprintf(text, size, "%s round, and access%s nothing that others see", one ? "goes" : "go", one ? "es" : "");
        break;
    case STANDS_IDLE:
        snprintf(text, size, "could go on, but %s no turns", one ? "is owed" : "are owed");
        break;
    case STANDS_AT_BARRIER:
        snprintf(text, size, "%s at a barrier that not all work-items of the group reach", one ? "waits" : "wait");
        break;
    default:
        snprintf(text, size, "%s ended", one ? "has" : "have");
    }
}

/* --- what happened --- */

void proof_story_stall(const struct proof_account *account, char *text, size_t size)
{
    static const char *const because[PROOF_REASONS] = {
        [REASON_PLACES] = "groups that hold the places wait for one that has none",
        [REASON_ORDER] = "groups wait for one that need not start",
        [REASON_TURNS] = "a group that could go on is owed no turns",
        [REASON_FAIRNESS] = "a group has its turns always when they are of no use to it",
        [REASON_CIRCLE] = "groups wait for each other in a circle",
        [REASON_LOST] = "a group waits for what nobody writes any more",
        [REASON_ROUND] = "groups go round, and none gets on",
        [REASON_DEAD_END] = "not all work-items of a group come to its barrier",
    };
    char promise[PROOF_PROMISE_TEXT];

    text_append(text, size, "If only this is promised, the launch need not end: %s. Then %s.",
                proof_promise_text(&account->stall->promise, account->result->groups, promise),
                because[account->reason]);
}

static void tell_race(const struct proof_result *result, const struct proof_race_told *race, struct story *story)
{
    char *text = NULL;
    FILE *out = xopen_memstream(&text, NULL);

    proof_text_race(out, result, race);
    xclose_memstream(out, &text);
    text_append(story->happened, STORY_TEXT, "Two accesses race: %s", text);
    free(text);
}

static void tell_wrong(const struct proof_result *result, struct story *story)
{
    char *text = NULL;
    FILE *out = xopen_memstream(&text, NULL);

    proof_text_wrong(out, result);
    xclose_memstream(out, &text);
    text_append(story->happened, STORY_TEXT,
                "It ends with a wrong result in some schedules: %" PRIu32 " of %" PRIu32 " results are wrong.%s%s",
                result->wrong_finals, result->finals, text[0] != '\0' ? " In one of them" : "", text);
    free(text);
}

static void tell_happened(const struct proof_explained *explained, struct story *story)
{
    const struct proof_result *result = &explained->row->result;
    const char *line = explained->row->proved == PROOF_NOTHING ? "" : result->texts[result->fault_line];

    switch (explained->subject) {
    case TELL_STALL:
        proof_story_stall(&explained->account, story->happened, STORY_TEXT);
        break;
    case TELL_RACE:
        tell_race(result, &result->raced[0], story);
        break;
    case TELL_RESULT:
        tell_wrong(result, story);
        break;
    case TELL_FAULT:
        text_append(story->happened, STORY_TEXT, "%s%s%s.", line, line[0] != '\0' ? ": " : "", result->fault);
        break;
    default:
        break;
    }
}

/* --- why a device allows it --- */

static void tell_allowed(const struct proof_explained *explained, struct story *story)
{
    static const char *const why[PROOF_REASONS] = {
        [REASON_PLACES] =
            "A group holds its place until it ends, and no query tells how many places a device has. OpenCL "
            "promises none.",
        [REASON_ORDER] =
            "OpenCL does not say in which order groups start: a device may fill its places with those that wait.",
        [REASON_TURNS] = "A device may give its turns to those that wait.",
        [REASON_FAIRNESS] = "Each turn may come at a moment when the word is taken: that turns come again and again is "
                            "not that they come when they help.",
        [REASON_CIRCLE] = "No promise helps: each has all the turns that it can use.",
        [REASON_LOST] = "No promise helps: whoever waits has all the turns that it can use.",
        [REASON_ROUND] = "No promise helps: turns may come in such an order for ever.",
        [REASON_DEAD_END] = "No promise helps: nobody has a step left.",
    };
    struct proof_needs needs;
    char text[PROOF_NEEDS_TEXT];

    if (explained->subject == TELL_RACE)
        text_append(story->allowed, STORY_TEXT, "What a launch with a data race does is not defined.");
    if (explained->subject != TELL_STALL)
        return;
    proof_needs_find(&explained->row->result.progress, &needs);
    text_append(story->allowed, STORY_TEXT, "%s", why[explained->account.reason]);
    if (needs.count > 0)
        text_append(story->allowed, STORY_TEXT, " The launch %s.", proof_needs_text(&needs, text));
}

/* --- the command --- */

static void add_option(FILE *out, const char *option, const char *value)
{
    fputc(' ', out);
    words_print(out, option);
    fputc(' ', out);
    words_print(out, value);
}

static bool is_given_again(const char *option)
{
    static const char *const options[] = {"arg", "result", "ignore", "rounds", "budget", "memory", "kernel-dir"};

    for (size_t i = 0; i < sizeof options / sizeof *options; ++i)
        if (strcmp(option, options[i]) == 0)
            return true;
    return false;
}

/* What was named: of a captured launch its folder, which has the arguments, and where the range begins. */
static const char *named(const struct proof_explained *explained)
{
    const struct trial *trial = &explained->row->trial;
    const char *file = trial->footprint.subject.file;

    for (size_t i = 0; explained->run != NULL && i < explained->run->asked_count; ++i) {
        const struct store_asked *asked = &explained->run->asked[i];
        const size_t length = strlen(asked->value);
        if (asked->option[0] == '\0' && strncmp(file, asked->value, length) == 0 &&
            strcmp(file + length, "/source.cl") == 0)
            return asked->value;
    }
    return file[0] != '\0' ? file : trial->work.scenario;
}

/* What was launched, where that is made up. */
static void print_launched(const struct proof_explained *explained, char groups[SHAPE_BYTES], char shape[SHAPE_BYTES])
{
    static const char *const before[] = {"", "1x", "1x1x"};
    const struct trial *trial = &explained->row->trial;
    const struct proof_result *result = &explained->row->result;
    const bool is_file = trial->footprint.subject.file[0] != '\0' && result->groups > 0;

    proof_print_groups(trial, groups);
    snprintf(shape, SHAPE_BYTES, "%s", explained->shape);
    if (is_file && result->column >= PROOF_SQUARE)
        snprintf(groups, SHAPE_BYTES, "%s", result->column == PROOF_SQUARE ? "2x2" : "2x2x2");
    else if (is_file && trial->work.range.dimensions == 0)
        snprintf(groups, SHAPE_BYTES, "%s%" PRIu32, before[result->column], result->groups);
    uint32_t side = 1;
    while (result->second == PROOF_SQUARE && (side + 1) * (side + 1) <= result->items)
        ++side;
    if (is_file && result->second == PROOF_SQUARE)
        snprintf(shape, SHAPE_BYTES, "%" PRIu32 "x%" PRIu32, side, side);
    else if (is_file && trial->footprint.subject.shape.dimensions == 1)
        snprintf(shape, SHAPE_BYTES, "%s%" PRIu32, before[result->second], result->items);
}

static char *make_command(const struct proof_explained *explained)
{
    const struct trial *trial = &explained->row->trial;
    const struct subject *subject = &trial->footprint.subject;
    char *line = NULL, groups[SHAPE_BYTES], shape[SHAPE_BYTES];
    FILE *out = xopen_memstream(&line, NULL);

    fputs("gridlock prove ", out);
    words_print(out, named(explained));
    if (subject->kernel[0] != '\0')
        add_option(out, "--kernel", subject->kernel);
    print_launched(explained, groups, shape);
    add_option(out, "--groups", groups);
    if (subject->file[0] != '\0')
        add_option(out, "--local-size", shape);
    if (subject->options[0] != '\0')
        add_option(out, "--build-options", subject->options);
    for (size_t i = 0; explained->run != NULL && i < explained->run->asked_count; ++i) {
        char option[2 + sizeof explained->run->asked->option];
        snprintf(option, sizeof option, "--%s", explained->run->asked[i].option);
        if (is_given_again(option + 2))
            add_option(out, option, explained->run->asked[i].value);
    }
    return xclose_memstream(out, &line);
}

/* --- all together --- */

/* Of stalls the first is told, which is the least short of what is needed. */
void proof_explained_make(const struct proof_row *row, const struct store_run *run, struct proof_explained *explained)
{
    const struct proof_result *result = &row->result;

    *explained = (struct proof_explained){.row = row, .run = run};
    proof_print_name(&row->trial, explained->name, explained->shape);
    if (row->proved == PROOF_NOTHING)
        return;
    const enum proof_verdict verdict = proof_judge_as_made_up(result);
    explained->subject = verdict == PROOF_FAULT                             ? TELL_FAULT
                         : verdict == PROOF_RESULT                          ? TELL_RESULT
                         : verdict == PROOF_RACE && result->raced_count > 0 ? TELL_RACE
                         : result->stall_count > 0                          ? TELL_STALL
                                                                            : TELL_NOTHING;
    if (explained->subject == TELL_STALL) {
        proof_account_make(result, &result->stalls[0], &explained->account);
        explained->way = explained->account.way;
    } else if (explained->subject != TELL_NOTHING) {
        explained->way = &result->ways[explained->subject == TELL_FAULT    ? result->fault_way
                                       : explained->subject == TELL_RESULT ? result->wrong.way
                                                                           : result->raced[0].way];
    }
}

void proof_story_tell(const struct proof_explained *explained, struct story *story)
{
    memset(story, 0, sizeof *story);
    tell_happened(explained, story);
    tell_allowed(explained, story);
    proof_remedy_tell(explained, story);
    story->repeat = make_command(explained);
}

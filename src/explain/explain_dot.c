#include "core/text.h"
#include "explain/explain.h"
#include "explain/filter.h"
#include "explain/sketch.h"
#include "explain/story.h"
#include "report/wording.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* --- what is drawn: classes of groups, and between them the words that they wait for --- */

enum { DRAWN_WORDS = 12 };

struct drawing {
    struct sketch sketch; /* is_circle: there is nothing else, and it has three classes or more */
    const struct evidence *evidence;
    struct story story;
    const struct grouping *grouping; /* of the story */
    uint32_t words[DRAWN_WORDS];     /* on the board; none, if there is no room for all */
    uint32_t word_count;
    bool on_circle[EXPLAIN_NODES]; /* of each class */
};

enum { FEW_CLASSES = 20 };

/* Returns the index of the word that the class waits for, or word_count: no word, several, or one not drawn. */
static uint32_t drawing_word(const struct drawing *drawing, const struct group_class *class)
{
    const bool waits = class->state == GROUP_WAITING || class->state == GROUP_READY;
    uint32_t word = 0;

    while (word < drawing->word_count && drawing->words[word] != class->wait_word)
        ++word;
    return waits && !class->mixed ? word : drawing->word_count;
}

/* A class with the only condition that anybody waits for at that word; NULL: there are several. */
static const struct group_class *drawing_condition(const struct drawing *drawing, uint32_t word)
{
    const struct group_class *only = NULL;

    for (uint32_t i = 0; i < drawing->grouping->count; ++i) {
        const struct group_class *class = &drawing->grouping->classes[i];
        if (drawing_word(drawing, class) != word)
            continue;
        if (only != NULL && (class->wait_kind != only->wait_kind || class->wait_value != only->wait_value))
            return NULL;
        only = class;
    }
    return only;
}

/* Classes that wait for each other as a part of the circle. */
static bool drawing_waits_on_circle(const struct drawing *drawing, uint32_t from, uint32_t to)
{
    return drawing->on_circle[from] && drawing->on_circle[to] && grouping_waits(drawing->grouping, from, to);
}

/* Collects the words that classes wait for; false: there is no room for them. */
static bool add_words(struct drawing *drawing)
{
    drawing->word_count = 0;
    for (uint32_t i = 0; i < drawing->grouping->count; ++i) {
        const struct group_class *class = &drawing->grouping->classes[i];
        const bool waits = class->state == GROUP_WAITING || class->state == GROUP_READY;
        if (!waits || class->mixed || drawing_word(drawing, class) < drawing->word_count)
            continue;
        if (drawing->word_count == DRAWN_WORDS || drawing->grouping->count + drawing->word_count >= EXPLAIN_NODES) {
            drawing->word_count = 0;
            return false;
        }
        drawing->words[drawing->word_count++] = class->wait_word;
    }
    return true;
}

/* Marks classes that are reached from those that are marked, along edges or against them. */
static void spread(const struct grouping *grouping, bool backwards, bool *marks)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < grouping->edge_count; ++i) {
            const struct class_edge edge = grouping->edges[i];
            const uint32_t from = backwards ? edge.to : edge.from, to = backwards ? edge.from : edge.to;
            changed = changed || (marks[from] && !marks[to]);
            marks[to] = marks[to] || marks[from];
        }
    }
}

/* Marks the classes through which a group waits for itself. */
static void find_circle(struct drawing *drawing)
{
    const struct grouping *grouping = drawing->grouping;
    const uint32_t at = drawing->evidence->observation.waitfor.circle_at;
    bool behind[EXPLAIN_NODES] = {false}, before[EXPLAIN_NODES] = {false};

    if (at >= drawing->evidence->board.groups)
        return;
    for (uint32_t i = 0; i < grouping->edge_count; ++i) {
        if (grouping->edges[i].from == grouping->class_of[at])
            behind[grouping->edges[i].to] = true;
        if (grouping->edges[i].to == grouping->class_of[at])
            before[grouping->edges[i].from] = true;
    }
    spread(grouping, false, behind);
    spread(grouping, true, before);
    for (uint32_t i = 0; i < grouping->count; ++i)
        drawing->on_circle[i] = behind[i] && before[i];
}

/* There is nothing but a circle of three or more classes: then it is drawn as one. */
static bool is_circle(const struct drawing *drawing)
{
    const struct grouping *grouping = drawing->grouping;

    for (uint32_t i = 0; i < grouping->count; ++i)
        if (!drawing->on_circle[i])
            return false;
    return grouping->count > 2 && grouping->edge_count == grouping->count;
}

static void tell(struct drawing *drawing, uint32_t most_classes)
{
    story_fini(&drawing->story);
    drawing->grouping = &drawing->story.grouping;
    story_tell(drawing->evidence, most_classes, &drawing->story);
}

/*
 * Completes a drawing that has its evidence. Takes the finest classes that leave it legible: with their words, or with
 * few edges, or few of them. Classes and words are at most EXPLAIN_NODES. The story is to be freed with story_fini.
 */
static void drawing_make(struct drawing *drawing)
{
    tell(drawing, EXPLAIN_NODES);
    if (!add_words(drawing) && drawing->grouping->edge_count > 2 * drawing->grouping->count) {
        tell(drawing, FEW_CLASSES);
        add_words(drawing);
    }
    find_circle(drawing);
    drawing->sketch.is_circle = is_circle(drawing);
}

/* --- how it is drawn --- */

enum { LABEL_TEXT = 512 };

static void print_title(FILE *out, const struct drawing *drawing)
{
    const struct evidence *evidence = drawing->evidence;
    const char *verdict = verdict_name(evidence->verdict), *cause = cause_title(evidence->cause);
    const bool caused = evidence->cause != CAUSE_NONE && strcmp(verdict, cause) != 0;
    char text[2 * LABEL_TEXT];

    snprintf(text, sizeof text, "%s", evidence->name);
    sketch_title(out, text);
    snprintf(text, sizeof text, "launch %" PRIu32 ": %s%s%s", evidence->launch, verdict, caused ? ", " : "",
             caused ? cause : "");
    sketch_title(out, text);
    snprintf(text, sizeof text, "on %s, driver %s", DEVICE_LABEL_OF(&evidence->device.info),
             evidence->device.info.driver_version);
    sketch_title(out, text);
    sketch_words(out, drawing->story.happened);
}

/* --- classes --- */

static void print_class(const struct drawing *drawing, uint32_t index)
{
    const struct group_class *class = &drawing->grouping->classes[index];
    char text[LABEL_TEXT], count[40] = "", round[40] = "", locks[40] = "", word[WORDING_WORD] = "";
    char groups[LABEL_TEXT / 2];

    wording_groups(class, groups, sizeof groups);
    if (class->count > 1)
        snprintf(count, sizeof count, "\n%" PRIu32 " groups", class->count);
    if (class->state != GROUP_NOT_STARTED && !class->mixed)
        snprintf(round, sizeof round, "%s %" PRIu32, class->state == GROUP_DONE ? ", after round" : " in round",
                 class->round);
    if (class->locks_held > 0 && !class->mixed)
        snprintf(locks, sizeof locks, "\n%s %" PRIu32 " lock%s", class->count > 1 ? "each holds" : "holds",
                 class->locks_held, text_s(class->locks_held));
    if (drawing->sketch.is_circle && drawing->word_count == 0)
        wording_word(drawing->evidence, class->wait_word, word, sizeof word);
    snprintf(text, sizeof text, "%s%s\n%s%s%s%s%s%s", groups, count, sketch_state(class->state), round,
             word[0] != '\0' ? "\nfor " : "", word, locks, drawing->on_circle[index] ? "\npart of the circle" : "");
    sketch_node(&drawing->sketch, sketch_name('g', index), class->state, drawing->on_circle[index], text);
}

/* --- words --- */

/* Why groups that could end a wait do not. */
static const char *but_of(enum group_state state)
{
    if (state == GROUP_NOT_STARTED)
        return ",\nwhich never started";
    return state == GROUP_DONE ? ",\nwhich ended" : "";
}

/* Whose duty it is to write the word, on a circle: there it is one class. */
static void print_writer(const struct drawing *drawing, uint32_t word, char *text, size_t size)
{
    const struct grouping *grouping = drawing->grouping;

    for (uint32_t i = 0; i < grouping->edge_count; ++i) {
        const struct group_class *from = &grouping->classes[grouping->edges[i].from];
        const struct group_class *to = &grouping->classes[grouping->edges[i].to];
        char groups[LABEL_TEXT / 4];
        if (drawing_word(drawing, from) != word)
            continue;
        wording_groups(to, groups, sizeof groups);
        snprintf(text, size, "\n%s %s%s", wording_awaited(from->wait_group)->duty, groups, but_of(to->state));
    }
}

static void print_word(const struct drawing *drawing, uint32_t index)
{
    const uint32_t word = drawing->words[index];
    const struct board *board = &drawing->evidence->board;
    const struct group_class *condition = drawing_condition(drawing, index);
    char text[LABEL_TEXT], name[WORDING_WORD], value[40] = "is not a word of the board", needed[40] = "";
    char writer[LABEL_TEXT / 2] = "";

    wording_word(drawing->evidence, word, name, sizeof name);
    if (word < board_words(board->groups, board->sync_words))
        snprintf(value, sizeof value, "is %" PRIu32, board->words[word]);
    if (condition != NULL)
        snprintf(needed, sizeof needed, "must %s %" PRIu32, wording_until(condition->wait_kind)->must,
                 condition->wait_value);
    if (drawing->sketch.is_circle)
        print_writer(drawing, index, writer, sizeof writer);
    snprintf(text, sizeof text, "%s\n%s\n%s%s", name, value, needed, writer);
    sketch_node(&drawing->sketch, sketch_name('w', index), GROUP_STATES, false, text);
}

/* --- edges --- */

/* Where groups wait for different values of a word; many such labels have to stand beside each other. */
static void print_value(const struct group_class *class, char *text, size_t size)
{
    if (class->wait_kind == GL_UNTIL_REACHED)
        snprintf(text, size, "awaits %" PRIu32 "\nor more in", class->wait_value);
    else if (class->wait_kind == GL_UNTIL_DIFFERENT)
        snprintf(text, size, "awaits any\nbut %" PRIu32 " in", class->wait_value);
    else
        snprintf(text, size, "awaits %" PRIu32 " in", class->wait_value);
}

static void print_wait(const struct drawing *drawing, uint32_t from, uint32_t word)
{
    const struct group_class *class = &drawing->grouping->classes[from];
    const struct sketch_name ends[] = {sketch_name('g', from), sketch_name('w', word)};
    char text[LABEL_TEXT] = "waits for";
    bool anybody = false, on_circle = false;

    for (uint32_t to = 0; to < drawing->grouping->count; ++to) {
        anybody = anybody || grouping_waits(drawing->grouping, from, to);
        on_circle = on_circle || drawing_waits_on_circle(drawing, from, to);
    }
    if (class->state == GROUP_READY)
        snprintf(text, sizeof text, "has not seen the value of");
    else if (!anybody)
        snprintf(text, sizeof text, "%s", wording_awaited(class->wait_group)->nobody);
    else if (drawing_condition(drawing, word) == NULL)
        print_value(class, text, sizeof text);
    sketch_edge(&drawing->sketch, ends, on_circle, text);
}

/* From a word to the groups that could write it. */
static void print_writers(const struct drawing *drawing, uint32_t word)
{
    const struct grouping *grouping = drawing->grouping;

    for (uint32_t to = 0; to < grouping->count; ++to) {
        const struct group_class *first = NULL;
        const struct sketch_name ends[] = {sketch_name('w', word), sketch_name('g', to)};
        char text[LABEL_TEXT];
        bool on_circle = false;
        for (uint32_t from = 0; from < grouping->count; ++from) {
            if (drawing_word(drawing, &grouping->classes[from]) != word || !grouping_waits(grouping, from, to))
                continue;
            first = first != NULL ? first : &grouping->classes[from];
            on_circle = on_circle || drawing_waits_on_circle(drawing, from, to);
        }
        if (first == NULL)
            continue;
        snprintf(text, sizeof text, "%s%s", wording_awaited(first->wait_group)->duty,
                 but_of(grouping->classes[to].state));
        sketch_edge(&drawing->sketch, ends, on_circle, text);
    }
}

/* From groups to groups, where the words are not drawn. */
static void print_direct(const struct drawing *drawing, uint32_t from, uint32_t to)
{
    const struct group_class *class = &drawing->grouping->classes[from];
    const struct sketch_name ends[] = {sketch_name('g', from), sketch_name('g', to)};
    char text[LABEL_TEXT], word[WORDING_WORD] = "its own word";

    if (!class->mixed)
        wording_word(drawing->evidence, class->wait_word, word, sizeof word);
    snprintf(text, sizeof text, "%s for %s, %s%s", class->mixed ? "each waits" : "waits", word,
             wording_awaited(class->wait_group)->duty, but_of(drawing->grouping->classes[to].state));
    sketch_edge(&drawing->sketch, ends, drawing_waits_on_circle(drawing, from, to), text);
}

static void print_nodes(const struct drawing *drawing)
{
    for (uint32_t i = 0; i < drawing->grouping->count; ++i)
        print_class(drawing, i);
    for (uint32_t i = 0; i < drawing->word_count; ++i)
        print_word(drawing, i);
}

static void print_edges(const struct drawing *drawing)
{
    const struct grouping *grouping = drawing->grouping;

    for (uint32_t from = 0; from < grouping->count; ++from) {
        const uint32_t word = drawing_word(drawing, &grouping->classes[from]);
        if (word < drawing->word_count)
            print_wait(drawing, from, word);
        for (uint32_t to = 0; word == drawing->word_count && to < grouping->count; ++to)
            if (grouping_waits(grouping, from, to))
                print_direct(drawing, from, to);
    }
    for (uint32_t word = 0; word < drawing->word_count; ++word)
        print_writers(drawing, word);
}

int explain_dot(FILE *out, const struct evidence *evidence, struct error *error)
{
    struct drawing drawing = {.sketch.out = out, .evidence = evidence};

    if (explain_need_board(evidence, "a graph", error) != 0)
        return -1;
    drawing_make(&drawing);
    sketch_begin(out);
    print_title(out, &drawing);
    sketch_look(&drawing.sketch);
    print_nodes(&drawing);
    print_edges(&drawing);
    sketch_end(out);
    story_fini(&drawing.story);
    return 0;
}

int explain_graph(FILE *out, const struct evidence *evidence, struct error *error)
{
    struct json_writer json = {.out = out};
    struct drawing drawing = {.sketch.json = &json, .evidence = evidence};

    (void)error;
    drawing_make(&drawing);
    json_writer_open(&json, NULL, '{');
    json_writer_text(&json, "title", story_whom_title(evidence));
    json_writer_bool(&json, "is_circle", drawing.sketch.is_circle);
    json_writer_open(&json, "nodes", '[');
    print_nodes(&drawing);
    json_writer_close(&json, ']');
    json_writer_open(&json, "edges", '[');
    print_edges(&drawing);
    json_writer_close(&json, ']');
    json_writer_close(&json, '}');
    story_fini(&drawing.story);
    return 0;
}

int explain_svg(FILE *out, const struct evidence *evidence, struct error *error)
{
    FILE *graph = filter_file(error);
    const int written = graph != NULL ? explain_dot(graph, evidence, error) : -1;

    return sketch_draw(graph, written, out, error);
}

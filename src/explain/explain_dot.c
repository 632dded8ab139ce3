#include "core/text.h"
#include "explain/drawing.h"
#include "explain/explain.h"
#include "explain/filter.h"
#include "format/escape.h"
#include "report/wording.h"

#include <inttypes.h>
#include <string.h>

enum { NODE_COLUMNS = 28, TITLE_COLUMNS = 80, LABEL_TEXT = 512 };

/* --- labels --- */

/* Bytes of the next line, of at most so many characters: it ends at a blank, if there is one. */
static size_t line_length(const char *text, int columns)
{
    size_t length = 0, blank = 0;

    for (int column = 0; text[length] != '\0' && text[length] != '\n'; ++column) {
        if (text[length] == ' ')
            blank = length;
        if (column == columns)
            return blank > 0 ? blank : length;
        const size_t character = utf8_length(text + length);
        length += character > 0 ? character : 1;
    }
    return length;
}

/* Lines of a label, with something before and behind each. */
static void print_lines(FILE *out, const char *text, int columns, const char *margin)
{
    while (*text != '\0') {
        char line[LABEL_TEXT];
        const size_t length = line_length(text, columns);
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        fputs(margin, out);
        escape_dot(out, line);
        fputs(margin, out);
        text += length;
        text += *text == ' ' || *text == '\n';
        if (*text != '\0')
            fputs("\\n", out);
    }
}

static void print_label(FILE *out, const char *text, int columns, const char *margin)
{
    fputc('"', out);
    print_lines(out, text, columns, margin);
    fputc('"', out);
}

/* What somebody else wrote begins no line of its own. */
static void print_title_line(FILE *out, char *text)
{
    for (char *feed; (feed = strchr(text, '\n')) != NULL;)
        *feed = '?';
    print_lines(out, text, TITLE_COLUMNS, "");
    fputs("\\n", out);
}

static void print_title(FILE *out, const struct drawing *drawing)
{
    const struct evidence *evidence = drawing->evidence;
    const char *verdict = verdict_name(evidence->verdict), *cause = cause_title(evidence->cause);
    const bool caused = evidence->cause != CAUSE_NONE && strcmp(verdict, cause) != 0;
    char text[2 * LABEL_TEXT];

    fputs("  graph [label=\"", out);
    snprintf(text, sizeof text, "%s", evidence->name);
    print_title_line(out, text);
    snprintf(text, sizeof text, "launch %" PRIu32 ": %s%s%s", evidence->launch, verdict, caused ? ", " : "",
             caused ? cause : "");
    print_title_line(out, text);
    snprintf(text, sizeof text, "on %s, driver %s", DEVICE_LABEL_OF(&evidence->device.info),
             evidence->device.info.driver_version);
    print_title_line(out, text);
    print_lines(out, drawing->story.happened, TITLE_COLUMNS, "");
    fputs("\", labelloc=t, fontsize=20]\n", out);
}

/* --- classes --- */

/* Each state differs in shape and line, too, and its label names it: colours are not needed to tell them apart. */
static const struct {
    const char *label, *style;
} looks[GROUP_STATES] = {
    [GROUP_NOT_STARTED] = {"NEVER STARTED", "shape=octagon, style=\"filled,bold\", fillcolor=\"#7a1f1f\", "
                                            "fontcolor=white, penwidth=3"},
    [GROUP_RUNNING] = {"running", "shape=box, style=\"filled,rounded\", fillcolor=\"#cfe8fc\""},
    [GROUP_WAITING] = {"WAITING", "shape=box, style=filled, fillcolor=\"#ffe9a8\""},
    [GROUP_READY] = {"READY", "shape=box, style=\"filled,dashed\", fillcolor=\"#e3d4f0\""},
    [GROUP_DONE] = {"done", "shape=box, style=\"filled,rounded,dotted\", fillcolor=\"#e6e6e6\""},
};

static void print_class(FILE *out, const struct drawing *drawing, uint32_t index)
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
    if (drawing->is_circle && drawing->word_count == 0)
        wording_word(drawing->evidence, class->wait_word, word, sizeof word);
    snprintf(text, sizeof text, "%s%s\n%s%s%s%s%s%s", groups, count, looks[class->state].label, round,
             word[0] != '\0' ? "\nfor " : "", word, locks, drawing->on_circle[index] ? "\npart of the circle" : "");
    fprintf(out, "  g%" PRIu32 " [%s%s, label=", index, looks[class->state].style,
            drawing->on_circle[index] ? ", penwidth=4, color=\"#b03000\"" : "");
    print_label(out, text, NODE_COLUMNS, "");
    fputs("]\n", out);
}

/* --- words --- */

static void print_condition(const struct group_class *class, char *text, size_t size)
{
    static const char *const conditions[] = {"reach", "be", "not be"};
    const char *condition = class->wait_kind < 3 ? conditions[class->wait_kind] : "be";
    snprintf(text, size, "must %s %" PRIu32, condition, class->wait_value);
}

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

static void print_word(FILE *out, const struct drawing *drawing, uint32_t index)
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
        print_condition(condition, needed, sizeof needed);
    if (drawing->is_circle)
        print_writer(drawing, index, writer, sizeof writer);
    snprintf(text, sizeof text, "%s\n%s\n%s%s", name, value, needed, writer);
    fprintf(out, "  w%" PRIu32 " [shape=ellipse, style=solid, label=", index);
    print_label(out, text, NODE_COLUMNS, "");
    fputs("]\n", out);
}

/* --- edges --- */

/* Around a circle Graphviz does not keep labels off each other; there the nodes say it, too. */
static void print_edge(FILE *out, const struct drawing *drawing, const char *from_to, bool on_circle, const char *text)
{
    fprintf(out, "  %s [%s%s=", from_to, on_circle ? "penwidth=4, color=\"#b03000\", " : "",
            drawing->is_circle ? "tooltip" : "label");
    print_label(out, text, NODE_COLUMNS, "  ");
    fputs("]\n", out);
}

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

static void print_wait(FILE *out, const struct drawing *drawing, uint32_t from, uint32_t word)
{
    const struct group_class *class = &drawing->grouping->classes[from];
    char from_to[40], text[LABEL_TEXT] = "waits for";
    bool anybody = false, on_circle = false;

    for (uint32_t to = 0; to < drawing->grouping->count; ++to) {
        anybody = anybody || grouping_waits(drawing->grouping, from, to);
        on_circle = on_circle || drawing_on_circle(drawing, from, to);
    }
    if (class->state == GROUP_READY)
        snprintf(text, sizeof text, "has not seen the value of");
    else if (!anybody)
        snprintf(text, sizeof text, "%s", wording_awaited(class->wait_group)->nobody);
    else if (drawing_condition(drawing, word) == NULL)
        print_value(class, text, sizeof text);
    snprintf(from_to, sizeof from_to, "g%" PRIu32 " -> w%" PRIu32, from, word);
    print_edge(out, drawing, from_to, on_circle, text);
}

/* From a word to the groups that could write it. */
static void print_writers(FILE *out, const struct drawing *drawing, uint32_t word)
{
    const struct grouping *grouping = drawing->grouping;

    for (uint32_t to = 0; to < grouping->count; ++to) {
        const struct group_class *first = NULL;
        char from_to[40], text[LABEL_TEXT];
        bool on_circle = false;
        for (uint32_t from = 0; from < grouping->count; ++from) {
            if (drawing_word(drawing, &grouping->classes[from]) != word || !grouping_waits(grouping, from, to))
                continue;
            first = first != NULL ? first : &grouping->classes[from];
            on_circle = on_circle || drawing_on_circle(drawing, from, to);
        }
        if (first == NULL)
            continue;
        snprintf(from_to, sizeof from_to, "w%" PRIu32 " -> g%" PRIu32, word, to);
        snprintf(text, sizeof text, "%s%s", wording_awaited(first->wait_group)->duty,
                 but_of(grouping->classes[to].state));
        print_edge(out, drawing, from_to, on_circle, text);
    }
}

/* From groups to groups, where the words are not drawn. */
static void print_direct(FILE *out, const struct drawing *drawing, uint32_t from, uint32_t to)
{
    const struct group_class *class = &drawing->grouping->classes[from];
    char from_to[40], text[LABEL_TEXT], word[WORDING_WORD] = "its own word";

    if (!class->mixed)
        wording_word(drawing->evidence, class->wait_word, word, sizeof word);
    snprintf(text, sizeof text, "%s for %s, %s%s", class->mixed ? "each waits" : "waits", word,
             wording_awaited(class->wait_group)->duty, but_of(drawing->grouping->classes[to].state));
    snprintf(from_to, sizeof from_to, "g%" PRIu32 " -> g%" PRIu32, from, to);
    print_edge(out, drawing, from_to, drawing_on_circle(drawing, from, to), text);
}

static void print_edges(FILE *out, const struct drawing *drawing)
{
    const struct grouping *grouping = drawing->grouping;

    for (uint32_t from = 0; from < grouping->count; ++from) {
        const uint32_t word = drawing_word(drawing, &grouping->classes[from]);
        if (word < drawing->word_count)
            print_wait(out, drawing, from, word);
        for (uint32_t to = 0; word == drawing->word_count && to < grouping->count; ++to)
            if (grouping_waits(grouping, from, to))
                print_direct(out, drawing, from, to);
    }
    for (uint32_t word = 0; word < drawing->word_count; ++word)
        print_writers(out, drawing, word);
}

/* `layout`: the program, unless it is a circle. */
static void print_drawing(FILE *out, const struct drawing *drawing, const char *layout)
{
    layout = drawing->is_circle ? "; layout=circo" : layout;
    fprintf(out, "  fontname=\"Helvetica\"; nodesep=0.6; ranksep=0.6%s\n", layout);
    fputs("  node [fontname=\"Helvetica\", fontsize=16, margin=\"0.25,0.12\"]\n", out);
    fputs("  edge [fontname=\"Helvetica\", fontsize=14, penwidth=1.5]\n", out);
    for (uint32_t i = 0; i < drawing->grouping->count; ++i)
        print_class(out, drawing, i);
    for (uint32_t i = 0; i < drawing->word_count; ++i)
        print_word(out, drawing, i);
    print_edges(out, drawing);
    fputs("}\n", out);
}

/* In a page, without a title, and with the program that lays it out. */
static int draw(FILE *out, const struct evidence *evidence, bool in_page, struct error *error)
{
    struct drawing drawing;
    const int result = drawing_make(&drawing, evidence, error);

    if (result == 0) {
        fputs("digraph waits {\n", out);
        if (!in_page)
            print_title(out, &drawing);
        print_drawing(out, &drawing, in_page ? "; layout=dot" : "");
    }
    drawing_fini(&drawing);
    return result;
}

int explain_dot(FILE *out, const struct evidence *evidence, struct error *error)
{
    return explain_need_board(evidence, "a graph", error) == 0 ? draw(out, evidence, false, error) : -1;
}

int explain_graph(FILE *out, const struct evidence *evidence, struct error *error)
{
    return draw(out, evidence, true, error);
}

/* --- drawn by Graphviz --- */

/* Forty nodes take it a moment; what takes longer has gone wrong. */
enum { DEADLINE_MS = 30000 };

int explain_svg(FILE *out, const struct evidence *evidence, struct error *error)
{
    char *const arguments[] = {"dot", "-Tsvg", NULL};
    FILE *graph = filter_file(error);

    if (graph == NULL)
        return -1;
    int result = explain_dot(graph, evidence, error);
    if (result == 0)
        result = filter_run(arguments, graph, out, DEADLINE_MS, error);
    if (result == 1)
        result = error_set(
            error, STATUS_USAGE,
            "--format svg needs Graphviz, and its program dot was not found; install graphviz, or use --format dot");
    fclose(graph);
    return result;
}

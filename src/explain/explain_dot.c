#include "core/text.h"
#include "explain/drawing.h"
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

/* --- nodes and edges --- */

enum { NODE_NAME = 16 };

/* Where the name of a node goes: a class (g) or a word (w). */
static const char *name_node(char name[NODE_NAME], char kind, uint32_t index)
{
    snprintf(name, NODE_NAME, "%c%" PRIu32, kind, index);
    return name;
}

/* `look` is Graphviz's; `state` is NULL of a word. */
static void print_node(const struct drawing *drawing, const char *name, const char *look, const char *state,
                       bool on_circle, const char *text)
{
    if (drawing->out != NULL) {
        fprintf(drawing->out, "  %s [%s%s, label=", name, look, on_circle ? ", penwidth=4, color=\"#b03000\"" : "");
        print_label(drawing->out, text, NODE_COLUMNS, "");
        fputs("]\n", drawing->out);
        return;
    }
    json_writer_open(drawing->json, NULL, '{');
    json_writer_text(drawing->json, "name", name);
    json_writer_text(drawing->json, "state", state);
    json_writer_bool(drawing->json, "on_circle", on_circle);
    json_writer_text(drawing->json, "label", text);
    json_writer_close(drawing->json, '}');
}

/* Around a circle Graphviz does not keep labels off each other; there the nodes say it, too. */
static void print_edge(const struct drawing *drawing, const char *from, const char *to, bool on_circle,
                       const char *text)
{
    if (drawing->out != NULL) {
        fprintf(drawing->out, "  %s -> %s [%s%s=", from, to, on_circle ? "penwidth=4, color=\"#b03000\", " : "",
                drawing->is_circle ? "tooltip" : "label");
        print_label(drawing->out, text, NODE_COLUMNS, "  ");
        fputs("]\n", drawing->out);
        return;
    }
    json_writer_open(drawing->json, NULL, '{');
    json_writer_text(drawing->json, "from", from);
    json_writer_text(drawing->json, "to", to);
    json_writer_bool(drawing->json, "on_circle", on_circle);
    json_writer_text(drawing->json, "label", drawing->is_circle ? NULL : text);
    json_writer_close(drawing->json, '}');
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

static void print_class(const struct drawing *drawing, uint32_t index)
{
    const struct group_class *class = &drawing->grouping->classes[index];
    char text[LABEL_TEXT], count[40] = "", round[40] = "", locks[40] = "", word[WORDING_WORD] = "";
    char groups[LABEL_TEXT / 2], name[NODE_NAME];

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
    print_node(drawing, name_node(name, 'g', index), looks[class->state].style, group_state_name(class->state),
               drawing->on_circle[index], text);
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
    char writer[LABEL_TEXT / 2] = "", node[NODE_NAME];

    wording_word(drawing->evidence, word, name, sizeof name);
    if (word < board_words(board->groups, board->sync_words))
        snprintf(value, sizeof value, "is %" PRIu32, board->words[word]);
    if (condition != NULL)
        snprintf(needed, sizeof needed, "must %s %" PRIu32, wording_until(condition->wait_kind)->must,
                 condition->wait_value);
    if (drawing->is_circle)
        print_writer(drawing, index, writer, sizeof writer);
    snprintf(text, sizeof text, "%s\n%s\n%s%s", name, value, needed, writer);
    print_node(drawing, name_node(node, 'w', index), "shape=ellipse, style=solid", NULL, false, text);
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
    char node[NODE_NAME], target[NODE_NAME], text[LABEL_TEXT] = "waits for";
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
    print_edge(drawing, name_node(node, 'g', from), name_node(target, 'w', word), on_circle, text);
}

/* From a word to the groups that could write it. */
static void print_writers(const struct drawing *drawing, uint32_t word)
{
    const struct grouping *grouping = drawing->grouping;

    for (uint32_t to = 0; to < grouping->count; ++to) {
        const struct group_class *first = NULL;
        char node[NODE_NAME], target[NODE_NAME], text[LABEL_TEXT];
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
        print_edge(drawing, name_node(node, 'w', word), name_node(target, 'g', to), on_circle, text);
    }
}

/* From groups to groups, where the words are not drawn. */
static void print_direct(const struct drawing *drawing, uint32_t from, uint32_t to)
{
    const struct group_class *class = &drawing->grouping->classes[from];
    char node[NODE_NAME], target[NODE_NAME], text[LABEL_TEXT], word[WORDING_WORD] = "its own word";

    if (!class->mixed)
        wording_word(drawing->evidence, class->wait_word, word, sizeof word);
    snprintf(text, sizeof text, "%s for %s, %s%s", class->mixed ? "each waits" : "waits", word,
             wording_awaited(class->wait_group)->duty, but_of(drawing->grouping->classes[to].state));
    print_edge(drawing, name_node(node, 'g', from), name_node(target, 'g', to),
               drawing_waits_on_circle(drawing, from, to), text);
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
    struct drawing drawing = {.out = out, .evidence = evidence};

    if (explain_need_board(evidence, "a graph", error) != 0)
        return -1;
    drawing_make(&drawing);
    fputs("digraph waits {\n", out);
    print_title(out, &drawing);
    fprintf(out, "  fontname=\"Helvetica\"; nodesep=0.6; ranksep=0.6%s\n", drawing.is_circle ? "; layout=circo" : "");
    fputs("  node [fontname=\"Helvetica\", fontsize=16, margin=\"0.25,0.12\"]\n", out);
    fputs("  edge [fontname=\"Helvetica\", fontsize=14, penwidth=1.5]\n", out);
    print_nodes(&drawing);
    print_edges(&drawing);
    fputs("}\n", out);
    story_fini(&drawing.story);
    return 0;
}

int explain_graph(FILE *out, const struct evidence *evidence, struct error *error)
{
    struct json_writer json = {.out = out};
    struct drawing drawing = {.json = &json, .evidence = evidence};

    (void)error;
    drawing_make(&drawing);
    json_writer_open(&json, NULL, '{');
    json_writer_text(&json, "title", story_whom_title(evidence));
    json_writer_bool(&json, "is_circle", drawing.is_circle);
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

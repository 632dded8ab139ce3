#include "explain/sketch.h"

#include "core/text.h"
#include "explain/filter.h"
#include "format/escape.h"

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

/* --- a file for Graphviz --- */

void sketch_begin(FILE *out)
{
    fputs("digraph waits {\n  graph [label=\"", out);
}

/* What somebody else wrote begins no line of its own. */
void sketch_title(FILE *out, const char *text)
{
    char line[2 * LABEL_TEXT];

    snprintf(line, sizeof line, "%s", text);
    for (char *feed; (feed = strchr(line, '\n')) != NULL;)
        *feed = '?';
    print_lines(out, line, TITLE_COLUMNS, "");
    fputs("\\n", out);
}

void sketch_words(FILE *out, const char *text)
{
    print_lines(out, text, TITLE_COLUMNS, "");
}

void sketch_look(const struct sketch *sketch)
{
    fputs("\", labelloc=t, fontsize=20]\n", sketch->out);
    fprintf(sketch->out, "  fontname=\"Helvetica\"; nodesep=0.6; ranksep=0.6%s\n",
            sketch->is_circle ? "; layout=circo" : "");
    fputs("  node [fontname=\"Helvetica\", fontsize=16, margin=\"0.25,0.12\"]\n", sketch->out);
    fputs("  edge [fontname=\"Helvetica\", fontsize=14, penwidth=1.5]\n", sketch->out);
}

void sketch_end(FILE *out)
{
    fputs("}\n", out);
}

/* --- nodes and edges --- */

struct sketch_name sketch_name(char kind, uint32_t index)
{
    struct sketch_name name;

    snprintf(name.text, sizeof name.text, "%c%" PRIu32, kind, index);
    return name;
}

/* Each state differs in shape and line, too, and its label names it: colours are not needed to tell them apart. */
static const struct {
    const char *label, *style;
} looks[GROUP_STATES + 1] = {
    [GROUP_NOT_STARTED] = {"NEVER STARTED", "shape=octagon, style=\"filled,bold\", fillcolor=\"#7a1f1f\", "
                                            "fontcolor=white, penwidth=3"},
    [GROUP_RUNNING] = {"running", "shape=box, style=\"filled,rounded\", fillcolor=\"#cfe8fc\""},
    [GROUP_WAITING] = {"WAITING", "shape=box, style=filled, fillcolor=\"#ffe9a8\""},
    [GROUP_READY] = {"READY", "shape=box, style=\"filled,dashed\", fillcolor=\"#e3d4f0\""},
    [GROUP_STATES] = {NULL, "shape=ellipse, style=solid"},
    [GROUP_DONE] = {"done", "shape=box, style=\"filled,rounded,dotted\", fillcolor=\"#e6e6e6\""},
};

const char *sketch_state(enum group_state state)
{
    return looks[state].label;
}

void sketch_node(const struct sketch *sketch, struct sketch_name name, enum group_state state, bool on_circle,
                 const char *text)
{
    if (sketch->out != NULL) {
        fprintf(sketch->out, "  %s [%s%s, label=", name.text, looks[state].style,
                on_circle ? ", penwidth=4, color=\"#b03000\"" : "");
        print_label(sketch->out, text, NODE_COLUMNS, "");
        fputs("]\n", sketch->out);
        return;
    }
    json_writer_open(sketch->json, NULL, '{');
    json_writer_text(sketch->json, "name", name.text);
    json_writer_text(sketch->json, "state", state == GROUP_STATES ? NULL : group_state_name(state));
    json_writer_bool(sketch->json, "on_circle", on_circle);
    json_writer_text(sketch->json, "label", text);
    json_writer_close(sketch->json, '}');
}

/* Around a circle the nodes say what its edges would. */
void sketch_edge(const struct sketch *sketch, const struct sketch_name ends[2], bool on_circle, const char *text)
{
    if (sketch->out != NULL) {
        fprintf(sketch->out, "  %s -> %s [%s%s=", ends[0].text, ends[1].text,
                on_circle ? "penwidth=4, color=\"#b03000\", " : "", sketch->is_circle ? "tooltip" : "label");
        print_label(sketch->out, text, NODE_COLUMNS, "  ");
        fputs("]\n", sketch->out);
        return;
    }
    json_writer_open(sketch->json, NULL, '{');
    json_writer_text(sketch->json, "from", ends[0].text);
    json_writer_text(sketch->json, "to", ends[1].text);
    json_writer_bool(sketch->json, "on_circle", on_circle);
    json_writer_text(sketch->json, "label", sketch->is_circle ? NULL : text);
    json_writer_close(sketch->json, '}');
}

/* --- drawn by Graphviz --- */

/* Forty nodes take it a moment; what takes longer has gone wrong. */
enum { DEADLINE_MS = 30000 };

int sketch_draw(FILE *graph, int written, FILE *out, struct error *error)
{
    char *const arguments[] = {"dot", "-Tsvg", NULL};
    const int result = written == 0 ? filter_run(arguments, graph, out, DEADLINE_MS, error) : written;

    if (graph != NULL)
        fclose(graph);
    if (result != 1)
        return result;
    return error_set(
        error, STATUS_USAGE,
        "--format svg needs Graphviz, and its program dot was not found; install graphviz, or use --format dot");
}

/* A graph of who waits for whom, as it is written: nodes and edges with labels, for Graphviz or for a page. */
#pragma once

#include "base/error.h"
#include "format/json_writer.h"
#include "judge/grouping.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct sketch {
    FILE *out;                /* for Graphviz, or NULL */
    struct json_writer *json; /* for a page, or NULL */
    bool is_circle;           /* all of it: there Graphviz does not keep labels off each other */
};

/* For Graphviz: the beginning, a line of the title, more of it in words, what follows the title, and the end. */
void sketch_begin(FILE *out);
void sketch_title(FILE *out, const char *text);
void sketch_words(FILE *out, const char *text);
void sketch_look(const struct sketch *sketch);
void sketch_end(FILE *out);

enum { SKETCH_NAME = 16 };
struct sketch_name {
    char text[SKETCH_NAME];
};

/* The name of a node: of a class (g) or a word (w). */
struct sketch_name sketch_name(char kind, uint32_t index);

/* How a class in this state is called. */
const char *sketch_state(enum group_state state);

/* A class looks like its state; GROUP_STATES: a word. */
void sketch_node(const struct sketch *sketch, struct sketch_name name, enum group_state state, bool on_circle,
                 const char *text);
void sketch_edge(const struct sketch *sketch, const struct sketch_name ends[2], bool on_circle, const char *text);

/*
 * Closes the graph, a filter_file or NULL, after it has been written, which `written` tells, and draws it by Graphviz.
 * -1: it was not written, or with STATUS_USAGE: Graphviz is not installed.
 */
int sketch_draw(FILE *graph, int written, FILE *out, struct error *error);

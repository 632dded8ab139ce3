/* What a drawing of the wait-for graph shows: classes of groups, and between them the words that they wait for. */
#pragma once

#include "explain/explain.h"
#include "explain/story.h"

enum { DRAWING_WORDS = 12 };

struct drawing {
    const struct evidence *evidence;
    struct story story;
    const struct grouping *grouping; /* of the story */
    uint32_t words[DRAWING_WORDS];   /* on the board; none, if there is no room for all */
    uint32_t word_count;
    bool on_circle[EXPLAIN_NODES]; /* of each class */
    bool is_circle;                /* there is nothing else, and it has three classes or more */
};

/*
 * Takes the finest classes that leave the drawing legible: with their words, or with few edges, or few of them. Classes
 * and words are at most EXPLAIN_NODES. The evidence has a board, and outlives the drawing, which is to be freed with
 * drawing_fini, also on failure: -1 with STATUS_HARNESS when memory is short.
 */
int drawing_make(struct drawing *drawing, const struct evidence *evidence, struct error *error);
void drawing_fini(struct drawing *drawing);

/* Index of the word that the class waits for, or word_count: none, several, or it is not drawn. */
uint32_t drawing_word(const struct drawing *drawing, const struct group_class *class);

/* A class with the only condition that anybody waits for at that word; NULL: there are several. */
const struct group_class *drawing_condition(const struct drawing *drawing, uint32_t word);

/* Classes that wait for each other as a part of the circle. */
bool drawing_on_circle(const struct drawing *drawing, uint32_t from, uint32_t to);

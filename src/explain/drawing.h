/* What a wait-for graph draws: classes of groups, and between them the words that they wait for. */
#pragma once

#include "explain/explain.h"
#include "explain/sketch.h"
#include "explain/story.h"

#include <stdbool.h>
#include <stdint.h>

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

/*
 * Completes a drawing that has its evidence. Takes the finest classes that leave it legible: with their words, or with
 * few edges, or few of them. Classes and words are at most EXPLAIN_NODES. The story is to be freed with story_fini.
 */
void drawing_make(struct drawing *drawing);

/* Returns the index of the word that the class waits for, or word_count: no word, several, or one that is not drawn. */
uint32_t drawing_word(const struct drawing *drawing, const struct group_class *class);

/* A class with the only condition that anybody waits for at that word; NULL: there are several. */
const struct group_class *drawing_condition(const struct drawing *drawing, uint32_t word);

/* Classes that wait for each other as a part of the circle. */
bool drawing_waits_on_circle(const struct drawing *drawing, uint32_t from, uint32_t to);

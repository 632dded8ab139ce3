/* The graphs and plays of the stalls in a page of runs; equal ones are there once. */
#pragma once

#include "base/intern.h"
#include "explain/explain.h"
#include "format/format.h"

struct pictures {
    struct intern texts;
    struct picture *all; /* in the order in which they came */
    uint32_t count;
};

/*
 * Takes the graph, or the play (explain_graph, explain_play) of a stall, and gives the number by which pages know it. 0, or
 * -1 with STATUS_HARNESS when memory is short.
 */
enum picture_kind { PICTURE_GRAPH, PICTURE_PLAY };
int pictures_take(struct pictures *pictures, enum picture_kind kind, const struct evidence *evidence, uint32_t *number,
                  struct error *error);

/*
 * Writes an element of the page, before its end, in the room that is left: graphs drawn by Graphviz, if it is there, and
 * plays; those of surprises first. 0, or -1 with STATUS_HARNESS when memory is short.
 */
int pictures_write(struct pictures *pictures, struct html_page *page, struct error *error);

void pictures_fini(struct pictures *pictures);

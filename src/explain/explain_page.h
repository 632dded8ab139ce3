/* Explanations in a page of runs, and the graphs and plays of their stalls; equal ones are there once. */
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
 * Writes an element behind that of a run (html_run), of the same report: what explain_text says of each batch of a
 * point that failed, and the numbers of its pictures if it stalled. Surprises come first, as long as there is room. 0,
 * or -1.
 */
int explain_page(struct html_page *page, struct pictures *pictures, struct store *store, const struct report *report,
                 struct error *error);

/*
 * Writes an element of the page, before its end, in the room that is left: graphs and plays, those of surprises first.
 */
void pictures_write(const struct pictures *pictures, struct html_page *page);

void pictures_fini(struct pictures *pictures);

/* Explanations in a page of runs. */
#pragma once

#include "explain/pictures.h"

/*
 * Writes an element behind that of a run (html_run), of the same report: what explain_text says of each batch of a point that
 * failed, and the numbers of its pictures if it stalled. Surprises come first, as long as there is room. 0, or -1.
 */
int explain_page(struct html_page *page, struct pictures *pictures, struct store *store, const struct report *report,
                 struct error *error);

/* Explanations in a page of runs. */
#ifndef GRIDLOCK_EXPLAIN_EXPLAIN_PAGE_H
#define GRIDLOCK_EXPLAIN_EXPLAIN_PAGE_H

#include "format/format.h"

/*
 * Writes an element behind that of a run (html_run), of the same report: what explain_text says of each batch of a point that failed. Surprises
 * come first, as long as there is room. 0, or -1.
 */
int explain_page(struct html_page *page, struct store *store, const struct report *report, struct error *error);

#endif

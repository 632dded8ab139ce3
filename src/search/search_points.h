/* What the points of a search say; for the search itself, and for the row that it proves. */
#pragma once

#include "search/search.h"

/* The smallest group count that did not pass, or NULL. */
const struct point *search_smallest_failure(const struct search *search);

/* The largest group count that passed below `failure` (NULL: at all), or NULL. */
const struct point *search_largest_pass(const struct search *search, const struct point *failure);

/* The most groups that any launch proved to be resident together. */
uint32_t search_most_proven(const struct search *search);

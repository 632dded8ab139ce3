/* Takes out of an OpenCL C or C text what a known build never compiles, as the tool unifdef does. */
#ifndef GRIDLOCK_REPORT_CONDITIONALS_H
#define GRIDLOCK_REPORT_CONDITIONALS_H

#include "report/macros.h"

/*
 * The text without the branches of #if that are certainly not taken, and without the directives where that is certain
 * of all branches; #line goes, too. `macros` learns from each #define and #undef as they come. Allocated; NULL if
 * memory is short.
 */
char *conditionals_resolve(struct macros *macros, const char *text);

#endif

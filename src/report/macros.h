/* What is known of a text's macros while it is read from top to bottom, and conditions over them. */
#ifndef GRIDLOCK_REPORT_MACROS_H
#define GRIDLOCK_REPORT_MACROS_H

#include <stdbool.h>
#include <stddef.h>

enum truth { TRUTH_NO, TRUTH_YES, TRUTH_UNKNOWN };

struct macro;

/*
 * A zeroed one knows nothing: any macro may be one that the compiler defines. Names that begin with one of
 * `prefixes` (NULL ends them) are ours, and not defined before the text does so, unless they are among `open`: those
 * are left to whoever compiles the text.
 */
struct macros {
    const char *const *prefixes;
    const char *const *open;
    struct macro *items;
    size_t count;
    bool short_of_memory; /* sticks; what was not noted is unknown */
};

void macros_fini(struct macros *macros);

/* Notes what follows "#define" up to the end of the line. `certain`: no condition that is unknown stands around it. */
void macros_define(struct macros *macros, const char *definition, bool certain);

/* Notes what follows "#undef". */
void macros_undefine(struct macros *macros, const char *name, bool certain);

/* Is the name, of `length` characters, defined? */
enum truth macros_defined(const struct macros *macros, const char *name, size_t length);

/* What follows "#if" or "#elif", up to the end of the line or a comment. What it cannot compute is unknown. */
enum truth macros_evaluate(const struct macros *macros, const char *condition);

#endif

/* Leaves out of a text in OpenCL C or C what nothing in it uses, so that a person can read the rest. */
#ifndef GRIDLOCK_REPORT_UNUSED_H
#define GRIDLOCK_REPORT_UNUSED_H

/*
 * The text without macros, static functions, structures and types that are used by nothing which stays. A comment
 * goes with what it stands before, and one with an empty line after it goes, too. A function counts as static if it
 * begins with `static` or GL_INLINE. A text that pastes names, or whose braces do not match, stays whole. Allocated;
 * NULL if memory is short.
 */
char *unused_drop(const char *text);

#endif

/*
 * Memory. What cannot be had ends the process: one sentence on standard error, what at_quick_exit() was told, and
 * STATUS_HARNESS. Not for signal handlers, and not between fork and exec. What a file or a driver says is the size is
 * checked before it comes here.
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* Ends the process for want of `bytes`; 0: nobody knows how many. */
_Noreturn void out_of_memory(size_t bytes);

/* As malloc() and the others; the caller owns what they return, which is never NULL. */
void *xmalloc(size_t bytes) __attribute__((malloc));
void *xcalloc(size_t count, size_t size) __attribute__((malloc));
void *xrealloc(void *memory, size_t bytes);
char *xstrdup(const char *text) __attribute__((malloc));
char *xstrndup(const char *text, size_t length) __attribute__((malloc));
char *xasprintf(const char *format, ...) __attribute__((malloc, format(printf, 1, 2)));

/* As xcalloc(), for what is accessed in no order: it begins at a line of cache, and much of it is in large pages. */
void *xcalloc_scattered(size_t count, size_t size) __attribute__((malloc));

/* Opens a stream that makes a text, of whose size few want to know; closes it, and returns the text, the caller's. */
FILE *xopen_memstream(char **text, size_t *size);
char *xclose_memstream(FILE *stream, char *const *text);

/* Makes room for one more item in an array of `count` items that grows by nothing else; it begins as NULL. */
#define GROW(items, count) grow(&(items), (count), sizeof *(items))

/* The same of items of `size` bytes; `items` is the address of the pointer to them. */
void grow(void *items, size_t count, size_t size);

/* Text in roff, as man(7) takes it. */
#ifndef GRIDLOCK_CLI_ROFF_H
#define GRIDLOCK_CLI_ROFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* One byte. `literal`: it is to be copied, so a dash must not become a hyphen, nor a quote a typographic one. */
void roff_byte(FILE *out, char byte, bool literal);

/* Filled text of `length` bytes; a sentence begins a line. */
void roff_text(FILE *out, const char *text, size_t length);

/* As it stands, in bold. */
void roff_literal(FILE *out, const char *text);

/* What stands for something: words in upper case are in italics. */
void roff_arguments(FILE *out, const char *text);

#endif

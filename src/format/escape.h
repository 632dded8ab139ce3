/*
 * Text as each format spells it. Device names, notes and logs come from drivers and from files that anybody may have
 * written: bytes that are no UTF-8 become '?', and so do control characters where a format cannot hold them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Bytes of the well-formed UTF-8 character at the start of `text` (1 to 4; Unicode table 3-7), or 0. */
size_t utf8_length(const char *text);

/* Plain text, in which control characters become '?', too. */
void escape_text(FILE *out, const char *text);

typedef void escaper(FILE *out, const char *text);

/* Texts and values by turns, up to NULL: texts as they are, values as `escape` writes them. */
void escape_each(escaper *escape, FILE *out, ...) __attribute__((sentinel));

/* A quoted string. It is also a double-quoted scalar of YAML. */
void escape_json(FILE *out, const char *text);

/* A number with a point in every locale, so that reading it gives the same number again. */
void escape_real(FILE *out, double value);

/* Writes a number with that many decimals, with a point in every locale. */
void escape_decimal(FILE *out, double value, int decimals);

/* The text of an element of XML 1.0. */
void escape_xml(FILE *out, const char *text);

/* Writes an attribute's value, to stand between double quotes; readers keep its line feeds and tabs. */
void escape_xml_value(FILE *out, const char *text);

/*
 * A cell of RFC 4180, quoted where that is needed. One that a spreadsheet would take for a formula gets a single quote
 * in front.
 */
void escape_csv(FILE *out, const char *text);

/* A cell of a table in Markdown. */
void escape_markdown(FILE *out, const char *text);

/* Letters, digits, '.', '_' and '-'; anything else becomes '_'. */
void escape_lava(FILE *out, const char *text);

/* The value of a label of Prometheus, without its quotes. */
void escape_label(FILE *out, const char *text);

/* A part of a label of Graphviz between double quotes, of which Graphviz makes XML; line feeds begin a new line. */
void escape_dot(FILE *out, const char *text);

/* A description of TAP: one line, in which '#' begins no directive. */
void escape_tap(FILE *out, const char *text);

/* A stream of text that goes on to another as HTML. */
struct sieve {
    FILE *out; /* NULL: what it takes is only counted */
    bool json; /* the text is JSON, in an element of HTML */
    size_t bytes;
};

/* To be closed while `sieve` and `out` are there. */
FILE *sieve_open(struct sieve *sieve);

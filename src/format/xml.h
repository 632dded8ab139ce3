/* A document of XML, one element a line, indented by a blank for each that it is in. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

enum { XML_DEPTH = 8 };

/* Begins with the stream alone. Whether the stream took everything is the caller's to ask. */
struct xml {
    FILE *out;
    const char *names[XML_DEPTH]; /* of the elements that are open; the caller's */
    size_t depth;                 /* their number */
    bool in_tag;                  /* that of the last one can take attributes */
    bool has_text;                /* the last one ends on its own line */
};

void xml_begin(struct xml *xml);

/* An element in the one that is open: at most XML_DEPTH are. */
void xml_open(struct xml *xml, const char *name);
void xml_close(struct xml *xml);

/* Adds to the element opened last, before it has text or elements. Any text is spelt as XML 1.0 can hold it. */
void xml_attribute(struct xml *xml, const char *name, const char *text);
void xml_text(struct xml *xml, const char *text);

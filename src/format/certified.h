/* A certificate (report/certified.h) as a page for people, and as JSON, which `gridlock certify --check` reads. */
#pragma once

#include "format/text.h"
#include "report/certified.h"

#include <stdio.h>

/* What was asked, and what the files are made of. */
struct certified_asked {
    char *const *words; /* of the command line, without where to write */
    size_t word_count;
    const char *included; /* files that the source includes: "SHA-256  PATH" lines */
    char made[32];        /* when: 2026-11-29T13:30:00Z */
};

/* Why there is no certificate, as a sentence without its end; nothing if there is one. */
void certified_text_doubt(FILE *out, const struct certified *certified);

void certified_text(FILE *out, const struct certified *certified, const struct certified_asked *asked,
                    const struct text_style *style);

/*
 * Allocated. Its last member, sha256, is the SHA-256 of the text with zeros in its place: so it is known whether a file
 * is as it was written.
 */
char *certified_json(const struct certified *certified, const struct certified_asked *asked);

/* The text is one of these, and as it was written. */
bool certified_json_is_whole(const char *text);

/*
 * What the words are called that the groups of a kernel synchronize by. A family is a word, or several that are told
 * apart by indexes. A trial has its families as one text, in which all is resolved to numbers:
 *
 *     fork {i} = 0+32*i, i < 4; holders = 128
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most words that there are. */
enum { WORD_MOST = 1 << 26 };

/* Bytes of a family's name, of the name of a word, and of all families as a text. */
enum { WORD_FAMILIES = 8, WORD_INDEXES = 3, WORD_FAMILY_NAME = 40, WORD_NAME = 64, WORD_NAMES = 1024 };

struct word_index {
    char letter;
    uint32_t count; /* it is from 0 to below this */
    int64_t step;   /* words from one to the next */
};

struct word_family {
    char name[WORD_FAMILY_NAME];
    int64_t first; /* word of which all indexes are 0 */
    size_t index_count;
    struct word_index indexes[WORD_INDEXES];
};

/*
 * A name: words with a blank between them that begin with a letter, and behind the first of them indexes, as {i}, each
 * of which stands once.
 */
bool word_family_is_named(const struct word_family *family);

/* Appends the family to such a text, which has room for WORD_FAMILIES. The last index should have the largest count. */
void word_family_append(const struct word_family *family, char *names);

/*
 * Writes the name of a word to a text with room for WORD_NAME bytes. False: it has none, or the text is no such text.
 */
bool word_name_find(const char *names, uint32_t word, char *text);

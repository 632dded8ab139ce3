/* A kernel's registry entry: the structured comment at the head of its .cl file. */
#pragma once

#include "base/error.h"
#include "core/word_name.h"
#include "core/workload.h"
#include "scenario/expression.h"

enum { ENTRY_OPTIONS = 8, ENTRY_VALUES = 8, ENTRY_WORD = 24, ENTRY_TEXT = 400, ENTRY_EXPRESSION = 128 };

/* A word that the kernel is built with; the first value is the default. */
struct entry_option {
    char name[ENTRY_WORD];
    char values[ENTRY_VALUES][ENTRY_WORD];
    size_t count;
};

/* A number that it is launched with. */
struct entry_parameter {
    char name[ENTRY_WORD];
    char standard[ENTRY_EXPRESSION];
    int64_t least, most;
    char about[160];
};

struct entry_region {
    char name[ENTRY_WORD];
    char element[8]; /* a name of enum element, or "item": what option type says */
    char count[ENTRY_EXPRESSION];
    enum fill fill;
};

/* Words that the groups synchronize by. */
struct entry_names {
    struct word_family family; /* of it, the name and the letters of the indexes */
    char word[ENTRY_EXPRESSION];
    char letters[WORD_INDEXES][2]; /* the same as names of variables */
    char counts[WORD_INDEXES][ENTRY_EXPRESSION];
    unsigned line; /* of the kernel's file */
};

struct kernel_entry {
    char name[48];
    char purpose[ENTRY_TEXT];
    char needs[ENTRY_TEXT];
    char fails[ENTRY_TEXT];
    char source[ENTRY_TEXT];
    struct entry_option options[ENTRY_OPTIONS];
    size_t option_count;
    struct entry_parameter parameters[WORKLOAD_OWN];
    size_t parameter_count;
    struct entry_region regions[WORKLOAD_REGIONS];
    size_t region_count;
    char results[WORKLOAD_RESULTS][ENTRY_TEXT];
    size_t result_count;
    char handover[ENTRY_WORD]; /* region, or "" */
    char words[ENTRY_EXPRESSION];
    struct entry_names names[WORD_FAMILIES];
    size_t name_count;
    char checks[ENTRY_EXPRESSION];
    char range[3][ENTRY_EXPRESSION]; /* "": it is launched over groups */
    uint32_t launches;
};

/*
 * Reads the entry off the text of kernel file `file` (its name is for messages, which say file:line). The
 * kernel must be named like the file. -1 with STATUS_USAGE says what is wrong and what is allowed.
 */
int entry_parse(const char *text, const char *file, struct kernel_entry *entry, struct error *error);

const struct entry_option *entry_option_find(const struct kernel_entry *entry, const char *name);
const struct entry_parameter *entry_parameter_find(const struct kernel_entry *entry, const char *name);
bool entry_has_range(const struct kernel_entry *entry); /* it is launched over a range of work-items */
int entry_value_find(const struct entry_option *option, const char *value); /* its index, or -1 */

/* How a launch is chosen: for each option the index of its value, for each parameter its value. */
struct entry_choice {
    size_t values[ENTRY_OPTIONS];
    int64_t parameters[WORKLOAD_OWN];
    struct nd_range range; /* of a kernel that has one: the shape */
    bool ragged;           /* the range is not rounded up to whole groups */
};

/*
 * Resolves the entry to numbers: build options, sync words and their names, regions, results. `scope` has the variables
 * groups, local-size, rounds, compute-units and line; the parameters are added to it. Sets all of the
 * workload but scenario, folder, point, seed and what is not the kernel's own. STATUS_USAGE if an
 * expression has no value or one out of range.
 */
int entry_resolve(const struct kernel_entry *entry, const struct entry_choice *choice, const struct scope *scope,
                  struct workload *work, struct error *error);

/* --- names of words: NAME = EXPRESSION, i < COUNT, ... --- */

/* Reads a family of words; false: it has another form. */
bool names_parse(const char *value, struct entry_names *names);

/* They are called the same, whatever letters their indexes have. */
bool names_are_alike(const struct entry_names *a, const struct entry_names *b);

/*
 * Resolves the names to numbers, for a workload whose number of words is known; the scope has the parameters as well.
 * STATUS_USAGE if a name is for what is no word, or for one that another name is for.
 */
int names_resolve(const struct kernel_entry *entry, const struct scope *scope, struct workload *work,
                  struct error *error);

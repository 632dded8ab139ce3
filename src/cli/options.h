/* What may stand on the command lines of subcommands, as tables; and options that they share. */
#pragma once

#include "base/error.h"
#include "base/icd_folder.h"
#include "core/device_info.h"
#include "format/color.h"
#include "search/footprints.h"
#include "store/store.h"
#include "wire/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Operands as they were given. */
struct operands {
    char **words;
    size_t count;
};

/* What the functions of a command line are given while it is parsed. */
struct parsing {
    const struct command_line *whole;    /* the command's, */
    const struct command_line *line;     /* and the part of it that has the option */
    const struct command_option *option; /* the present one, */
    char name[32];                       /* and how messages name it: "--seed" */
    void *options;                       /* what is set: the command's, or those of this part */
    const char *command;                 /* "gridlock run" */
    char **word;                         /* the present operand */
    struct error error;                  /* why -1 was returned */
};

/* An option: what --help says of it (cli/command.h), and which member of the options it sets. */
struct command_option {
    const char *name;     /* NULL ends a table */
    int letter;           /* 'q' of -q; 0: the option has no letter */
    int group;            /* of the help, which begins with the lowest */
    const char *argument; /* as help shows it (cli/command.h), behind `names` if there are any; NULL: nothing */
    const char *doc;
    size_t at; /* the member */
    /*
     * Parses the argument into the member; -1 if invalid. NULL: the member is an enumeration of
     * `names`, a const char *, or, without an argument, a bool.
     */
    int (*take)(struct parsing *parsing, void *member, char *argument);
    uint64_t least, most;       /* of a number */
    const struct naming *names; /* the words that it takes, or that its argument begins with; or NULL */
    size_t given;               /* a bool that says that it was given; 0: no such member */
    size_t first;               /* a const char *: the name of the first one given of several; 0: no such member */
    bool optional;              /* its argument may be left out, and is then NULL */
};

/* Options that several commands have, in a member of their options. */
struct command_part {
    const struct command_line *line; /* NULL ends a table */
    size_t at;
};

/* What may stand on a command line. */
struct command_line {
    const struct command_option *options; /* or NULL */
    const struct command_part *parts;     /* or NULL */
    size_t operands; /* the member that has them, a struct operands; 0: the command takes no operands */
    int (*operand)(struct parsing *parsing, char *word); /* takes one instead; or NULL */
    int (*check)(struct parsing *parsing); /* in the end; -1: something is missing, or too much; or NULL */
    const struct naming *modes;            /* the words of which the first operand is one; or NULL */
    bool runs;               /* the first operand is a program, and all behind it are its arguments, not ours */
    const char *named;       /* the operands behind that in the help; or NULL */
    const char *doc, *notes; /* what help says before and behind the options; notes, or NULL */
    const char *statuses;    /* "0 all went well; 2 usage error": the exit statuses; NULL for a part */
};

enum { ENTRIES_MOST = 64 };

/* An option of a command line, or of one of its parts. */
struct command_entry {
    const struct command_option *option;
    const struct command_line *line; /* the one whose table has the option */
    size_t at;                       /* where among the options of the whole line those of `line` are */
};

/* Answers whether an option takes an argument. */
bool command_option_takes(const struct command_option *option);

/* Collects the options of a line and of its parts, --help and --usage last. Returns how many there are. */
size_t command_entries(const struct command_line *line, struct command_entry entries[ENTRIES_MOST]);

/* Prints "gridlock run: ..." and where to find help on stderr, and ends the program with STATUS_USAGE. */
_Noreturn void refuse_usage(const struct parsing *parsing, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Parses all of it, or ends the program; of an option that nobody knows it names the one that may have been meant. */
void parse_arguments(const struct command_line *line, int count, char **arguments, void *options);

/*
 * Returns what the last line that was parsed asked: options by their whole names, and operands, in their order. Values
 * are the words of that line.
 */
const struct store_asked *arguments_asked(size_t *count);

/*
 * For options: a uint64_t or a uint32_t from least to most, a struct axis of them, the name of a run file to write, and
 * bools, of which those are set that are named.
 */
int take_number(struct parsing *parsing, void *member, char *argument);
int take_count(struct parsing *parsing, void *member, char *argument);
int take_axis(struct parsing *parsing, void *member, char *argument);
int take_run_file(struct parsing *parsing, void *member, char *argument);
int take_names(struct parsing *parsing, void *member, char *argument);

enum { OPTIONS_SELECTORS = 32 };

/* What --device takes; completions offer the names. */
#define DEVICE_SELECTOR "pocl|rusticl|oclgrind|nvidia|intel|amd|SELECTOR"

enum format { FORMAT_TEXT, FORMAT_JSON };

/* What `option` prints is text: 0, or -1 with STATUS_USAGE if another format was asked for. */
int refuse_format(const char *option, enum format format, struct error *error);

/* Formats of results, in this order. */
extern const struct naming text_formats;

struct common_options {
    const char *selectors[OPTIONS_SELECTORS]; /* none: all devices */
    size_t selector_count;
    char *icds[ICD_FOLDER_FILES];
    size_t icd_count;
    const char *kernel_folder; /* or NULL */
    uint64_t timeout_ns;       /* of one launch */
    uint64_t build_timeout_ns; /* of building one kernel */
    enum format format;
    enum channel channel;
    bool quiet;
};

void common_options_init(struct common_options *options);

/* Takes --device where it names one; the member is a struct common_options. */
int take_one_device(struct parsing *parsing, void *context, char *selector);

/* Parts: struct common_options; of these --icd and --quiet alone; and --color, an enum color_choice. */
extern const struct command_line common_line, base_line, color_line;

/* The colours of stdout, by that and the environment. */
const struct colors *stdout_colors(enum color_choice choice);

/* Parses a whole number from least to most, all of `text`. -1 with STATUS_USAGE, naming `option`. */
int parse_number(const char *option, const char *text, uint64_t least, uint64_t most, uint64_t *value,
                 struct error *error);

/* Parses "N,N,..." into an axis; a number that comes twice is kept once. */
int parse_list(const char *option, const char *text, uint64_t least, uint64_t most, struct axis *axis,
               struct error *error);

/* Returns the value with that name, or -1 with STATUS_USAGE, which lists the names. */
int parse_name(const char *option, const struct naming *naming, const char *text, struct error *error);

/* Returns the newest run file, for a command that was given none, and names it on stderr. Exits if none exists. */
const char *newest_run_file(void);

/* Prints "gridlock: ..." on stderr and returns the error's status. */
int report_error(const struct error *error);

/* Flushes standard output, so that a row is seen at once; it can fail then, and the first failure is kept. */
void output_flush(void);

/* Flushes once more. 0, or the errno of the first failure: EPIPE if it is that nobody reads it any more. */
int output_failure(void);

#include "report/repeat.h"

#include "base/alloc.h"
#include "base/words.h"
#include "litmus/emulate.h"
#include "report/given.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void add(FILE *out, const char *word)
{
    fputc(' ', out);
    words_print(out, word);
}

static void add_option(FILE *out, const char *option, const char *value)
{
    add(out, option);
    add(out, value);
}

void repeat_expression(const char *name, char text[REPEAT_EXPRESSION])
{
    size_t used = 0;

    text[used++] = '^';
    for (; *name != '\0' && *name != '#' && used + 4 < REPEAT_EXPRESSION; ++name) {
        if (strchr(".[]()*+?{}|^$\\", *name) != NULL)
            text[used++] = '\\';
        text[used++] = *name;
    }
    text[used++] = '$';
    text[used] = '\0';
}

/* Before the command: "env NAME=value ... ". */
static void print_environment(FILE *out, const char *environment)
{
    if (environment[0] == '\0')
        return;
    fputs("env", out);
    for (const char *line = environment; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        char variable[512];
        if (length < sizeof variable) {
            snprintf(variable, sizeof variable, "%.*s", (int)length, line);
            add(out, variable);
        }
        line += length + (line[length] == '\n');
    }
    fputc(' ', out);
}

static void add_number(FILE *out, const char *option, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    add_option(out, option, text);
}

/* Later batches of a point have other seeds than the scenario says (core/lots.h). */
static bool is_later_batch(const struct repeated *repeated)
{
    const char *sequence = repeated->trial != NULL ? strrchr(repeated->name, '#') : NULL;
    return sequence != NULL && strcmp(sequence, "#0") != 0;
}

/* Says what the run was made with. */
static bool is_given_again(const struct repeated *repeated, const char *option)
{
    static const char *const options[] = {"icd", "via", "kernel-dir", "channel", "stall-budget", "iterations"};
    bool is = false;

    for (size_t i = 0; i < sizeof options / sizeof *options; ++i)
        is = is || strcmp(option, options[i]) == 0;
    /* The way that was measured, and a trial's own seed, are given below. */
    return is || (strcmp(option, "entry") == 0 && repeated->entry == ENTRY_NONE) ||
           (strcmp(option, "seed") == 0 && repeated->trial == NULL);
}

/* Options of the run that say what it was made with, and its scenario, if that is a file of the user's. */
static void add_given(FILE *out, const struct repeated *repeated)
{
    const struct store_run *run = repeated->run;
    const struct trial *trial = repeated->trial;
    const char *scenario = repeated->scenario, *file = given_scenario(run, scenario);

    for (size_t i = 0; i < run->asked_count; ++i) {
        char option[2 + sizeof run->asked->option];
        snprintf(option, sizeof option, "--%s", run->asked[i].option);
        if (is_given_again(repeated, run->asked[i].option))
            add_option(out, option, run->asked[i].value);
    }
    if (given_value(run, "live") != NULL || (trial != NULL && trial->live))
        add(out, "--live");
    if (scenario[0] != '\0' && trial != NULL && (given_value(run, "seed") != NULL || is_later_batch(repeated)))
        add_number(out, "--seed", trial->work.numbers.seed);
    if (scenario[0] != '\0')
        add(out, file != NULL ? file : scenario);
}

/*
 * A device that is the only one of its name in the run may have been chosen among several. A position is not stable,
 * and a number is that of another list. What a model device is like has to be read again.
 */
static void add_device(FILE *out, const struct repeated *repeated)
{
    const struct store_run *run = repeated->run;
    const bool is_like = model_like_has(repeated->device->name);
    char selector[DEVICE_LABEL];
    const char *chosen = NULL;
    bool one_of_several = false;

    for (size_t i = 0; run != NULL && i < run->asked_count; ++i) {
        const char *word = run->asked[i].value;
        if (strcmp(run->asked[i].option, "device") != 0)
            continue;
        if (is_like && model_like_is_named(word))
            chosen = word;
        if (!device_selector_is_of_one(word))
            continue;
        one_of_several = true;
        const bool is_address = strncasecmp(word, "pci:", 4) == 0 || strncasecmp(word, "uuid:", 5) == 0;
        if (is_address && repeated->device->number == 0 && device_info_matches(repeated->device, word))
            chosen = word;
    }
    add_option(out, "-d", chosen != NULL ? chosen : device_info_selector(repeated->device, one_of_several, selector));
}

static void add_subject(FILE *out, const struct subject *subject, enum entry_way entry)
{
    char shape[SHAPE_BYTES], local[sizeof subject->locals + 16];

    nd_range_print_shape(&subject->shape, shape);
    add_option(out, "--source", subject->file);
    if (subject->kernel[0] != '\0') {
        add_option(out, "--kernel", subject->kernel);
        add_option(out, "--local-size", shape);
    }
    if (entry != ENTRY_NONE)
        add_option(out, "--entry", entry_way_name(entry));
    if (subject->options[0] != '\0')
        add_option(out, "--build-options", subject->options);
    for (const char *at = subject->locals; *at != '\0'; at += strspn(at, ",")) {
        const size_t length = strcspn(at, ","), number = strcspn(at, "=");
        snprintf(local, sizeof local, "%.*s=local:%.*s", (int)number, at, (int)(length - number - 1), at + number + 1);
        add_option(out, "--arg", local);
        at += length;
    }
}

static void add_point(FILE *out, const struct repeated *repeated)
{
    const struct trial *trial = repeated->trial;
    char expression[REPEAT_EXPRESSION];

    if (repeated->promise) {
        add_option(out, "--promise", repeated->name);
        return;
    }
    if (repeated->scenario[0] != '\0') {
        repeat_expression(repeated->name, expression);
        add_option(out, "-t", expression);
        return;
    }
    if (trial->footprint.subject.file[0] != '\0') {
        add_subject(out, &trial->footprint.subject, repeated->entry);
        return;
    }
    add_number(out, "--local-size", trial->footprint.local_size);
    add_number(out, "--local-memory", trial->footprint.local_memory_bytes);
    add_number(out, "--private", trial->footprint.private_bytes);
    add_number(out, "--groups", trial->groups);
    add_option(out, "--estimator", trial_kind_name(trial->kind));
}

char *repeat_command(const struct repeated *repeated)
{
    char *line = NULL;
    FILE *out = xopen_memstream(&line, NULL);

    if (repeated->run != NULL)
        print_environment(out, repeated->run->environment);
    fputs(repeated->promise               ? "gridlock audit"
          : repeated->scenario[0] != '\0' ? "gridlock run"
                                          : "gridlock limits",
          out);
    if (repeated->run != NULL)
        add_given(out, repeated);
    add_device(out, repeated);
    add_point(out, repeated);
    return xclose_memstream(out, &line);
}

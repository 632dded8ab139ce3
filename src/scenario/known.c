#include "scenario/known.h"

#include "base/alloc.h"
#include "base/file.h"
#include "promise/promise.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 1022, FILE_MIB = 64 };

int known_patterns_add(struct known_patterns *patterns, const char *text, struct error *error)
{
    size_t copies = MATCHER_COPIES - patterns->copies;

    GROW(patterns->compiled, patterns->count);
    const char *fault = matcher_compile(&patterns->compiled[patterns->count], text, &copies);
    patterns->copies = MATCHER_COPIES - copies;
    if (fault == NULL) {
        patterns->count += 1;
        return 0;
    }
    matcher_fini(&patterns->compiled[patterns->count]);
    return error_set(error, STATUS_USAGE, "cannot parse the extended regular expression '%.100s': %s", text, fault);
}

static int read_failure(const struct known *known, const char *line, const char *text, verdict_set *verdicts,
                        struct error *error)
{
    if (!known->of_promises && *text == '\0')
        return error_set(error, STATUS_USAGE, "'%.100s': expected the point's id and its verdict", line);
    if (!known->of_promises)
        return naming_parse_set(&verdict_naming, text, verdicts, error);
    *verdicts = UINT32_C(1) << KEEPING_BROKEN;
    return strcmp(text, keeping_name(KEEPING_BROKEN)) == 0
               ? 0
               : error_set(error, STATUS_USAGE, "'%.100s %.100s': expected the promise's id and 'broken'", line, text);
}

/* Cuts the id off the line. The name of a scenario may have blanks, which the id has before its last slash. */
static int take_failure(struct known *known, char *line, struct error *error)
{
    char *slash = strrchr(line, '/');
    char *verdicts = slash != NULL ? slash : line;
    struct known_failure failure;

    verdicts += strcspn(verdicts, " \t");
    if (*verdicts != '\0')
        *verdicts++ = '\0';
    verdicts += strspn(verdicts, " \t");
    if (read_failure(known, line, verdicts, &failure.verdicts, error) != 0)
        return -1;
    failure.id = line;
    GROW(known->failures, known->failure_count);
    known->failures[known->failure_count++] = failure;
    return 0;
}

/* Takes each line that says something, without blanks at its ends: one of the patterns, or (NULL) a failure. */
static int load(struct known *known, const char *path, const char *option, struct known_patterns *patterns,
                struct error *error)
{
    size_t length;
    char *text = file_read(path, option, FILE_MIB, &length, error);
    char *next = text;
    int result = text != NULL ? 0 : -1;

    if (text != NULL && strlen(text) != length)
        result = error_set(error, STATUS_USAGE, "%s %.300s is not a text file: it has a zero byte", option, path);
    for (unsigned number = 1; result == 0 && *next != '\0'; ++number) {
        char *line = next;
        size_t end = strcspn(line, "\n");
        next += end + (line[end] == '\n');
        while (end > 0 && strchr(" \t\r", line[end - 1]) != NULL)
            --end;
        line[end] = '\0';
        line += strspn(line, " \t");
        if (*line == '\0' || *line == '#')
            continue;
        if (strlen(line) > LINE_BYTES) {
            result = error_set(error, STATUS_USAGE, "a line has at most %d bytes", LINE_BYTES);
        } else {
            char *kept = xstrdup(line);
            GROW(known->lines, known->line_count);
            known->lines[known->line_count++] =
                (struct known_line){path, number, kept, patterns, patterns != NULL ? patterns->count : 0, false};
            result = patterns != NULL ? known_patterns_add(patterns, kept, error) : take_failure(known, kept, error);
        }
        if (result != 0)
            error_context(error, "%s:%u", path, number);
    }
    free(text);
    return result;
}

static int compare_failures(const void *a, const void *b)
{
    return strcmp(((const struct known_failure *)a)->id, ((const struct known_failure *)b)->id);
}

int known_load_skips(struct known *known, const char *path, struct error *error)
{
    return load(known, path, "--skips", &known->skips, error);
}

int known_load_flakes(struct known *known, const char *path, struct error *error)
{
    return load(known, path, "--flakes", &known->flakes, error);
}

int known_load_baseline(struct known *known, const char *path, struct error *error)
{
    if (load(known, path, "--baseline", NULL, error) != 0)
        return -1;
    if (known->failure_count > 0)
        qsort(known->failures, known->failure_count, sizeof *known->failures, compare_failures);
    return 0;
}

void known_patterns_fini(struct known_patterns *patterns)
{
    for (size_t i = 0; i < patterns->count; ++i)
        matcher_fini(&patterns->compiled[i]);
    free(patterns->compiled);
    *patterns = (struct known_patterns){.count = 0};
}

void known_fini(struct known *known)
{
    known_patterns_fini(&known->skips);
    known_patterns_fini(&known->flakes);
    free(known->failures);
    for (size_t i = 0; i < known->line_count; ++i)
        free(known->lines[i].text);
    free(known->lines);
    *known = (struct known){.failure_count = 0};
}

bool known_patterns_match(const struct known_patterns *patterns, const char *id)
{
    for (size_t i = 0; i < patterns->count; ++i)
        if (matcher_matches(&patterns->compiled[i], id))
            return true;
    return false;
}

enum matching known_patterns_match_outline(const struct known_patterns *patterns, const char *outline)
{
    enum matching nearest = MATCHES_NEVER;

    for (size_t i = 0; i < patterns->count && nearest != MATCHES_SURELY; ++i) {
        const enum matching found = matcher_matches_outline(&patterns->compiled[i], outline);
        nearest = found > nearest ? found : nearest;
    }
    return nearest;
}

void known_note(struct known *known, const char *id)
{
    for (size_t i = 0; i < known->line_count; ++i) {
        struct known_line *line = &known->lines[i];
        if (!line->matched)
            line->matched = line->patterns != NULL ? matcher_matches(&line->patterns->compiled[line->place], id)
                                                   : strcmp(line->text, id) == 0;
    }
}

verdict_set known_failure(const struct known *known, const char *id)
{
    const struct known_failure wanted = {.id = id};

    if (known->failure_count == 0)
        return 0; /* the list is no array then */
    const struct known_failure *found =
        bsearch(&wanted, known->failures, known->failure_count, sizeof *known->failures, compare_failures);
    const struct known_failure *end = known->failures + known->failure_count;
    verdict_set verdicts = 0;

    while (found != NULL && found > known->failures && strcmp(found[-1].id, id) == 0)
        --found;
    for (; found != NULL && found < end && strcmp(found->id, id) == 0; ++found)
        verdicts |= found->verdicts;
    return verdicts;
}

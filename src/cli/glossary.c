#include "cli/glossary.h"

#include "core/mapping.h"
#include "core/naming.h"
#include "core/trial.h"
#include "litmus/model.h"

#include <ctype.h>
#include <string.h>

/* Names that are explained where their subject is. */
static const struct subject_names {
    const char *term;
    const struct naming *names;
} subjects[] = {
    {"estimator", &estimator_naming},         {"dialect", &dialect_naming}, {"channel", &channel_naming},
    {"progress model", &litmus_model_naming}, {"mapping", &mapping_naming},
};

static size_t line_length(const char *text)
{
    const size_t length = strcspn(text, "\n");
    return length + (text[length] == '\n');
}

bool glossary_next(const char **at, struct glossary_part *part)
{
    const char *text = *at + strspn(*at, "\n");

    if (*text == '\0')
        return false;
    *part = (struct glossary_part){text, strcspn(text, "\n"), line_length(text)};
    while (text[part->length] == ' ')
        part->length += line_length(text + part->length);
    *at = text + part->length;
    return true;
}

bool glossary_is_heading(const struct glossary_part *part)
{
    return part->length <= part->line + 1;
}

static int plain(char letter)
{
    return letter == '-' || letter == '_' ? ' ' : tolower((unsigned char)letter);
}

static bool is_word(const char *word, const char *text, size_t length)
{
    size_t i = 0;

    while (i < length && word[i] != '\0' && plain(word[i]) == plain(text[i]))
        ++i;
    return i == length && word[i] == '\0';
}

/* The length of the first of the terms "stop word, fuse". */
static size_t term_length(const char *terms, const char *end)
{
    const char *comma = memchr(terms, ',', (size_t)(end - terms));
    return (size_t)((comma != NULL ? comma : end) - terms);
}

static const char *next_term(const char *term, const char *end)
{
    term += term_length(term, end);
    return term + strspn(term, ", ");
}

static bool has_term(const struct glossary_part *part, const char *word)
{
    const char *const end = part->text + part->line;

    for (const char *term = part->text; term < end; term = next_term(term, end))
        if (is_word(word, term, term_length(term, end)))
            return true;
    return false;
}

static bool is_named(const struct naming *naming, const char *word)
{
    for (int i = 0; i < naming->count; ++i)
        if (is_word(word, naming->names[i], strlen(naming->names[i])))
            return true;
    return false;
}

static bool explains(const struct glossary_part *part, const char *word)
{
    bool found = has_term(part, word);

    for (size_t i = 0; i < sizeof subjects / sizeof *subjects && !found; ++i)
        found = has_term(part, subjects[i].term) && is_named(subjects[i].names, word);
    return found;
}

bool glossary_print(FILE *out, const char *page, const char *word)
{
    struct glossary_part part, heading = {.text = NULL};
    bool any = false;

    while (glossary_next(&page, &part)) {
        if (glossary_is_heading(&part)) {
            heading = part;
        } else if (explains(&part, word)) {
            if (heading.text != NULL)
                fprintf(out, "%s%.*s\n\n", any ? "\n" : "", (int)heading.line, heading.text);
            heading.text = NULL;
            fwrite(part.text, 1, part.length, out);
            any = true;
        }
    }
    return any;
}

void glossary_try(struct nearest *nearest, const char *page)
{
    char name[NEAREST_WORD];
    struct glossary_part part;

    while (glossary_next(&page, &part)) {
        const char *const end = part.text + part.line;
        for (const char *term = part.text; !glossary_is_heading(&part) && term < end; term = next_term(term, end)) {
            snprintf(name, sizeof name, "%.*s", (int)term_length(term, end), term);
            nearest_try(nearest, name);
        }
    }
}

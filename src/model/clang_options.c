#include "model/clang_options.h"

#include "base/alloc.h"
#include "base/words.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void clang_words_add(struct clang_words *words, const char *word)
{
    words->words = xrealloc(words->words, (words->count + 2) * sizeof *words->words);
    words->words[words->count++] = xstrdup(word);
    words->words[words->count] = NULL;
}

void clang_words_add_all(struct clang_words *words, const char *line)
{
    while (*line != '\0') {
        const size_t length = strcspn(line, " ");
        char *word = xstrndup(line, length);
        clang_words_add(words, word);
        free(word);
        line += length + (line[length] == ' ');
    }
}

void clang_words_fini(struct clang_words *words)
{
    for (size_t i = 0; i < words->count; ++i)
        free(words->words[i]);
    free(words->words);
}

static bool among(const char *const *list, const char *word)
{
    for (; *list != NULL; ++list)
        if (strcmp(*list, word) == 0)
            return true;
    return false;
}

/* Options that clang takes as they are. */
static const char *const taken[] = {"-w",
                                    "-Werror",
                                    "-cl-std=CL1.0",
                                    "-cl-std=CL1.1",
                                    "-cl-std=CL1.2",
                                    "-cl-std=CL2.0",
                                    "-cl-std=CL3.0",
                                    "-cl-single-precision-constant",
                                    "-cl-denorms-are-zero",
                                    "-cl-fp32-correctly-rounded-divide-sqrt",
                                    "-cl-strict-aliasing",
                                    "-cl-mad-enable",
                                    "-cl-no-signed-zeros",
                                    "-cl-unsafe-math-optimizations",
                                    "-cl-finite-math-only",
                                    "-cl-fast-relaxed-math",
                                    "-cl-uniform-work-group-size",
                                    "-cl-kernel-arg-info",
                                    NULL};
/* Those that change nothing here. */
static const char *const ignored[] = {"-g", "-cl-opt-disable", "-cl-no-subgroup-ifp", NULL};

/* Passes over the word or two that are an option. */
static int take(char **words, size_t *at, struct clang_words *taken_words, struct error *error)
{
    const char *word = words[(*at)++];

    if (strncmp(word, "-D", 2) != 0 && strncmp(word, "-I", 2) != 0) {
        if (among(taken, word))
            clang_words_add(taken_words, word);
        else if (!among(ignored, word))
            return error_set(error, STATUS_USAGE, "model devices do not know the build option %s", word);
        return 0;
    }
    if (word[2] != '\0') {
        clang_words_add(taken_words, word);
        return 0;
    }
    if (words[*at] == NULL)
        return error_set(error, STATUS_USAGE, "build option %s lacks what it defines or where", word);
    char *both = xasprintf("%s%s", word, words[(*at)++]); /* one word, for clang reads options from files "@FILE" */
    clang_words_add(taken_words, both);
    free(both);
    return 0;
}

int clang_options(const char *options, struct clang_words *words, struct error *error)
{
    char **split;
    size_t count;
    int outcome = 0;

    if (words_split(options, &split, &count) != 0)
        return error_set(error, STATUS_USAGE, "a quote in the build options does not end: %s", options);
    for (size_t at = 0; at < count && outcome == 0;)
        outcome = take(split, &at, words, error);
    free(split);
    return outcome;
}

/* The page of words explains each name that the program's tables have. */
#include "base/source.h"
#include "core/mapping.h"
#include "core/sighting.h"
#include "judge/cause.h"
#include "judge/verdict.h"
#include "promise/promise.h"
#include "proof/verdict.h"

#include "harness.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Between blanks and punctuation; in_term: in a line that is not indented, which a meaning follows. */
static bool is_explained(const char *name, bool in_term)
{
    const char *text = help_pages[0].text;
    const size_t length = strlen(name);

    for (const char *at = strstr(text, name); at != NULL; at = strstr(at + 1, name)) {
        const char *line = at;
        while (line > text && line[-1] != '\n')
            --line;
        const bool whole = (at == text || isspace((unsigned char)at[-1])) && strchr(" ,.:;\n", at[length]) != NULL;
        if (whole && (!in_term || *line != ' '))
            return true;
    }
    return false;
}

static void check_explained(const char *name, bool in_term)
{
    ck_assert_msg(is_explained(name, in_term), "\"%s\" is not explained", name);
}

START_TEST(verdicts_and_causes_are_terms)
{
    ck_assert_str_eq(help_pages[0].name, "words");
    for (int verdict = 0; verdict < VERDICT_COUNT; ++verdict)
        check_explained(verdict_name((enum verdict)verdict), true);
    for (int cause = 0; cause < CAUSE_COUNT; ++cause)
        check_explained(cause_name((enum cause)cause), true);
}
END_TEST

START_TEST(other_names_are_told)
{
    for (int dialect = 0; dialect < DIALECT_COUNT; ++dialect)
        check_explained(dialect_name((enum dialect)dialect), false);
    for (int channel = CHANNEL_NONE; channel <= CHANNEL_AUTO; ++channel)
        check_explained(channel_name((enum channel)channel), false);
    for (int model = 0; model < LITMUS_MODELS; ++model)
        check_explained(litmus_model_name((enum litmus_model)model), false);
    for (int mapping = 0; mapping < MAPPING_KINDS; ++mapping)
        check_explained(mapping_name((enum mapping_kind)mapping), false);
    for (int keeping = 0; keeping < KEEPING_COUNT; ++keeping)
        check_explained(keeping_name((enum keeping)keeping), true);
    for (int verdict = 0; verdict < PROOF_VERDICTS; ++verdict)
        check_explained(proof_verdict_name((enum proof_verdict)verdict), true);
    for (int verdict = 0; verdict < WATCH_VERDICTS; ++verdict)
        check_explained(watch_verdict_name((enum watch_verdict)verdict), true);
}
END_TEST

START_TEST(other_words_are_not)
{
    ck_assert(!is_explained("nosuch", false));
    ck_assert(!is_explained("star", false));
    ck_assert(!is_explained("cl30", true));
}
END_TEST

HARNESS_MAIN("help_words", verdicts_and_causes_are_terms, other_names_are_told, other_words_are_not)

/* Litmus programs, in either form: what is read is printed in both, and both are read as the same program. */
#include "fuzz.h"
#include "litmus/form.h"
#include "litmus/judge.h"
#include "litmus/reader.h"

enum { JUDGED = 10 }; /* instructions, at most: the states of more take too long */

static void check_same(const struct litmus_program *program, const struct litmus_program *again)
{
    char text[LITMUS_TEXT], other[LITMUS_TEXT];

    litmus_text(program, text);
    litmus_text(again, other);
    CLAIM(strcmp(text, other) == 0);
}

static void check_forms(const struct litmus_program *program)
{
    static char listing[LITMUS_RECORD];
    char text[LITMUS_TEXT];
    struct litmus_program again;
    struct error error;
    struct litmus_cursor cursor = {.at = text, .line_start = text, .line = 1};
    FILE *out = fmemopen(listing, sizeof listing, "w");

    CLAIM(litmus_text(program, text) < LITMUS_TEXT);
    CLAIM(litmus_read_text(&cursor, &again, &error) == 0);
    check_same(program, &again);
    CLAIM(out != NULL);
    litmus_print_listing(out, program);
    CLAIM(fclose(out) == 0);
    cursor = (struct litmus_cursor){.at = listing, .line_start = listing, .line = 1};
    CLAIM(litmus_read_listing(&cursor, &again, &error) == 0);
    check_same(program, &again);
}

/* Strong fairness guarantees what weak fairness does. */
static void judge(const struct litmus_program *program)
{
    struct litmus_judge judge = {.space.count = 0};
    struct litmus_verdicts verdicts;
    struct error error;
    unsigned instructions = 0;

    for (unsigned thread = 0; thread < program->threads; ++thread)
        instructions += program->length[thread];
    if (instructions <= JUDGED && fuzz_accepted(litmus_judge_program(&judge, program, &verdicts, &error), &error))
        for (int model = 0; model < LITMUS_MODELS; ++model)
            CLAIM(verdicts.strong[model] || !verdicts.weak[model]);
    litmus_judge_fini(&judge);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct litmus_reader reader;
    struct litmus_program program;
    struct error error;
    bool found = true;
    FILE *in = size > 0 ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL;

    if (in == NULL)
        return 0;
    reader = (struct litmus_reader){.in = in};
    while (fuzz_accepted(litmus_reader_next(&reader, &program, &found, &error), &error) && found) {
        check_forms(&program);
        judge(&program);
    }
    fclose(in);
    return 0;
}

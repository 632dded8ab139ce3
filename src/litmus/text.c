#include "litmus/form.h"
#include "litmus/model.h"

#include <string.h>

/* --- writing --- */

size_t litmus_text(const struct litmus_program *program, char text[LITMUS_TEXT])
{
    size_t length = 0;

    text[0] = '\0';
    for (unsigned thread = 0; thread < program->threads; ++thread)
        for (unsigned i = 0; i < program->length[thread]; ++i) {
            const struct litmus_instruction *instruction = litmus_instruction(program, thread, i);
            const char *between = length == 0 ? "" : i == 0 ? "|" : ";";
            length +=
                (size_t)snprintf(text + length, LITMUS_TEXT - length, "%s%u,%u,%c,%u", between, instruction->location,
                                 instruction->check, "01-"[instruction->exchange], instruction -> jump);
        }
    return length;
}

/* --- reading --- */

static bool accept(struct litmus_draft *draft, char sign)
{
    const bool is_there = *draft->cursor->at == sign;

    draft->cursor->at += is_there;
    return is_there;
}

/* One of two digits, or "-" where that is allowed; and the comma behind it. */
static bool take_bit(struct litmus_draft *draft, const char *what, bool none, uint8_t *bit)
{
    if (none && accept(draft, '-'))
        *bit = LITMUS_NO_EXCHANGE;
    else if (accept(draft, '0'))
        *bit = 0;
    else if (accept(draft, '1'))
        *bit = 1;
    else
        return litmus_draft_fail(draft, draft->cursor, "expected %s: %s", what, none ? "0, 1 or -" : "0 or 1");
    return accept(draft, ',') ||
           litmus_draft_fail(draft, draft->cursor, "expected \",\": an instruction is location,check,exchange,jump");
}

static bool take_instruction(struct litmus_draft *draft)
{
    struct litmus_instruction *instruction = litmus_draft_instruction(draft);

    if (instruction == NULL || !take_bit(draft, "a location", false, &instruction->location) ||
        !take_bit(draft, "the value to check for", false, &instruction->check) ||
        !take_bit(draft, "the value to exchange", true, &instruction->exchange))
        return false;
    draft->jumps[draft->total - 1] = *draft->cursor;
    return litmus_draft_number(draft, &instruction->jump);
}

static bool take_thread(struct litmus_draft *draft)
{
    if (!litmus_draft_thread(draft, draft->cursor))
        return false;
    do
        if (!take_instruction(draft))
            return false;
    while (accept(draft, ';'));
    return litmus_draft_end(draft);
}

/* "MODEL=PF" behind a tab. */
static bool skip_verdict(struct litmus_draft *draft)
{
    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model) {
        const char *name = litmus_model_name(model);
        const size_t length = strlen(name);
        const char *at = draft->cursor->at + 1;
        if (strncmp(at, name, length) != 0 || at[length] != '=')
            continue;
        at += length + 1;
        if ((at[0] != 'P' && at[0] != 'F') || (at[1] != 'P' && at[1] != 'F'))
            break;
        draft->cursor->at = at + 2;
        return true;
    }
    return litmus_draft_fail(draft, draft->cursor, "after a tab only verdicts are allowed, such as HSA=FP");
}

static bool take_program(struct litmus_draft *draft)
{
    struct litmus_cursor *cursor = draft->cursor;

    do
        if (!take_thread(draft))
            return false;
    while (accept(draft, '|'));
    while (*cursor->at == '\t' && cursor->at[1] >= 'A' && cursor->at[1] <= 'Z')
        if (!skip_verdict(draft))
            return false;
    cursor->at += strspn(cursor->at, " \t\r\n");
    return *cursor->at == '\0' || litmus_draft_fail(draft, cursor, "expected \";\", \"|\" or the end of the line");
}

int litmus_read_text(struct litmus_cursor *cursor, struct litmus_program *program, struct error *error)
{
    struct litmus_draft draft = {.cursor = cursor, .program = program, .error = error};

    program->threads = 0;
    return take_program(&draft) ? 0 : -1;
}

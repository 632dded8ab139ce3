#include "litmus/form.h"
#include "litmus/model.h"

#include <string.h>

/* --- writing --- */

static char *put_number(char *at, unsigned number)
{
    if (number >= 10)
        *at++ = (char)('0' + number / 10);
    *at++ = (char)('0' + number % 10);
    return at;
}

static char *put_instruction(char *at, const struct litmus_instruction *instruction)
{
    *at++ = (char)('0' + instruction->location);
    *at++ = ',';
    *at++ = (char)('0' + instruction->check);
    *at++ = ',';
    *at++ = "01-"[instruction->exchange];
    *at++ = ',';
    return put_number(at, instruction->jump);
}

size_t litmus_text(const struct litmus_program *program, char text[LITMUS_TEXT])
{
    char *at = text;

    for (unsigned thread = 0; thread < program->threads; ++thread)
        for (unsigned i = 0; i < program->length[thread]; ++i) {
            if (at != text)
                *at++ = i == 0 ? '|' : ';';
            at = put_instruction(at, litmus_instruction(program, thread, i));
        }
    *at = '\0';
    return (size_t)(at - text);
}

/* --- reading --- */

static int take_comma(struct litmus_cursor *cursor, struct error *error)
{
    if (*cursor->at != ',')
        return litmus_cursor_fail(cursor, error, "expected \",\": an instruction is location,check,exchange,jump");
    ++cursor->at;
    return 0;
}

/* One of two digits, or "-" where that is allowed. */
static int take_bit(struct litmus_cursor *cursor, const char *what, bool none, uint8_t *bit, struct error *error)
{
    if (none && *cursor->at == '-')
        *bit = LITMUS_NO_EXCHANGE;
    else if (*cursor->at == '0' || *cursor->at == '1')
        *bit = (uint8_t)(*cursor->at - '0');
    else
        return litmus_cursor_fail(cursor, error, "expected %s: %s", what, none ? "0, 1 or -" : "0 or 1");
    ++cursor->at;
    return take_comma(cursor, error);
}

static int take_instruction(struct litmus_cursor *cursor, struct litmus_draft *draft, struct error *error)
{
    struct litmus_instruction *instruction;
    unsigned jump = 0;

    if (litmus_draft_instruction(draft, cursor, &instruction, error) != 0 ||
        take_bit(cursor, "a location", false, &instruction->location, error) != 0 ||
        take_bit(cursor, "the value to check for", false, &instruction->check, error) != 0 ||
        take_bit(cursor, "the value to exchange", true, &instruction->exchange, error) != 0)
        return -1;
    draft->jumps[draft->total - 1] = *cursor;
    if (litmus_cursor_number(cursor, &jump, error) != 0)
        return -1;
    instruction->jump = (uint8_t)jump;
    return 0;
}

static int take_thread(struct litmus_cursor *cursor, struct litmus_draft *draft, struct error *error)
{
    if (litmus_draft_thread(draft, cursor, error) != 0)
        return -1;
    for (;;) {
        if (take_instruction(cursor, draft, error) != 0)
            return -1;
        if (*cursor->at != ';')
            return litmus_draft_end(draft, error);
        ++cursor->at;
    }
}

/* "MODEL=PF" behind a tab. */
static int skip_verdict(struct litmus_cursor *cursor, struct error *error)
{
    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model) {
        const char *name = litmus_model_name(model);
        const size_t length = strlen(name);
        const char *at = cursor->at + 1;
        if (strncmp(at, name, length) != 0 || at[length] != '=')
            continue;
        at += length + 1;
        if ((at[0] != 'P' && at[0] != 'F') || (at[1] != 'P' && at[1] != 'F'))
            break;
        cursor->at = at + 2;
        return 0;
    }
    return litmus_cursor_fail(cursor, error, "after a tab only verdicts are allowed, such as HSA=FP");
}

int litmus_read_text(struct litmus_cursor *cursor, struct litmus_program *program, struct error *error)
{
    struct litmus_draft draft = {.program = program, .total = 0};

    program->threads = 0;
    while (take_thread(cursor, &draft, error) == 0) {
        if (*cursor->at == '|') {
            ++cursor->at;
            continue;
        }
        while (*cursor->at == '\t' && cursor->at[1] >= 'A' && cursor->at[1] <= 'Z')
            if (skip_verdict(cursor, error) != 0)
                return -1;
        cursor->at += strspn(cursor->at, " \t\r\n");
        if (*cursor->at != '\0')
            return litmus_cursor_fail(cursor, error, "expected \";\", \"|\" or the end of the line");
        return 0;
    }
    return -1;
}

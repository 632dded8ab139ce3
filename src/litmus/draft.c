#include "litmus/form.h"

#include <ctype.h>
#include <stdarg.h>

bool litmus_draft_fail(const struct litmus_draft *draft, const struct litmus_cursor *at, const char *what, ...)
{
    char text[256];
    va_list arguments;

    va_start(arguments, what);
    vsnprintf(text, sizeof text, what, arguments);
    va_end(arguments);
    error_set(draft->error, STATUS_USAGE, "line %u, column %td: %s", at->line, at->at - at->line_start + 1, text);
    return false;
}

bool litmus_draft_number(struct litmus_draft *draft, uint8_t *number)
{
    struct litmus_cursor *cursor = draft->cursor;
    const unsigned char *digits = (const unsigned char *)cursor->at;

    if (!isdigit(digits[0]))
        return litmus_draft_fail(draft, cursor, "expected a number");
    if (isdigit(digits[1]) && (digits[0] == '0' || isdigit(digits[2])))
        return litmus_draft_fail(draft, cursor, "expected a number of one or two digits without a leading 0");
    for (*number = 0; isdigit((unsigned char)*cursor->at); ++cursor->at)
        *number = (uint8_t)(*number * 10 + *cursor->at - '0');
    return true;
}

bool litmus_draft_thread(struct litmus_draft *draft, const struct litmus_cursor *at)
{
    struct litmus_program *program = draft->program;

    if (program->threads == LITMUS_THREADS)
        return litmus_draft_fail(draft, at, "at most %d threads are allowed", LITMUS_THREADS);
    program->first[program->threads] = (uint8_t)draft->total;
    program->length[program->threads++] = 0;
    return true;
}

struct litmus_instruction *litmus_draft_instruction(struct litmus_draft *draft)
{
    if (draft->total == LITMUS_INSTRUCTIONS) {
        litmus_draft_fail(draft, draft->cursor, "at most %d instructions are allowed", LITMUS_INSTRUCTIONS);
        return NULL;
    }
    ++draft->program->length[draft->program->threads - 1];
    return &draft->program->code[draft->total++];
}

bool litmus_draft_end(const struct litmus_draft *draft)
{
    const struct litmus_program *program = draft->program;
    const unsigned length = program->length[program->threads - 1];

    for (unsigned i = draft->total - length; i < draft->total; ++i)
        if (program->code[i].jump > length)
            return litmus_draft_fail(draft, &draft->jumps[i], "a jump to %u, but the thread has only %u instructions",
                                     program->code[i].jump, length);
    return true;
}

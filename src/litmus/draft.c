#include "litmus/form.h"

#include <stdarg.h>

int litmus_cursor_fail(const struct litmus_cursor *cursor, struct error *error, const char *what, ...)
{
    char text[256];
    va_list arguments;

    va_start(arguments, what);
    vsnprintf(text, sizeof text, what, arguments);
    va_end(arguments);
    return error_set(error, STATUS_USAGE, "line %u, column %td: %s", cursor->line, cursor->at - cursor->line_start + 1,
                     text);
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

int litmus_cursor_number(struct litmus_cursor *cursor, unsigned *number, struct error *error)
{
    const char *at = cursor->at;

    if (!is_digit(at[0]))
        return litmus_cursor_fail(cursor, error, "expected a number");
    if (is_digit(at[1]) && (at[0] == '0' || is_digit(at[2])))
        return litmus_cursor_fail(cursor, error, "expected a number of one or two digits without a leading 0");
    *number = (unsigned)(*cursor->at++ - '0');
    if (is_digit(*cursor->at))
        *number = *number * 10 + (unsigned)(*cursor->at++ - '0');
    return 0;
}

int litmus_draft_thread(struct litmus_draft *draft, const struct litmus_cursor *cursor, struct error *error)
{
    struct litmus_program *program = draft->program;

    if (program->threads == LITMUS_THREADS)
        return litmus_cursor_fail(cursor, error, "at most %d threads are allowed", LITMUS_THREADS);
    program->first[program->threads] = (uint8_t)draft->total;
    program->length[program->threads++] = 0;
    return 0;
}

int litmus_draft_instruction(struct litmus_draft *draft, const struct litmus_cursor *cursor,
                             struct litmus_instruction **instruction, struct error *error)
{
    struct litmus_program *program = draft->program;

    if (draft->total == LITMUS_INSTRUCTIONS)
        return litmus_cursor_fail(cursor, error, "at most %d instructions are allowed", LITMUS_INSTRUCTIONS);
    *instruction = &program->code[draft->total++];
    ++program->length[program->threads - 1];
    return 0;
}

int litmus_draft_end(const struct litmus_draft *draft, struct error *error)
{
    const struct litmus_program *program = draft->program;
    const unsigned length = program->length[program->threads - 1];

    for (unsigned i = draft->total - length; i < draft->total; ++i)
        if (program->code[i].jump > length)
            return litmus_cursor_fail(&draft->jumps[i], error, "a jump to %u, but the thread has only %u instructions",
                                      program->code[i].jump, length);
    return 0;
}

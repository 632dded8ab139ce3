#include "litmus/form.h"

#include <string.h>

/* --- writing --- */

char litmus_location_name(unsigned location)
{
    return (char)('x' + location);
}

void litmus_statement(const struct litmus_instruction *instruction, unsigned position, unsigned length,
                      char text[LITMUS_STATEMENT])
{
    const char name = litmus_location_name(instruction->location);
    char condition[24], jump[16] = "return";

    if (litmus_is_store(instruction, position) && litmus_writes(instruction) && instruction->check == 0) {
        snprintf(text, LITMUS_STATEMENT, "%c = %u;", name, instruction->exchange);
        return;
    }
    if (litmus_writes(instruction))
        snprintf(condition, sizeof condition, "exchange(%c, %u)", name, instruction->exchange);
    else
        snprintf(condition, sizeof condition, "%c", name);
    if (instruction->jump < length)
        snprintf(jump, sizeof jump, "goto L%u", instruction->jump);
    snprintf(text, LITMUS_STATEMENT, "if (%s == %u) %s;", condition, instruction->check, jump);
}

void litmus_print_listing(FILE *out, const struct litmus_program *program)
{
    char text[LITMUS_STATEMENT];

    for (unsigned thread = 0; thread < program->threads; ++thread) {
        fprintf(out, "thread %u {\n", thread);
        for (unsigned i = 0; i < program->length[thread]; ++i) {
            litmus_statement(litmus_instruction(program, thread, i), i, program->length[thread], text);
            fprintf(out, "    L%u: %s\n", i, text);
        }
        fputs("}\n", out);
    }
}

/* --- reading --- */

static void skip_blanks(struct litmus_cursor *cursor)
{
    for (; *cursor->at != '\0' && strchr(" \t\r\n", *cursor->at) != NULL; ++cursor->at)
        if (*cursor->at == '\n') {
            ++cursor->line;
            cursor->line_start = cursor->at + 1;
        }
}

static bool is_of_word(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || byte == '_';
}

/* Goes past a word or a sign if it is what comes next. */
static bool accept(struct litmus_cursor *cursor, const char *what)
{
    const size_t length = strlen(what);

    skip_blanks(cursor);
    if (strncmp(cursor->at, what, length) != 0 || (is_of_word(what[length - 1]) && is_of_word(cursor->at[length])))
        return false;
    cursor->at += length;
    return true;
}

static int expect(struct litmus_cursor *cursor, const char *what, struct error *error)
{
    if (accept(cursor, what))
        return 0;
    return litmus_cursor_fail(cursor, error, "expected \"%s\"", what);
}

static int take_location(struct litmus_cursor *cursor, uint8_t *location, struct error *error)
{
    for (*location = 0; *location < LITMUS_LOCATIONS; ++*location) {
        const char name[] = {litmus_location_name(*location), '\0'};
        if (accept(cursor, name))
            return 0;
    }
    return litmus_cursor_fail(cursor, error, "expected a location: x or y");
}

static int take_bit(struct litmus_cursor *cursor, uint8_t *bit, struct error *error)
{
    *bit = accept(cursor, "1") ? 1 : 0;
    if (*bit == 1 || accept(cursor, "0"))
        return 0;
    return litmus_cursor_fail(cursor, error, "expected a value: 0 or 1");
}

/* "L" and a number. */
static int take_label(struct litmus_cursor *cursor, unsigned *number, struct error *error)
{
    skip_blanks(cursor);
    if (*cursor->at != 'L')
        return litmus_cursor_fail(cursor, error, "expected a label, such as L0");
    ++cursor->at;
    return litmus_cursor_number(cursor, number, error);
}

/* What is compared: "x" or "exchange(x, 1)". */
static int take_expression(struct litmus_cursor *cursor, struct litmus_instruction *instruction, struct error *error)
{
    instruction->exchange = LITMUS_NO_EXCHANGE;
    if (!accept(cursor, "exchange"))
        return take_location(cursor, &instruction->location, error);
    if (expect(cursor, "(", error) != 0 || take_location(cursor, &instruction->location, error) != 0 ||
        expect(cursor, ",", error) != 0 || take_bit(cursor, &instruction->exchange, error) != 0)
        return -1;
    return expect(cursor, ")", error);
}

/* "return" is a jump to the end, which is not known yet. */
enum { TO_THE_END = UINT8_MAX };

static int take_jump(struct litmus_cursor *cursor, struct litmus_instruction *instruction, struct litmus_cursor *place,
                     struct error *error)
{
    unsigned number = 0;

    instruction->jump = TO_THE_END;
    if (accept(cursor, "return"))
        return 0;
    if (!accept(cursor, "goto"))
        return litmus_cursor_fail(cursor, error, "expected \"goto\" or \"return\"");
    skip_blanks(cursor);
    *place = *cursor;
    if (take_label(cursor, &number, error) != 0)
        return -1;
    instruction->jump = (uint8_t)number;
    return 0;
}

static int take_condition(struct litmus_cursor *cursor, struct litmus_instruction *instruction,
                          struct litmus_cursor *place, struct error *error)
{
    if (expect(cursor, "(", error) != 0 || take_expression(cursor, instruction, error) != 0 ||
        expect(cursor, "==", error) != 0 || take_bit(cursor, &instruction->check, error) != 0 ||
        expect(cursor, ")", error) != 0)
        return -1;
    return take_jump(cursor, instruction, place, error);
}

static int take_store(struct litmus_cursor *cursor, struct litmus_instruction *instruction, unsigned position,
                      struct error *error)
{
    if (take_location(cursor, &instruction->location, error) != 0 || expect(cursor, "=", error) != 0 ||
        take_bit(cursor, &instruction->exchange, error) != 0)
        return -1;
    instruction->check = 0;
    instruction->jump = (uint8_t)(position + 1);
    return 0;
}

static int take_statement(struct litmus_cursor *cursor, struct litmus_draft *draft, struct error *error)
{
    struct litmus_instruction *instruction;
    unsigned label = 0;

    skip_blanks(cursor);
    const struct litmus_cursor start = *cursor;
    if (litmus_draft_instruction(draft, cursor, &instruction, error) != 0 || take_label(cursor, &label, error) != 0)
        return -1;
    const unsigned position = draft->program->length[draft->program->threads - 1] - 1u;
    if (label != position)
        return litmus_cursor_fail(&start, error, "expected the label L%u", position);
    if (expect(cursor, ":", error) != 0)
        return -1;
    if (accept(cursor, "if") ? take_condition(cursor, instruction, &draft->jumps[draft->total - 1], error) != 0
                             : take_store(cursor, instruction, position, error) != 0)
        return -1;
    return expect(cursor, ";", error);
}

static int take_thread(struct litmus_cursor *cursor, struct litmus_draft *draft, struct error *error)
{
    struct litmus_program *program = draft->program;
    unsigned number = 0;

    if (expect(cursor, "thread", error) != 0)
        return -1;
    skip_blanks(cursor);
    const struct litmus_cursor place = *cursor;
    if (litmus_cursor_number(cursor, &number, error) != 0)
        return -1;
    if (number != program->threads)
        return litmus_cursor_fail(&place, error, "expected thread %u", program->threads);
    if (litmus_draft_thread(draft, &place, error) != 0 || expect(cursor, "{", error) != 0)
        return -1;
    do
        if (take_statement(cursor, draft, error) != 0)
            return -1;
    while (!accept(cursor, "}"));
    for (unsigned i = program->first[program->threads - 1]; i < draft->total; ++i)
        if (program->code[i].jump == TO_THE_END)
            program->code[i].jump = program->length[program->threads - 1];
    return litmus_draft_end(draft, error);
}

int litmus_read_listing(struct litmus_cursor *cursor, struct litmus_program *program, struct error *error)
{
    struct litmus_draft draft = {.program = program, .total = 0};

    program->threads = 0;
    do {
        if (take_thread(cursor, &draft, error) != 0)
            return -1;
        skip_blanks(cursor);
    } while (*cursor->at != '\0');
    return 0;
}

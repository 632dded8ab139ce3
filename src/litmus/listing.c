#include "litmus/form.h"

#include <ctype.h>
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
    return isalnum((unsigned char)byte) || byte == '_';
}

/* Goes past a word or a sign if it is what comes next. */
static bool accept(struct litmus_draft *draft, const char *what)
{
    struct litmus_cursor *cursor = draft->cursor;
    const size_t length = strlen(what);

    skip_blanks(cursor);
    if (strncmp(cursor->at, what, length) != 0 || (is_of_word(what[length - 1]) && is_of_word(cursor->at[length])))
        return false;
    cursor->at += length;
    return true;
}

static bool expect(struct litmus_draft *draft, const char *what)
{
    return accept(draft, what) || litmus_draft_fail(draft, draft->cursor, "expected \"%s\"", what);
}

static bool take_location(struct litmus_draft *draft, uint8_t *location)
{
    for (*location = 0; *location < LITMUS_LOCATIONS; ++*location)
        if (accept(draft, (const char[]){litmus_location_name(*location), '\0'}))
            return true;
    return litmus_draft_fail(draft, draft->cursor, "expected a location: x or y");
}

static bool take_bit(struct litmus_draft *draft, uint8_t *bit)
{
    *bit = accept(draft, "1");
    return *bit == 1 || accept(draft, "0") || litmus_draft_fail(draft, draft->cursor, "expected a value: 0 or 1");
}

/* "L" and a number. */
static bool take_label(struct litmus_draft *draft, uint8_t *number)
{
    skip_blanks(draft->cursor);
    if (*draft->cursor->at != 'L')
        return litmus_draft_fail(draft, draft->cursor, "expected a label, such as L0");
    ++draft->cursor->at;
    return litmus_draft_number(draft, number);
}

/* What is compared: "x" or "exchange(x, 1)". */
static bool take_expression(struct litmus_draft *draft, struct litmus_instruction *instruction)
{
    instruction->exchange = LITMUS_NO_EXCHANGE;
    if (!accept(draft, "exchange"))
        return take_location(draft, &instruction->location);
    return expect(draft, "(") && take_location(draft, &instruction->location) && expect(draft, ",") &&
           take_bit(draft, &instruction->exchange) && expect(draft, ")");
}

/* "return" is a jump to the end, which is not known yet. */
enum { TO_THE_END = UINT8_MAX };

static bool take_jump(struct litmus_draft *draft, struct litmus_instruction *instruction)
{
    instruction->jump = TO_THE_END;
    if (accept(draft, "return"))
        return true;
    if (!accept(draft, "goto"))
        return litmus_draft_fail(draft, draft->cursor, "expected \"goto\" or \"return\"");
    skip_blanks(draft->cursor);
    draft->jumps[draft->total - 1] = *draft->cursor;
    return take_label(draft, &instruction->jump);
}

static bool take_condition(struct litmus_draft *draft, struct litmus_instruction *instruction)
{
    return expect(draft, "(") && take_expression(draft, instruction) && expect(draft, "==") &&
           take_bit(draft, &instruction->check) && expect(draft, ")") && take_jump(draft, instruction);
}

static bool take_store(struct litmus_draft *draft, struct litmus_instruction *instruction, unsigned position)
{
    instruction->check = 0;
    instruction->jump = (uint8_t)(position + 1);
    return take_location(draft, &instruction->location) && expect(draft, "=") &&
           take_bit(draft, &instruction->exchange);
}

static bool take_statement(struct litmus_draft *draft)
{
    uint8_t label;

    skip_blanks(draft->cursor);
    const struct litmus_cursor start = *draft->cursor;
    struct litmus_instruction *instruction = litmus_draft_instruction(draft);
    if (instruction == NULL || !take_label(draft, &label))
        return false;
    const unsigned position = draft->program->length[draft->program->threads - 1] - 1u;
    if (label != position)
        return litmus_draft_fail(draft, &start, "expected the label L%u", position);
    return expect(draft, ":") &&
           (accept(draft, "if") ? take_condition(draft, instruction) : take_store(draft, instruction, position)) &&
           expect(draft, ";");
}

static bool take_thread(struct litmus_draft *draft)
{
    struct litmus_program *program = draft->program;
    uint8_t number;

    if (!expect(draft, "thread"))
        return false;
    skip_blanks(draft->cursor);
    const struct litmus_cursor place = *draft->cursor;
    if (!litmus_draft_number(draft, &number))
        return false;
    if (number != program->threads)
        return litmus_draft_fail(draft, &place, "expected thread %u", program->threads);
    if (!litmus_draft_thread(draft, &place) || !expect(draft, "{"))
        return false;
    do
        if (!take_statement(draft))
            return false;
    while (!accept(draft, "}"));
    for (unsigned i = program->first[program->threads - 1]; i < draft->total; ++i)
        if (program->code[i].jump == TO_THE_END)
            program->code[i].jump = program->length[program->threads - 1];
    return litmus_draft_end(draft);
}

int litmus_read_listing(struct litmus_cursor *cursor, struct litmus_program *program, struct error *error)
{
    struct litmus_draft draft = {.cursor = cursor, .program = program, .error = error};

    program->threads = 0;
    do {
        if (!take_thread(&draft))
            return -1;
        skip_blanks(cursor);
    } while (*cursor->at != '\0');
    return 0;
}

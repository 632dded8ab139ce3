#include "litmus/form.h"

#include "core/tokens.h"
#include "litmus/model.h"

#include <ctype.h>
#include <stdarg.h>
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
            const char exchange = "01-"[instruction->exchange];
            length += (size_t)snprintf(text + length, LITMUS_TEXT - length, "%s%u,%u,%c,%u", between,
                                       instruction->location, instruction->check, exchange, instruction->jump);
        }
    return length;
}

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

/* --- what both readers do; each of these returns false with an error --- */

/* A program that is read. */
struct draft {
    struct litmus_cursor *cursor;
    struct litmus_program *program;
    struct error *error;
    unsigned total;
    struct litmus_cursor jumps[LITMUS_INSTRUCTIONS]; /* where each stood, as its thread's length is known later */
};

/* Returns false, with "line ..., column ...: what", where `at` is; the column counts bytes from 1. */
__attribute__((format(printf, 3, 4))) static bool fail(const struct draft *draft, const struct litmus_cursor *at,
                                                       const char *what, ...)
{
    char text[256];
    va_list arguments;

    va_start(arguments, what);
    vsnprintf(text, sizeof text, what, arguments);
    va_end(arguments);
    error_set(draft->error, STATUS_USAGE, "line %u, column %td: %s", at->line, at->at - at->line_start + 1, text);
    return false;
}

/* A number of at most two digits, without a leading 0. */
static bool take_number(struct draft *draft, uint8_t *number)
{
    struct litmus_cursor *cursor = draft->cursor;
    const unsigned char *digits = (const unsigned char *)cursor->at;

    if (!isdigit(digits[0]))
        return fail(draft, cursor, "expected a number");
    if (isdigit(digits[1]) && (digits[0] == '0' || isdigit(digits[2])))
        return fail(draft, cursor, "expected a number of one or two digits without a leading 0");
    for (*number = 0; isdigit((unsigned char)*cursor->at); ++cursor->at)
        *number = (uint8_t)(*number * 10 + *cursor->at - '0');
    return true;
}

/* Another thread, which begins at `at`. */
static bool begin_thread(struct draft *draft, const struct litmus_cursor *at)
{
    struct litmus_program *program = draft->program;

    if (program->threads == LITMUS_THREADS)
        return fail(draft, at, "at most %d threads are allowed", LITMUS_THREADS);
    program->first[program->threads] = (uint8_t)draft->total;
    program->length[program->threads++] = 0;
    return true;
}

/* Another instruction of the last thread, or NULL. */
static struct litmus_instruction *begin_instruction(struct draft *draft)
{
    if (draft->total == LITMUS_INSTRUCTIONS) {
        fail(draft, draft->cursor, "at most %d instructions are allowed", LITMUS_INSTRUCTIONS);
        return NULL;
    }
    ++draft->program->length[draft->program->threads - 1];
    return &draft->program->code[draft->total++];
}

/* The last thread is complete. */
static bool end_thread(const struct draft *draft)
{
    const struct litmus_program *program = draft->program;
    const unsigned length = program->length[program->threads - 1];

    for (unsigned i = draft->total - length; i < draft->total; ++i)
        if (program->code[i].jump > length)
            return fail(draft, &draft->jumps[i], "a jump to %u, but the thread has only %u instructions",
                        program->code[i].jump, length);
    return true;
}

/* --- reading the text form --- */

static bool take_sign(struct draft *draft, char sign)
{
    const bool is_there = *draft->cursor->at == sign;

    draft->cursor->at += is_there;
    return is_there;
}

/* One of two digits, or "-" where that is allowed; and the comma behind it. */
static bool take_field(struct draft *draft, const char *what, bool none, uint8_t *bit)
{
    if (none && take_sign(draft, '-'))
        *bit = LITMUS_NO_EXCHANGE;
    else if (take_sign(draft, '0'))
        *bit = 0;
    else if (take_sign(draft, '1'))
        *bit = 1;
    else
        return fail(draft, draft->cursor, "expected %s: %s", what, none ? "0, 1 or -" : "0 or 1");
    return take_sign(draft, ',') ||
           fail(draft, draft->cursor, "expected \",\": an instruction is location,check,exchange,jump");
}

static bool take_instruction(struct draft *draft)
{
    struct litmus_instruction *instruction = begin_instruction(draft);

    if (instruction == NULL || !take_field(draft, "a location", false, &instruction->location) ||
        !take_field(draft, "the value to check for", false, &instruction->check) ||
        !take_field(draft, "the value to exchange", true, &instruction->exchange))
        return false;
    draft->jumps[draft->total - 1] = *draft->cursor;
    return take_number(draft, &instruction->jump);
}

static bool take_text_thread(struct draft *draft)
{
    if (!begin_thread(draft, draft->cursor))
        return false;
    do
        if (!take_instruction(draft))
            return false;
    while (take_sign(draft, ';'));
    return end_thread(draft);
}

/* "MODEL=PF" behind a tab. */
static bool skip_verdict(struct draft *draft)
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
    return fail(draft, draft->cursor, "after a tab only verdicts are allowed, such as HSA=FP");
}

static bool take_text(struct draft *draft)
{
    struct litmus_cursor *cursor = draft->cursor;

    do
        if (!take_text_thread(draft))
            return false;
    while (take_sign(draft, '|'));
    while (*cursor->at == '\t' && cursor->at[1] >= 'A' && cursor->at[1] <= 'Z')
        if (!skip_verdict(draft))
            return false;
    cursor->at += strspn(cursor->at, " \t\r\n");
    return *cursor->at == '\0' || fail(draft, cursor, "expected \";\", \"|\" or the end of the line");
}

int litmus_read_text(struct litmus_cursor *cursor, struct litmus_program *program, struct error *error)
{
    struct draft draft = {.cursor = cursor, .program = program, .error = error};

    program->threads = 0;
    return take_text(&draft) ? 0 : -1;
}

/* --- reading the listing --- */

static void skip_blanks(struct litmus_cursor *cursor)
{
    for (; *cursor->at != '\0' && strchr(" \t\r\n", *cursor->at) != NULL; ++cursor->at)
        if (*cursor->at == '\n') {
            ++cursor->line;
            cursor->line_start = cursor->at + 1;
        }
}

/* Goes past a word or a sign if it is what comes next. */
static bool accept(struct draft *draft, const char *what)
{
    struct litmus_cursor *cursor = draft->cursor;
    const size_t length = strlen(what);

    skip_blanks(cursor);
    if (strncmp(cursor->at, what, length) != 0 ||
        (token_is_of_name(what[length - 1]) && token_is_of_name(cursor->at[length])))
        return false;
    cursor->at += length;
    return true;
}

static bool expect(struct draft *draft, const char *what)
{
    return accept(draft, what) || fail(draft, draft->cursor, "expected \"%s\"", what);
}

static bool take_location(struct draft *draft, uint8_t *location)
{
    for (*location = 0; *location < LITMUS_LOCATIONS; ++*location)
        if (accept(draft, (const char[]){litmus_location_name(*location), '\0'}))
            return true;
    return fail(draft, draft->cursor, "expected a location: x or y");
}

static bool take_bit(struct draft *draft, uint8_t *bit)
{
    *bit = accept(draft, "1");
    return *bit == 1 || accept(draft, "0") || fail(draft, draft->cursor, "expected a value: 0 or 1");
}

/* "L" and a number. */
static bool take_label(struct draft *draft, uint8_t *number)
{
    skip_blanks(draft->cursor);
    if (*draft->cursor->at != 'L')
        return fail(draft, draft->cursor, "expected a label, such as L0");
    ++draft->cursor->at;
    return take_number(draft, number);
}

/* What is compared: "x" or "exchange(x, 1)". */
static bool take_expression(struct draft *draft, struct litmus_instruction *instruction)
{
    instruction->exchange = LITMUS_NO_EXCHANGE;
    if (!accept(draft, "exchange"))
        return take_location(draft, &instruction->location);
    return expect(draft, "(") && take_location(draft, &instruction->location) && expect(draft, ",") &&
           take_bit(draft, &instruction->exchange) && expect(draft, ")");
}

/* "return" is a jump to the end, which is not known yet. */
enum { TO_THE_END = UINT8_MAX };

static bool take_jump(struct draft *draft, struct litmus_instruction *instruction)
{
    instruction->jump = TO_THE_END;
    if (accept(draft, "return"))
        return true;
    if (!accept(draft, "goto"))
        return fail(draft, draft->cursor, "expected \"goto\" or \"return\"");
    skip_blanks(draft->cursor);
    draft->jumps[draft->total - 1] = *draft->cursor;
    return take_label(draft, &instruction->jump);
}

static bool take_condition(struct draft *draft, struct litmus_instruction *instruction)
{
    return expect(draft, "(") && take_expression(draft, instruction) && expect(draft, "==") &&
           take_bit(draft, &instruction->check) && expect(draft, ")") && take_jump(draft, instruction);
}

static bool take_store(struct draft *draft, struct litmus_instruction *instruction, unsigned position)
{
    instruction->check = 0;
    instruction->jump = (uint8_t)(position + 1);
    return take_location(draft, &instruction->location) && expect(draft, "=") &&
           take_bit(draft, &instruction->exchange);
}

static bool take_statement(struct draft *draft)
{
    uint8_t label = 0;

    skip_blanks(draft->cursor);
    const struct litmus_cursor start = *draft->cursor;
    struct litmus_instruction *instruction = begin_instruction(draft);
    if (instruction == NULL || !take_label(draft, &label))
        return false;
    const unsigned position = draft->program->length[draft->program->threads - 1] - 1u;
    if (label != position)
        return fail(draft, &start, "expected the label L%u", position);
    return expect(draft, ":") &&
           (accept(draft, "if") ? take_condition(draft, instruction) : take_store(draft, instruction, position)) &&
           expect(draft, ";");
}

static bool take_thread(struct draft *draft)
{
    struct litmus_program *program = draft->program;
    uint8_t number = 0;

    if (!expect(draft, "thread"))
        return false;
    skip_blanks(draft->cursor);
    const struct litmus_cursor place = *draft->cursor;
    if (!take_number(draft, &number))
        return false;
    if (number != program->threads)
        return fail(draft, &place, "expected thread %u", program->threads);
    if (!begin_thread(draft, &place) || !expect(draft, "{"))
        return false;
    do
        if (!take_statement(draft))
            return false;
    while (!accept(draft, "}"));
    for (unsigned i = program->first[program->threads - 1]; i < draft->total; ++i)
        if (program->code[i].jump == TO_THE_END)
            program->code[i].jump = program->length[program->threads - 1];
    return end_thread(draft);
}

int litmus_read_listing(struct litmus_cursor *cursor, struct litmus_program *program, struct error *error)
{
    struct draft draft = {.cursor = cursor, .program = program, .error = error};

    program->threads = 0;
    do {
        if (!take_thread(&draft))
            return -1;
        skip_blanks(cursor);
    } while (*cursor->at != '\0');
    return 0;
}

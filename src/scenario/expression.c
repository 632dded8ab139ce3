#include "scenario/expression.h"

#include <ctype.h>
#include <string.h>

enum { DEPTH_MOST = 32, SCALE_DIGITS = 3, SCALE = 1000 };

struct parser {
    const char *text; /* all of it */
    const char *at;
    const struct scope *scope;
    struct error *error;
    int depth;
    bool unknown;
    size_t index_count; /* variables that are indexes */
    size_t indexes;     /* that were read */
};

static int operation(struct parser *parser, size_t level, int64_t *value);

static int fail(struct parser *parser, const char *what)
{
    return error_set(parser->error, STATUS_USAGE, "'%.80s': %s at '%.20s'", parser->text, what,
                     parser->at[0] != '\0' ? parser->at : "the end");
}

static void skip_blanks(struct parser *parser)
{
    while (*parser->at == ' ' || *parser->at == '\t')
        ++parser->at;
}

/* Whatever part of an expression is not known stands for 1, by which anything can be divided. */
static void settle(struct parser *parser, bool unknown_before, int64_t *value)
{
    if (parser->unknown)
        *value = 1;
    parser->unknown = parser->unknown || unknown_before;
}

static bool take(struct parser *parser, char sign)
{
    skip_blanks(parser);
    if (*parser->at != sign)
        return false;
    ++parser->at;
    return true;
}

static size_t name_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_' ||
           (length > 0 && text[length] == '-' && isalpha((unsigned char)text[length + 1])))
        ++length;
    return length;
}

static int variable(struct parser *parser, int64_t *value)
{
    const size_t length = name_length(parser->at);

    for (size_t i = 0; i < parser->scope->count; ++i) {
        const struct variable *candidate = &parser->scope->variables[i];
        if (strlen(candidate->name) != length || strncmp(candidate->name, parser->at, length) != 0)
            continue;
        parser->at += length;
        parser->unknown = parser->unknown || !candidate->known;
        parser->indexes += i < parser->index_count;
        *value = candidate->known ? candidate->value : 1;
        return 0;
    }
    return fail(parser, "expected a number or a known name");
}

static int integer(struct parser *parser, int64_t *value)
{
    *value = 0;
    for (; isdigit((unsigned char)*parser->at); ++parser->at)
        if (__builtin_mul_overflow(*value, 10, value) || __builtin_add_overflow(*value, *parser->at - '0', value))
            return fail(parser, "a number above 2^63 - 1");
    return 0;
}

/* The digits behind a decimal point, in thousandths. */
static int fraction(struct parser *parser, int64_t *thousandths)
{
    int64_t unit = SCALE / 10;
    *thousandths = 0;
    if (!isdigit((unsigned char)*parser->at))
        return fail(parser, "expected a digit");
    for (int digits = 0; isdigit((unsigned char)*parser->at); ++parser->at, unit /= 10)
        if (++digits > SCALE_DIGITS)
            return fail(parser, "more than 3 digits after the point");
        else
            *thousandths += unit * (*parser->at - '0');
    return 0;
}

/* a / b towards plus infinity, which C's division does only where the signs differ. */
static int64_t divide_up(int64_t a, int64_t b)
{
    return a / b + (a % b != 0 && (a < 0) == (b < 0));
}

static int misused(struct parser *parser)
{
    return fail(parser, "an index may only be added, subtracted, or multiplied by what has none,");
}

/* A number, or a multiple of a variable. */
static int number(struct parser *parser, int64_t *value)
{
    int64_t thousandths = 0;
    int64_t factor = 0;
    const size_t before = parser->indexes;

    if (integer(parser, value) != 0)
        return -1;
    const bool decimal = *parser->at == '.';
    if (decimal) {
        ++parser->at;
        if (fraction(parser, &thousandths) != 0)
            return -1;
    }
    if (*parser->at != 'x' || isalnum((unsigned char)parser->at[1]))
        return decimal ? fail(parser, "expected x after a decimal number, as in 1.5x resident,") : 0;
    ++parser->at;
    skip_blanks(parser);
    if (variable(parser, &factor) != 0)
        return -1;
    if (decimal && parser->indexes != before)
        return misused(parser);
    if (__builtin_mul_overflow(*value, SCALE, value) || __builtin_add_overflow(*value, thousandths, value) ||
        __builtin_mul_overflow(*value, factor, value))
        return fail(parser, "a number above 2^63 - 1");
    *value = divide_up(*value, SCALE);
    return 0;
}

static int arguments(struct parser *parser, int count, int64_t *values)
{
    for (int i = 0; i < count; ++i) {
        const bool unknown = parser->unknown;
        if (!take(parser, i == 0 ? '(' : ','))
            return fail(parser, i == 0 ? "expected (" : "expected ,");
        parser->unknown = false;
        if (operation(parser, 0, &values[i]) != 0)
            return -1;
        settle(parser, unknown, &values[i]);
    }
    return take(parser, ')') ? 0 : fail(parser, "expected )");
}

/* `sign` is that of the operator; '^' divides and rounds up. */
static int apply(struct parser *parser, int64_t a, int64_t b, char sign, int64_t *value)
{
    bool overflows = false;

    if (sign == '+')
        overflows = __builtin_add_overflow(a, b, value);
    else if (sign == '-')
        overflows = __builtin_sub_overflow(a, b, value);
    else if (sign == '*')
        overflows = __builtin_mul_overflow(a, b, value);
    else if (b == 0 || (a == INT64_MIN && b == -1))
        return fail(parser, "an undefined division");
    else
        *value = sign == '%' ? a % b : sign == '^' ? divide_up(a, b) : a / b;
    return overflows ? fail(parser, "a number above 2^63 - 1") : 0;
}

static int64_t log2_rounded_up(int64_t a)
{
    int64_t bits = 0;
    while (bits < 63 && ((int64_t)1 << bits) < a)
        ++bits;
    return bits;
}

/* min, max, ceil or log2; 1: it is none of them. */
static int function(struct parser *parser, int64_t *value)
{
    static const struct {
        const char *name;
        int count;
    } functions[] = {{"min", 2}, {"max", 2}, {"ceil", 2}, {"log2", 1}};
    const size_t length = name_length(parser->at);
    const size_t before = parser->indexes;
    int64_t values[2] = {0, 0};

    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
        if (strlen(functions[i].name) != length || strncmp(functions[i].name, parser->at, length) != 0 ||
            parser->at[length] != '(')
            continue;
        parser->at += length;
        if (arguments(parser, functions[i].count, values) != 0)
            return -1;
        if (parser->indexes != before)
            return misused(parser);
        if (i == 3)
            *value = log2_rounded_up(values[0]);
        else if (i == 2)
            return apply(parser, values[0], values[1], '^', value);
        else
            *value = (values[0] < values[1]) == (i == 0) ? values[0] : values[1];
        return 0;
    }
    return 1;
}

static int factor(struct parser *parser, int64_t *value)
{
    const bool unknown = parser->unknown;
    int outcome;

    *value = 0;
    parser->unknown = false;
    skip_blanks(parser);
    if (++parser->depth > DEPTH_MOST)
        return fail(parser, "too many nested brackets");
    if (take(parser, '(')) {
        outcome = operation(parser, 0, value);
        if (outcome == 0 && !take(parser, ')'))
            outcome = fail(parser, "expected )");
    } else if (take(parser, '-')) {
        outcome = factor(parser, value);
        if (outcome == 0 && __builtin_sub_overflow(0, *value, value))
            outcome = fail(parser, "a number above 2^63 - 1");
    } else if (isdigit((unsigned char)*parser->at)) {
        outcome = number(parser, value);
    } else {
        outcome = function(parser, value);
        if (outcome > 0)
            outcome = variable(parser, value);
    }
    --parser->depth;
    if (outcome == 0)
        settle(parser, unknown, value);
    return outcome;
}

/* Operands with operators between them that bind equally strongly: those of a sum, or (`level` 1) of a product. */
static int operation(struct parser *parser, size_t level, int64_t *value)
{
    static const char *const operators[] = {"+-", "*/%"};
    int64_t next = 0;
    const size_t before = parser->indexes;

    if (level == sizeof operators / sizeof *operators)
        return factor(parser, value);
    if (operation(parser, level + 1, value) != 0)
        return -1;
    for (;;) {
        skip_blanks(parser);
        const char sign = *parser->at;
        if (sign == '\0' || strchr(operators[level], sign) == NULL)
            return 0;
        ++parser->at;
        const size_t left = parser->indexes - before;
        if (operation(parser, level + 1, &next) != 0)
            return -1;
        const size_t right = parser->indexes - before - left;
        if (level > 0 && (sign == '*' ? left != 0 && right != 0 : left + right != 0))
            return misused(parser);
        if (apply(parser, *value, next, sign, value) != 0)
            return -1;
    }
}

int expression_evaluate_linear(const char *text, const struct scope *scope, size_t indexes, int64_t *value,
                               struct error *error)
{
    struct parser parser = {.text = text, .at = text, .scope = scope, .error = error, .index_count = indexes};

    if (operation(&parser, 0, value) != 0)
        return -1;
    skip_blanks(&parser);
    if (*parser.at != '\0')
        return fail(&parser, "expected an operator");
    return parser.unknown ? 1 : 0;
}

int expression_evaluate(const char *text, const struct scope *scope, int64_t *value, struct error *error)
{
    return expression_evaluate_linear(text, scope, 0, value, error);
}

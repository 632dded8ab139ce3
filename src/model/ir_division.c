#include "model/ir_division.h"

#include "model/ir_type.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* "  %7 = sdiv <4 x i32> %5, %6, !dbg !9" */
struct division {
    const char *type, *dividend, *divisor;
    int type_length, dividend_length, divisor_length;
    unsigned width, bits; /* of a vector, or 1; of an element */
    bool is_signed;
    size_t number;
};

static bool read_operands(const char *at, struct division *division)
{
    division->type = at;
    division->width = *at == '<' ? (unsigned)strtoul(at + 1, NULL, 10) : 1;
    const char *element = strchr(at, 'i');
    const char *end = *at == '<' ? strchr(at, '>') : strchr(at, ' ');
    if (element == NULL || end == NULL || element > end)
        return false;
    division->bits = (unsigned)strtoul(element + 1, NULL, 10);
    division->type_length = (int)(end + (*at == '<') - at);
    division->dividend = at + division->type_length;
    division->dividend += strspn(division->dividend, " ");
    division->dividend_length = (int)(ir_item_end(division->dividend) - division->dividend);
    if (division->dividend[division->dividend_length] != ',')
        return false;
    division->divisor = division->dividend + division->dividend_length + 1;
    division->divisor += strspn(division->divisor, " ");
    division->divisor_length = (int)(ir_item_end(division->divisor) - division->divisor);
    return *division->divisor == '%' && division->bits >= 8 && division->bits <= 64; /* another one is known */
}

static bool read_division(const char *line, struct division *division)
{
    static const char *const words[] = {"sdiv ", "srem ", "udiv ", "urem "};
    const char *at = *line == ' ' ? strstr(line, " = ") : NULL;

    if (at == NULL || at > line + strcspn(line, "\n"))
        return false;
    at += strlen(" = ");
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        if (strncmp(at, words[i], strlen(words[i])) == 0) {
            division->is_signed = *at == 's';
            return read_operands(at + strlen(words[i]), division);
        }
    return false;
}

/* So much in each element. */
static void print_constant(const struct division *division, int64_t value, FILE *out)
{
    if (division->width == 1) {
        fprintf(out, "%" PRId64, value);
        return;
    }
    for (unsigned i = 0; i < division->width; ++i)
        fprintf(out, "%si%u %" PRId64, i == 0 ? "<" : ", ", division->bits, value);
    fputc('>', out);
}

/* %gl.NAME.NUMBER is whether an operand is so much. */
static void print_test(const struct division *division, const char *name, int64_t value, FILE *out)
{
    const bool dividend = strcmp(name, "least") == 0;

    fprintf(out, "  %%gl.%s.%zu = icmp eq %.*s %.*s, ", name, division->number, division->type_length, division->type,
            dividend ? division->dividend_length : division->divisor_length,
            dividend ? division->dividend : division->divisor);
    print_constant(division, value, out);
    fputc('\n', out);
}

bool ir_division_print(const char *line, size_t number, FILE *out)
{
    struct division division = {.number = number};
    char truth[32] = "i1";

    if (!read_division(line, &division))
        return false;
    if (division.width > 1)
        snprintf(truth, sizeof truth, "<%u x i1>", division.width);
    print_test(&division, "zero", 0, out);
    if (division.is_signed) {
        print_test(&division, "minus", -1, out);
        print_test(&division, "least", INT64_MIN >> (64 - division.bits), out);
        fprintf(out, "  %%gl.beyond.%zu = and %s %%gl.minus.%zu, %%gl.least.%zu\n", number, truth, number, number);
        fprintf(out, "  %%gl.none.%zu = or %s %%gl.zero.%zu, %%gl.beyond.%zu\n", number, truth, number, number);
    }
    fprintf(out, "  %%gl.divisor.%zu = select %s %%gl.%s.%zu, %.*s ", number, truth,
            division.is_signed ? "none" : "zero", number, division.type_length, division.type);
    print_constant(&division, 1, out);
    fprintf(out, ", %.*s %.*s\n", division.type_length, division.type, division.divisor_length, division.divisor);
    const char *behind = division.divisor + division.divisor_length;
    fprintf(out, "%.*s%%gl.divisor.%zu%.*s\n", (int)(division.divisor - line), line, number, (int)strcspn(behind, "\n"),
            behind);
    return true;
}

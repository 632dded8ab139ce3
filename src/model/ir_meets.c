#include "model/ir_meets.h"

#include "base/alloc.h"
#include "model/ir_barrier.h"
#include "model/ir_calls.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { UNKNOWN, MEETS, NOT_TOLD };

static size_t line_length(const char *line)
{
    return strcspn(line, "\n");
}

static const char *next_line(const char *line)
{
    line += line_length(line);
    return line + (*line == '\n');
}

static const char *in_line(const char *line, const char *word)
{
    return memmem(line, line_length(line), word, strlen(word));
}

static bool begins_function(const char *line)
{
    return strncmp(line, "define ", strlen("define ")) == 0;
}

/* Behind the first '@', where a function that begins or is called has its name; NULL: none does. */
static const char *name_in(const char *line)
{
    const char *call = begins_function(line) ? line : *line == ' ' ? in_line(line, "call ") : NULL;
    const char *name = call == NULL ? NULL : memchr(call, '@', line_length(call));

    return name == NULL || name[1 + strcspn(name + 1, " ()\n")] != '(' ? NULL : name + 1;
}

static uint32_t *number_of(struct ir_meets *meets, const char *name)
{
    char *copy = xstrndup(name, strcspn(name, " ,()[]{}<>*!\n"));
    uint32_t *number = intern_number(intern_text(&meets->names, copy));
    free(copy);
    return number;
}

static bool is_told(struct ir_meets *meets, const char *name)
{
    return name != NULL && *number_of(meets, name) == MEETS;
}

bool ir_meets_is(struct ir_meets *meets, const char *line)
{
    return begins_function(line) && is_told(meets, name_in(line));
}

bool ir_meets_calls(struct ir_meets *meets, const char *line)
{
    return *line == ' ' && is_told(meets, name_in(line));
}

/* Kernels are called by who knows of no turns. */
static bool is_kernel(const char *define)
{
    const char *name = name_in(define);
    return name == NULL || in_line(define, "!kernel_arg_addr_space") != NULL ||
           strncmp(name, IR_KERNEL_BODY, strlen(IR_KERNEL_BODY)) == 0;
}

/* One call further than is known; false: nothing more was found. */
static bool find_more(struct ir_meets *meets, const char *text)
{
    uint32_t *number = NULL;
    bool found = false;

    for (const char *line = text; *line != '\0'; line = next_line(line)) {
        if (begins_function(line))
            number = is_kernel(line) ? NULL : number_of(meets, name_in(line));
        if (number == NULL || *number != UNKNOWN || (!ir_barrier_is(line) && !ir_meets_calls(meets, line)))
            continue;
        *number = MEETS;
        found = true;
    }
    return found;
}

/* What is named elsewhere may be called in another way. */
static void leave_out_named(struct ir_meets *meets, const char *text)
{
    for (const char *line = text; *line != '\0'; line = next_line(line)) {
        const char *own = name_in(line), *end = line + line_length(line);
        for (const char *at = line; (at = memchr(at, '@', (size_t)(end - at))) != NULL;)
            if (++at != own)
                *number_of(meets, at) = NOT_TOLD;
    }
}

void ir_meets_find(struct ir_meets *meets, const char *text)
{
    if (strstr(text, "barrier") == NULL)
        return;
    leave_out_named(meets, text);
    while (find_more(meets, text))
        ;
}

void ir_meets_fini(struct ir_meets *meets)
{
    intern_fini(&meets->names);
}

/* Behind the bracket that opens: where it is closed. */
static const char *closing(const char *at)
{
    for (uint32_t depth = 1; *at != '\n' && *at != '\0'; ++at) {
        depth += *at == '(';
        depth -= *at == ')';
        if (depth == 0)
            break;
    }
    return at;
}

/* Up to where what is more belongs, with a comma where there is something; returns what follows. */
static const char *print_begin(const char *line, FILE *out)
{
    const char *open = strchr(strchr(line, '@'), '(') + 1, *close = closing(open);

    fprintf(out, "%.*s%s", (int)(close - line), line, close == open ? "" : ", ");
    return close;
}

void ir_meets_print_define(const char *rest_of_line, const char *pointer, FILE *out)
{
    const char *rest = print_begin(rest_of_line, out);
    fprintf(out, "i32 %%gl.in, %s %%gl.met%.*s\n", pointer, (int)line_length(rest), rest);
}

/* What may not look at variables of its caller's ("tail") gets one here. */
void ir_meets_print_call(const char *line, uint32_t serial, const char *pointer, FILE *out)
{
    static const char word[] = "tail call ";
    const char *tail = in_line(line, word);

    if (tail != NULL) {
        fprintf(out, "%.*s", (int)(tail - line), line);
        line = tail + strlen("tail ");
    }
    const char *rest = print_begin(line, out);
    fprintf(out, "i32 %%gl.part.%" PRIu32 ", %s %%gl.own%.*s\n", serial, pointer, (int)line_length(rest), rest);
}

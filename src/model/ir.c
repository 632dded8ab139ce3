#include "model/ir.h"

#include "base/alloc.h"
#include "model/image.h"

#include <stdlib.h>
#include <string.h>

/* The text's lines that are looked up later. */
struct lines {
    const char **metadata; /* by number; or NULL */
    size_t count;
};

struct reading {
    struct ir *ir;
    FILE *out;
    struct lines lines;
    bool opaque; /* pointers have no type */
};

static size_t line_length(const char *line)
{
    return strcspn(line, "\n");
}

/* The first `what` within the line; or NULL. */
static const char *find(const char *line, size_t length, const char *what)
{
    return memmem(line, length, what, strlen(what));
}

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

static char *copy(const char *from, size_t length)
{
    char *text = xcalloc(1, length + 1);
    memcpy(text, from, length);
    return text;
}

/* --- what lines of metadata say --- */

static void note_metadata(struct lines *lines, const char *line)
{
    const size_t number = strtoul(line + 1, NULL, 10);

    if (number >= lines->count) {
        const size_t count = number + 64;
        lines->metadata = xrealloc(lines->metadata, count * sizeof *lines->metadata);
        memset(lines->metadata + lines->count, 0, (count - lines->count) * sizeof *lines->metadata);
        lines->count = count;
    }
    lines->metadata[number] = line;
}

/* Behind "!{" of the node that `!key !N` of a definition names; or NULL. */
static const char *node_of(const struct lines *lines, const char *line, const char *key)
{
    const char *at = find(line, line_length(line), key);

    if (at == NULL || strncmp(at + strlen(key), " !", 2) != 0)
        return NULL;
    const size_t number = strtoul(at + strlen(key) + 2, NULL, 10);
    const char *node = number < lines->count ? lines->metadata[number] : NULL;
    const char *begin = node != NULL ? find(node, line_length(node), "!{") : NULL;
    return begin != NULL ? begin + 2 : NULL;
}

/* Element i of a node of texts, to be freed; "" if there is none. */
static char *text_at(const char *node, size_t i)
{
    while (node != NULL && *node == '!' && node[1] == '"') {
        const char *begin = node + 2;
        const size_t length = strcspn(begin, "\"");
        if (i-- == 0)
            return copy(begin, length);
        node = begin + length + 1;
        node += strspn(node, ", ");
    }
    return copy("", 0);
}

/* Element i of a node of numbers ("i32 1, i32 0"). */
static unsigned number_at(const char *node, size_t i)
{
    for (; node != NULL && begins(node, "i32 "); node += strspn(node, ", ")) {
        node += strlen("i32 ");
        if (i-- == 0)
            return (unsigned)strtoul(node, NULL, 10);
        node += strcspn(node, ",}");
    }
    return 0;
}

/* --- local variables --- */

/* "@k.x = internal global TYPE undef, align N": only what has no initial value is local. */
static bool take_local(struct reading *reading, const char *line)
{
    static const char kind[] = " = internal global ";
    const size_t length = line_length(line);
    const char *type = find(line, length, kind), *end = find(line, length, " undef, ");

    if (type == NULL || end == NULL)
        return false;
    const char *align = find(end, length - (size_t)(end - line), "align ");
    const char *type_begin = type + strlen(kind);
    const int name = (int)(type - line - 1), type_length = (int)(end - type_begin);
    struct ir *ir = reading->ir;

    GROW(ir->locals, ir->local_count);
    struct ir_local *local = &ir->locals[ir->local_count++];
    *local = (struct ir_local){.name = copy(line + 1, (size_t)name), .kernel = -1};
    local->alignment = align != NULL ? (unsigned)strtoul(align + strlen("align "), NULL, 10) : 16;
    fprintf(reading->out, "@%.*s = external thread_local global %.*s, align %u\n", name, line + 1, type_length,
            type_begin, local->alignment);
    /* As LLVM describes a variable of a thread that it emulates: size, alignment, where it is, what it begins as. */
    fprintf(reading->out, "@__emutls_v.%.*s = global { i64, i64, i64, i64 } { i64 ptrtoint (", name, line + 1);
    if (reading->opaque)
        fprintf(reading->out, "ptr getelementptr (%.*s, ptr null, i32 1) to i64)", type_length, type_begin);
    else
        fprintf(reading->out, "%.*s* getelementptr (%.*s, %.*s* null, i32 1) to i64)", type_length, type_begin,
                type_length, type_begin, type_length, type_begin);
    fprintf(reading->out, ", i64 %u, i64 0, i64 0 }\n", local->alignment);
    return true;
}

/* A variable of the program's scope that can be written is put where all of them are. */
static bool take_variable(struct reading *reading, const char *line)
{
    const size_t length = line_length(line);
    const char *align = find(line, length, ", align ");

    if (find(line, length, " global ") == NULL || find(line, length, " external ") != NULL ||
        find(line, length, ", section ") != NULL || align == NULL)
        return false;
    fprintf(reading->out, "%.*s, section \"gl_variables\"%.*s\n", (int)(align - line), line,
            (int)(length - (size_t)(align - line)), align);
    return true;
}

/* --- kernels --- */

/* The end of a type at the beginning of the text. */
static const char *end_of_type(const char *at)
{
    int depth = 0;

    for (; *at != '\0' && *at != '\n'; ++at) {
        if (strchr("<[{(", *at) != NULL)
            ++depth;
        if (depth == 0 && strchr(" ,)", *at) != NULL)
            return at;
        if (strchr(">]})", *at) != NULL)
            --depth;
    }
    return at;
}

/* The end of a parameter: the next comma or parenthesis that is outside of others. */
static const char *end_of_parameter(const char *at)
{
    int depth = 0;

    for (; *at != '\0' && *at != '\n'; ++at) {
        if (depth == 0 && (*at == ',' || *at == ')'))
            return at;
        depth += strchr("<[{(", *at) != NULL;
        depth -= strchr(">]})", *at) != NULL;
    }
    return at;
}

struct parameter {
    const char *begin, *type_end, *name; /* "TYPE ATTRIBUTES %name" */
    const char *by_value;                /* the type that a pointer is to, which is the value; or NULL */
    int by_value_length;
};

static struct parameter read_parameter(const char *begin, const char *end)
{
    struct parameter parameter = {begin, end_of_type(begin), end, NULL, 0};
    const char *by_value = find(begin, (size_t)(end - begin), " byval(");

    while (parameter.name > begin && *parameter.name != '%')
        --parameter.name;
    if (parameter.name < parameter.type_end)
        parameter.name = end;
    if (by_value != NULL) {
        parameter.by_value = by_value + strlen(" byval(");
        parameter.by_value_length = (int)(end_of_parameter(parameter.by_value) - parameter.by_value);
    }
    return parameter;
}

/* Loads the value of argument i: "%d<i>" is what the kernel is called with. */
static void write_load(const struct reading *reading, const struct parameter *parameter, size_t i)
{
    FILE *out = reading->out;
    const int type_length = (int)(parameter->type_end - parameter->begin);
    const char *type = parameter->begin;

    if (reading->opaque) {
        fprintf(out, "  %%a%zu = getelementptr ptr, ptr %%arguments, i64 %zu\n", i, i);
        fprintf(out, "  %%c%zu = load ptr, ptr %%a%zu, align 8\n", i, i);
        if (parameter->by_value == NULL)
            fprintf(out, "  %%d%zu = load %.*s, ptr %%c%zu, align 1\n", i, type_length, type, i);
        return;
    }
    fprintf(out, "  %%a%zu = getelementptr i8*, i8** %%arguments, i64 %zu\n", i, i);
    fprintf(out, "  %%b%zu = load i8*, i8** %%a%zu, align 8\n", i, i);
    fprintf(out, "  %%c%zu = bitcast i8* %%b%zu to %.*s%s\n", i, i, type_length, type,
            parameter->by_value != NULL ? "" : "*");
    if (parameter->by_value == NULL)
        fprintf(out, "  %%d%zu = load %.*s, %.*s* %%c%zu, align 1\n", i, type_length, type, type_length, type, i);
}

static void write_bytes(const struct reading *reading, const struct parameter *parameter)
{
    const char *type = parameter->by_value != NULL ? parameter->by_value : parameter->begin;
    const int length =
        parameter->by_value != NULL ? parameter->by_value_length : (int)(parameter->type_end - parameter->begin);
    if (reading->opaque)
        fprintf(reading->out, "i64 ptrtoint (ptr getelementptr (%.*s, ptr null, i32 1) to i64)", length, type);
    else
        fprintf(reading->out, "i64 ptrtoint (%.*s* getelementptr (%.*s, %.*s* null, i32 1) to i64)", length, type,
                length, type, length, type);
}

enum { PARAMETERS_MOST = 256 };

static size_t read_parameters(const char *at, struct parameter *parameters)
{
    size_t count = 0;

    while (*at != ')' && *at != '\n' && count < PARAMETERS_MOST) {
        const char *end = end_of_parameter(at);
        parameters[count++] = read_parameter(at, end);
        at = end + strspn(end, ", ");
    }
    return count;
}

/* gl_enter_K calls the kernel with what its array says; gl_bytes_K has the sizes of arguments. */
static void write_entry(const struct reading *reading, const char *name, const struct parameter *parameters,
                        size_t count)
{
    FILE *out = reading->out;

    fprintf(out, "define void @gl_enter_%s(%s %%arguments) {\n", name, reading->opaque ? "ptr" : "i8**");
    for (size_t i = 0; i < count; ++i)
        write_load(reading, &parameters[i], i);
    fprintf(out, "  call void @%s(", name);
    for (size_t i = 0; i < count; ++i)
        fprintf(out, "%s%.*s%%%c%zu", i == 0 ? "" : ", ", (int)(parameters[i].name - parameters[i].begin),
                parameters[i].begin, parameters[i].by_value != NULL ? 'c' : 'd', i);
    fprintf(out, ")\n  ret void\n}\n");
    fprintf(out, "@gl_bytes_%s = constant [%zu x i64] [", name, count + 1);
    for (size_t i = 0; i < count; ++i) {
        write_bytes(reading, &parameters[i]);
        fputs(", ", out);
    }
    fprintf(out, "i64 0]\n");
}

static unsigned kind_of(unsigned space, const char *type)
{
    static const char *const refused[] = {"image", "sampler_t", "pipe", "queue_t", "reserve_id_t"};
    static const unsigned kinds[] = {GL_ARGUMENT_VALUE, GL_ARGUMENT_GLOBAL, GL_ARGUMENT_CONSTANT, GL_ARGUMENT_LOCAL};

    for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i)
        if (begins(type, refused[i]))
            return GL_ARGUMENT_REFUSED;
    return space < sizeof kinds / sizeof *kinds ? kinds[space] : GL_ARGUMENT_REFUSED;
}

static void read_argument(const struct lines *lines, const char *line, size_t i, struct ir_argument *argument)
{
    char *qualifiers = text_at(node_of(lines, line, "!kernel_arg_type_qual"), i);
    char *base = text_at(node_of(lines, line, "!kernel_arg_base_type"), i);

    argument->name = text_at(node_of(lines, line, "!kernel_arg_name"), i);
    argument->type = text_at(node_of(lines, line, "!kernel_arg_type"), i);
    argument->kind = kind_of(number_at(node_of(lines, line, "!kernel_arg_addr_space"), i), base);
    argument->qualifiers = (strstr(qualifiers, "const") != NULL ? GL_QUALIFIER_CONST : 0) |
                           (strstr(qualifiers, "restrict") != NULL ? GL_QUALIFIER_RESTRICT : 0) |
                           (strstr(qualifiers, "volatile") != NULL ? GL_QUALIFIER_VOLATILE : 0);
    free(qualifiers);
    free(base);
}

static void read_sizes(const struct lines *lines, const char *line, const char *key, const char *word,
                       unsigned sizes[3], char *attributes, size_t room)
{
    const char *node = node_of(lines, line, key);
    const size_t used = strlen(attributes);

    for (size_t i = 0; i < 3; ++i)
        sizes[i] = number_at(node, i);
    if (node != NULL)
        snprintf(attributes + used, room - used, "%s%s(%u,%u,%u)", used > 0 ? " " : "", word, sizes[0], sizes[1],
                 sizes[2]);
}

static void read_kernel(struct reading *reading, const char *line)
{
    struct parameter parameters[PARAMETERS_MOST];
    struct ir *ir = reading->ir;
    const char *name = strchr(line, '@') + 1;
    const size_t length = strcspn(name, "(");

    GROW(ir->kernels, ir->kernel_count);
    struct ir_kernel *kernel = &ir->kernels[ir->kernel_count++];
    *kernel = (struct ir_kernel){.name = copy(name, length)};
    kernel->argument_count = read_parameters(name + length + 1, parameters);
    kernel->arguments = xcalloc(kernel->argument_count, sizeof *kernel->arguments);
    for (size_t i = 0; i < kernel->argument_count; ++i)
        read_argument(&reading->lines, line, i, &kernel->arguments[i]);
    read_sizes(&reading->lines, line, "!reqd_work_group_size", "reqd_work_group_size", kernel->required,
               kernel->attributes, sizeof kernel->attributes);
    read_sizes(&reading->lines, line, "!work_group_size_hint", "work_group_size_hint", kernel->hint, kernel->attributes,
               sizeof kernel->attributes);
    write_entry(reading, kernel->name, parameters, kernel->argument_count);
}

/* --- the whole --- */

static void note_wanted(struct ir *ir, const char *line)
{
    const char *name = find(line, line_length(line), "@");

    if (name == NULL || begins(name, "@llvm."))
        return;
    GROW(ir->wanted, ir->wanted_count);
    ir->wanted[ir->wanted_count++] = copy(name + 1, strcspn(name + 1, "("));
}

static const char *next_line(const char *line)
{
    line += line_length(line);
    return line + (*line == '\n');
}

static bool is_kernel(const char *line)
{
    return begins(line, "define ") && find(line, line_length(line), "!kernel_arg_addr_space") != NULL;
}

static void assign_locals(struct ir *ir)
{
    for (size_t i = 0; i < ir->local_count; ++i)
        for (size_t j = 0; j < ir->kernel_count; ++j) {
            const size_t length = strlen(ir->kernels[j].name);
            if (begins(ir->locals[i].name, ir->kernels[j].name) && ir->locals[i].name[length] == '.')
                ir->locals[i].kernel = (int)j;
        }
}

/* "call void @K(": by more than its entry. */
static bool calls_kernels(const struct ir *ir, const char *text)
{
    char call[300];

    for (size_t i = 0; i < ir->kernel_count; ++i) {
        snprintf(call, sizeof call, "call void @%.250s(", ir->kernels[i].name);
        if (strstr(text, call) != NULL)
            return true;
    }
    return false;
}

int ir_change(struct ir *ir, const char *text, FILE *changed, struct error *error)
{
    struct reading reading = {.ir = ir, .out = changed};

    *ir = (struct ir){0};
    reading.opaque = strstr(text, "@gl_opaque = ") != NULL;
    for (const char *line = text; *line != '\0'; line = next_line(line)) {
        if (*line == '!' && line[1] >= '0' && line[1] <= '9')
            note_metadata(&reading.lines, line);
        if (*line == '@' && (take_local(&reading, line) || take_variable(&reading, line)))
            continue;
        if (begins(line, "declare "))
            note_wanted(ir, line);
        fprintf(changed, "%.*s\n", (int)line_length(line), line);
    }
    for (const char *line = text; *line != '\0'; line = next_line(line))
        if (is_kernel(line))
            read_kernel(&reading, line);
    assign_locals(ir);
    ir->calls_kernels = calls_kernels(ir, text);
    free(reading.lines.metadata);
    return ferror(changed) ? error_set(error, STATUS_HARNESS, "cannot write a program's text") : 0;
}

void ir_fini(struct ir *ir)
{
    for (size_t i = 0; i < ir->local_count; ++i)
        free(ir->locals[i].name);
    for (size_t i = 0; i < ir->kernel_count; ++i) {
        for (size_t j = 0; j < ir->kernels[i].argument_count; ++j) {
            free(ir->kernels[i].arguments[j].name);
            free(ir->kernels[i].arguments[j].type);
        }
        free(ir->kernels[i].arguments);
        free(ir->kernels[i].name);
    }
    for (size_t i = 0; i < ir->wanted_count; ++i)
        free(ir->wanted[i]);
    free(ir->locals);
    free(ir->kernels);
    free(ir->wanted);
    *ir = (struct ir){0};
}

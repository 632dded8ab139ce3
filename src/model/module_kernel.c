#include "model/module_kernel.h"

#include "base/alloc.h"
#include "model/image.h"
#include "model/ir_unused.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The node that the line names by this word; NULL: none. */
static const char *node_of(const struct kernel_line *line, const struct ir_nodes *nodes, const char *word)
{
    const char *at = strstr(line->line, word);

    if (at == NULL || at > line->line + strcspn(line->line, "\n"))
        return NULL;
    at = strchr(at + strlen(word), '!');
    const size_t number = at == NULL ? nodes->count : strtoul(at + 1, NULL, 10);
    return number < nodes->count ? nodes->nodes[number] : NULL;
}

/* Takes an item off a node: its text, or "" behind the last. Allocated. */
static char *take_item(const char **node)
{
    const char *from = *node == NULL ? "" : *node + strspn(*node, " ");
    const char *end = ir_item_end(from);
    char *text = xstrndup(from, (size_t)(end - from));

    if (*node != NULL)
        *node = end + (*end == ',');
    return text;
}

/* The same of a text: !"float4*", in which \22 is a quote. */
static char *take_text(const char **node)
{
    char *item = take_item(node);
    char *to = item;

    for (const char *from = item; *from != '\0'; ++from) {
        if (*from == '!' || *from == '"')
            continue;
        if (*from == '\\' && isxdigit((unsigned char)from[1]) && isxdigit((unsigned char)from[2])) {
            const char digits[] = {from[1], from[2], '\0'};
            *to++ = (char)strtoul(digits, NULL, 16);
            from += 2;
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
    return item;
}

/* "i32 8" */
static uint32_t take_number(const char **node)
{
    char *item = take_item(node);
    const uint32_t number = (uint32_t)strtoul(item + strcspn(item, " "), NULL, 10);
    free(item);
    return number;
}

static void add_attribute(struct module_kernel *kernel, char *attribute)
{
    char *all = xasprintf("%s%s%s", kernel->attributes, *kernel->attributes == '\0' ? "" : " ", attribute);
    free(attribute);
    free(kernel->attributes);
    kernel->attributes = all;
}

static void read_sizes(struct module_kernel *kernel, const char *word, const char *node, uint32_t sizes[MODULE_SIZES])
{
    if (node == NULL)
        return;
    for (size_t i = 0; i < MODULE_SIZES; ++i)
        sizes[i] = take_number(&node);
    add_attribute(kernel, xasprintf("%s(%u,%u,%u)", word, sizes[0], sizes[1], sizes[2]));
}

/* "<4 x float> undef, i32 0": a type, and whether it is signed. */
static void read_vec_type(struct module_kernel *kernel, const char *node)
{
    static const char *const names[][2] = {{"i8", "char"}, {"i16", "short"}, {"i32", "int"}, {"i64", "long"}};
    char element[16] = "", width[4] = "";

    if (node == NULL)
        return;
    char *type = take_item(&node);
    if (sscanf(type, "<%3[0-9] x %15[a-z0-9]", width, element) != 2)
        sscanf(type, "%15[a-z0-9]", element);
    const bool has_sign = take_number(&node) != 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (strcmp(element, names[i][0]) == 0)
            snprintf(element, sizeof element, "%s%s", has_sign ? "" : "u", names[i][1]);
    add_attribute(kernel, xasprintf("vec_type_hint(%s%s)", element, width));
    free(type);
}

/* An argument of the line: its type, and what is said of it, without its name. */
struct parameter {
    const char *type;
    int type_length, length;
    const char *copy; /* the type that is passed by address; NULL: it is not */
    int copy_length;
    const char *name; /* "%1" */
    size_t name_length;
};

/* Takes one off *at, which is behind the bracket that opens or a comma. */
static bool take_parameter(const char **at, struct parameter *parameter)
{
    const char *from = *at + strspn(*at, " "), *end = ir_item_end(from);
    const char *type = from;
    int depth = 0;

    if (*from == ')')
        return false;
    while (type < end && (*type != ' ' || depth > 0)) {
        depth += (strchr("<[{(", *type) != NULL) - (strchr(">]})", *type) != NULL);
        type += 1;
    }
    const char *name = end;
    while (name > type && name[-1] != '%')
        name -= 1;
    *parameter = (struct parameter){.type = from, .type_length = (int)(type - from)};
    parameter->length = name > type ? (int)(name - 1 - from) : (int)(end - from);
    parameter->name = from + parameter->length;
    parameter->name_length = (size_t)(end - parameter->name);
    const char *copy = strstr(type, "byval(");
    if (copy != NULL && copy < end) {
        parameter->copy = copy + strlen("byval(");
        parameter->copy_length = (int)(ir_item_end(parameter->copy) - parameter->copy);
    }
    *at = end + (*end == ',');
    return true;
}

static const char *first_parameter(const struct kernel_line *line)
{
    return strchr(line->name, '(') + 1;
}

static unsigned kind_of(uint32_t space, const char *type)
{
    static const unsigned kinds[] = {GL_ARGUMENT_VALUE, GL_ARGUMENT_GLOBAL, GL_ARGUMENT_CONSTANT, GL_ARGUMENT_LOCAL};
    static const char *const refused[] = {"queue_t", "reserve_id_t", "clk_event_t"};

    for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i)
        if (strcmp(type, refused[i]) == 0)
            return GL_ARGUMENT_REFUSED;
    if (strcmp(type, "sampler_t") == 0)
        return GL_ARGUMENT_SAMPLER;
    return space < sizeof kinds / sizeof *kinds ? kinds[space] : GL_ARGUMENT_REFUSED;
}

/* Images and pipes say how they are accessed. */
static unsigned access_of(const char *text)
{
    return strcmp(text, "read_only") == 0    ? GL_QUALIFIER_READ_ONLY
           : strcmp(text, "write_only") == 0 ? GL_QUALIFIER_WRITE_ONLY
           : strcmp(text, "read_write") == 0 ? GL_QUALIFIER_READ_ONLY | GL_QUALIFIER_WRITE_ONLY
                                             : 0;
}

static unsigned qualifiers_of(const char *text)
{
    return (strstr(text, "const") != NULL ? GL_QUALIFIER_CONST : 0) |
           (strstr(text, "restrict") != NULL ? GL_QUALIFIER_RESTRICT : 0) |
           (strstr(text, "volatile") != NULL ? GL_QUALIFIER_VOLATILE : 0) |
           (strstr(text, "pipe") != NULL ? GL_QUALIFIER_PIPE : 0);
}

static int read_arguments(const struct kernel_line *line, const struct ir_types *types, const struct ir_nodes *nodes,
                          struct module_kernel *kernel, struct error *error)
{
    const char *spaces = node_of(line, nodes, "!kernel_arg_addr_space");
    const char *access = node_of(line, nodes, "!kernel_arg_access_qual");
    const char *type = node_of(line, nodes, "!kernel_arg_type");
    const char *base = node_of(line, nodes, "!kernel_arg_base_type");
    const char *qualifiers = node_of(line, nodes, "!kernel_arg_type_qual");
    const char *names = node_of(line, nodes, "!kernel_arg_name");
    const char *at = first_parameter(line);

    for (struct parameter parameter; take_parameter(&at, &parameter);) {
        char *accessed = take_text(&access), *base_type = take_text(&base), *qualified = take_text(&qualifiers);
        const char *stored = parameter.copy != NULL ? parameter.copy : parameter.type;
        struct ir_layout layout;

        GROW(kernel->arguments, kernel->argument_count);
        struct module_argument *argument = &kernel->arguments[kernel->argument_count++];
        *argument = (struct module_argument){.name = take_text(&names), .type = take_text(&type)};
        argument->kind = kind_of(take_number(&spaces), base_type);
        argument->qualifiers = qualifiers_of(qualified) | access_of(accessed);
        if (access_of(accessed) != 0)
            argument->kind = strncmp(base_type, "image", 5) == 0 ? GL_ARGUMENT_IMAGE : GL_ARGUMENT_REFUSED;
        if (ir_unused_parameter(line->line, parameter.name, parameter.name_length))
            argument->qualifiers |= GL_QUALIFIER_UNUSED;
        free(accessed);
        free(base_type);
        free(qualified);
        if (argument->kind >= GL_ARGUMENT_IMAGE)
            layout.bytes = sizeof(void *);
        else if (!ir_type_layout(types, &stored, &layout))
            return error_set(error, STATUS_UNSUPPORTED,
                             "kernel %s: argument %zu is of a type that model devices do not know", kernel->name,
                             kernel->argument_count);
        argument->bytes = layout.bytes;
    }
    return 0;
}

int module_kernel_read(const struct kernel_line *line, const struct ir_types *types, const struct ir_nodes *nodes,
                       struct module_kernel *kernel, struct error *error)
{
    *kernel = (struct module_kernel){.name = xstrndup(line->name, strcspn(line->name, "(")), .attributes = xstrdup("")};
    read_sizes(kernel, "reqd_work_group_size", node_of(line, nodes, "!reqd_work_group_size"), kernel->required);
    read_sizes(kernel, "work_group_size_hint", node_of(line, nodes, "!work_group_size_hint"), kernel->hint);
    read_vec_type(kernel, node_of(line, nodes, "!vec_type_hint"));
    if (*kernel->name == '"')
        return error_set(error, STATUS_UNSUPPORTED, "a kernel or a local variable has a name that is not ASCII");
    return read_arguments(line, types, nodes, kernel, error);
}

void module_kernel_fini(struct module_kernel *kernel)
{
    for (size_t i = 0; i < kernel->argument_count; ++i) {
        free(kernel->arguments[i].name);
        free(kernel->arguments[i].type);
    }
    free(kernel->arguments);
    free(kernel->attributes);
    free(kernel->name);
}

void module_kernel_print_enter(const struct kernel_line *line, FILE *out)
{
    const char *byte = line->opaque ? "ptr" : "i8*", *slot = line->opaque ? "ptr" : "i8**";
    const char *star = line->opaque ? "" : "*";
    const int name_length = (int)strcspn(line->name, "(");
    const char *at = first_parameter(line);
    struct parameter parameter;
    size_t count = 0;

    fprintf(out, "\ndefine hidden void @\"gl.enter.%.*s\"(%s %%arguments) \"disable-tail-calls\"=\"true\" {\n",
            name_length, line->name, slot);
    for (; take_parameter(&at, &parameter); ++count) {
        fprintf(out, "  %%slot%zu = getelementptr %s, %s %%arguments, i64 %zu\n", count, byte, slot, count);
        fprintf(out, "  %%at%zu = load %s, %s %%slot%zu, align 8\n", count, byte, slot, count);
        if (parameter.copy != NULL) {
            fprintf(out, "  %%value%zu = bitcast %s %%at%zu to %.*s\n", count, byte, count, parameter.type_length,
                    parameter.type);
            continue;
        }
        const int pointed = line->opaque ? 3 : parameter.type_length;
        const char *type = line->opaque ? "ptr" : parameter.type;
        fprintf(out, "  %%typed%zu = bitcast %s %%at%zu to %.*s%s\n", count, byte, count, pointed, type, star);
        fprintf(out, "  %%value%zu = load %.*s, %.*s%s %%typed%zu, align 1\n", count, parameter.type_length,
                parameter.type, pointed, type, star, count);
    }
    fprintf(out, "  call void @%.*s(", name_length, line->name);
    at = first_parameter(line);
    for (size_t i = 0; take_parameter(&at, &parameter); ++i)
        fprintf(out, "%s%.*s %%value%zu", i == 0 ? "" : ", ", parameter.length, parameter.type, i);
    fputs(")\n  ret void\n}\n", out);
}

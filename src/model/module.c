#include "model/module.h"

#include "base/alloc.h"
#include "model/ir_barrier.h"
#include "model/ir_calls.h"
#include "model/ir_division.h"
#include "model/ir_meets.h"
#include "model/ir_turns.h"
#include "model/ir_unused.h"
#include "model/module_kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPAQUE_VERSION = 15 }; /* of clang, whose pointers have no types */

struct reading {
    struct module *module;
    struct ir_types types;
    struct ir_nodes nodes, places; /* of metadata, by number: lists, and lines of the source */
    struct ir_calls calls;
    struct ir_meets meets;
    struct ir_unused unused;
    struct kernel_line *kernels;
    size_t kernel_count;
    bool opaque;
    const char *function;   /* its first line */
    bool inside;            /* of it */
    struct ir_turns *turns; /* of its loops, or NULL */
    size_t line_count;
    uint32_t barrier_count;
    FILE *out;
};

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static size_t line_length(const char *line)
{
    return strcspn(line, "\n");
}

/* The word within the line; NULL: it has none. */
static const char *in_line(const char *line, const char *word)
{
    return memmem(line, line_length(line), word, strlen(word));
}

static void keep_node(struct ir_nodes *nodes, size_t number, const char *node)
{
    while (nodes->count <= number) {
        GROW(nodes->nodes, nodes->count);
        nodes->nodes[nodes->count++] = NULL;
    }
    nodes->nodes[number] = node;
}

/* Types, metadata and declarations, which lines before them name. */
static void note(struct reading *reading, const char *line)
{
    static const char location[] = " = !DILocation(line: ";
    char *end;

    ir_unused_note(&reading->unused, line);
    if (*line == '%') {
        GROW(reading->types.lines, reading->types.count);
        reading->types.lines[reading->types.count++] = line;
    }
    if (*line != '!')
        return;
    const size_t number = strtoul(line + 1, &end, 10);
    if (end == line + 1)
        return;
    if (begins(end, " = !{"))
        keep_node(&reading->nodes, number, end + strlen(" = !{"));
    else if (begins(end, location))
        keep_node(&reading->places, number, end + strlen(location));
}

/* The line of the source that "!dbg !18" tells; 0: none does. */
static uint32_t source_line(const struct reading *reading, const char *line)
{
    const char *at = in_line(line, "!dbg !");
    const size_t number = at == NULL ? SIZE_MAX : strtoul(at + strlen("!dbg !"), NULL, 10);
    const char *const place = number < reading->places.count ? reading->places.nodes[number] : NULL;

    return place == NULL ? 0 : (uint32_t)strtoul(place, NULL, 10);
}

/* Behind the words that say who sees a name. */
static const char *behind_linkage(const char *text)
{
    static const char *const words[] = {"internal ",     "private ",  "available_externally ",
                                        "linkonce_odr ", "weak_odr ", "weak ",
                                        "common ",       "hidden ",   "protected ",
                                        "dso_local ",    "linkonce "};

    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        if (begins(text, words[i]))
            return behind_linkage(text + strlen(words[i]));
    return text;
}

/* "@kernel.variable = internal global TYPE undef, align 4" */
static int read_local(struct reading *reading, const char *line, const char *type, const char *end, struct error *error)
{
    const int name_length = (int)strcspn(line, " ");
    const char *align = in_line(end, ", align "), *at = type;
    struct ir_layout layout;

    if (line[1] == '"')
        return error_set(error, STATUS_UNSUPPORTED, "a kernel or a local variable has a name that is not ASCII");
    if (!ir_type_layout(&reading->types, &at, &layout))
        return error_set(error, STATUS_UNSUPPORTED, "local variable %.*s is of a type that model devices do not know",
                         name_length - 1, line + 1);
    if (align != NULL)
        layout.align = strtoull(align + strlen(", align "), NULL, 10);
    GROW(reading->module->locals, reading->module->local_count);
    reading->module->locals[reading->module->local_count++] = (struct module_local){
        .name = xstrndup(line + 1, (size_t)name_length - 1), .bytes = layout.bytes, .align = layout.align};
    fprintf(reading->out, "%.*s = external thread_local global %.*s, align %llu\n", name_length, line,
            (int)(end - type), type, (unsigned long long)layout.align);
    return 0;
}

static int read_global(struct reading *reading, const char *line, struct error *error)
{
    const char *sort = in_line(line, " = ");
    const char *type = sort == NULL ? NULL : in_line(sort, " global ");

    if (type == NULL || in_line(sort, " constant ") != NULL || begins(sort, " = external ")) {
        fprintf(reading->out, "%.*s\n", (int)line_length(line), line);
        return 0;
    }
    type += strlen(" global ");
    const char *end = in_line(type, " undef,");
    if (end != NULL && begins(sort, " = internal "))
        return read_local(reading, line, type, end, error);
    const char *align = line + line_length(line); /* the last, for texts may have the word */
    for (const char *next = type; (next = in_line(next, ", align ")) != NULL; ++next)
        align = next;
    reading->module->has_variables = true;
    fprintf(reading->out, "%.*s = hidden global %.*s, section \"" MODULE_SECTION "\"%.*s\n", (int)(sort - line), line,
            (int)(align - type), type, (int)line_length(align), align);
    return 0;
}

/* Without the convention of kernels, which newer compilers do not let functions call. */
static void print_line(const struct reading *reading, const char *line)
{
    static const char convention[] = "spir_kernel ";
    const char *at = in_line(line, convention);

    if (at != NULL) {
        fprintf(reading->out, "%.*s", (int)(at - line), line);
        line = at + strlen(convention);
    }
    fprintf(reading->out, "%.*s\n", (int)line_length(line), line);
}

static void read_define(struct reading *reading, const char *line)
{
    const char *name = in_line(line, "@") + 1;
    const bool kernel = in_line(line, "!kernel_arg_addr_space") != NULL;

    reading->function = line;
    reading->inside = true;
    reading->turns = ir_turns_read(line, reading->opaque, &reading->meets);
    ir_calls_function(&reading->calls, name, strcspn(name, "("), kernel);
    const char *rest = behind_linkage(line + strlen("define "));
    fputs("define internal ", reading->out);
    if (ir_meets_is(&reading->meets, line))
        ir_meets_print_define(rest, reading->opaque ? "ptr" : "i32*", reading->out);
    else
        print_line(reading, rest);
    if (!kernel || begins(name, IR_KERNEL_BODY))
        return;
    GROW(reading->kernels, reading->kernel_count);
    reading->kernels[reading->kernel_count++] = (struct kernel_line){line, name, reading->opaque};
}

static void read_declare(struct reading *reading, const char *line)
{
    const char *name = in_line(line, "@");

    if (name == NULL || begins(++name, "llvm."))
        return;
    GROW(reading->module->needs, reading->module->need_count);
    reading->module->needs[reading->module->need_count++] = xstrndup(name, strcspn(name, "("));
    if (!ir_unused_print(&reading->unused, NULL, line, reading->out))
        return;
    GROW(reading->module->needs, reading->module->need_count);
    reading->module->needs[reading->module->need_count++] = xasprintf("%.*s" IR_UNUSED, (int)strcspn(name, "("), name);
}

/* "%array = alloca [8 x i32], align 16" */
static void read_array(struct reading *reading, const char *line)
{
    static const char word[] = " = alloca ";
    const char *type = in_line(line, word);
    struct ir_layout layout;

    if (type == NULL || type[sizeof word - 1] != '[')
        return;
    type += sizeof word - 1;
    if (ir_type_layout(&reading->types, &type, &layout))
        ir_calls_array(&reading->calls, layout.bytes);
}

static void leave_function(struct reading *reading)
{
    reading->inside = false;
    ir_turns_free(reading->turns);
    reading->turns = NULL;
}

static int read_line(struct reading *reading, const char *line, struct error *error)
{
    if (*line == '@')
        return read_global(reading, line, error);
    if (begins(line, "define ")) {
        read_define(reading, line);
        return 0;
    }
    if (begins(line, "declare "))
        read_declare(reading, line);
    else if (*line == '}')
        leave_function(reading);
    else if (reading->inside) {
        ir_calls_line(&reading->calls, line);
        read_array(reading, line);
    }
    if (reading->turns != NULL)
        ir_turns_print(reading->turns, line, reading->out);
    if (ir_barrier_is(line))
        ir_barrier_print(line, ir_barrier_place(++reading->barrier_count, source_line(reading, line)), reading->turns,
                         reading->out);
    else if ((reading->turns != NULL && ir_turns_print_call(reading->turns, line, reading->out)) ||
             (reading->inside && ir_unused_print(&reading->unused, reading->function, line, reading->out)))
        return 0;
    else if (!ir_division_print(line, reading->line_count++, reading->out))
        print_line(reading, line);
    return 0;
}

/* Local variables of different kernels lie over each other, unless a kernel may run within another. */
static void place_locals(struct module *module, bool apart)
{
    uint64_t all = 0;

    for (size_t i = 0; i < module->kernel_count; ++i) {
        struct module_kernel *kernel = &module->kernels[i];
        const size_t length = strlen(kernel->name);
        uint64_t used = apart ? all : 0;

        for (size_t k = 0; k < module->local_count; ++k) {
            struct module_local *local = &module->locals[k];
            if (strncmp(local->name, kernel->name, length) != 0 || local->name[length] != '.')
                continue;
            local->offset = (used + local->align - 1) / local->align * local->align;
            used = local->offset + local->bytes;
        }
        kernel->local_bytes = used;
        all = used > all ? used : all;
    }
    for (size_t i = 0; i < module->kernel_count && apart; ++i)
        module->kernels[i].local_bytes = all;
}

static int read_all(struct reading *reading, const char *text, struct error *error)
{
    struct module *module = reading->module;
    const char *version = strstr(text, "clang version ");

    reading->opaque = version == NULL || strtoul(version + strlen("clang version "), NULL, 10) >= OPAQUE_VERSION;
    for (const char *line = text; *line != '\0'; line += line_length(line) + (line[line_length(line)] == '\n'))
        note(reading, line);
    ir_meets_find(&reading->meets, text);
    for (const char *line = text; *line != '\0'; line += line_length(line) + (line[line_length(line)] == '\n'))
        if (read_line(reading, line, error) != 0)
            return -1;
    for (size_t i = 0; i < reading->kernel_count; ++i) {
        GROW(module->kernels, module->kernel_count);
        if (module_kernel_read(&reading->kernels[i], &reading->types, &reading->nodes,
                               &module->kernels[module->kernel_count++], error) != 0)
            return -1;
        module_kernel_print_enter(&reading->kernels[i], reading->out);
    }
    const char *circle = ir_calls_circle(&reading->calls);
    if (circle != NULL)
        return error_set(error, STATUS_UNSUPPORTED, "%s calls itself, which OpenCL C does not allow", circle);
    for (size_t i = 0; i < module->kernel_count; ++i)
        module->kernels[i].array_bytes = ir_calls_array_bytes(&reading->calls, module->kernels[i].name);
    place_locals(module, ir_calls_kernel_is_called(&reading->calls));
    return 0;
}

int module_read(const char *text, struct module *module, struct error *error)
{
    struct reading reading = {.module = module};

    *module = (struct module){0};
    reading.out = xopen_memstream(&module->text, NULL);
    const int outcome = read_all(&reading, text, error);
    xclose_memstream(reading.out, &module->text);
    ir_calls_fini(&reading.calls);
    ir_meets_fini(&reading.meets);
    ir_unused_fini(&reading.unused);
    ir_turns_free(reading.turns);
    free(reading.types.lines);
    free(reading.nodes.nodes);
    free(reading.places.nodes);
    free(reading.kernels);
    return outcome;
}

void module_fini(struct module *module)
{
    for (size_t i = 0; i < module->local_count; ++i)
        free(module->locals[i].name);
    for (size_t i = 0; i < module->kernel_count; ++i)
        module_kernel_fini(&module->kernels[i]);
    for (size_t i = 0; i < module->need_count; ++i)
        free(module->needs[i]);
    free(module->locals);
    free(module->kernels);
    free(module->needs);
    free(module->text);
}

#include "model/glue.h"

#include "base/tally.h"
#include "model/builtins.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void print_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; ++text)
        if (isprint((unsigned char)*text) && strchr("\"\\?", *text) == NULL)
            fputc(*text, out);
        else
            fprintf(out, "\\%03o", (unsigned)(unsigned char)*text);
    fputc('"', out);
}

static void print_arguments(const struct module_kernel *kernel, size_t number, FILE *out)
{
    fprintf(out, "void gl_enter_%zu(void *const *) __asm__(\"gl.enter.%s\");\n", number, kernel->name);
    fprintf(out, "static const struct gl_argument gl_arguments_%zu[] = {\n", number);
    for (size_t i = 0; i < kernel->argument_count; ++i) {
        const struct module_argument *argument = &kernel->arguments[i];
        fputs("    {", out);
        print_string(out, argument->name);
        fputs(", ", out);
        print_string(out, argument->type);
        fprintf(out, ", %u, %u, %llu},\n", argument->kind, argument->qualifiers, (unsigned long long)argument->bytes);
    }
    fputs("    {0},\n};\n", out);
}

static void print_kernel(const struct module_kernel *kernel, size_t number, FILE *out)
{
    fprintf(out, "    {\"%s\", gl_enter_%zu, gl_arguments_%zu, %zu, {%u, %u, %u}, {%u, %u, %u}, %llu, %llu, ",
            kernel->name, number, number, kernel->argument_count, kernel->required[0], kernel->required[1],
            kernel->required[2], kernel->hint[0], kernel->hint[1], kernel->hint[2],
            (unsigned long long)kernel->local_bytes, (unsigned long long)kernel->array_bytes);
    print_string(out, kernel->attributes);
    fputs("},\n", out);
}

static void print_table(const struct module *module, FILE *out)
{
    for (size_t i = 0; i < module->local_count; ++i)
        fprintf(out, "const struct gl_local gl_local_%zu __asm__(\"__emutls_v.%s\") = {%llu};\n", i,
                module->locals[i].name, (unsigned long long)module->locals[i].offset);
    for (size_t i = 0; i < module->kernel_count; ++i)
        print_arguments(&module->kernels[i], i, out);
    fputs("static const struct gl_kernel gl_kernels[] = {\n", out);
    for (size_t i = 0; i < module->kernel_count; ++i)
        print_kernel(&module->kernels[i], i, out);
    fprintf(out,
            "    {0},\n};\n__attribute__((visibility(\"default\"))) struct gl_image gl_image = {\n"
            "    GL_IMAGE_VERSION, gl_kernels, %zu, 0, 0, 0, &gl_calls};\n",
            module->kernel_count);
    if (module->has_variables)
        fputs("extern char __start_" MODULE_SECTION "[], __stop_" MODULE_SECTION "[];\n", out);
    fputs("extern const unsigned gl_stack_bytes;\n"
          "GL_BARE __attribute__((constructor)) static void gl_set(void)\n{\n"
          "    gl_image.stack_bytes = gl_stack_bytes;\n",
          out);
    if (module->has_variables)
        fputs("    gl_image.variables = __start_" MODULE_SECTION ";\n"
              "    gl_image.variable_bytes = (unsigned long)(__stop_" MODULE_SECTION " - __start_" MODULE_SECTION
              ");\n",
              out);
    fputs("}\n", out);
}

/* A name that the library lacks: clang's own begin with underscores, others are the user's. */
static void print_lacking(const char *symbol, struct tally *told, FILE *log)
{
    char *name = builtins_name(symbol);

    if (tally_count(told, name) == 0) /* it may be called with several types */
        fprintf(log, "error: %s is %s\n", name,
                *symbol == '_' ? "not offered by model devices" : "declared, but nowhere defined");
    free(name);
}

int glue_print(const struct module *module, FILE *out, FILE *log)
{
    struct tally told = {0};
    int outcome = 0;

    for (size_t i = 0; i < module->need_count; ++i)
        if (strncmp(module->needs[i], "_Z", 2) != 0)
            fprintf(out, "#define NEED_%s\n", module->needs[i]);
    builtins_print_library(out);
    print_table(module, out);
    for (size_t i = 0; i < module->need_count; ++i)
        if (!builtins_print(module->needs[i], i, out)) {
            print_lacking(module->needs[i], &told, log);
            outcome = -1;
        }
    tally_fini(&told);
    return outcome;
}

#include "model/glue.h"

#include "base/source.h"
#include "model/files.h"
#include "model/image.h"

#include <string.h>

static void write_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; ++text)
        fprintf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    fputc('"', out);
}

static void write_arguments(const struct ir_kernel *kernel, FILE *out)
{
    fprintf(out, "static struct gl_argument arguments_%s[] = {\n", kernel->name);
    for (size_t i = 0; i < kernel->argument_count; ++i) {
        const struct ir_argument *argument = &kernel->arguments[i];
        fputs("    {", out);
        write_text(out, argument->name);
        fputs(", ", out);
        write_text(out, argument->type);
        fprintf(out, ", %uu, %uu, 0},\n", argument->kind, argument->qualifiers);
    }
    fputs("    {0},\n};\n", out);
    fprintf(out, "extern void gl_enter_%s(void *const *arguments);\nextern const unsigned long gl_bytes_%s[];\n",
            kernel->name, kernel->name);
}

static void write_kernels(const struct ir *ir, FILE *out)
{
    for (size_t i = 0; i < ir->kernel_count; ++i)
        write_arguments(&ir->kernels[i], out);
    fputs("static struct gl_kernel kernels[] = {\n", out);
    for (size_t i = 0; i < ir->kernel_count; ++i) {
        const struct ir_kernel *kernel = &ir->kernels[i];
        fprintf(out, "    {\"%s\", gl_enter_%s, arguments_%s, %zuu, {%uu, %uu, %uu}, {%uu, %uu, %uu}, 0, ",
                kernel->name, kernel->name, kernel->name, kernel->argument_count, kernel->required[0],
                kernel->required[1], kernel->required[2], kernel->hint[0], kernel->hint[1], kernel->hint[2]);
        write_text(out, kernel->attributes);
        fputs("},\n", out);
    }
    fputs("    {0},\n};\n", out);
}

/* Sizes and places that only the back end knows are filled in when the program is loaded. */
static void write_places(const struct ir *ir, FILE *out)
{
    for (size_t i = 0; i < ir->local_count; ++i)
        fprintf(out, "extern unsigned long local_%zu[4] __asm__(\"__emutls_v.%s\");\n", i, ir->locals[i].name);
    fputs("static unsigned long place(unsigned long *local, unsigned long at)\n{\n"
          "    local[2] = (at + local[1] - 1) / local[1] * local[1];\n    return local[2] + local[0];\n}\n"
          "__attribute__((constructor)) static void find_places(void)\n{\n",
          out);
    for (size_t i = 0; i < ir->kernel_count; ++i)
        fprintf(out, "    for (unsigned i = 0; i < %zuu; ++i)\n        arguments_%s[i].bytes = gl_bytes_%s[i];\n",
                ir->kernels[i].argument_count, ir->kernels[i].name, ir->kernels[i].name);
    /* Kernels of which one calls another need all of their variables at the same time. */
    if (ir->calls_kernels)
        fputs("    unsigned long all = 0;\n", out);
    for (size_t i = 0; i < ir->local_count; ++i) {
        const int kernel = ir->locals[i].kernel;
        if (ir->calls_kernels || kernel < 0)
            fprintf(out, "    %s = place(local_%zu, %s);\n", ir->calls_kernels ? "all" : "kernels[0].local_bytes", i,
                    ir->calls_kernels ? "all" : "kernels[0].local_bytes");
        else
            fprintf(out, "    kernels[%d].local_bytes = place(local_%zu, kernels[%d].local_bytes);\n", kernel, i,
                    kernel);
    }
    for (size_t i = 0; ir->calls_kernels && i < ir->kernel_count; ++i)
        fprintf(out, "    kernels[%zu].local_bytes = all;\n", i);
    fputs("}\n", out);
}

void glue_write(const struct ir *ir, FILE *out)
{
    fputs(model_file("image.h"), out);
    fputs(model_file("glue.inc"), out);
    write_kernels(ir, out);
    write_places(ir, out);
    fprintf(out,
            "struct gl_image gl_image = {GL_IMAGE_VERSION, kernels, %zuu, 0, __start_gl_variables,\n"
            "                            0, &gl_calls};\n"
            "__attribute__((constructor)) static void find_variables(void)\n{\n"
            "    gl_image.variable_bytes = (unsigned long)(__stop_gl_variables - __start_gl_variables);\n}\n"
            "#pragma clang attribute pop\n",
            ir->kernel_count);
}
